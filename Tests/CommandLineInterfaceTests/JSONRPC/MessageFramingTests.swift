import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct MessageFramingTests {
    private func messages(_ bytes: String, _ kind: MessageFraming.Kind, pieceSize: Int) throws -> [String] {
        var framing = MessageFraming(kind)
        let bytes = Data(bytes.utf8)
        return try stride(from: 0, to: bytes.count, by: pieceSize).flatMap {
            try framing.append(bytes[$0..<min($0 + pieceSize, bytes.count)]).map { piece in
                switch piece {
                case .message(let bytes): String(decoding: bytes, as: UTF8.self)
                case .tooLong: "(too long)"
                }
            }
        }
    }

    @Test(arguments: [1, 2, 7, 1_000]) func `however the bytes come in, the messages are the same`(pieceSize: Int) throws {
        let framed = "Content-Length: 2\r\n\r\n{}content-type: x; y=z\r\nCONTENT-LENGTH:4\r\n\r\n\"ä\"Content-Length: 0\r\n\r\n"
        #expect(try messages(framed, .headers, pieceSize: pieceSize) == ["{}", "\"ä\"", ""])
        #expect(try messages("{}\n\n[ä]\n{", .lines, pieceSize: pieceSize) == ["{}", "", "[ä]"])
    }

    @Test(arguments: [
        ("Content-Length: -1\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Length: 1x\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Type: x\r\n\r\n{}", "A message begins with Content-Length: N."),
        (String(repeating: "x", count: 5_000), "A message begins with Content-Length: N."),
    ])
    func `what frames no message ends the conversation with a sentence`(bytes: String, complaint: String) {
        #expect(throws: CommandFailure(status: .usage, message: complaint)) { try messages(bytes, .headers, pieceSize: 4_096) }
    }

    @Test(arguments: [1 << 16, 1 << 20, 1 << 26])
    func `a message that is too long is skipped, and the next one is read`(pieceSize: Int) throws {
        let long = String(repeating: "x", count: MessageFraming.longestMessage + 1)
        #expect(try messages("a\n\(long)\nb\n\(long)", .lines, pieceSize: pieceSize) == ["a", "(too long)", "b", "(too long)"])
        let framed = "Content-Length: 1\r\n\r\naContent-Length: \(long.utf8.count)\r\n\r\n\(long)Content-Length: 1\r\n\r\nb"
        #expect(try messages(framed, .headers, pieceSize: pieceSize) == ["a", "(too long)", "b"])
        let longest = try messages("\(long.dropLast())\n", .lines, pieceSize: pieceSize)
        #expect(longest.map(\.utf8.count) == [MessageFraming.longestMessage])
    }
}
