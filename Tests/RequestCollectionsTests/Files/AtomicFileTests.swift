import Base
import Foundation
import Testing

@Suite struct AtomicFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory(["a.yaml": "before"])
        path = directory.path("a.yaml")
    }

    private func write(_ text: String = "mine", to path: String? = nil, if condition: AtomicFile.Condition = .none) throws {
        try AtomicFile.write(Array(text.utf8), to: path ?? self.path, if: condition)
    }

    private func holds(_ text: String) -> AtomicFile.Condition { .holds(Array(text.utf8)) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }

    private func inode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }

    @Test func `a new file takes the place of the old one, with its mode, behind a link`() throws {
        chmod(path, 0o4640)
        let old = try inode(path)
        try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: "a.yaml")
        try write(to: directory.path("link"), if: holds("before"))
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try inode(path) != old)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o4640)
        #expect(try names == ["a.yaml", "link"])
    }

    @Test func `a file that isn't what was expected is left alone`() throws {
        #expect(throws: SystemCallError.changed) { try write(if: holds("other")) }
        #expect(throws: SystemCallError.exists) { try write(if: .isNew) }
        #expect(throws: SystemCallError.changed) { try AtomicFile.remove(path, holding: Array("other".utf8)) }
        #expect(throws: SystemCallError.changed) { try write(to: directory.path("b.yaml"), if: holds("other")) }
        #expect(try directory.read("a.yaml") == "before")
        #expect(try names == ["a.yaml"])
    }

    @Test func `one that is filled and never finished leaves nothing`() throws {
        do {
            let file = try AtomicFile(at: path)
            try file.write(Array("half".utf8))
            #expect(try names.count == 2)
        }
        #expect(try directory.read("a.yaml") == "before")
        #expect(try names == ["a.yaml"])
    }

    @Test func `what a killed program has left is swept an hour later, and nothing else`() throws {
        for name in [".a.yaml.turnstone-1", ".a.yaml.turnstone-2", ".b.yaml.turnstone-1", "a.yaml.1"] {
            try directory.write("", to: name)
        }
        for name in [".a.yaml.turnstone-1", ".b.yaml.turnstone-1", "a.yaml.1"] {
            let date = Date(timeIntervalSinceNow: -4000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: directory.path(name))
        }
        try write()
        #expect(try names == [".a.yaml.turnstone-2", ".b.yaml.turnstone-1", "a.yaml", "a.yaml.1"])
    }

    @Test func `a file with two names keeps both, and is written over where it is`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: directory.path("b.yaml"))
        try write("shorter", if: holds("before"))
        try write("mine", if: holds("shorter"))
        #expect(try directory.read("b.yaml") == "mine")
        #expect(throws: SystemCallError.changed) { try write(if: holds("before")) }
        #expect(try names == ["a.yaml", "b.yaml"])
    }

    @Test func `what can't be written says why`() throws {
        #expect(throws: SystemCallError(ENOENT)) { try write(to: directory.path("missing/a.yaml")) }
        #expect(throws: SystemCallError(EEXIST)) { try write(to: directory.path) }
        #expect(SystemCallError(ENOENT).message == "no such file or directory")
    }

    @Test func `a name that is taken isn't given to another`() throws {
        try directory.write("theirs", to: "b.yaml")
        try directory.write("", to: "folder/c.yaml")
        try directory.write("", to: "other/d.yaml")
        #expect(throws: SystemCallError.exists) { try AtomicFile.move(path, to: directory.path("b.yaml")) }
        #expect(throws: SystemCallError.exists) { try AtomicFile.move(directory.path("folder"), to: directory.path("other")) }
        try AtomicFile.move(directory.path("folder"), to: directory.path("third"))
        try AtomicFile.move(path, to: directory.path("c.yaml"))
        #expect(try names == ["b.yaml", "c.yaml", "other", "third"])
        #expect(try directory.read("b.yaml") == "theirs")
    }

    @Test func `a lock is held by one at a time, and ends with its holder`() throws {
        var first: FileLock? = try FileLock(directory.path)
        #expect(throws: SystemCallError(EWOULDBLOCK)) { _ = try FileLock(directory.path, patience: .zero) }
        withExtendedLifetime(first) {}
        first = nil
        #expect(throws: SystemCallError(ENOENT)) { _ = try FileLock(directory.path("lock")) }
        _ = try FileLock(directory.path("lock"), makesFile: true)
        try FileLock.holding([directory.path, directory.path("lock")]) {
            #expect(throws: SystemCallError(EWOULDBLOCK)) { _ = try FileLock(directory.path("lock"), patience: .zero) }
        }
        _ = try FileLock(directory.path("lock"), patience: .zero)
    }
}
