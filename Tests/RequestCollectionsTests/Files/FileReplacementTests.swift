import CFiles
import Foundation
import Testing

@testable import RequestCollections

/// One file, replaced while others write to it as well.
@Suite struct FileReplacementTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory(["a.yaml": "before"])
        path = directory.path("a.yaml")
    }

    private func replace(_ files: FaultyFiles, expecting: String = "before") throws -> String? {
        try FileReplacement(operations: files).replace(path, Array(expecting.utf8), with: Array("mine".utf8))
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }

    /// Whether a replacement ended because the file is not what was expected.
    private func isChanged(_ files: FaultyFiles) throws -> Bool {
        do throws(ReplacementFailure) {
            try FileReplacement(operations: files).replace(path, Array("before".utf8), with: Array("mine".utf8))
            return false
        } catch {
            if case .changed = error { return true }
            throw error
        }
    }

    @Test func `the two exchange their names, and the old one goes`() throws {
        let files = FaultyFiles()
        #expect(try replace(files) == nil)
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try names == ["a.yaml"])
        #expect(
            files.log.dropLast() == [
                "create a.yaml.…", "write", "attributes", "sync", "close", "exchange a.yaml", "unlink a.yaml.…",
            ])
    }

    @Test(arguments: [false, true])
    func `what another program puts there in the same moment stays`(isRenamed: Bool) throws {
        let files = FaultyFiles { [directory] call in
            guard call == "exchange a.yaml", (try? directory.read("a.yaml")) == "before" else { return }
            let url = URL(filePath: directory.path("a.yaml"))
            // In place, or as editors and git do it.
            try? Data("theirs".utf8).write(to: url, options: isRenamed ? .atomic : [])
        }
        #expect(try isChanged(files))
        #expect(try directory.read("a.yaml") == "theirs")
        #expect(try names == ["a.yaml"])
    }

    @Test func `what is put there while the exchange is taken back stays as well, and the older one is named`() throws {
        let files = FaultyFiles { [directory] call in
            guard call == "exchange a.yaml" else { return }
            let now = try? directory.read("a.yaml")
            let theirs = now == "before" ? "theirs" : now == "mine" ? "later" : nil
            if let theirs { try? Data(theirs.utf8).write(to: URL(filePath: directory.path("a.yaml")), options: .atomic) }
        }
        do throws(ReplacementFailure) {
            try FileReplacement(operations: files).replace(path, Array("before".utf8), with: Array("mine".utf8))
            Issue.record("it was replaced")
        } catch {
            guard case .failed(let failure) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(try directory.read("a.yaml") == "later")
            let other = try #require(try names.last)
            #expect(try directory.read(other) == "theirs")
            #expect(
                failure.message
                    == "was written by another program again and again while it was saved: nothing was saved, and an earlier version of"
                    + " theirs is in \(directory.path(other)); look at both, then save")
        }
    }

    @Test func `a program that has it open to write is waited for`() throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        // A descriptor that was opened before the exchange writes to what came out of it.
        let files = FaultyFiles { call in
            guard call == "pause" else { return }
            handle.seekToEndOfFile()
            handle.write(Data(" and theirs".utf8))
            try? handle.close()
        }
        #expect(try isChanged(files))
        #expect(try directory.read("a.yaml") == "before and theirs")
        #expect(try names == ["a.yaml"])
    }

    @Test func `a file that isn't what was expected is left alone`() throws {
        try directory.write("theirs", to: "a.yaml")
        #expect(try isChanged(FaultyFiles()))
        #expect(try directory.read("a.yaml") == "theirs")
    }

    @Test(arguments: [EINVAL, ENOSYS, ENOTSUP])
    func `where names can't be exchanged, it is looked at and renamed`(error: Int32) throws {
        let files = FaultyFiles(.refuses("exchange", error))
        #expect(try replace(files) == nil)
        #expect(try directory.read("a.yaml") == "mine")
        try directory.write("theirs", to: "a.yaml")
        #expect(try isChanged(files))
        #expect(try directory.read("a.yaml") == "theirs")
        #expect(try names == ["a.yaml"])
    }

    @Test func `a program that keeps it open to write is written around`() throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        #expect(try replace(FaultyFiles()) == inPlace("another program keeps it open to write to it"))
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try names == ["a.yaml"])
        // It writes to the file that has the name.
        handle.seekToEndOfFile()
        handle.write(Data(" and theirs".utf8))
        try handle.close()
        #expect(try directory.read("a.yaml") == "mine and theirs")
    }

    // MARK: In place

    private func inPlace(_ reason: String) -> String {
        "\(path) was written over where it is, not replaced in one step: \(reason)"
    }

    @Test func `a file with two names keeps both`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: directory.path("b.yaml"))
        #expect(try replace(FaultyFiles()) == inPlace("it has more than one name (hard links)"))
        #expect(try directory.read("b.yaml") == "mine")
        #expect(try names == ["a.yaml", "b.yaml"])
        #expect(try isChanged(FaultyFiles()))
    }

    @Test func `a file that is mounted by itself is written over`() throws {
        #expect(try replace(FaultyFiles(.refuses("exchange", EBUSY))) == inPlace("it is mounted by itself"))
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try names == ["a.yaml"])
    }

    @Test func `a file that a new one can't be like is written over`() throws {
        let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(
            try replace(FaultyFiles(.refuses("attributes", EPERM)))
                == inPlace("a new one could not have its owner and attributes"))
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == inode)
        #expect(try names == ["a.yaml"])
    }

    @Test(arguments: [EACCES, EROFS])
    func `a file in a directory that takes no new ones is written over`(error: Int32) throws {
        let files = FaultyFiles(.refuses("create a.yaml", error))
        #expect(try replace(files) == inPlace("its directory takes no new files"))
        #expect(try directory.read("a.yaml") == "mine")
        #expect(try names == ["a.yaml"])
        // Meanwhile what it held lay elsewhere.
        #expect(files.log.contains("create turnstone-a.yaml.…"))
        #expect(files.log.contains { $0.hasPrefix("unlink turnstone-a.yaml") })
    }

    @Test func `a crash while it is written over leaves a copy of what it held`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: directory.path("b.yaml"))
        var cut = 0
        while true {
            try directory.write("before", to: "a.yaml")
            let files = FaultyFiles(after: cut, .crash)
            let isDone = (try? replace(files)) != nil
            let held = try names.map { try directory.read($0) }
            #expect(held.contains("before") || held == ["mine", "mine"], "after \(files.log): \(held)")
            for name in try names where name != "a.yaml" && name != "b.yaml" {
                try FileManager.default.removeItem(atPath: directory.path(name))
            }
            guard !isDone else { break }
            cut += 1
        }
        #expect(cut > 3)
    }

    @Test func `a disk that is full while it is written over leaves what it held`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: directory.path("b.yaml"))
        let files = FaultyFiles(after: 3, .fails)
        #expect(throws: ReplacementFailure.self) { try replace(files) }
        #expect(files.log.filter { $0.hasPrefix("overwrite") }.count == 2)
        #expect(try names.map { try directory.read($0) } == ["before", "before"])
    }

    @Test func `attributes and mode go along`() throws {
        let value = Array("blue".utf8)
        let descriptor = open(path, O_RDWR)
        let canHaveAttributes = turnstone_set_attribute(descriptor, "user.colour", value, value.count) == 0
        close(descriptor)
        // A file system without attributes has nothing to keep.
        guard canHaveAttributes else { return }
        chmod(path, 0o4640)
        #expect(try replace(FaultyFiles()) == nil)
        var now = [UInt8](repeating: 0, count: 10)
        #expect(turnstone_get_attribute(path, "user.colour", &now, now.count) == value.count)
        #expect(Array(now.prefix(value.count)) == value)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o4640)
    }

    // MARK: Taking away

    @Test func `a file is only taken away when it is what was expected`() throws {
        let files = FileReplacement(operations: FaultyFiles())
        #expect(throws: ReplacementFailure.self) { try files.remove(path, Array("other".utf8)) }
        #expect(try directory.read("a.yaml") == "before")
        #expect(try names == ["a.yaml"])
        try files.remove(path, Array("before".utf8))
        #expect(try names == [])
    }

    @Test func `what is written while a file is taken away stays`() throws {
        let files = FaultyFiles { [directory] call in
            guard call == "rename a.yaml.…" else { return }
            try? directory.write("theirs", to: "a.yaml")
        }
        #expect(throws: ReplacementFailure.self) { try FileReplacement(operations: files).remove(path, Array("before".utf8)) }
        #expect(try directory.read("a.yaml") == "theirs")
        #expect(try names == ["a.yaml"])
    }

    @Test func `a name that another file has got meanwhile isn't taken from it`() throws {
        let files = FaultyFiles { [directory] call in
            guard call.hasSuffix("if new") else { return }
            try? directory.write("theirs", to: "b.yaml")
        }
        #expect(throws: SystemCallError.exists) {
            try FileReplacement(operations: files).move(path, to: directory.path("b.yaml"))
        }
        #expect(try directory.read("a.yaml") == "before")
        #expect(try directory.read("b.yaml") == "theirs")
    }
}
