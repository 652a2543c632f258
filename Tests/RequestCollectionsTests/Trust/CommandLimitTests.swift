import Foundation
import Testing

@testable import RequestCollections

/// What lies behind a limit of the watch may be anything, so it must not change unasked.
@Suite struct CommandLimitTests {
    /// Each is a long script, or one of many, that at last reads in `lib`.
    static let long: [(name: String, files: [String: String])] = [
        ("300 KB", ["a": String(repeating: "#\n", count: 150_000) + ". ./lib\n"]),
        ("a zero", ["a": "#\0\n. ./lib\n"]), ("a zero in the name", ["a": ". ./l\0ib\n"]),
        ("1,100 names", ["a": (0..<1100).map { ": ./n\($0)\n" }.joined() + ". ./lib\n"]),
        ("1,100 names in a line", ["a": ":" + (0..<1100).map { " ./n\($0)" }.joined() + "\n. ./lib\n"]),
        (
            "70 scripts",
            Dictionary(
                uniqueKeysWithValues: (0..<70).map { ("s\($0)", "") } + [
                    ("a", (0..<70).map { ". ./s\($0)\n" }.joined() + ". ./z\n"), ("z", ". ./lib\n"),
                ])
        ),
    ]

    @Test(arguments: long.indices) func `a script is followed that is long, or one of many`(index: Int) throws {
        let (name, files) = Self.long[index]
        let folder = try ScriptFiles(files.merging(["lib": "one", "data": "one"]) { $1 })
        let hashes = CommandFiles.hashes(of: ["sh", "a"], in: folder.path, of: CollectionPlace(folder.path))
        #expect(hashes.keys.contains("lib"), "\(name)")
        #expect(!hashes.keys.contains("data"), "\(name)")
        #expect(hashes.keys.allSatisfy { CommandLimit(key: $0) == nil }, "\(name)")
    }

    /// Whatever ends the walk, a file that was never seen is a part of the command.
    @Test(arguments: [CommandLimit.text, .names]) func `behind a limit every file counts`(limit: CommandLimit) throws {
        let folder = try ScriptFiles(["lib": "one", "deep/.er/lib": "one", ".git/index": "one"])
        var words = ["sh", "a"]
        switch limit {
        case .text: try folder.write(String(repeating: "# line\n", count: 1 << 20) + ". ./lib\n", to: "a")
        case .names:
            for number in 0..<300 { try folder.write("", to: "d\(number)/x") }
            words = ["sh", "-c", "cd d*; . x"]
        }
        let place = CollectionPlace(folder.path)
        func hashes() -> [String: String] { CommandFiles.hashes(of: words, in: folder.path, of: place) }
        let one = hashes()
        #expect(one.keys.contains(limit.key))
        #expect(hashes() == one)
        #expect(CommandFiles.areUnchanged(one, of: place))
        try folder.write("two", to: ".git/index")
        #expect(hashes() == one)
        // What a command keeps beside it.
        try folder.write("two", to: "cache.db")
        #expect(hashes() == one)
        for name in ["lib", "deep/.er/lib", "new", "new.sh"] {
            let before = hashes()
            try folder.write("two", to: name)
            #expect(hashes() != before, "\(name)")
            #expect(!CommandFiles.areUnchanged(before, of: place), "\(name)")
        }
        let want = CommandWant(words, files: one)
        #expect(want.text.contains("all scripts beside it sha256 "))
        #expect(want.notes == [limit.note])
    }

    /// Two gigabytes would be read for seconds, each time.
    @Test func `of more than a gigabyte the times count`() throws {
        let folder = try ScriptFiles(["a": "one", "large": "one"])
        try #require(truncate("\(folder.path)/large", 2 << 30) == 0)
        let ground = CommandGround(CollectionPlace(folder.path))
        let one = AllFiles.hash(of: ground)
        #expect(AllFiles.hash(of: ground) == one)
        try #require(truncate("\(folder.path)/large", (2 << 30) + 1) == 0)
        let two = AllFiles.hash(of: ground)
        #expect(two != one)
        try folder.write("two", to: "a")
        #expect(AllFiles.hash(of: ground) != two)
    }

    /// A compiled program names nothing that could be read, and an archive may have many megabytes.
    @Test func `a compiled program is hashed, and not followed`() throws {
        let folder = try ScriptFiles(["tool": "\u{7F}ELF" + String(repeating: "./lib\n", count: 1 << 20), "lib": "one"])
        let hashes = CommandFiles.hashes(of: ["./tool"], in: folder.path, of: CollectionPlace(folder.path))
        #expect(Array(hashes.keys) == ["./tool"])
    }

    @Test func `what was found in a file is remembered until it changes`() throws {
        let folder = try ScriptFiles(["a": "one", "b": "two"])
        func identity(_ name: String) throws -> FileIdentity {
            var status = stat()
            try #require(stat("\(folder.path)/\(name)", &status) == 0)
            return FileIdentity("\(folder.path)/\(name)", status)
        }
        let (a, b) = (try identity("a"), try identity("b"))
        var memory = FileMemory<String>(most: 1)
        memory.remember("hash", in: a, at: a.newest + 60)
        #expect(memory.found(in: a) == "hash")
        #expect(memory.found(in: b) == nil)
        // In the moment of a change another one may follow that nobody could tell from it.
        memory.remember("other", in: b, at: b.newest)
        #expect(memory.found(in: b) == nil)
        try folder.write("three", to: "a")
        #expect(memory.found(in: try identity("a")) == nil)
        // No more than it may.
        memory.remember("other", in: b, at: b.newest + 60)
        #expect(memory.found(in: a) == nil)
    }

    /// Such a file can't be named, so leave holds for this process alone.
    @Test func `a file whose name is no UTF-8 counts behind a limit`() throws {
        let folder = try ScriptFiles(["a": String(repeating: "# line\n", count: 1 << 20)])
        let place = CollectionPlace(folder.path)
        let before = CommandFiles.hashes(of: ["sh", "a"], in: folder.path, of: place)
        let descriptor = open(
            Array("\(folder.path)/lib".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0], O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        #expect(CommandFiles.hashes(of: ["sh", "a"], in: folder.path, of: place) != before)
        #expect(!CommandFiles.areUnchanged(before, of: place))
    }

    @Test func `a pipeline of many shells is read once, and so are the words of one command`() {
        let pipeline = RunFiles(ShellWord.all(in: "x " + String(repeating: "| sh ", count: 3000)))
        #expect(pipeline.names.contains("x") && pipeline.names.count < 20_000)
        let words = CommandWords(
            script: Array(String(repeating: String(repeating: "a/", count: 2000) + "b ", count: 20).utf8), named: "x.sh")
        #expect(!words.isCut)
        let paths = (0..<20).map { String(repeating: "a\($0)/", count: 1000) + "b" }
        #expect(CommandWords(script: Array(paths.joined(separator: " ").utf8), named: "x.sh").isCut)
    }

    @Test func `a file that was changed at the end of time is read anew each time`() {
        var status = stat()
        status.st_mtim.tv_sec = .max
        var memory = FileMemory<Int>(most: 2)
        memory.remember(1, in: FileIdentity("/a", status), at: 100)
        #expect(memory.found(in: FileIdentity("/a", status)) == nil)
        status.st_mtim.tv_sec = 96
        memory.remember(2, in: FileIdentity("/a", status), at: 100)
        #expect(memory.found(in: FileIdentity("/a", status)) == 2)
        status.st_ctim.tv_sec = 99
        #expect(memory.found(in: FileIdentity("/a", status)) == nil)
    }
}
