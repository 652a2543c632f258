package import Base

/// Puts messages together from frames: text is checked as it comes, what is compressed is inflated, and control frames may stand between
/// the frames of a message (RFC 6455, section 5.4).
package struct WebSocketMessageReader: Sendable {
    package enum Message: Sendable, Hashable {
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// Without a code where the frame is empty.
        case close(Int?, String)
    }

    package struct Received: Sendable, Hashable {
        package var message: Message
        package var frames: Int
        package var wireBytes: Int
    }

    private var frames: WebSocketFrameReader
    /// Bytes that one message may have, inflated.
    private let limit: Int
    private let inflater: MessageInflater?

    // The message whose frames are coming.
    private var opcode: WebSocketFrame.Opcode?
    private var payload: [UInt8] = []
    private var isCompressed = false
    private var frameCount = 0
    private var wireBytes = 0
    /// How much of ``payload`` is known to be UTF-8.
    private var checked = 0

    /// - Parameters:
    ///   - inflates: permessage-deflate was agreed on.
    ///   - keepsContext: each message may refer to those before it (RFC 7692, section 7.1.1.1).
    package init(isFromClient: Bool = false, limit: Int, inflates: Bool = false, keepsContext: Bool = true) {
        frames = WebSocketFrameReader(isFromClient: isFromClient, limit: limit)
        self.limit = limit
        inflater = inflates ? MessageInflater(keepsContext: keepsContext) : nil
    }

    package mutating func append(_ data: Data) { frames.append(data) }

    /// - Returns: the next message or control frame; `nil`: none is whole yet.
    package mutating func next() throws(WebSocketViolation) -> Received? {
        while let (frame, wireBytes) = try frames.next() {
            guard !frame.isCompressed || inflater != nil else {
                throw WebSocketViolation(1002, "set a reserved bit that no extension was agreed on for", "RFC 6455, section 5.2")
            }
            guard !frame.isCompressed || [.text, .binary].contains(frame.opcode) else {
                throw WebSocketViolation(1002, "marked a \(frame.opcode) frame as compressed", "RFC 7692, section 6")
            }
            if frame.opcode.isControl { return Received(message: try Self.control(frame), frames: 1, wireBytes: wireBytes) }
            if let received = try take(frame, wireBytes) { return received }
        }
        return nil
    }

    private mutating func take(_ frame: WebSocketFrame, _ wire: Int) throws(WebSocketViolation) -> Received? {
        if frame.opcode == .continuation {
            guard opcode != nil else {
                throw WebSocketViolation(1002, "continued a message that hadn't begun", "RFC 6455, section 5.4")
            }
            guard payload.count + frame.payload.count <= limit else {
                throw WebSocketViolation(1009, "sent a message of more than \(limit) bytes, the limit", "RFC 6455, section 7.4.1")
            }
            payload += frame.payload
        } else {
            guard opcode == nil else {
                throw WebSocketViolation(1002, "began a message within another", "RFC 6455, section 5.4")
            }
            opcode = frame.opcode
            payload = frame.payload
            isCompressed = frame.isCompressed
        }
        frameCount += 1
        wireBytes += wire
        guard frame.isFinal else {
            if opcode == .text, !isCompressed { try checkBeginning() }
            return nil
        }
        defer {
            opcode = nil
            payload = []
            (frameCount, wireBytes, checked) = (0, 0, 0)
        }
        if isCompressed, let inflater { payload = try inflater.inflate(payload, limit: limit) }
        guard opcode == .text else { return Received(message: .binary(payload), frames: frameCount, wireBytes: wireBytes) }
        guard let text = String(validating: payload, as: UTF8.self) else { throw Self.noText }
        return Received(message: .text(text), frames: frameCount, wireBytes: wireBytes)
    }

    /// Looks at what has come of a text. A character that its next frame may complete is looked at as if it had.
    private mutating func checkBeginning() throws(WebSocketViolation) {
        var beginning = payload[checked...]
        checked = payload.count
        for back in 1...3 where back <= beginning.count {
            let byte = payload[payload.count - back]
            guard byte & 0xC0 != 0x80 else { continue }
            let length = byte > 0xF4 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            if length > back {
                checked -= back
                // Behind these two, the smallest continuation would be another spelling of a shorter character.
                if back == 1 { beginning.append(byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80) }
                while beginning.endIndex < checked + length { beginning.append(0x80) }
            }
            break
        }
        guard String(validating: beginning, as: UTF8.self) != nil else { throw Self.noText }
    }

    private static let noText = WebSocketViolation(1007, "sent a text that isn't UTF-8", "RFC 6455, section 8.1")

    private static func control(_ frame: WebSocketFrame) throws(WebSocketViolation) -> Message {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        default: break
        }
        guard !frame.payload.isEmpty else { return .close(nil, "") }
        guard frame.payload.count >= 2 else {
            throw WebSocketViolation(1002, "sent a close frame of one byte", "RFC 6455, section 5.5.1")
        }
        let code = Int(frame.payload[0]) << 8 | Int(frame.payload[1])
        guard mayBeSent(code) else {
            throw WebSocketViolation(1002, "closed with code \(code), which no close frame may have", "RFC 6455, section 7.4")
        }
        guard let reason = String(validating: frame.payload[2...], as: UTF8.self) else {
            throw WebSocketViolation(1007, "closed with a reason that isn't UTF-8", "RFC 6455, section 5.5.1")
        }
        return .close(code, reason)
    }

    /// Whether a close frame may have this code (RFC 6455, section 7.4, and the registry of IANA).
    package static func mayBeSent(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
