import Base
import NetworkLayer
import Threads

/// Cuts a stream of bytes into messages.
struct MessageFraming {
    enum Kind {
        /// A message a line, as the Model Context Protocol has it.
        case lines
        /// `Content-Length`, an empty line, and so many bytes, as the Language Server Protocol has it.
        case headers
    }

    enum Piece: Hashable, Sendable {
        case message(Data)
        /// In place of one that was longer than ``longestMessage``: its bytes are skipped, and the next one is read.
        case tooLong
    }

    /// Bytes.
    static let longestMessage = 16 << 20
    private static let longestHeaders = 4_096
    private static let headersEnd = Data("\r\n\r\n".utf8)

    private let kind: Kind
    /// What has come of a message that isn't whole yet.
    private var rest = Data()
    /// Bytes of the message whose headers have come.
    private var length: Int?
    /// How many bytes of a message that is too long are still to come; a line may have any number of them.
    private var skipped: Int?

    init(_ kind: Kind) { self.kind = kind }

    /// - Returns: the messages that are whole now.
    mutating func append(_ bytes: Data) throws(CommandFailure) -> [Piece] {
        switch kind {
        case .lines: appendLines(bytes)
        case .headers: try appendFramed(bytes)
        }
    }

    private mutating func appendLines(_ bytes: Data) -> [Piece] {
        // What stood before the first line's end is searched no more.
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let last = lines.removeLast()
        var pieces: [Piece] = []
        for line in lines {
            if skipped == nil {
                pieces.append(rest.count + line.count > Self.longestMessage ? .tooLong : .message(rest + line))
            }
            skipped = nil
            rest = Data()
        }
        guard skipped == nil else { return pieces }
        rest += last
        if rest.count > Self.longestMessage {
            rest = Data()
            skipped = .max
            pieces.append(.tooLong)
        }
        return pieces
    }

    private mutating func appendFramed(_ bytes: Data) throws(CommandFailure) -> [Piece] {
        rest += bytes
        var pieces: [Piece] = []
        while true {
            if let left = skipped {
                let gone = min(left, rest.count)
                rest = Data(rest.dropFirst(gone))
                skipped = gone < left ? left - gone : nil
                if skipped != nil { return pieces }
            } else if let length {
                guard rest.count >= length else { return pieces }
                pieces.append(.message(Data(rest.prefix(length))))
                rest = Data(rest.dropFirst(length))
                self.length = nil
            } else {
                let head = rest.prefix(Self.longestHeaders)
                guard let end = head.firstRange(of: Self.headersEnd) else {
                    guard rest.count < Self.longestHeaders else { throw Self.failure("A message begins with Content-Length: N.") }
                    return pieces
                }
                let length = try Self.length(head[..<end.lowerBound])
                rest = Data(rest[end.upperBound...])
                if length > Self.longestMessage {
                    skipped = length
                    pieces.append(.tooLong)
                } else {
                    self.length = length
                }
            }
        }
    }

    private static func length(_ headers: Data) throws(CommandFailure) -> Int {
        for line in String(decoding: headers, as: UTF8.self).pieces(at: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            if let length = Int(parts[1].filter { !$0.isWhitespace }), length >= 0 { return length }
        }
        throw failure("A message begins with Content-Length: N.")
    }

    private static func failure(_ message: String) -> CommandFailure { CommandFailure(status: .usage, message: message) }

    /// The messages that come in until the input ends.
    ///
    /// They are read on a thread of its own: reading waits, and Swift's threads are few.
    static func messages(of input: any ByteInput, _ kind: Kind) -> AsyncThrowingStream<JSONRPC.Message, any Error> {
        let (messages, continuation) = AsyncThrowingStream<JSONRPC.Message, any Error>.makeStream()
        SystemThread.run {
            var framing = MessageFraming(kind)
            do {
                while true {
                    let bytes = try input.read(atMost: 1 << 16)
                    if bytes.isEmpty { break }
                    for piece in try framing.append(bytes) { continuation.yield(JSONRPC.Message(piece)) }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return messages
    }
}
