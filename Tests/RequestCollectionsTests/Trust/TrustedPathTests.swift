import Foundation
import Testing

@testable import RequestCollections

@Suite struct TrustedPathTests {
    /// Swift takes a slash and an accent behind it for one character; the system doesn't.
    @Test func `a path leads upwards whatever stands behind its slash`() {
        #expect(RealPath.of("/nowhere-at-all/../\u{301}x") == "/\u{301}x")
        #expect("/c/\u{301}x".rest(below: "/c") == "/\u{301}x")
    }

    @Test func `a directory isn't another one that looks the same`() {
        #expect("/caf\u{E9}/x".rest(below: "/cafe\u{301}") == nil)
        #expect("/cafe\u{301}/x".rest(below: "/cafe\u{301}") == "/x")
    }

    @Test(
        arguments: [
            (["./token.sh"], ["token.sh"]), (["sh", "token.sh"], ["token.sh"]), (["sh", "sub/my script"], ["sub/my script"]),
            (["sh", "-c", "cd /tmp; ./token.sh|head&&sh 'lib'>out"], ["lib", "token.sh"]),
            (["sh", "-c", "$(sh token.sh) \"lib\""], ["lib", "token.sh"]), (["sh", "../root.sh"], ["../root.sh"]),
            (["sh", "\u{301}run"], ["\u{301}run"]), (["sh", "-c", "echo '->'; ./token.sh"], ["token.sh"]),
            (["sh", "-c", "./token.sh; date >> token.sh"], ["token.sh"]), (["sh", "-c", "tr -d '<>' < lib | sh"], ["lib"]),
            (["sh", "-c", String(repeating: " ", count: 1 << 16) + "./token.sh"], ["token.sh"]),
            // What a command writes, what isn't a word of its own, and what a link leads to outside.
            (["sh", "-c", "date >lib; cat lib"], []), (["make", "--file=token.sh"], []), (["./link"], []), (["sub"], []),
            (["sh", "/etc/passwd"], []),
        ])
    func `a file of the collection that is a word of a command is watched`(words: [String], expected: [String]) throws {
        let folder = try ScriptFiles([
            ".git/HEAD": "", "root.sh": "1", "shop/token.sh": "2", "shop/lib": "3", "shop/sub/my script": "4", "shop/out": "5",
            "shop/\u{301}run": "6",
        ])
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/shop/link", withDestinationPath: "/bin/sh")
        let place = CollectionPlace("\(folder.path)/shop")
        let hashes = CommandFiles.hashes(of: words, in: "\(folder.path)/shop", of: place)
        #expect(hashes.map { String(decoding: $0.utf8.dropLast(72), as: UTF8.self) } == expected)
        #expect(CommandFiles.areUnchanged(hashes, of: place))
        for name in expected { try folder.write("other", to: "shop/\(name)") }
        #expect(CommandFiles.areUnchanged(hashes, of: place) == expected.isEmpty)
    }

    @Test func `what lies beside a collection of one file is watched, too`() throws {
        let folder = try ScriptFiles(["shop.yaml": "turnstone: 1", "sign.sh": "1"])
        let place = CollectionPlace("\(folder.path)/shop.yaml")
        let hashes = CommandFiles.hashes(of: ["./sign.sh"], in: folder.path, of: place)
        #expect(hashes.count == 1 && CommandFiles.areUnchanged(hashes, of: place))
        try folder.write("2", to: "sign.sh")
        #expect(!CommandFiles.areUnchanged(hashes, of: place))
    }
}

/// A directory of its own, removed when nobody needs it any more.
private final class ScriptFiles {
    let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path

    init(_ files: [String: String]) throws {
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
