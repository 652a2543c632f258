import TerminalUI
import Testing

@Suite struct `A line that is wrapped` {
    private func rows(_ text: String, _ columns: Int, indent: Int = 0) -> [String] {
        StyledLine(text).wrapped(columns: columns, indent: indent).map(\.text)
    }

    @Test func `is broken between words, and the blank there is gone`() {
        #expect(rows("one two three", 7) == ["one two", "three"])
        #expect(rows("one two three", 13) == ["one two three"])
        #expect(rows("one  two", 4) == ["one", "two"])
    }

    @Test func `goes on behind its indent`() {
        #expect(
            rows("name  a value that is long", 12, indent: 6) == ["name  a", "      value", "      that", "      is", "      long"])
    }

    @Test func `breaks a word only when a row can't hold it`() {
        #expect(rows("see https://example.org/a", 10) == ["see https:", "//example.", "org/a"])
        #expect(rows("ab cdefgh", 6) == ["ab", "cdefgh"])
    }

    @Test func `keeps the role of every part, also inside of a word`() {
        let line = StyledLine([.init("GET ", .methodGet), .init("http://", .url), .init("host", .urlHost), .init("/p", .url)])
        #expect(
            line.wrapped(columns: 13) == [
                StyledLine("GET", .methodGet),
                StyledLine([.init("http://", .url), .init("host", .urlHost), .init("/p", .url)]),
            ])
    }

    @Test func `counts columns and not characters`() {
        #expect(rows("鳥鳥鳥鳥", 5) == ["鳥鳥", "鳥鳥"])
        #expect(rows("", 5) == [""])
        #expect(rows("abc", 0) == ["a", "b", "c"])
    }
}
