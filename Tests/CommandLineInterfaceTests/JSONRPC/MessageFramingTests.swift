import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct MessageFramingTests {
    private func messages(_ bytes: String, _ kind: MessageFraming.Kind, pieceSize: Int) throws -> [String] {
        var framing = MessageFraming(kind)
        let bytes = Data(bytes.utf8)
        return try stride(from: 0, to: bytes.count, by: pieceSize).flatMap {
            try framing.append(bytes[$0..<min($0 + pieceSize, bytes.count)]).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(arguments: [1, 2, 7, 1_000]) func `however the bytes come in, the messages are the same`(pieceSize: Int) throws {
        let framed = "Content-Length: 2\r\n\r\n{}content-type: x; y=z\r\nCONTENT-LENGTH:4\r\n\r\n\"ä\"Content-Length: 0\r\n\r\n"
        #expect(try messages(framed, .headers, pieceSize: pieceSize) == ["{}", "\"ä\"", ""])
        #expect(try messages("{}\n\n[ä]\n{", .lines, pieceSize: pieceSize) == ["{}", "", "[ä]"])
    }

    @Test(arguments: [
        ("Content-Length: 99999999\r\n\r\n", "A message is longer than 16 MiB."),
        ("Content-Length: -1\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Length: 1x\r\n\r\n", "A message begins with Content-Length: N."),
        ("Content-Type: x\r\n\r\n{}", "A message begins with Content-Length: N."),
        (String(repeating: "x", count: 5_000), "A message begins with Content-Length: N."),
    ])
    func `what frames no message ends the conversation with a sentence`(bytes: String, complaint: String) {
        #expect(throws: CommandFailure(status: .usage, message: complaint)) { try messages(bytes, .headers, pieceSize: 4_096) }
    }

    @Test func `a line has a limit, too`() {
        let long = String(repeating: "x", count: MessageFraming.longestMessage + 1)
        #expect(throws: CommandFailure(status: .usage, message: "A message is longer than 16 MiB.")) {
            try messages(long, .lines, pieceSize: 1 << 20)
        }
    }
}
