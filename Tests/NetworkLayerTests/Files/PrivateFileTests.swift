import Base
import Testing

@testable import NetworkLayer

@Suite struct PrivateFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func mode(_ path: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try #require(mode)
    }

    @Test func `a file and its directories are their user's alone, and a new file takes the old one's place`() throws {
        let folder = directory.path + "/a/b"
        try PrivateFile.makeDirectory(folder)
        try PrivateFile.makeDirectory(folder)
        let path = folder + "/file"
        #expect(try PrivateFile.read(path) == nil)
        try PrivateFile.replace(path, with: Data("one".utf8))
        try PrivateFile.replace(path, with: Data("two".utf8), isSynced: false)
        #expect(try PrivateFile.read(path) == Data("two".utf8))
        #expect(try [directory.path + "/a", folder, path].map(mode) == [0o700, 0o700, 0o600])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test func `changes from many threads are all kept`() async throws {
        let path = directory.path + "/count"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try PrivateFile.change(path) { data in
                        let count = data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                        return Data(String(count + 1).utf8)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try PrivateFile.read(path) == Data("20".utf8))
        #expect(try mode(path) == 0o600)
    }

    @Test func `a program that is stopped with the lock in its hand doesn't hold up the others`() throws {
        let path = directory.path + "/count"
        let holder = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
        let error = #expect(throws: NetworkError.self) { try PrivateFile.change(path, patience: .zero) { _ in Data() } }
        #expect(error?.message == "\(path) is locked by another program: Resource temporarily unavailable.")
        #expect(try PrivateFile.read(path) == nil)
    }

    @Test func `what can't be written is named, and leaves nothing behind`() throws {
        let path = directory.path + "/missing/file"
        let replaced = #expect(throws: NetworkError.self) { try PrivateFile.replace(path, with: Data()) }
        #expect(replaced?.message == "\(path) can't be written: No such file or directory.")
        let changed = #expect(throws: NetworkError.self) { try PrivateFile.change(path) { _ in Data() } }
        #expect(changed == replaced)
        let folder = #expect(throws: NetworkError.self) { try PrivateFile.change(directory.path) { _ in Data() } }
        #expect(folder?.message == "\(directory.path) can't be written: Is a directory.")
        try FileManager.default.removeItem(atPath: directory.path + ".lock")
        let made = #expect(throws: NetworkError.self) { try PrivateFile.makeDirectory("/dev/null/folder") }
        #expect(made?.code == .fileFailed)
    }
}
