import Base
import NetworkLayer
import RequestCollections

/// Messages of JSON-RPC 2.0.
enum JSONRPC {
    /// Section 5.1, and the codes that the Language Server Protocol adds.
    enum ErrorCode: Int {
        case parse = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case notInitialized = -32002
    }

    static func request(_ id: JSONValue, _ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
    }

    static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": .string(method), "params": params]
    }

    static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    static func failure(_ id: JSONValue, _ code: ErrorCode, _ message: String) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "error": ["code": .number("\(code.rawValue)"), "message": .string(message)]]
    }
}

extension JSONRPC {
    /// What a peer has sent.
    enum Message: Hashable, Sendable {
        case request(method: String, params: JSONValue?, id: JSONValue)
        case notification(method: String, params: JSONValue?)
        /// An answer to a request of ours.
        case reply(JSONValue)
        /// It isn't a valid message; this error is the answer.
        case malformed(error: JSONValue)

        init(_ piece: MessageFraming.Piece) {
            switch piece {
            case .message(let bytes): self.init(String(decoding: bytes, as: UTF8.self))
            case .tooLong:
                let limit = MessageFraming.longestMessage >> 20
                self = .malformed(error: failure(.null, .invalidRequest, "A message is longer than \(limit) MiB; it was skipped."))
            }
        }

        init(_ text: String) {
            guard let message = JSONParser.parse(text) else {
                self = .malformed(error: failure(.null, .parse, "This is not JSON."))
                return
            }
            guard case .object = message else {
                self = .malformed(error: failure(.null, .invalidRequest, "A message is one object; batches are not taken."))
                return
            }
            if let version = message["jsonrpc"], version != "2.0" {
                self = .malformed(error: failure(Self.id(of: message) ?? .null, .invalidRequest, "This is JSON-RPC 2.0."))
                return
            }
            guard let method = message["method"]?.string else {
                // A client that asks something waits for an answer, even when the question is malformed.
                let isReply = message["method"] == nil && (message["result"] != nil || message["error"] != nil)
                self =
                    isReply
                    ? .reply(message)
                    : .malformed(error: failure(Self.id(of: message) ?? .null, .invalidRequest, "A request names its method."))
                return
            }
            if let id = Self.id(of: message) {
                self = .request(method: method, params: message["params"], id: id)
            } else if message["id"] == nil {
                self = .notification(method: method, params: message["params"])
            } else {
                self = .malformed(error: failure(.null, .invalidRequest, "An id is a string or a number."))
            }
        }

        private static func id(of message: JSONValue) -> JSONValue? {
            switch message["id"] {
            case .string?, .number?: message["id"]
            case .null?, .boolean?, .array?, .object?, nil: nil
            }
        }
    }
}

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

    private static func failure(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }

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
