import Foundation
import Testing

/// Comments are sentences, or name the thing: a genitive alone, such as "Of the last attempt.", is a riddle to whoever doesn't write it.
@Suite struct CommentTests {
    private static let openings = ["Of ", "Also of ", "Only of "]

    /// The lines with which a comment begins like one of ``openings``.
    private static func riddles(in source: String) -> [Substring] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        return zip([""] + lines, lines).compactMap { before, line in
            guard line.hasPrefix("//"), !before.hasPrefix("//") else { return nil }
            let text = line.drop { $0 == "/" }.drop { $0 == " " }
            return openings.contains { text.hasPrefix($0) } ? line : nil
        }
    }

    @Test func `no comment begins with a genitive`() throws {
        let sources = DocumentationLinksTests.root.appending(path: "Sources")
        var found: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted() where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            found += Self.riddles(in: text).map { "\(file): \($0)" }
        }
        #expect(found == [])
    }

    @Test func `such a comment is found`() {
        #expect(
            Self.riddles(in: "    /// Of the last attempt.\n    var a = 1\n/// The first.\n/// Of two.\n").map(String.init) == [
                "/// Of the last attempt."
            ])
    }
}
