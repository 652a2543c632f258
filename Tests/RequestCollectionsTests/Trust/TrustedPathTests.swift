import Foundation
import Testing

@testable import RequestCollections

/// Swift takes a slash and an accent behind it for one character; the system doesn't.
@Suite struct TrustedPathTests {
    @Test func `a path leads upwards whatever stands behind its slash`() {
        #expect(RealPath.of("/nowhere-at-all/../\u{301}x") == "/\u{301}x")
        #expect("/c/\u{301}x".rest(below: "/c") == "/\u{301}x")
    }

    @Test func `a directory isn't another one that looks the same`() {
        #expect("/caf\u{E9}/x".rest(below: "/cafe\u{301}") == nil)
        #expect("/cafe\u{301}/x".rest(below: "/cafe\u{301}") == "/x")
    }

    @Test func `a script is one of the collection's whatever its name begins with`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("echo".utf8).write(to: folder.appending(path: "bin/\u{301}run"))
        let hashes = CommandFiles.hashes(of: ["bin/\u{301}run"], in: folder.path, of: CollectionPlace(folder.path))
        #expect(Array(hashes.keys) == ["bin/%CC%81run"])
    }

    @Test(arguments: [
        ["sh", "-c", "cd scripts && sh ./token.sh"], ["sh", "-c", "cd scripts; cd ..; . scripts/token.sh"],
        ["make", "-fscripts/token.sh"],
        ["make", "-C", "scripts", "-f", "token.sh"], ["make", "-Cscripts", "-ftoken.sh"], ["x", "--file=scripts/token.sh"],
        ["curl", "-d@scripts/token.sh"], ["env", "-C", "deep/scripts", "sh", "../../scripts/token.sh"],
        ["sh", "-c", "(cd deep/scripts\nsh ../../scripts/token.sh)"],
    ])
    func `a script is watched however the command comes to it`(words: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        for name in ["scripts", "deep/scripts"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("echo".utf8).write(to: folder.appending(path: "scripts/token.sh"))
        let place = CollectionPlace(folder.path)
        let hashes = CommandFiles.hashes(of: words, in: folder.path, of: place)
        #expect(!hashes.isEmpty)
        #expect(CommandFiles.areUnchanged(hashes, of: place))
        try Data("echo other".utf8).write(to: folder.appending(path: "scripts/token.sh"))
        #expect(!CommandFiles.areUnchanged(hashes, of: place))
    }
}
