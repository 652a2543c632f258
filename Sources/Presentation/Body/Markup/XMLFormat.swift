import TerminalUI

/// Lays out XML indented: a line for each tag, comment and text; an element with nothing but short text stays on one.
///
/// What spans several lines as it was sent (a comment, a tag with many attributes) keeps its lines.
struct XMLFormat: LineFormat {
    private typealias State = MarkupScanner.State

    static let indent = 2
    private static let closing: UInt8 = 64

    /// Whether new line ends and indents change nothing that matters: nowhere in the first 64 KiB does text stand between
    /// tags of the same element (`<p>some <b>bold</b> text</p>`), and `xml:space` doesn't forbid it.
    static func isSafe(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        let end = min(buffer.count, 1 << 16)
        if MarkupScanner.find("xml:space", bytes, 0, end) < end { return false }
        var position = MarkupScanner.find("</", bytes, 0, end)
        while position < end {
            let behind = JSONScanner.skipSpace(bytes, MarkupScanner.find(0x3E, bytes, position, end) + 1, end)
            if behind < end, bytes[behind] != 0x3C { return false }
            position = MarkupScanner.find("</", bytes, behind, end)
        }
        return true
    }

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        guard let bytes = buffer.baseAddress, start.offset < buffer.count else { return nil }
        let end = buffer.count
        if start.state != State.text { return continued(start, bytes, end, into: &layout) }
        layout.indent = min(Int(start.depth), JSONFormat.deepestIndent) * Self.indent
        guard bytes[start.offset] == 0x3C else {
            let textEnd = endOfText(start.offset, bytes, end)
            layout.append(start.offset..<textEnd, .text)
            return next(textEnd, start.depth, bytes, end)
        }
        return token(start, bytes, end, into: &layout)
    }

    /// At `<`.
    private func token(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let offset = start.offset
        let following = offset + 1 < end ? bytes[offset + 1] : 0
        guard following == 0x2F || MarkupScanner.isNameStart(following) else {
            // A comment, instruction, declaration or section; or a lone `<`, which is text.
            let isText = following != 0x21 && following != 0x3F
            let part = isText ? offset..<max(offset + 1, endOfText(offset + 1, bytes, end)) : endOfToken(offset, bytes, end)
            return finish(
                part, from: State.text, depth: start.depth, next: start.depth, isClosing: false, bytes, end, into: &layout)
        }
        let part = endOfToken(offset, bytes, end)
        let isClosing = following == 0x2F
        let isWhole = bytes[part.upperBound - 1] == 0x3E
        let isEmpty = isWhole && bytes[part.upperBound - 2] == 0x2F
        let inside = isClosing || isEmpty ? start.depth : start.depth + 1
        guard isWhole, !isClosing, !isEmpty, let content = shortContent(part.upperBound, bytes, end) else {
            return finish(part, from: State.text, depth: start.depth, next: inside, isClosing: isClosing, bytes, end, into: &layout)
        }
        let whole = offset..<content
        return finish(whole, from: State.text, depth: start.depth, next: start.depth, isClosing: false, bytes, end, into: &layout)
    }

    /// The end of a closing tag that follows on the same line, with nothing or text before it.
    private func shortContent(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int? {
        let open = endOfPlainText(start, bytes, end)
        guard open + 1 < end, bytes[open] == 0x3C, bytes[open + 1] == 0x2F else { return nil }
        let token = endOfToken(open, bytes, end)
        return bytes[token.upperBound - 1] == 0x3E ? token.upperBound : nil
    }

    /// Behind the first line of something that has several.
    private func continued(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let isClosing = start.state & Self.closing != 0
        let state = start.state & ~Self.closing
        let part = endOfToken(start.offset, bytes, end, from: state)
        let isTag = state == State.tag || state == State.doubleQuoted || state == State.singleQuoted
        let isWhole = !part.isEmpty && bytes[part.upperBound - 1] == 0x3E
        let isEmpty = isWhole && part.count > 1 && bytes[part.upperBound - 2] == 0x2F
        let inside = isTag && !isClosing && !isEmpty ? start.depth + 1 : start.depth
        return finish(part, from: state, depth: start.depth, next: inside, isClosing: isClosing, bytes, end, into: &layout)
    }

    private func finish(
        _ part: Range<Int>, from state: UInt8, depth: Int32, next inside: Int32, isClosing: Bool, _ bytes: UnsafePointer<UInt8>,
        _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let after = MarkupScanner.scan(part, bytes, from: state, isHTML: false) { layout.append($0, $1) }
        if after == State.text { return next(part.upperBound, inside, bytes, end) }
        let following = TextIndexer.endOfLine(bytes, part.upperBound, end)
        guard following < end else { return nil }
        return LineStart(offset: following, depth: depth, state: after | (isClosing ? Self.closing : 0))
    }

    private func next(_ offset: Int, _ depth: Int32, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> LineStart? {
        let position = JSONScanner.skipSpace(bytes, offset, end)
        guard position < end else { return nil }
        let closes = bytes[position] == 0x3C && position + 1 < end && bytes[position + 1] == 0x2F
        return LineStart(offset: position, depth: max(0, closes ? depth - 1 : depth))
    }

    /// From `start` to the end of its token, or of its line without CR LF. Looks no further than twice that far.
    private func endOfToken(
        _ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int, from state: UInt8 = State.text
    ) -> Range<Int> {
        var position = start
        var state = state
        var reach = 256
        while true {
            let stop = min(end, position + reach)
            let next = TextIndexer.endOfLine(bytes, position, stop)
            let close = MarkupScanner.find(0x3E, bytes, position, next)
            if close < next {
                // The scanner has no way to stop, but where its state is back at `text` behind a `>`, the token has ended.
                state = MarkupScanner.scan(position..<close + 1, bytes, from: state, isHTML: false) { _, _ in }
                position = close + 1
                reach = 256
                if state == State.text { return start..<position }
            } else if next < stop || stop == end || bytes[next - 1] == 0x0A {
                return start..<max(start, TextFormat.withoutLineEnd(start, next, bytes))
            } else {
                reach *= 2
            }
        }
    }

    private func endOfPlainText(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int {
        var position = start
        while position < end, bytes[position] != 0x3C, bytes[position] != 0x0A { position += 1 }
        return position
    }

    /// Without the white space behind it: just what ``next(_:_:_:_:)`` skips, or the text would begin again where it has begun.
    private func endOfText(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int {
        var position = endOfPlainText(start, bytes, end)
        while position > start, JSONScanner.isSpace(bytes[position - 1]) { position -= 1 }
        return position
    }
}

/// Finds the lines of indented XML or HTML by laying each out.
struct MarkupIndexer<Format: LineFormat>: LineIndexer {
    private(set) var position: Int
    private let format: Format
    private var next: LineStart?
    private var layout = LineLayout()

    init(_ format: Format, start: Int, in buffer: UnsafeBufferPointer<UInt8>) {
        self.format = format
        position = start
        if let bytes = buffer.baseAddress {
            let first = JSONScanner.skipSpace(bytes, start, buffer.count)
            if first < buffer.count { next = LineStart(offset: first) }
        }
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        while let start = next {
            position = start.offset
            if position >= stop { return false }
            sink.add(start)
            layout.reset()
            next = format.layout(start, in: buffer, failure: nil, into: &layout)
        }
        position = buffer.count
        return true
    }
}
