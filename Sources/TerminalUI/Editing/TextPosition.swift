/// Between two characters of a text: a line, and the UTF-8 bytes of it that lie before.
package struct TextPosition: Hashable, Sendable, Comparable {
    package var line: Int
    package var offset: Int

    package init(line: Int, offset: Int) {
        self.line = line
        self.offset = offset
    }

    package static let start = TextPosition(line: 0, offset: 0)

    package static func < (one: TextPosition, other: TextPosition) -> Bool {
        (one.line, one.offset) < (other.line, other.offset)
    }
}
