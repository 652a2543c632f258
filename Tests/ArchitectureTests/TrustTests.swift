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
        // The worker is this program itself.
        ("ChildProcess(", ["CollectionRunner/Commands/Command.swift", "CollectionRunner/Questions/QuestionWorker.swift"]),
        ("Process()", []), ("popen(", []),
        // The program itself, anew on fewer processors.
        ("execv", ["turnstone/AddressSpace.swift"]),
        // The browser, and a filter that a person types.
        (".own)", ["CollectionRunner/OAuth2/Browser.swift"]),
        (": .own", ["Explorer/Effects/EffectPerformer+Filter.swift"]),
        ("Permit(want", ["RequestCollections/Trust/Trust.swift"]),
        ("static let own = Permit(", ["RequestCollections/Trust/Trust.swift"]),
        ("PermittedFile(real", ["RequestCollections/Trust/VariableScope+Trust.swift"]),
        ("PermittedOutput(real", ["RequestCollections/Trust/VariableScope+Trust.swift"]),
        ("processEnvironment[", ["RequestCollections/Templates/TemplateEnvironment.swift"]),
    ]

    /// What reads files, below the folders that see what a collection says, and the files that may say it: a request's file reaches the
    /// reader and the writer of the collection itself, and everything else that it names goes through a `PermittedFile`.
    static let readers: [(pattern: String, files: Set<String>)] = [
        (
            "FileContents.read(",
            [
                // The line of the collection's own file that a failure shows.
                "RequestCollections/Expectations/SourceExcerpt.swift",
                "RequestCollections/Files/CollectionFiles.swift", "RequestCollections/Files/FileReplacement.swift",
                "RequestCollections/Saving/CollectionChange.swift", "RequestCollections/Saving/CollectionStore.swift",
                "RequestCollections/Saving/RequestCollection+Saving.swift",
                "RequestCollections/Saving/RequestCollection+Variables.swift",
                "RequestCollections/Structure/RequestCollection+Applying.swift",
                // What a watched script names, before anybody is asked: it is shown nowhere.
                "RequestCollections/Trust/CommandWatch.swift", "RequestCollections/Trust/PermittedFile.swift",
                // What lies beside a collection, under a name that it doesn't choose.
                "RequestCollections/Updating/ImportBase.swift", "RequestCollections/Writing/RequestCollection+Writing.swift",
            ]
        ),
        ("PermittedFile(", ["RequestCollections/Trust/VariableScope+Trust.swift"]),
        ("openat(", ["RequestCollections/Files/FileContents+Links.swift", "RequestCollections/Trust/PermittedOutput.swift"]),
        // Whether a worktree of git points back; and a body, in a file of this program's own.
        ("Data(contentsOf", ["CollectionRunner/Questions/Answering.swift", "CollectionRunner/Trust/GitWorktree.swift"]),
        ("String(contentsOf", []), ("contents(atPath", []), ("FileHandle(", []), ("fopen(", []),
        // The PATH by which the system will find the program of a command.
        ("getenv(", ["RequestCollections/Trust/CommandFiles.swift"]),
    ]

    @Test func `nothing that a collection names is opened past the door`() throws {
        let folders = ["RequestCollections/", "CollectionRunner/", "Interchange/"]
        let found = try Self.files(saying: Self.readers.map(\.pattern)) { file in folders.contains { file.hasPrefix($0) } }
        for (pattern, allowed) in Self.readers {
            #expect(found[pattern] ?? [] == allowed, "\(pattern)")
        }
    }

    @Test func `programs, secrets, files and the environment are reached through the one door`() throws {
        let found = try Self.files(saying: Self.doors.map(\.pattern)) { _ in true }
        for (pattern, allowed) in Self.doors {
            #expect(found[pattern] ?? [] == allowed, "\(pattern)")
        }
    }

    /// The files in which a line of code has a text, by it.
    private static func files(saying patterns: [String], where isLookedAt: (String) -> Bool) throws -> [String: Set<String>] {
        let files = FileManager.default.enumerator(atPath: Self.sources.path)?.compactMap { $0 as? String } ?? []
        var found: [String: Set<String>] = [:]
        for file in files where file.hasSuffix(".swift") && isLookedAt(file) {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            for pattern in patterns {
                let isThere = text.split(separator: "\n").contains { line in
                    !line.drop { $0 == " " }.hasPrefix("//") && line.contains(pattern)
                }
                if isThere { found[pattern, default: []].insert(file) }
            }
        }
        return found
    }
}
