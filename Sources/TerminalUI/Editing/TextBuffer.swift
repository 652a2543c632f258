/// A text as its lines, so that an edit costs what its own lines cost. Nothing is normalized: a CR before the line feed
/// stays at the end of its line.
package struct TextBuffer: Hashable, Sendable {
    /// At least one; without their line feeds.
    package private(set) var lines: [String]

    package init(_ text: String = "") {
        lines = TextBuffer.split(text)
    }

    package var text: String { lines.joined(separator: "\n") }

    package var end: TextPosition { TextPosition(line: lines.count - 1, offset: lines[lines.count - 1].utf8.count) }

    package func text(in range: Range<TextPosition>) -> String {
        let (start, end) = (range.lowerBound, range.upperBound)
        if start.line == end.line { return String(part(of: start.line, from: start.offset, to: end.offset)) }
        var parts = [part(of: start.line, from: start.offset, to: nil)]
        parts += lines[start.line + 1..<end.line].map { $0[...] }
        parts.append(part(of: end.line, from: 0, to: end.offset))
        return parts.joined(separator: "\n")
    }

    /// - Returns: where the new text ends.
    @discardableResult
    package mutating func replace(_ range: Range<TextPosition>, with text: String) -> TextPosition {
        let (start, end) = (range.lowerBound, range.upperBound)
        let before = part(of: start.line, from: 0, to: start.offset)
        let after = part(of: end.line, from: end.offset, to: nil)
        var new = TextBuffer.split(text)
        let last = new.count - 1
        let offset = new[last].utf8.count + (last == 0 ? start.offset : 0)
        new[0] = before + new[0]
        new[last] += after
        lines.replaceSubrange(start.line...end.line, with: new)
        return TextPosition(line: start.line + last, offset: offset)
    }

    /// The nearest position that the text has and that is not inside of a character (an edit may have joined a mark to the
    /// letter before it): behind that character then.
    package func clamped(_ position: TextPosition) -> TextPosition {
        if position.line < 0 { return .start }
        if position.line >= lines.count { return end }
        let line = lines[position.line]
        let count = line.utf8.count
        let offset = min(max(0, position.offset), count)
        guard offset > 0, offset < count else { return TextPosition(line: position.line, offset: offset) }
        let index = line.utf8.index(line.startIndex, offsetBy: offset)
        let next = line.index(after: index)
        let boundary = line.index(before: next) == index ? index : next
        return TextPosition(line: position.line, offset: line.utf8.distance(from: line.startIndex, to: boundary))
    }

    private func part(of line: Int, from start: Int, to end: Int?) -> Substring {
        let text = lines[line]
        let end = end.map { text.utf8.index(text.startIndex, offsetBy: $0) } ?? text.endIndex
        return text[text.utf8.index(text.startIndex, offsetBy: start)..<end]
    }

    private static func split(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}

extension TextBuffer {
    /// One character (as a reader sees it) on; at the end of a line, the start of the next.
    package func position(after position: TextPosition) -> TextPosition {
        let line = lines[position.line]
        guard position.offset < line.utf8.count else {
            return position.line + 1 < lines.count ? TextPosition(line: position.line + 1, offset: 0) : position
        }
        let next = line.index(after: index(position))
        return TextPosition(line: position.line, offset: line.utf8.distance(from: line.startIndex, to: next))
    }

    package func position(before position: TextPosition) -> TextPosition {
        guard position.offset > 0 else {
            return position.line > 0 ? lineEnd(position.line - 1) : position
        }
        let line = lines[position.line]
        let previous = line.index(before: index(position))
        return TextPosition(line: position.line, offset: line.utf8.distance(from: line.startIndex, to: previous))
    }

    /// The end of the word here or next.
    package func wordEnd(after position: TextPosition) -> TextPosition {
        var here = position
        while here < end, character(at: here).map({ !isWord($0) }) ?? true { here = self.position(after: here) }
        while let character = character(at: here), isWord(character) { here = self.position(after: here) }
        return here
    }

    /// The start of the word here or before.
    package func wordStart(before position: TextPosition) -> TextPosition {
        var here = position
        while here > .start {
            let previous = self.position(before: here)
            if previous.line == here.line, let character = character(at: previous), isWord(character) { break }
            here = previous
        }
        while here.offset > 0 {
            let previous = self.position(before: here)
            guard let character = character(at: previous), isWord(character) else { break }
            here = previous
        }
        return here
    }

    package func lineEnd(_ line: Int) -> TextPosition { TextPosition(line: line, offset: lines[line].utf8.count) }

    /// Where the line's text begins behind its indentation.
    package func indentation(of line: Int) -> Substring {
        lines[line].prefix { $0 == " " || $0 == "\t" }
    }

    /// The display column of a position, from 0.
    package func column(of position: TextPosition) -> Int {
        let line = lines[position.line]
        return DisplayWidth.of(line[..<index(position)])
    }

    /// The position in a line that is shown at or just before a display column.
    package func position(line: Int, column: Int) -> TextPosition {
        let text = lines[line]
        var shown = 0
        var place = text.startIndex
        while place < text.endIndex {
            shown += DisplayWidth.of(text[place], at: shown)
            if shown > column { break }
            text.formIndex(after: &place)
        }
        return TextPosition(line: line, offset: text.utf8.distance(from: text.startIndex, to: place))
    }

    /// The character behind the position; `nil` at the end of a line.
    private func character(at position: TextPosition) -> Character? {
        let line = lines[position.line]
        return position.offset < line.utf8.count ? line[index(position)] : nil
    }

    private func index(_ position: TextPosition) -> String.Index {
        let line = lines[position.line]
        return line.utf8.index(line.startIndex, offsetBy: position.offset)
    }

    private func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
}

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
