import TerminalUI

/// Lays out HTML indented: each block, comment and script begins a line; text stays with the elements that stand inside of a line (`<b>`,
/// `<a>`), and breaks where it did. What is short stays on one line, and what white space matters to keeps it: scripts, styles, `<pre>`.
///
/// It keeps no stack, so that any line can be laid out from its start. Elements that need no end (`<p>`, `<option>`) indent nothing.
struct HTMLFormat: LineFormat {
    private typealias State = MarkupScanner.State

    let ends: LineEndCache

    /// Added to a state: between `<pre>` or `<textarea>` and its end.
    private static let preformatted: UInt8 = 128
    /// Bytes of an element with its text that stay on one line.
    private static let short = 100
    /// Text without any line end or block is cut behind so many bytes.
    private static let longest = 2000
    /// A tag has no more bytes than this, or is none.
    private static let longestTag = 1 << 14

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        guard let bytes = buffer.baseAddress, start.offset < buffer.count else { return nil }
        let end = buffer.count
        if start.state & Self.preformatted != 0 { return preformatted(start, bytes, end, into: &layout) }
        switch start.state {
        case State.text: break
        case State.script, State.style: return script(start, bytes, end, into: &layout)
        default: return continued(start, bytes, end, into: &layout)
        }
        layout.indent = min(Int(start.depth), JSONFormat.deepestIndent) * XMLFormat.indent
        guard let tag = Tag(start.offset, bytes, end), !tag.isInline else {
            return flow(start, bytes, end, into: &layout)
        }
        switch tag.kind {
        case .other:
            return continued(start, bytes, end, into: &layout)
        case .close:
            paint(start.offset..<tag.end, bytes, into: &layout)
            return next(tag.end, start.depth, bytes, end)
        case .open:
            return open(tag, start, bytes, end, into: &layout)
        }
    }

    private func open(
        _ tag: Tag, _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let inside = start.depth + (tag.indents ? 1 : 0)
        switch tag.name {
        case "pre", "textarea":
            return preformatted(start, bytes, end, into: &layout)
        case "script", "style":
            let state = tag.name == "script" ? State.script : State.style
            let close = MarkupScanner.find(state == State.script ? "</script" : "</style", bytes, tag.end, end)
            let lineEnd = TextIndexer.endOfLine(bytes, tag.end, end)
            if close < lineEnd, close - start.offset < Self.short, let closing = Tag(close, bytes, end) {
                paint(start.offset..<closing.end, bytes, into: &layout)
                return next(closing.end, start.depth, bytes, end)
            }
            paint(start.offset..<tag.end, bytes, into: &layout)
            // What follows on the same line is a line of its own; an end of line is none.
            var first = tag.end
            while first < lineEnd, JSONScanner.isSpace(bytes[first]) { first += 1 }
            if first == close { return next(first, start.depth, bytes, end) }
            guard first < end else { return nil }
            return LineStart(offset: first, depth: start.depth, state: state)
        default: break
        }
        guard !tag.isVoid else {
            paint(start.offset..<tag.end, bytes, into: &layout)
            return next(tag.end, start.depth, bytes, end)
        }
        let text = endOfFlow(tag.end, bytes, end)
        if let closing = Tag(text, bytes, end), closing.kind == .close, closing.name == tag.name,
            !tag.indents || closing.end - start.offset <= Self.short
        {
            paint(start.offset..<closing.end, bytes, into: &layout)
            return next(closing.end, start.depth, bytes, end)
        }
        let line = tag.indents ? tag.end : max(tag.end, trimmed(tag.end..<text, bytes))
        paint(start.offset..<line, bytes, into: &layout)
        return next(line, inside, bytes, end)
    }

    // MARK: Text

    /// Text, and the elements that stand inside of a line.
    private func flow(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let stop = max(start.offset + 1, endOfFlow(start.offset, bytes, end))
        let part = start.offset..<max(start.offset + 1, trimmed(start.offset..<stop, bytes))
        paint(part, bytes, into: &layout)
        return next(part.upperBound, start.depth, bytes, end)
    }

    /// Up to the next block, comment or end of line, or behind a `<br>`.
    private func endOfFlow(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int {
        var position = start
        while position < end, position - start < Self.longest {
            let byte = bytes[position]
            if byte == 0x0A { return position }
            guard byte == 0x3C, let tag = Tag(position, bytes, end) else {
                position += 1
                continue
            }
            guard tag.isInline else { return position }
            position = tag.end
            if tag.name == "br" { return position }
        }
        return position
    }

    private func trimmed(_ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> Int {
        var position = range.upperBound
        while position > range.lowerBound, JSONScanner.isSpace(bytes[position - 1]) { position -= 1 }
        return position
    }

    private func paint(_ part: Range<Int>, _ bytes: UnsafePointer<UInt8>, into layout: inout LineLayout) {
        _ = MarkupScanner.scan(part, bytes, from: State.text, isHTML: true) { range, role in
            // The attributes of a tag may stand below one another.
            let isBreak =
                role == .text && range.allSatisfy { JSONScanner.isSpace(bytes[$0]) } && range.contains { bytes[$0] == 0x0A }
            if isBreak { layout.add(" ", .text) } else { layout.append(range, role) }
        }
    }

    private func next(_ offset: Int, _ depth: Int32, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> LineStart? {
        let position = JSONScanner.skipSpace(bytes, offset, end)
        guard position < end else { return nil }
        // A closing tag stands below its opening one.
        let isClosing = Tag(position, bytes, end).map { $0.kind == .close && $0.indents } ?? false
        return LineStart(offset: position, depth: max(0, isClosing ? depth - 1 : depth))
    }

    // MARK: As it was sent

    /// A line of a script.
    private func script(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let lineEnd = ends.endOfLine(start.offset, bytes, end)
        let text = TextFormat.withoutLineEnd(start.offset, lineEnd, bytes)
        let mark: StaticString = start.state == State.script ? "</script" : "</style"
        let reach = min(text, start.offset + TextFormat.longestColoured)
        let close = MarkupScanner.find(mark, bytes, start.offset, reach)
        guard close < reach else {
            layout.append(start.offset..<text, .text)
            return lineEnd < end ? LineStart(offset: lineEnd, depth: start.depth, state: start.state) : nil
        }
        let content = trimmed(start.offset..<close, bytes)
        if content > start.offset {
            layout.append(start.offset..<content, .text)
        } else if let tag = Tag(close, bytes, end) {
            layout.indent = min(Int(start.depth), JSONFormat.deepestIndent) * XMLFormat.indent
            paint(close..<tag.end, bytes, into: &layout)
            return next(tag.end, start.depth, bytes, end)
        }
        return LineStart(offset: close, depth: start.depth)
    }

    /// A line of what is between `<pre>` and `</pre>`, both included.
    private func preformatted(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let lineEnd = ends.endOfLine(start.offset, bytes, end)
        let reach = min(lineEnd, start.offset + TextFormat.longestColoured)
        let close = min(
            MarkupScanner.find("</pre", bytes, start.offset, reach), MarkupScanner.find("</textarea", bytes, start.offset, reach))
        let tag = close < reach ? Tag(close, bytes, end) : nil
        let text = tag?.end ?? TextFormat.withoutLineEnd(start.offset, lineEnd, bytes)
        let state = start.state & ~Self.preformatted
        let after = MarkupScanner.scan(start.offset..<max(start.offset, text), bytes, from: state, isHTML: true) {
            layout.append($0, $1)
        }
        if let tag { return next(tag.end, start.depth, bytes, end) }
        return lineEnd < end ? LineStart(offset: lineEnd, depth: start.depth, state: after | Self.preformatted) : nil
    }

    /// A comment or a declaration, whose lines stay, or a tag that never ends.
    private func continued(
        _ start: LineStart, _ bytes: UnsafePointer<UInt8>, _ end: Int, into layout: inout LineLayout
    ) -> LineStart? {
        let lineEnd = ends.endOfLine(start.offset, bytes, end)
        let text = TextFormat.withoutLineEnd(start.offset, lineEnd, bytes)
        var position = start.offset
        var state = start.state
        while position < text {
            let close = MarkupScanner.find(0x3E, bytes, position, text)
            let stop = min(text, close + 1)
            state = MarkupScanner.scan(position..<stop, bytes, from: state, isHTML: true) { layout.append($0, $1) }
            position = stop
            if state == State.text { return next(position, start.depth, bytes, end) }
        }
        return lineEnd < end ? LineStart(offset: lineEnd, depth: start.depth, state: state) : nil
    }

    // MARK: Tags

    private struct Tag {
        enum Kind { case open, close, other }

        var kind: Kind
        var name = ""
        /// Behind its `>`.
        var end: Int
        private var closesItself = false

        /// `nil`: there is none, or it doesn't end.
        init?(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) {
            guard start + 1 < end, bytes[start] == 0x3C else { return nil }
            let following = bytes[start + 1]
            if following == 0x21 || following == 0x3F {
                (kind, self.end) = (.other, start)
                return
            }
            kind = following == 0x2F ? .close : .open
            let first = kind == .close ? start + 2 : start + 1
            guard first < end, MarkupScanner.isNameStart(bytes[first]) else { return nil }
            let nameEnd = MarkupScanner.endOfName(bytes, first, min(end, first + 64))
            let letters = UnsafeBufferPointer(start: bytes + first, count: nameEnd - first)
            name = String(decoding: letters.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
            var position = nameEnd
            var quote: UInt8 = 0
            let stop = min(end, start + HTMLFormat.longestTag)
            // Else each of many that never end would be gone through byte by byte.
            guard MarkupScanner.find(0x3E, bytes, nameEnd, stop) < stop else { return nil }
            while position < stop {
                let byte = bytes[position]
                position += 1
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == 0x22 || byte == 0x27 {
                    quote = byte
                } else if byte == 0x3E {
                    self.end = position
                    closesItself = bytes[position - 2] == 0x2F
                    return
                }
            }
            return nil
        }

        var isInline: Bool { kind != .other && Self.inline.contains(name) }
        var isVoid: Bool { closesItself || Self.void.contains(name) }
        /// Whether what it contains is indented.
        var indents: Bool { !Self.endless.contains(name) && !isVoid }

        private static let inline: Set<String> = [
            "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "button", "cite", "code", "data", "del", "dfn", "em", "font",
            "i",
            "img", "input", "ins", "kbd", "label", "mark", "meter", "output", "progress", "q", "rp", "rt", "ruby", "s", "samp",
            "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
        ]
        private static let void: Set<String> = [
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
        ]
        /// Their ends may be left out, or nobody wants them indented.
        private static let endless: Set<String> = [
            "html", "head", "body", "p", "dt", "dd", "option", "colgroup", "script", "style", "pre", "textarea",
        ]
    }
}
