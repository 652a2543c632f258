import Foundation
import Testing

/// What a collection wants of the machine goes through one door: programs are started, and files and environment variables read for a
/// collection, in the few modules that ask for trust first.
@Suite struct TrustDoorTests {
    /// What starts a program or reads past the collection's own files, and the modules that may say it.
    private static let doors: [(text: String, modules: Set<String>)] = [
        // The explorer starts the user's own editor, and the terminal the programs that keep a clipboard.
        ("posix_spawn(", ["CollectionRunner", "Explorer"]), ("execv", []), ("Process()", []), ("popen(", ["NcursesTerminal"]),
        ("processEnvironment[", ["RequestCollections"]),
    ]

    @Test func `programs are started, and the environment is read, through the one door`() throws {
        let sources = DocumentationLinksTests.root.appending(path: "Sources")
        var found: [String: Set<String>] = [:]
        for case let file as String in FileManager.default.enumerator(atPath: sources.path) ?? .init()
        where file.hasSuffix(".swift") {
            let bytes = try Data(contentsOf: sources.appending(path: file))
            for (text, _) in Self.doors where bytes.range(of: Data(text.utf8)) != nil {
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.contains(text) }
                guard lines.contains(where: { !$0.drop { $0 == " " }.hasPrefix("//") }) else { continue }
                found[text, default: []].insert(String(file.prefix { $0 != "/" }))
            }
        }
        for (text, modules) in Self.doors { #expect(found[text, default: []].isSubset(of: modules), "\(text)") }
    }
}
