import ServerTesting
import Testing

/// A case of the Autobahn test suite, as a client meets it: what the server sends, and which frames are right answers of a client that
/// echoes messages.
///
/// The list of cases is that of version 25.10.1 (github.com/crossbario/autobahn-testsuite): 246 in sections 1 to 7, 54 in section 9, one
/// in section 10. Where it waits a second for what must not come, the server here goes on at once, and reads to the client's close.
struct AutobahnCase: Sendable, CustomTestStringConvertible {
    struct Frame: Hashable, Sendable, CustomStringConvertible {
        var opcode: UInt8
        var payload: [UInt8]

        var isMessage: Bool { opcode == 1 || opcode == 2 }
        var isClose: Bool { opcode == 8 }
        var isPing: Bool { opcode == 9 }
        /// Of a close; 1005: it has none.
        var code: Int { payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]) }
        var description: String { "\(opcode): \(payload.count) bytes \(payload.prefix(40))" }
    }

    enum Step: Sendable {
        /// Sends bytes, so many at a time.
        case send([UInt8], chop: Int = .max)
        /// Reads the client's frames until there are so many.
        case await(Int)
    }

    enum Chop: CaseIterable {
        case none, frames, octets
    }

    /// Who ends the session.
    enum End: Hashable, Sendable {
        /// The server closes, and the client answers.
        case server
        /// The client fails the connection, maybe before it has answered all that came before.
        case client
        /// RFC 6455 leaves it open; Autobahn's INFORMATIONAL.
        case open
    }

    var id: String
    var steps: [Step]
    var answers: [Frame] = []
    var end = End.server
    /// The codes that the client's close may have; 1005: none.
    var codes: Set<Int> = [1000]

    var testDescription: String { id }

    /// What an application gets to see.
    var messages: [Frame] { answers.filter(\.isMessage) }

    /// Plays the server.
    ///
    /// - Returns: the frames of the client, up to its close.
    func play(_ wire: ScriptedServer.Wire) -> [Frame] {
        var frames: [Frame] = []
        func read() -> Bool {
            // A client that waits for us pings after 20 s.
            guard frames.last.map({ !$0.isClose && !$0.isPing }) ?? true, let frame = Self.frame(wire) else { return false }
            frames.append(frame)
            return true
        }
        for step in steps {
            switch step {
            case .send(let bytes, let chop):
                var rest = bytes[...]
                repeat {
                    guard wire.write(rest.prefix(chop)) else { break }
                    rest = rest.dropFirst(chop)
                } while !rest.isEmpty
            case .await(let count): while frames.count < count, read() {}
            }
        }
        while read() {}
        // Who fails the connection ends it.
        if end == .client, frames.last?.isClose == true { while wire.read(1) != nil {} }
        return frames
    }

    /// A client's frame; one without a mask is none.
    private static func frame(_ wire: ScriptedServer.Wire) -> Frame? {
        guard let head = wire.read(2), head[0] & 0xF0 == 0x80, head[1] & 0x80 != 0 else { return nil }
        var length = Int(head[1] & 0x7F)
        if length > 125 {
            guard let bytes = wire.read(length == 126 ? 2 : 8) else { return nil }
            length = bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let key = wire.read(4), var payload = wire.read(length) else { return nil }
        payload.withUnsafeMutableBufferPointer { for index in $0.indices { $0[index] ^= key[index & 3] } }
        return Frame(opcode: head[0] & 0x0F, payload: payload)
    }
}

extension AutobahnCase.Frame {
    static func text(_ text: String) -> Self { Self(opcode: 1, payload: Array(text.utf8)) }
    static func binary(_ bytes: [UInt8]) -> Self { Self(opcode: 2, payload: bytes) }
    static func pong(_ text: String) -> Self { Self(opcode: 10, payload: Array(text.utf8)) }
}

extension AutobahnCase {
    /// A server's frame, each bit as a case wants it.
    static func frame(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch payload.count {
        case ...125: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
        }
        return bytes + payload
    }

    static func frame(_ opcode: UInt8, _ text: String, isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        frame(opcode, Array(text.utf8), isFinal: isFinal, reserved: reserved)
    }

    /// A message in frames of so many bytes.
    static func fragments(_ opcode: UInt8, _ payload: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: payload.count, by: size).map { start in
            let end = min(start + size, payload.count)
            return frame(start == 0 ? opcode : 0, Array(payload[start..<end]), isFinal: end == payload.count)
        }
    }

    static func close(_ code: Int?, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + reason)
    }

    /// The server closes when it has all answers.
    static func answered(_ id: String, steps: [Step], _ answers: [Frame]) -> AutobahnCase {
        AutobahnCase(id: id, steps: steps + [.await(answers.count), .send(close(1000))], answers: answers)
    }

    static func answered(_ id: String, _ frames: [[UInt8]], _ answers: [Frame], chop: Chop = .none) -> AutobahnCase {
        answered(id, steps: steps(frames, chop), answers)
    }

    /// The client fails the connection.
    static func failed(
        _ id: String, _ frames: [[UInt8]], after answers: [Frame] = [], chop: Chop = .none, codes: Set<Int> = [1002]
    ) -> AutobahnCase {
        AutobahnCase(id: id, steps: steps(frames, chop), answers: answers, end: .client, codes: codes)
    }

    /// The server's close is among the frames.
    static func closed(_ id: String, _ frames: [[UInt8]], codes: Set<Int> = [1000]) -> AutobahnCase {
        AutobahnCase(id: id, steps: [.send(frames.flatMap(\.self))], codes: codes)
    }

    static func steps(_ frames: [[UInt8]], _ chop: Chop) -> [Step] {
        switch chop {
        case .none: [.send(frames.flatMap(\.self))]
        case .frames: frames.map { .send($0) }
        case .octets: [.send(frames.flatMap(\.self), chop: 1)]
        }
    }
}
