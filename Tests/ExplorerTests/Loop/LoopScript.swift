import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// A suite whose tests play a script to the explorer's loop: what is typed, and what is seen then.
@MainActor protocol LoopScript {}

extension LoopScript {
    func shows(_ text: String) -> ScriptedTerminal.Step { .until { $0.text.contains(text) } }
    func type(_ text: String) -> ScriptedTerminal.Step { .events(text.map { .key(.character($0)) }) }
    func key(_ key: KeyPress.Key) -> ScriptedTerminal.Step { .events([.key(KeyPress(key))]) }

    /// This many runs are over.
    func ends(_ count: Int) -> ScriptedTerminal.Step {
        .until { $0.text.contains("history \(count)") || $0.text.contains("\(count) run") }
    }
}

extension ScriptedTerminal {
    /// Runs an explorer until the script has ended it. A script that waits in vain fails the test.
    ///
    /// - Parameter opening: by default on `shop.yaml` of the folder.
    @discardableResult
    func play(
        in folder: TemporaryFolder, with services: ExplorerServices, opening: ExplorerOpening? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Explorer {
        let opening = opening ?? ExplorerOpening(collections: [folder.path("shop.yaml")])
        let explorer = try Explorer(terminal: self, services: services, opening: opening)
        _ = explorer.run()
        #expect(
            !didRunOut, "the script waits for something that never came; the screen:\n\(text)", sourceLocation: sourceLocation)
        return explorer
    }
}

/// An editor that nobody should have opened.
struct NoEditor: ExternalEditor {
    struct Opened: Error {}

    func edit(_ text: String, fileExtension: String) throws -> String { throw Opened() }
}

/// A folder with files in it, gone when nobody holds it any more.
final class TemporaryFolder {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "turnstone-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = url.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: url.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }
}
