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
