import Foundation
import Testing

/// The pages for people lead somewhere: every link within the repository names a file or folder that is there, and a heading of it.
@Suite struct `The links of the pages` {
    private static let root = DocumentationLinksTests.root

    private static let pages: [String] = {
        let manual = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Sources/NetworkLayer/README.md"]
            + manual.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    @Test(arguments: pages)
    func `lead to what is there`(page: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let folder = Self.root.appending(path: page).deletingLastPathComponent()
        let links =
            text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + text.matches(of: /src(?:set)?="([^"]+)"/).map { String($0.1) }
        for link in links where !link.contains("://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? Self.root.appending(path: page) : folder.appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link)")
            guard parts.count == 2 else { continue }
            let headings = try Self.headings(of: String(contentsOf: target, encoding: .utf8))
            #expect(headings.contains(parts[1]), "\(page) links to \(link)")
        }
    }

    /// As GitHub names them in addresses.
    private static func headings(of text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                .replacing(" ", with: "-")
        }
    }
}
