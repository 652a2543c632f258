import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

@Suite struct BodyWrappingTests {
    private func wrapped(_ document: BodyDocument, width: Int) -> [String] {
        document.rows(from: BodyPosition(), count: 1000, width: width).map(\.text.text)
    }

    @Test func `long lines go on in rows`() {
        let document = BodyDocument("0123456789\n\nabcd\nabcde", "text/plain")
        #expect(wrapped(document, width: 4) == ["0123", "4567", "89", "", "abcd", "abcd", "e"])
        #expect(
            document.rows(from: BodyPosition(line: 0, column: 4), count: 3, width: 4).map(\.position) == [
                BodyPosition(line: 0, column: 4), BodyPosition(line: 0, column: 8), BodyPosition(line: 1),
            ])
    }

    @Test func `a wide character that doesn't fit starts the next row`() {
        let document = BodyDocument("a漢字かなb", "text/plain")
        #expect(wrapped(document, width: 4) == ["a漢 ", "字か", "なb"])
    }

    @Test(arguments: UInt64(1)...20)
    func `moving up and down comes back, and rows hold the whole line`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = ["a", "漢", "\t", "é", "\n", "word ", "\u{1B}", "0123456789"]
        let text = (0..<200).map { _ in parts.randomElement(using: &generator)! }.joined()
        let document = BodyDocument(text, "text/plain")
        let width = Int.random(in: 2..<12, using: &generator)
        let rows = document.rows(from: BodyPosition(), count: 10_000, width: width)
        let positions = rows.map(\.position)
        for (index, position) in positions.enumerated() {
            #expect(document.position(BodyPosition(), movedBy: index, width: width) == position)
            #expect(document.position(position, movedBy: -index, width: width) == BodyPosition())
            if index > 0 { #expect(document.position(position, movedBy: -1, width: width) == positions[index - 1]) }
        }
        #expect(document.lastPosition(width: width) == positions.last)
        #expect(document.position(BodyPosition(), movedBy: 99_999, width: width) == positions.last)
        let solid = { (text: String) in text.filter { $0 != " " } }
        #expect(solid(rows.map(\.text.text).joined()) == solid(document.screen(columns: 0..<9999).joined()), "seed \(seed)")
    }

    @Test func `indented JSON wraps too`() {
        let document = BodyDocument("{\"key\":\"a long value\"}", "application/json")
        #expect(wrapped(document, width: 10) == ["{", "  \"key\": \"", "a long val", "ue\"", "}"])
    }

    @Test func `an empty body has no rows`() {
        #expect(wrapped(BodyDocument("", "text/plain"), width: 10) == [])
        #expect(BodyDocument("", "text/plain").lastPosition(width: 10) == BodyPosition())
    }
}
