import Foundation
import Testing

/// What the manual says of the program is still so: the messages that it explains, the events that it lists, the keys that it shows.
@Suite struct `What the manual says` {
    private static let root = DocumentationLinksTests.root

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    /// All sources, with the texts of literals that are put together over several lines joined.
    private static let sources: Data = {
        var text = ""
        let folder = root.appending(path: "Sources")
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() where path.hasSuffix(".swift")
        {
            let file = (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
            for line in file.split(separator: "\n") {
                let line = line.drop { $0 == " " }
                if text.utf8.last == UInt8(ascii: "\""), line.hasPrefix("+ \"") {
                    text.removeLast()
                    text += line.dropFirst(3)
                } else if text.utf8.last == UInt8(ascii: "\\") {
                    text.removeLast()
                    text += line
                } else {
                    text += "\n"
                    text += line
                }
            }
        }
        return Data(text.utf8)
    }()

    @Test func `each message that troubleshooting explains is one of the program's`() throws {
        let messages = try Self.page("troubleshooting.md").matches(of: /“([^”]+)”/).map { String($0.1) }
        let unknown = messages.filter { message in
            message.components(separatedBy: "…").contains { piece in
                let piece = piece.trimmingCharacters(in: CharacterSet(charactersIn: " ,.:"))
                return !piece.isEmpty && Self.sources.range(of: Data(piece.utf8)) == nil
            }
        }
        #expect(unknown == [])
        #expect(messages.count > 40)
    }

    @Test func `troubleshooting has a section for each exit status of a failure`() throws {
        let headings = try Self.page("troubleshooting.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
        let status = try String(
            contentsOf: Self.root.appending(path: "Sources/CommandLineInterface/CommandLineInterface.swift"), encoding: .utf8)
        let numbers = status.matches(of: /ExitStatus\(rawValue: (\d+)\)/).map { String($0.1) }
        #expect(numbers.count == 12)
        // 0 is none, 1 is about expectations, 130 about Ctrl-C.
        for number in numbers where !["0", "1", "130"].contains(number) {
            #expect(headings.contains { $0.hasSuffix("status \(number)") }, "\(number)")
        }
    }

    @Test func `the table of events has each event, and no other`() throws {
        let tables =
            try Self.page("command-line.md").components(separatedBy: "| event | when").last?
            .components(separatedBy: "| event of a run | when") ?? []
        func names(_ table: String?, _ line: String) -> [String] {
            (table ?? "").split(separator: "\n").filter { $0.hasPrefix(line) }
                .flatMap { $0.dropFirst(line.count - 1).prefix { $0 != "|" }.matches(of: /`(\w+)`/).map { String($0.1) } }
        }
        let listed = names(tables.first, "| `")
        let file = Self.root.appending(path: "Sources/Presentation/Events/EventJSON.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let named = source.matches(of: /case \.\w+: "(\w+)"/).map { String($0.1) }
        #expect(named.count > 30)
        #expect(listed.sorted() == named.sorted())
        let ofRun = Self.root.appending(path: "Sources/CommandLineInterface/Run/RunEventJSON.swift")
        let described = names(try String(contentsOf: ofRun, encoding: .utf8), "/// | `")
        #expect(described.count == 9)
        #expect(names(tables.last, "| `").sorted() == described.sorted())
    }

    @Test func `each task of make that a page names is one of the Makefile's`() throws {
        let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
        let tasks = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.1) })
        let docs = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "docs").path)
        let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] + docs.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        let named = try pages.flatMap { page in
            let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
            return text.matches(of: /(?m)(?:`|^)make ([a-z-]+)/).map { String($0.1) }
        }
        #expect(named.count > 10)
        #expect(Set(named).subtracting(tasks) == [])
    }

    @Test func `each key of the format stands in an example`() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "docs").path)
            .filter { $0.hasSuffix(".md") }.map(Self.page)
        let blocks = pages.flatMap { $0.components(separatedBy: "```yaml\n").dropFirst() }
            .compactMap { $0.components(separatedBy: "```").first }
        let used = Set(blocks.joined(separator: "\n").matches(of: /([\w-]+):/).map { String($0.1) })
        let keys = try Self.page("format.md").matches(of: /(?m)^\| `([\w.-]+)` \|/)
            .flatMap { $0.1.split(separator: ".").map(String.init) }
        #expect(keys.count > 200)
        #expect(Set(keys).subtracting(used).sorted() == [])
    }
}
