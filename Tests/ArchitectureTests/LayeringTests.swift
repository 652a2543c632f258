import Foundation
import Testing

/// The floors of the house. SwiftPM refuses an import with no path to the module, but not one that arrives through a
/// dependency; so this table is held against every `import` in Sources/. The module maps on the floor of a module stand among what
/// comes from elsewhere.
private let floors: [String: Row] = [
    "Base": Row(0, [], ["FoundationEssentials", "Foundation", "Glibc", "Musl", "Darwin"]),
    "NetworkLayer": Row(0, [], ["CLibcrypto", "CLibidn2", "HTTPTypes", "Logging", "DequeModule", "HeapModule"]),
    "TerminalUI": Row(0),
    "GraphQLLanguage": Row(0),
    "CCurl": Row(0),
    "CNcurses": Row(0),
    "CJQ": Row(0),
    "CPCRE2": Row(0),
    "CXML2": Row(0),
    "CLate": Row(0),
    "CLibcrypto": Row(0),
    "CLibssl": Row(0),
    "CLibidn2": Row(0),
    "CLibYAML": Row(0),
    "CSQLite": Row(0),
    "CZlib": Row(0),
    "Zlib": Row(0, [], ["CZlib"]),
    "DemoServer": Row(1, ["GraphQLLanguage", "Zlib"], ["CLibcrypto", "CLibssl", "FlyingSocks"]),
    "CurlTransport": Row(1, ["NetworkLayer", "CCurl", "CLibssl", "CZlib"], ["HTTPTypes"]),
    "WebSockets": Row(1, ["NetworkLayer", "CZlib"], ["HTTPTypes"]),
    "NetworkMonitor": Row(1, ["NetworkLayer"], ["HTTPTypes"]),
    "NetworkLayerMetrics": Row(1, ["NetworkLayer"], ["CoreMetrics", "HTTPTypes"]),
    "NetworkLayerTracing": Row(1, ["NetworkLayer"], ["HTTPTypes", "Tracing"]),
    "NcursesTerminal": Row(1, ["TerminalUI", "CNcurses"]),
    "RequestCollections": Row(
        1, ["GraphQLLanguage", "NetworkLayer", "CLibYAML", "CPCRE2", "Zlib"], ["HTTPTypes", "OrderedCollections"]),
    "MockTransport": Row(2, ["NetworkLayer", "WebSockets"], ["HTTPTypes"]),
    "History": Row(2, ["NetworkLayer", "RequestCollections", "CSQLite"], ["HTTPTypes"]),
    "Presentation": Row(2, ["NetworkLayer", "TerminalUI", "RequestCollections"], ["HTTPTypes"]),
    "Interchange": Row(2, ["NetworkLayer", "RequestCollections"], ["HTTPTypes", "OrderedCollections"]),
    "CollectionRunner": Row(
        3, ["NetworkLayer", "WebSockets", "MockTransport", "RequestCollections", "History", "CJQ", "CXML2"], ["HTTPTypes"]),
    "CommandLineInterface": Row(
        4,
        [
            "NetworkLayer", "CurlTransport", "MockTransport", "WebSockets", "DemoServer", "RequestCollections", "Presentation",
            "History", "Interchange", "CollectionRunner", "TerminalUI",
        ],
        ["ArgumentParser", "HTTPTypes"]),
    "Explorer": Row(
        5,
        [
            "GraphQLLanguage", "Presentation", "CollectionRunner", "History", "Interchange", "MockTransport", "NetworkLayer",
            "TerminalUI",
            "RequestCollections",
        ], ["HTTPTypes", "OrderedCollections"]),
    "turnstone": Row(
        6,
        [
            "CollectionRunner", "CommandLineInterface", "Explorer", "NcursesTerminal", "CurlTransport",
            "DemoServer", "History",
            "MockTransport", "NetworkMonitor", "NetworkLayer", "RequestCollections", "Presentation",
        ]),
]

/// The folders of the explorer that neither start tasks nor read files or clocks: they turn an event into a new state with effects, and
/// a state into cells. The other folders perform the effects.
private let pureFolders: Set<String> = [
    "Commands", "Conflicts", "Keymap", "Operations", "Overlays", "Panes", "Screen", "State", "Tour", "Trust",
]

/// What belongs to the toolchain, and any module may import. The whole of Foundation isn't: it brings 38 MB of Unicode's data.
private let toolchain: Set<String> = [
    "Swift", "Synchronization", "Dispatch", "Base",
]

private struct Row {
    var floor: Int
    var ours: Set<String>
    var others: Set<String>

    init(_ floor: Int, _ ours: Set<String> = [], _ others: Set<String> = []) {
        self.floor = floor
        self.ours = ours
        self.others = others
    }
}

private struct Import: Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    var module: String

    var description: String { "\(file):\(line): import \(module)" }
}

@Suite struct LayeringTests {
    private let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    @Test func `every folder in Sources has a row in the table, and every row a folder`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { !$0.hasPrefix(".") }
        #expect(Set(folders) == Set(floors.keys))
    }

    @Test func `a row names only modules of lower floors`() {
        for (module, row) in floors {
            for imported in row.ours {
                #expect((floors[imported]?.floor ?? .max) < row.floor, "\(module) may not import \(imported)")
            }
        }
    }

    @Test func `a module imports only what its row lists`() throws {
        var seen = 0
        for (module, row) in floors {
            for found in try imports(of: module) {
                seen += 1
                let isAllowed =
                    toolchain.contains(found.module) || row.ours.contains(found.module) || row.others.contains(found.module)
                #expect(isAllowed, "\(found) is not in the row of \(module)")
            }
        }
        #expect(seen > 100, "the test found hardly any import: does it still look in the right place?")
    }

    @Test func `a row lists nothing that its module doesn't import`() throws {
        for (module, row) in floors {
            let imported = Set(try imports(of: module).map(\.module))
            #expect(row.ours.union(row.others).subtracting(imported) == [], "\(module)")
        }
    }

    @Test func `the pure folders of the explorer start no tasks, and read no files and no clocks`() throws {
        let folder = sources.appending(path: "Explorer")
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(folders) == pureFolders.union(["Effects", "Files", "Loop", "Watching"]))
        let impure: Set<String> = ["CollectionRunner", "Dispatch", "History", "MockTransport", "Synchronization"]
        for found in try imports(of: "Explorer") where pureFolders.contains(String(found.file.split(separator: "/")[1])) {
            #expect(!impure.contains(found.module), "\(found)")
        }
        let names = /\b(?:Task|FileManager|Mutex|ContinuousClock|SuspendingClock|ProcessInfo)\b|\bDate(?:\(\)|\.now)/
        for name in pureFolders {
            let files = FileManager.default.enumerator(atPath: folder.appending(path: name).path)
            for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: "\(name)/\(file)"), encoding: .utf8)
                #expect(text.matches(of: names).map { String($0.output) } == [], "\(name)/\(file)")
            }
        }
    }

    @Test func `the map of the architecture has every module on its floor`() throws {
        let page = try String(contentsOf: sources.deletingLastPathComponent().appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        var map: [String: Int] = [:]
        for match in page.matches(of: /(?m)^\| (\d) \| (`[^|]+) \|/) {
            for name in match.2.matches(of: /`(\w+)`/) { map[String(name.1)] = Int(match.1) }
        }
        #expect(map == floors.mapValues(\.floor))
    }

    @Test func `ENG-1 FoundationNetworking is imported nowhere`() throws {
        for module in floors.keys {
            #expect(try imports(of: module).filter { $0.module == "FoundationNetworking" } == [])
        }
    }

    @Test func `only one module calls curl, and one ncurses`() throws {
        let callers = try floors.keys.filter { module in
            try imports(of: module).contains { $0.module == "CCurl" || $0.module == "CNcurses" }
        }
        #expect(Set(callers) == ["CurlTransport", "NcursesTerminal"])
    }

    private func imports(of module: String) throws -> [Import] {
        let folder = sources.appending(path: module)
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var found: [Import] = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                if let name = Self.importedModule(in: line) {
                    found.append(Import(file: "\(module)/\(file)", line: index + 1, module: name))
                }
            }
        }
        return found
    }

    /// `package import struct Foo.Bar` imports `Foo`.
    static func importedModule(in line: Substring) -> String? {
        var words = line.split(separator: " ")[...]
        let modifiers: Set<Substring> = [
            "public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency", "@_exported",
        ]
        while let first = words.first, modifiers.contains(first) { words.removeFirst() }
        guard words.first == "import" else { return nil }
        words.removeFirst()
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        if let first = words.first, kinds.contains(first) { words.removeFirst() }
        return words.first.map { String($0.prefix { $0 != "." }) }
    }

    @Test(arguments: [
        ("import NetworkLayer", "NetworkLayer"), ("package import struct TerminalUI.Frame", "TerminalUI"),
        ("@testable internal import Foo", "Foo"), ("let import = 1", nil), ("// import Foo", nil),
    ])
    func `finds the module in a line of code`(line: String, module: String?) {
        #expect(Self.importedModule(in: line[...]) == module)
    }
}
