package import Base
import Synchronization

/// Where a command's bytes go.
package protocol ByteOutput: Sendable {
    var isTerminal: Bool { get }
    /// Columns, where it is a terminal.
    var columns: Int? { get }
    /// Writes all of it.
    ///
    /// - Throws: ``OutputFailure``; a reader that went away (EPIPE) is one too.
    func write(_ bytes: Data) throws(OutputFailure)
}

extension ByteOutput {
    package func print(_ line: String) throws(OutputFailure) {
        try show(Data((line + "\n").utf8))
    }

    /// A value as JSON, one member a line.
    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try print(String(decoding: encoder.encode(value), as: UTF8.self))
    }

    /// Whole text that may contain a stranger's: what a server, a file or another program said. A terminal shows it and obeys none of it, see
    /// ``TerminalFilter``. Files and pipes get the text as it is.
    ///
    /// - Parameter text: UTF-8.
    package func show(_ text: Data) throws(OutputFailure) { try write(isTerminal ? TerminalFilter.safe(text) : text) }
}

/// An output of which a terminal obeys nothing; see ``ByteOutput/show(_:)``.
struct ShownOutput: ByteOutput {
    private let output: any ByteOutput

    init(_ output: any ByteOutput) { self.output = output }

    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }

    /// - Parameter bytes: whole lines.
    func write(_ bytes: Data) throws(OutputFailure) { try output.show(bytes) }
}

/// Where a command reads from.
package protocol ByteInput: Sendable {
    var isTerminal: Bool { get }
    /// The next bytes, at least one; none at the end. Waits until there are some.
    func read(atMost limit: Int) throws(InputFailure) -> Data
    /// The bytes up to the end.
    func readToEnd() throws(InputFailure) -> Data
}

extension ByteInput {
    package func readToEnd() throws(InputFailure) -> Data {
        var bytes = Data()
        while true {
            let piece = try read(atMost: 1 << 16)
            if piece.isEmpty { return bytes }
            bytes.append(piece)
        }
    }
}

/// Output that could not be written.
package struct OutputFailure: Error, Hashable, Sendable {
    package var name: String
    package var errno: Int32

    package init(name: String, errno: Int32) {
        self.name = name
        self.errno = errno
    }

    /// The reader has seen enough (`turnstone … | head`): an end, not a failure.
    package var isBrokenPipe: Bool { errno == EPIPE }
}

/// Input that could not be read.
package struct InputFailure: Error, Hashable, Sendable {
    package var name: String
    package var errno: Int32
}

/// Standard output, standard error, or a file.
package final class FileOutput: ByteOutput {
    private let descriptor: Int32
    private let name: String
    private let closes: Bool

    package static let standardOutput = FileOutput(descriptor: STDOUT_FILENO, name: "standard output", closes: false)
    package static let standardError = FileOutput(descriptor: STDERR_FILENO, name: "standard error", closes: false)

    init(descriptor: Int32, name: String, closes: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closes = closes
    }

    /// Makes or empties a file.
    ///
    /// - Parameters:
    ///   - appends: doesn't empty it, and writes at its end.
    ///   - isNew: fails with EEXIST rather than emptying one that is there.
    ///   - isPrivate: one that is made is for its owner only.
    package convenience init(
        path: String, appends: Bool = false, isNew: Bool = false, isPrivate: Bool = false
    ) throws(OutputFailure) {
        let mode = isNew ? O_EXCL : appends ? O_APPEND : O_TRUNC
        let descriptor = open(path, O_WRONLY | O_CREAT | mode | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw OutputFailure(name: path, errno: Glibc.errno) }
        self.init(descriptor: descriptor, name: path, closes: true)
    }

    deinit {
        if closes { close(descriptor) }
    }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package var columns: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    package func write(_ bytes: Data) throws(OutputFailure) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var rest = UnsafeRawBufferPointer(buffer)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if count < 0, errno != EINTR, errno != EAGAIN {
                    failure = errno
                    return
                }
            }
        }
        if failure != 0 { throw OutputFailure(name: name, errno: failure) }
    }
}

/// Standard input, or a file of any kind: a pipe such as a shell's `<(command)`, and a device, too.
package struct FileInput: ByteInput {
    private let descriptor: Int32
    private let name: String
    private let owner: Owner?

    package static let standardInput = FileInput(descriptor: STDIN_FILENO, name: "standard input", owner: nil)

    private init(descriptor: Int32, name: String, owner: Owner?) {
        self.descriptor = descriptor
        self.name = name
        self.owner = owner
    }

    /// Opens a file. With a named pipe it waits until somebody writes to it.
    init(path: String) throws(InputFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFailure(name: path, errno: Glibc.errno) }
        self.init(descriptor: descriptor, name: path, owner: Owner(descriptor))
    }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package func read(atMost limit: Int) throws(InputFailure) -> Data {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = Glibc.read(descriptor, &buffer, limit)
            if count >= 0 { return Data(buffer[..<count]) }
            if errno != EINTR { throw InputFailure(name: name, errno: errno) }
        }
    }

    /// Closes what was opened here.
    private final class Owner: Sendable {
        private let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }
}
