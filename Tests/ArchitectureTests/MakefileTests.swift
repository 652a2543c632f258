import Foundation
import Testing

@Suite struct `The Makefile` {
    private static let text = try? String(contentsOf: DocumentationLinksTests.root.appending(path: "Makefile"), encoding: .utf8)

    /// `swift build` asks for coloured messages on a terminal, and a compiler with other arguments has to build everything once more.
    @Test func `builds with the same arguments whether somebody watches or not`() throws {
        let lines = try #require(Self.text).split(separator: "\n").filter { $0.contains(/\$\(SWIFT\) (build|test|run)/) }
        #expect(
            lines == [
                "SWIFT_BUILD = $(SWIFT) build --no-color-diagnostics", "SWIFT_TEST = $(SWIFT) test --no-color-diagnostics",
            ])
    }
}
