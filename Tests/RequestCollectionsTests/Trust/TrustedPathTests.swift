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
        // What a shell makes names of.
        ["sh", "-c", "for f in scripts/*.sh; do . $f; done"], ["sh", "-c", "cd script?; sh t*n.sh"],
        ["sh", "-c", "sh scripts/{other,token}.sh"], ["sh", "-c", "sh scripts/[a-z]oken.sh"],
        ["sh", "-c", "sh scripts\"/token.sh\""], ["sh", "-c", "sh script\\s/token.sh"],
        ["sh", "-c", "sh \"$PWD/scripts/token.sh\""], ["sh", "-c", "$(git rev-parse --show-toplevel)/scripts/token.sh"],
        ["sh", "-c", "sh ~+/scripts/token.sh"], ["sh", "-c", "D=scripts; sh ${D}/token.sh"], ["tar", "-xzfscripts/token.sh"],
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

    @Test(arguments: [
        (["make", "-s", "token"], "Makefile"), (["make", "-C", "sub", "token"], "sub/Makefile"),
        (["npm", "run", "x"], "package.json"),
        (["python3.11", "-m", "pkg.mod"], "pkg/mod.py"), (["python3", "sub"], "sub/__main__.py"),
        (["sh", "-c", "python3 -c 'import mod'"], "mod.py"), (["node", "-r", "./sub/x", "-e", "1"], "sub/x.js"),
        (["/usr/bin/just", "token"], "justfile"),
    ])
    func `what a program reads without being told is watched, too`(words: [String], file: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["pkg", "sub"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try Data("one".utf8).write(to: folder.appending(path: file))
        let hashes = CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path))
        #expect(!hashes.isEmpty && hashes.keys.allSatisfy { [file, "./\(file)"].contains($0) }, "\(hashes.keys)")
    }

    /// A star of SQL or jq is nobody's file, nor is a long text.
    @Test func `signs that make no names watch nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("one".utf8).write(to: folder.appending(path: "a.yaml"))
        for words in [
            ["psql", "-c", "select * from t"], ["jq", ".a[] | {b: .c}"], ["echo", "{\"a\": [1]}"], ["tr", "[a-z]*", "[A-Z]*"],
            ["echo", String(repeating: "x/", count: 100_000)], ["date", "+%s"],
        ] {
            #expect(CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path)) == [:], "\(words.prefix(2))")
        }
    }

    @Test func `a script beside a collection of one file is watched without a repository`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["shop.yaml", "sign.sh", "token", "Makefile"] { try Data("one".utf8).write(to: folder.appending(path: name)) }
        let place = CollectionPlace(folder.appending(path: "shop.yaml").path)
        #expect(Array(CommandFiles.hashes(of: ["./sign.sh"], in: folder.path, of: place).keys) == ["./sign.sh"])
        // What a command leaves there is something else each time.
        let leaving = ["sh", "-c", "date > token; make"]
        #expect(Array(CommandFiles.hashes(of: leaving, in: folder.path, of: place).keys) == ["Makefile"])
        try Data("#!/bin/sh\n".utf8).write(to: folder.appending(path: "token"))
        #expect(CommandFiles.hashes(of: leaving, in: folder.path, of: place).keys.sorted() == ["Makefile", "token"])
    }
}
