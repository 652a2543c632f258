import Foundation
import Testing

@testable import WebSockets

@Suite struct FrameTests {
    /// All frames of some bytes, which arrive in pieces of this many.
    private func frames(
        _ bytes: [UInt8], pieces: Int = .max, isFromClient: Bool = false, limit: Int = 1 << 20
    ) throws(WebSocketViolation) -> [WebSocketFrame] {
        var reader = WebSocketFrameReader(isFromClient: isFromClient, limit: limit)
        var frames: [WebSocketFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(Data(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let (frame, _) = try reader.next() { frames.append(frame) }
        }
        return frames
    }

    private func complaint(_ bytes: [UInt8], isFromClient: Bool = false, limit: Int = 1 << 20) -> WebSocketViolation? {
        do throws(WebSocketViolation) {
            _ = try frames(bytes, isFromClient: isFromClient, limit: limit)
            return nil
        } catch { return error }
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
    func `lengths are written as short as can be, and read again`(count: Int) throws {
        let frame = WebSocketFrame(.binary, [UInt8](repeating: 7, count: count))
        let bytes = frame.encoded(mask: nil)
        #expect(bytes.count - count == (count <= 125 ? 2 : count <= 65_535 ? 4 : 10))
        #expect(try frames(bytes) == [frame])
        #expect(try frames(frame.encoded(mask: 0x0102_03FF), isFromClient: true) == [frame])
    }

    @Test func `a client's frame is masked by its key`() {
        // The example of RFC 6455, section 5.7.
        let hello: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        #expect(WebSocketFrame(.text, Array("Hello".utf8)).encoded(mask: 0x37fa_213d) == hello)
    }

    @Test func `frames may be cut at every byte`() throws {
        let sent = [
            WebSocketFrame(.text, Array("one".utf8), isFinal: false), WebSocketFrame(.ping, [1, 2]),
            WebSocketFrame(.continuation, [UInt8](repeating: 65, count: 300)), WebSocketFrame(close: 1000, "bye"),
        ]
        for isFromClient in [false, true] {
            let bytes = sent.flatMap { $0.encoded(mask: isFromClient ? 0xA0B0_C0D0 : nil) }
            #expect(try frames(bytes, pieces: 1, isFromClient: isFromClient) == sent)
            for cut in 1..<bytes.count {
                var reader = WebSocketFrameReader(isFromClient: isFromClient, limit: 1000)
                var got: [WebSocketFrame] = []
                for piece in [bytes[..<cut], bytes[cut...]] {
                    reader.append(Data(piece))
                    while let (frame, _) = try reader.next() { got.append(frame) }
                }
                #expect(got == sent)
            }
        }
    }

    @Test(
        arguments: [
            ([0x81, 126, 0, 125], "wrote the length 125 in more bytes than it needs (RFC 6455, section 5.2)"),
            (
                [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
                "wrote the length 65535 in more bytes than it needs (RFC 6455, section 5.2)"
            ),
            ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "announced a frame of 2^63 bytes or more (RFC 6455, section 5.2)"),
            ([0x81, 0x81, 1, 2, 3, 4, 5], "sent a masked frame (RFC 6455, section 5.1)"),
            ([0xA1, 0], "set a reserved bit that no extension was agreed on for (RFC 6455, section 5.2)"),
            ([0x91, 0], "set a reserved bit that no extension was agreed on for (RFC 6455, section 5.2)"),
            ([0x83, 0], "sent a frame with the reserved opcode 3 (RFC 6455, section 5.2)"),
            ([0x8B, 0], "sent a frame with the reserved opcode 11 (RFC 6455, section 5.2)"),
            ([0x09, 0], "sent a ping in fragments (RFC 6455, section 5.5)"),
            ([0x89, 126, 0, 126], "sent a ping of more than 125 bytes (RFC 6455, section 5.5)"),
        ] as [([UInt8], String)])
    func `what no frame may say is named with its rule`(bytes: [UInt8], sentence: String) {
        #expect(complaint(bytes) == WebSocketViolation(sentence: sentence, code: 1002))
    }

    @Test func `a client's frame without a mask is named`() {
        #expect(complaint([0x81, 0], isFromClient: true)?.sentence == "sent a frame without a mask (RFC 6455, section 5.1)")
    }

    @Test func `a frame beyond the limit is refused by its head`() {
        let refusal = complaint([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0], limit: 1000)
        #expect(refusal?.code == 1009)
        #expect(refusal?.sentence == "announced a frame of 4294967296 bytes, and the limit is 1000 (RFC 6455, section 7.4.1)")
        #expect(complaint([0x82, 126, 0x03, 0xE8], limit: 1000) == nil)
    }

    @Test func `a ping of 125 bytes is whole`() throws {
        #expect(
            try frames([0x89, 125] + [UInt8](repeating: 1, count: 125)) == [
                WebSocketFrame(.ping, [UInt8](repeating: 1, count: 125))
            ])
    }
}

extension WebSocketViolation {
    fileprivate init(sentence: String, code: Int) {
        let parts = sentence.dropLast().components(separatedBy: " (RFC")
        self.init(code, parts[0], "RFC" + parts[1])
    }
}
