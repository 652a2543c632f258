import Foundation
import Testing
import Zlib

@testable import WebSockets

@Suite struct MessageTests {
    private typealias Message = WebSocketMessageReader.Message

    private func messages(
        _ frames: [WebSocketFrame], limit: Int = 1 << 20, inflates: Bool = false, keepsContext: Bool = true
    ) throws(WebSocketViolation) -> [Message] {
        var reader = WebSocketMessageReader(limit: limit, inflates: inflates, keepsContext: keepsContext)
        reader.append(Data(frames.flatMap { $0.encoded(mask: nil) }))
        var messages: [Message] = []
        while let received = try reader.next() { messages.append(received.message) }
        return messages
    }

    private func complaint(_ frames: [WebSocketFrame], limit: Int = 1 << 20, inflates: Bool = false) -> WebSocketViolation? {
        do throws(WebSocketViolation) {
            _ = try messages(frames, limit: limit, inflates: inflates)
            return nil
        } catch { return error }
    }

    private func text(_ bytes: [UInt8], isFinal: Bool = true) -> WebSocketFrame { WebSocketFrame(.text, bytes, isFinal: isFinal) }
    private func more(_ bytes: [UInt8], isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.continuation, bytes, isFinal: isFinal)
    }

    // MARK: Fragments

    @Test func `a ping may stand between the fragments of a message`() throws {
        var reader = WebSocketMessageReader(limit: 100)
        let frames = [text(Array("he".utf8), isFinal: false), WebSocketFrame(.ping, [9]), more(Array("llo".utf8))]
        reader.append(Data(frames.flatMap { $0.encoded(mask: nil) }))
        #expect(try reader.next() == .init(message: .ping([9]), frames: 1, wireBytes: 3))
        #expect(try reader.next() == .init(message: .text("hello"), frames: 2, wireBytes: 9))
        #expect(try reader.next() == nil)
    }

    @Test func `fragments follow the rules`() {
        #expect(complaint([more([1])])?.sentence == "continued a message that hadn't begun (RFC 6455, section 5.4)")
        #expect(
            complaint([text([65], isFinal: false), text([66])])?.sentence
                == "began a message within another (RFC 6455, section 5.4)")
    }

    @Test func `endless fragments end at the limit`() {
        let frames = [text([65], isFinal: false)] + (0..<200).map { _ in more([66], isFinal: false) }
        #expect(complaint(frames, limit: 100)?.code == 1009)
        #expect(
            complaint(frames, limit: 100)?.sentence == "sent a message of more than 100 bytes, the limit (RFC 6455, section 7.4.1)")
    }

    // MARK: Text

    @Test func `a character may be split over frames, at each of its bytes`() throws {
        let bytes = Array("aß€😀z".utf8)
        for cut in 0...bytes.count {
            #expect(try messages([text(Array(bytes[..<cut]), isFinal: false), more(Array(bytes[cut...]))]) == [.text("aß€😀z")])
        }
        let single = [text([], isFinal: false)] + bytes.map { more([$0], isFinal: false) } + [more([])]
        #expect(try messages(single) == [.text("aß€😀z")])
    }

    @Test func `text that isn't UTF-8 is 1007`() {
        #expect(complaint([text([0xFF])]) == WebSocketViolation(1007, "sent a text that isn't UTF-8", "RFC 6455, section 8.1"))
    }

    @Test func `binary messages hold any bytes`() throws {
        #expect(try messages([WebSocketFrame(.binary, [0xFF, 0xC0])]) == [.binary([0xFF, 0xC0])])
    }

    // MARK: Closes

    @Test func `codes of the registry may be sent, and others not`() throws {
        for code in 1012...1014 { #expect(try messages([WebSocketFrame(close: code, "why")]) == [.close(code, "why")]) }
        let refusal = complaint([WebSocketFrame(close: 1015)])
        #expect(refusal?.code == 1002)
        #expect(refusal?.sentence == "closed with code 1015, which no close frame may have (RFC 6455, section 7.4)")
    }

    @Test func `a close is empty, or has a code and a reason in UTF-8`() throws {
        #expect(try messages([WebSocketFrame(close: nil)]) == [.close(nil, "")])
        #expect(
            complaint([WebSocketFrame(.close, [3])])?.sentence == "sent a close frame of one byte (RFC 6455, section 5.5.1)")
        #expect(complaint([WebSocketFrame(.close, [3, 0xE8, 0xFF])])?.code == 1007)
    }

    // MARK: Compression

    /// As a sender of RFC 7692, section 7.2.1, makes it: flushed, its last four bytes cut off.
    private func deflated(_ bytes: [UInt8]) -> [UInt8] {
        // Stored blocks, then an empty one: what any deflate may write.
        stride(from: 0, to: bytes.count, by: 0xFFFF).flatMap { start in
            let block = bytes[start...].prefix(0xFFFF)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            return [0x00, low, high, ~low, ~high] + block
        } + [0x00]
    }

    private func compressed(_ bytes: [UInt8], _ opcode: WebSocketFrame.Opcode = .text) -> WebSocketFrame {
        WebSocketFrame(opcode, bytes, isCompressed: true)
    }

    @Test func `the examples of RFC 7692 are read`() throws {
        // Sections 7.2.3.1 to 7.2.3.5.
        let hello: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        let again: [UInt8] = [0xf2, 0x00, 0x11, 0x00, 0x00]
        let stored: [UInt8] = [0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]
        let final: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]
        let twoBlocks: [UInt8] = [0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]
        let sent = [hello, again, stored, final, again, twoBlocks]
        #expect(try messages(sent.map { compressed($0) }, inflates: true) == sent.map { _ in .text("Hello") })
        #expect(
            try messages([hello, stored, final, twoBlocks].map { compressed($0) }, inflates: true, keepsContext: false).count == 4)
        // Without takeover nothing may refer to the message before.
        #expect(throws: WebSocketViolation.self) {
            try messages([hello, again].map { compressed($0) }, inflates: true, keepsContext: false)
        }
    }

    @Test func `a compressed message may come in fragments, and beside plain ones`() throws {
        let frames = [
            WebSocketFrame(.text, [0xf2, 0x48, 0xcd], isFinal: false, isCompressed: true), WebSocketFrame(.ping, []),
            more([0xc9, 0xc9, 0x07, 0x00]), text(Array("plain".utf8)),
        ]
        #expect(try messages(frames, inflates: true) == [.ping([]), .text("Hello"), .text("plain")])
    }

    @Test func `an empty message is one byte`() throws {
        #expect(try messages([compressed([0x00])], inflates: true) == [.text("")])
        #expect(try messages([compressed([0x00]), compressed([0x00])], inflates: true) == [.text(""), .text("")])
        #expect(complaint([compressed([])], inflates: true)?.code == 1007)
    }

    @Test func `messages of all sizes come out whole`() throws {
        for size in [1, 65_534, 65_535, 65_536, 131_072, 200_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            // A whole stream has a last block, as section 7.2.3.4 lets a message have.
            let stream = Deflater(.none).write(bytes, isLast: true) + [0x00]
            #expect(try messages([compressed(stream, .binary)], inflates: true) == [.binary(bytes)])
            #expect(try messages([compressed(deflated(bytes), .binary)], inflates: true) == [.binary(bytes)])
        }
    }

    @Test func `a bomb ends at the limit`() throws {
        let bomb = Deflater(.none).write([UInt8](repeating: 0, count: 4 << 20), isLast: true) + [0x00]
        let refusal = complaint([compressed(bomb, .binary)], limit: 1 << 20, inflates: true)
        #expect(refusal?.code == 1009)
        #expect(
            refusal?.sentence
                == "sent \(bomb.count) bytes that stand for more than 1048576, the limit (RFC 6455, section 7.4.1)")
    }

    @Test func `what can't be inflated is 1007`() {
        let refusal = complaint([compressed([0xFF, 0xFF, 0xFF])], inflates: true)
        #expect(refusal?.code == 1007)
        #expect(refusal?.sentence == "sent a message that can't be decompressed (RFC 7692, section 7.2.2)")
        #expect(complaint([compressed(deflated([0xFF]))], inflates: true)?.sentence.contains("UTF-8") == true)
    }

    @Test func `the bit of compression stands on the first frame of a message, and only where it was agreed on`() {
        let hello: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        #expect(complaint([compressed(hello)])?.sentence.contains("reserved bit") == true)
        let continued = WebSocketFrame(.continuation, [1], isCompressed: true)
        #expect(
            complaint([text([65], isFinal: false), continued], inflates: true)?.sentence
                == "marked a continuation frame as compressed (RFC 7692, section 6)")
        #expect(complaint([WebSocketFrame(.ping, [1], isCompressed: true)], inflates: true)?.code == 1002)
    }
}
