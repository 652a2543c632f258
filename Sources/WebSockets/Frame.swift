package import Base

/// A frame of a WebSocket (RFC 6455, section 5.2).
package struct WebSocketFrame: Sendable, Hashable {
    package enum Opcode: UInt8, Sendable, Hashable, CaseIterable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    package var opcode: Opcode
    package var payload: [UInt8]
    /// Whether it is the last of its message.
    package var isFinal = true
    /// RSV1: with permessage-deflate, on the first frame of a message that is compressed.
    package var isCompressed = false

    package init(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }

    /// A close frame (section 5.5.1); without a code it is empty.
    package init(close code: Int?, _ reason: String = "") {
        self.init(.close, code.map { [UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] + Array(reason.utf8) } ?? [])
    }

    /// - Parameter mask: of what a client sends (section 5.3), `nil` for what a server does.
    package func encoded(mask: UInt32?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        let marked: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: bytes.append(marked | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(marked | 126)
            for shift in [8, 0] { bytes.append(UInt8(payload.count >> shift & 0xFF)) }
        default:
            bytes.append(marked | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 0xFF)) }
        }
        guard let mask else { return bytes + payload }
        let key = (0..<4).map { UInt8(mask >> (24 - 8 * $0) & 0xFF) }
        bytes += key
        let start = bytes.count
        bytes += payload
        Self.apply(key, to: &bytes, from: start)
        return bytes
    }

    fileprivate static func apply(_ key: [UInt8], to bytes: inout [UInt8], from start: Int) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in start..<bytes.count { bytes[index] ^= key[(index - start) & 3] }
        }
    }
}

/// What a peer did that the rules don't allow, and the code that the session is closed with for it (RFC 6455, section 7.4.1).
package struct WebSocketViolation: Error, Sendable, Hashable {
    package var code: Int
    /// What the peer did, and the rule: “sent a masked frame (RFC 6455, section 5.1)”.
    package var sentence: String

    init(_ code: Int = 1002, _ what: String, _ rule: String) {
        self.code = code
        sentence = "\(what) (\(rule))"
    }
}

/// Cuts what comes from a peer into frames, however it arrives.
package struct WebSocketFrameReader: Sendable {
    /// Whether the peer is a client, whose frames are masked.
    private let isFromClient: Bool
    /// Bytes that one frame may have.
    private let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0

    package init(isFromClient: Bool, limit: Int) {
        self.isFromClient = isFromClient
        self.limit = min(limit, 1 << 40)
    }

    package mutating func append(_ data: Data) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += data
    }

    /// - Returns: the next frame, and how many bytes it took on the wire; `nil`: it isn't whole yet.
    package mutating func next() throws(WebSocketViolation) -> (frame: WebSocketFrame, wireBytes: Int)? {
        guard bytes.count - start >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x30 == 0 else {
            throw WebSocketViolation(1002, "set a reserved bit that no extension was agreed on for", "RFC 6455, section 5.2")
        }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw WebSocketViolation(1002, "sent a frame with the reserved opcode \(first & 0x0F)", "RFC 6455, section 5.2")
        }
        let isMasked = second & 0x80 != 0
        guard isMasked == isFromClient else {
            throw WebSocketViolation(
                1002, "sent \(isMasked ? "a masked frame" : "a frame without a mask")", "RFC 6455, section 5.1")
        }
        let isFinal = first & 0x80 != 0
        if opcode.isControl {
            guard isFinal else { throw WebSocketViolation(1002, "sent a \(opcode) in fragments", "RFC 6455, section 5.5") }
            guard second & 0x7F <= 125 else {
                throw WebSocketViolation(1002, "sent a \(opcode) of more than 125 bytes", "RFC 6455, section 5.5")
            }
        }
        let extra =
            switch second & 0x7F {
            case 126: 2;
            case 127: 8;
            default: 0
            }
        let head = 2 + extra + (isMasked ? 4 : 0)
        guard bytes.count - start >= 2 + extra else { return nil }
        var length = UInt64(second & 0x7F)
        if extra > 0 {
            length = bytes[start + 2..<start + 2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
            guard length <= Int64.max else {
                throw WebSocketViolation(1002, "announced a frame of 2^63 bytes or more", "RFC 6455, section 5.2")
            }
            guard length > (extra == 2 ? 125 : 0xFFFF) else {
                throw WebSocketViolation(1002, "wrote the length \(length) in more bytes than it needs", "RFC 6455, section 5.2")
            }
        }
        guard length <= UInt64(limit) else {
            throw WebSocketViolation(
                1009, "announced a frame of \(length) bytes, and the limit is \(limit)", "RFC 6455, section 7.4.1")
        }
        let whole = head + Int(length)
        guard bytes.count - start >= whole else {
            bytes.reserveCapacity(min(start + whole, 1 << 20))
            return nil
        }
        var payload = Array(bytes[start + head..<start + whole])
        if isMasked { WebSocketFrame.apply(Array(bytes[start + head - 4..<start + head]), to: &payload, from: 0) }
        start += whole
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
            start = 0
        }
        return (WebSocketFrame(opcode, payload, isFinal: isFinal, isCompressed: first & 0x40 != 0), whole)
    }
}
