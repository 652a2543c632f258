import Base
import NetworkLayer

/// Where `send` puts heads and bodies: a file, a pipe, or a terminal, which must not obey them.
struct BodyDestination {
    /// The name that the file got; `nil` before it is open, and on standard output.
    private(set) var path: String?
    private let target: OutputFile?
    private let standardOutput: any ByteOutput
    private var file: (any ByteOutput)?
    private var filter: TerminalFilter?
    private var decoder: CharsetDecoder?
    /// The body's first bytes, until there are enough for a byte order mark.
    private var start = Data()
    private var contentType: String?
    private var bodyHasBegun = false

    /// - Parameter file: `nil` for standard output.
    init(_ file: OutputFile?, standardOutput: any ByteOutput) {
        target = file
        self.standardOutput = standardOutput
    }

    /// A head, or trailers.
    mutating func write(_ bytes: Data) throws(OutputFailure) {
        try endBody()
        try put(bytes)
    }

    /// A piece of a body. A terminal gets its text, whatever encoding its `charset` names; files and pipes get the bytes.
    mutating func write(body bytes: Data, contentType: String?) throws(OutputFailure) {
        _ = try open()
        guard !bodyHasBegun, filter != nil else { return try put(decoder?.utf8(bytes) ?? bytes) }
        start += bytes
        self.contentType = contentType
        if start.count >= 3 { try beginBody() }
    }

    private mutating func beginBody() throws(OutputFailure) {
        decoder = CharsetDecoder(contentType: contentType, start: start)
        let bytes = start
        (start, bodyHasBegun) = (Data(), true)
        try put(decoder?.utf8(bytes) ?? bytes)
    }

    private mutating func endBody() throws(OutputFailure) {
        if !start.isEmpty { try beginBody() }
        bodyHasBegun = false
        guard let rest = decoder?.finish() else { return }
        decoder = nil
        try put(rest)
    }

    private mutating func put(_ bytes: Data) throws(OutputFailure) {
        let output = try open()
        try output.write(filter != nil ? Data(filter!.safe(bytes).utf8) : bytes)
    }

    /// A file is made also for a response without a body; a terminal's prompt starts on a line of its own.
    mutating func finish() throws(OutputFailure) {
        try endBody()
        let output = try open()
        if let rest = filter?.finish(), !rest.isEmpty { try output.write(Data(rest.utf8)) }
        if target != nil { file = nil }
    }

    /// A file may be a terminal, too: /dev/tty, or what /dev/stdout leads to.
    private mutating func open() throws(OutputFailure) -> any ByteOutput {
        if let file { return file }
        var output = standardOutput
        if let target { (output, path) = try target.open() }
        filter = output.isTerminal ? filter ?? TerminalFilter() : nil
        file = output
        return output
    }
}
