import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ReplacedFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    @Test func `nothing is there before it is written`() throws {
        let file = try ReplacedFile(path: directory.file("a"))
        #expect(try names() == [])
        try file.write(Data("new".utf8))
        #expect(try names() == ["a"])
    }

    @Test func `a link and the mode of its file stay`() throws {
        try Data("old".utf8).write(to: URL(filePath: directory.file("real")))
        chmod(directory.file("real"), 0o640)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "real")
        try ReplacedFile(path: directory.file("link")).write(Data("new".utf8))
        #expect(try String(contentsOfFile: directory.file("real"), encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.file("link")) == "real")
        #expect(try FileManager.default.attributesOfItem(atPath: directory.file("real"))[.posixPermissions] as? Int == 0o640)
        #expect(try names() == ["link", "real"])
    }

    @Test func `one that is private is for its owner only`() throws {
        try ReplacedFile(path: directory.file("a"), isPrivate: true).write(Data("new".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: directory.file("a"))[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a pipe is written as it is`() throws {
        let path = directory.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try ReplacedFile(path: path).write(Data("new".utf8))
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(reader, &bytes, 10) == 3)
    }

    @Test func `a directory, and a directory that isn't there, are found out at once`() {
        #expect(throws: OutputFailure(name: directory.path, errno: EISDIR)) { try ReplacedFile(path: directory.path) }
        let missing = directory.file("missing/a")
        #expect(throws: OutputFailure(name: missing, errno: ENOENT)) { try ReplacedFile(path: missing) }
    }
}
