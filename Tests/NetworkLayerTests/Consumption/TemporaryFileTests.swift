import FoundationEssentials
import Glibc
import Testing

@testable import NetworkLayer

/// TMP-1.
@Suite struct TemporaryFileTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func write(_ pieces: [Data]) throws -> TemporaryFile {
        var writer = try TemporaryFileWriter(directory: directory.path)
        for piece in pieces { try writer.append(piece) }
        return try writer.finish()
    }

    @Test func `TMP-1 it holds what was written, and goes away with its last owner`() throws {
        var file: TemporaryFile? = try write([Data("hello ".utf8), Data(), Data("world".utf8)])
        #expect(file?.count == 11)
        let contents = try #require(file).contents()
        #expect(contents == Data("hello world".utf8))
        #expect(directory.files == [], "it has no name that could stay behind")
        file = nil
        #expect(directory.files == [])
        #expect(contents == Data("hello world".utf8), "what was mapped stays readable")
    }

    @Test func `TMP-1 only its user may read it`() throws {
        let file = try write([Data("secret".utf8)])
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test func `TMP-1 it moves once, and stays there`() throws {
        var file: TemporaryFile? = try write([Data("hello".utf8)])
        let destination = directory.path + "/kept"
        try file?.move(to: destination)
        #expect(file?.path == destination)
        #expect(throws: NetworkError.self) { try file?.move(to: destination + "2") }
        file = nil
        #expect(directory.files == ["kept"])
    }

    @Test func `TMP-1 it replaces nothing, and can be moved elsewhere then`() throws {
        let file = try write([Data("new".utf8)])
        let taken = try directory.file("taken", Data("old".utf8))
        let error = #expect(throws: NetworkError.self) { try file.move(to: taken) }
        #expect(error?.code == .fileFailed)
        #expect(try Data(contentsOf: URL(fileURLWithPath: taken)) == Data("old".utf8))
        try file.move(to: directory.path + "/free")
        #expect(directory.files == ["free", "taken"])
    }

    @Test func `TMP-1 it can be opened as long as it is there, by programs that are started too`() throws {
        let file = try write([Data("hello".utf8)])
        let cat = try #require(popen("cat \(file.path)", "r"))
        var line = [CChar](repeating: 0, count: 100)
        #expect(fgets(&line, 100, cat) != nil)
        #expect(pclose(cat) == 0)
        #expect(line.prefix { $0 != 0 }.elementsEqual("hello".utf8CString.dropLast()))
    }

    @Test func `TMP-1 it moves to another file system as a copy`() throws {
        // A file system of its own nearly everywhere.
        guard let other = try? TemporaryDirectory(in: URL(filePath: "/dev/shm")) else { return }
        let file = try write([Data("hello".utf8)])
        try file.move(to: other.path + "/kept")
        #expect(try Data(contentsOf: URL(filePath: other.path + "/kept")) == Data("hello".utf8))
    }

    @Test func `T-TMP a file can be adopted`() throws {
        let path = try directory.file("adopted", Data("hello".utf8))
        var file: TemporaryFile? = try TemporaryFile(adopting: path)
        #expect(file?.count == 5)
        file = nil
        #expect(directory.files == [])
        #expect(throws: NetworkError.self) { try TemporaryFile(adopting: path) }
    }

    @Test func `TMP-1 a directory that isn't there is an error that names it`() {
        let error = #expect(throws: NetworkError.self) { _ = try TemporaryFileWriter(directory: "/nowhere/at/all") }
        #expect(
            error?.message
                == "/nowhere/at/all can't take a temporary file for the body; choose another directory: No such file or directory.")
        #expect(error?.code == .fileFailed)
    }

    @Test func `T-TMP a writer that is given up leaves nothing`() throws {
        do {
            var writer = try TemporaryFileWriter(directory: directory.path)
            try writer.append(Data(count: 1_000_000))
        }
        #expect(directory.files == [])
    }

    @Test(arguments: [1, 100, 16_384, 300_000])
    func `T-TMP pieces of any size come out whole and in order`(size: Int) throws {
        let pieces = (0..<200).map { Data(repeating: UInt8($0), count: size) }
        let file = try write(pieces)
        #expect(try file.contents() == pieces.reduce(into: Data()) { $0.append($1) })
    }

    @Test func `CON-2 a disk that is full is an error of its own, 210, that names the file`() throws {
        let path = directory.path + "/full"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        let error = #expect(throws: NetworkError.self) {
            var writer = TemporaryFileWriter(file: open(path, O_WRONLY), name: path)
            try writer.append(Data(count: 1_000_000))
        }
        #expect(error?.code == .appendFailed)
        #expect(error?.message == "\(path) can't be written: No space left on device.")
        #expect(directory.files == [])
    }

    @Test func `TMP-1 a file that went away can't be moved`() throws {
        let file = try TemporaryFile(adopting: directory.file("adopted", Data("hello".utf8)))
        try FileManager.default.removeItem(atPath: file.path)
        let error = #expect(throws: NetworkError.self) { try file.move(to: directory.path + "/kept") }
        #expect(error?.systemErrno == ENOENT)
        let moved = try write([Data("hello".utf8)])
        try moved.move(to: directory.path + "/kept")
        let again = #expect(throws: NetworkError.self) { try moved.move(to: directory.path + "/other") }
        #expect(again?.systemErrno == EBUSY)
    }

    #if os(Linux)
        @Test func `TMP-1 where files without a name can't be made, the name is taken away at once`() throws {
            let path = try directory.file("named", Data())
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            #expect(UnnamedFile.unname(path, of: descriptor))
            #expect(directory.files == [])
            var writer = TemporaryFileWriter(file: descriptor, name: nil)
            try writer.append(Data("hello".utf8))
            let file = try writer.finish()
            #expect(try file.contents() == Data("hello".utf8))
            // A name it can't have again: it is copied.
            try file.move(to: directory.path + "/kept")
            #expect(try Data(contentsOf: URL(filePath: directory.path + "/kept")) == Data("hello".utf8))
            #expect(directory.files == ["kept"])
        }
    #endif
}
