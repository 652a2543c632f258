import Foundation
import Testing

/// What a collection wants of the machine goes through one door: the functions that start a program, or read a secret, a file or an
/// environment variable for a collection, take a `Permit`, and only `Trust` makes one.
@Suite struct TrustDoorTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// What starts a program or gives leave, and the files that may say it.
    static let doors: [(pattern: String, files: Set<String>)] = [
        // The editor is the user's own.
        ("posix_spawn(", ["CollectionRunner/Commands/ChildProcess.swift", "Explorer/Files/ExternalEditor.swift"]),
        ("ChildProcess(", ["CollectionRunner/Commands/Command.swift"]),
        ("Process()", []), ("popen(", []), ("execv", []),
        // jq, the browser, and a filter that a person types.
        (
            ".own)",
            [
                "CollectionRunner/Filters/BodyFilter.swift", "CollectionRunner/OAuth2/Browser.swift",
                "Explorer/Effects/EffectPerformer+Filter.swift",
            ]
        ),
        ("Permit(want", ["RequestCollections/Trust/Trust.swift"]),
        ("static let own = Permit(", ["RequestCollections/Trust/Trust.swift"]),
        ("PermittedFile(real", ["RequestCollections/Trust/VariableScope+Trust.swift"]),
        ("processEnvironment[", ["RequestCollections/Templates/TemplateEnvironment.swift"]),
    ]

    @Test func `programs, secrets, files and the environment are reached through the one door`() throws {
        let files = FileManager.default.enumerator(atPath: Self.sources.path)?.compactMap { $0 as? String } ?? []
        var found: [String: Set<String>] = [:]
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            for (pattern, _) in Self.doors {
                let isThere = text.split(separator: "\n").contains { line in
                    !line.drop { $0 == " " }.hasPrefix("//") && line.contains(pattern)
                }
                if isThere { found[pattern, default: []].insert(file) }
            }
        }
        for (pattern, allowed) in Self.doors {
            #expect(found[pattern] ?? [] == allowed, "\(pattern)")
        }
    }
}
