import Dispatch
import FoundationEssentials
import NetworkLayer

/// Cuts a stream of bytes into messages.
struct MessageFraming {
    enum Kind {
        /// A message a line, as the Model Context Protocol has it.
        case lines
        /// `Content-Length`, an empty line, and so many bytes, as the Language Server Protocol has it.
        case headers
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

    init(_ kind: Kind) { self.kind = kind }

    /// - Returns: the messages that are whole now.
    mutating func append(_ bytes: Data) throws(CommandFailure) -> [Data] {
        switch kind {
        case .lines: try appendLines(bytes)
        case .headers: try appendFramed(bytes)
        }
    }

    private mutating func appendLines(_ bytes: Data) throws(CommandFailure) -> [Data] {
        // What stood before the first line's end is searched no more.
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let last = lines.removeLast()
        var messages: [Data] = []
        for line in lines {
            messages.append(rest + line)
            rest = Data()
        }
        rest += last
        try check(rest.count)
        return messages
    }

    private mutating func appendFramed(_ bytes: Data) throws(CommandFailure) -> [Data] {
        rest += bytes
        var messages: [Data] = []
        while true {
            if let length {
                guard rest.count >= length else { return messages }
                messages.append(Data(rest.prefix(length)))
                rest = Data(rest.dropFirst(length))
                self.length = nil
            } else {
                let head = rest.prefix(Self.longestHeaders)
                guard let end = head.firstRange(of: Self.headersEnd) else {
                    guard rest.count < Self.longestHeaders else { throw Self.failure("A message begins with Content-Length: N.") }
                    return messages
                }
                let length = try Self.length(head[..<end.lowerBound])
                try check(length)
                self.length = length
                rest = Data(rest[end.upperBound...])
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

    private func check(_ count: Int) throws(CommandFailure) {
        guard count <= Self.longestMessage else {
            throw Self.failure("A message is longer than \(Self.longestMessage >> 20) MiB.")
        }
    }

    private static func failure(_ message: String) -> CommandFailure { CommandFailure(status: .usage, message: message) }

    /// The messages that come in until the input ends.
    ///
    /// They are read on a thread of its own: reading waits, and Swift's threads are few.
    static func messages(of input: any ByteInput, _ kind: Kind) -> AsyncThrowingStream<String, any Error> {
        let (messages, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        DispatchQueue(label: "turnstone.messages").async {
            var framing = MessageFraming(kind)
            do {
                while true {
                    let bytes = try input.read(atMost: 1 << 16)
                    if bytes.isEmpty { break }
                    for message in try framing.append(bytes) { continuation.yield(String(decoding: message, as: UTF8.self)) }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return messages
    }
}
