import TerminalUI
import Testing

@testable import Presentation

@Suite struct HexDocumentTests {
    @Test func `bytes in sixteens, with what of them is ASCII`() {
        let document = BodyDocument(bytes: Array("{\"id\": 1, \"ok\"}\n".utf8) + [0x00, 0xFF, 0x1B], "image/png")
        #expect(document.mode == .hex)
        #expect(
            document.screen() == [
                "00000000  7b 22 69 64 22 3a 20 31  2c 20 22 6f 6b 22 7d 0a  {\"id\": 1, \"ok\"}·",
                "00000010  00 ff 1b                                          ···",
            ])
        #expect(document.summary == "binary, 19 B")
        #expect(
            document.roles()[1] == [
                "hexOffset:00000010", "text:  ", "hexByte:00 ff 1b                                          ",
                "controlCharacter:···",
            ])
    }

    @Test func `any body can be shown in hexadecimal, and in columns`() {
        let document = BodyDocument("0123456789abcdef0", "text/plain", mode: .hex)
        #expect(document.lineCount == .init(lines: 2, isExact: true))
        #expect(document.lines(1..<9, columns: 8..<14).map(\.text) == ["  30  "])
        #expect(document.bytes(ofLine: 1) == 16..<17)
        #expect(document.line(containing: 16) == 1)
        #expect(BodyDocument("", "text/plain", mode: .hex).screen() == [])
    }

    @Test func `a match shows in both halves`() throws {
        let document = BodyDocument("0123456789abcdef0", nil, mode: .hex)
        let pattern = try #require(BodyPattern("89"))
        let match = try #require(document.search(pattern))
        #expect(match == BodyMatch(bytes: 8..<10, line: 0, columns: 35..<40))
        let line = document.lines(0..<1, columns: 0..<100, highlighting: pattern, current: match)[0]
        #expect(line.spans.filter { $0.role == .searchMatchCurrent }.map(\.text) == ["38", "39", "89"])
    }
}
