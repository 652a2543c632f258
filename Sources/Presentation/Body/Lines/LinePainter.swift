import TerminalUI

/// Draws pieces of a body into a window of columns. Only what is inside of the window is made into text.
///
/// Long pieces are gone through in chunks of 4 KiB; where a chunk is plain ASCII, its width is its length, and chunks left
/// of the window cost a glance at their bytes. `ColumnAnchors` keeps where chunks of very long pieces start.
struct LinePainter {
    static let chunk = 4096

    let bytes: UnsafePointer<UInt8>
    let window: Range<Int>
    /// Byte ranges to show in a role of their own, in order.
    var marks: [Mark] = []
    private(set) var line = StyledLine()
    /// Where the next character goes; from the start of the line, not of the window.
    private(set) var column = 0
    /// Goes on behind the window, to the end of the line.
    var measures = false
    /// Where the first character starts that the right edge of the window cuts in two.
    private(set) var cut: Int?
    /// Wraps the line at this width and keeps where its rows start.
    var wrapWidth: Int?
    private(set) var rowStarts = [0]

    struct Mark {
        var range: Range<Int>
        var role: ThemeRole
    }

    init(_ bytes: UnsafePointer<UInt8>, window: Range<Int>) {
        self.bytes = bytes
        self.window = window
    }

    /// Whether something has been seen behind the window.
    var isBeyond: Bool { column > window.upperBound }
    private var isOnlyMeasuring: Bool { measures && window.isEmpty && wrapWidth == nil }
    private var isDone: Bool { isBeyond && !measures }

    mutating func indent(_ columns: Int) {
        let visible = min(column + columns, window.upperBound) - max(column, window.lowerBound)
        if visible > 0 { line.join(String(repeating: " ", count: visible), .text) }
        wrap(columns)
        column += columns
    }

    /// Starts new rows for narrow characters that are about to come.
    private mutating func wrap(_ count: Int) {
        guard let wrapWidth else { return }
        while column + count > rowStarts[rowStarts.count - 1] + wrapWidth {
            rowStarts.append(rowStarts[rowStarts.count - 1] + wrapWidth)
        }
    }

    mutating func add(_ text: String, _ role: ThemeRole) {
        for character in text { put(character, role) }
    }

    /// Draws a piece.
    ///
    /// - Parameter limit: only the part of it before this byte.
    mutating func paint(_ range: Range<Int>, _ role: ThemeRole, anchors: ColumnAnchors?, upTo limit: Int = .max) {
        let shown = range.lowerBound..<max(range.lowerBound, min(limit, range.upperBound))
        var position = range.lowerBound
        if range.count > ColumnAnchors.spacing, let anchors {
            let anchor =
                limit < range.upperBound
                ? anchors.last(beforeByte: limit, in: range, from: column)
                : anchors.last(before: isOnlyMeasuring ? .max : window.lowerBound, in: range, from: column)
            if let anchor { (position, column) = anchor }
        }
        while position < shown.upperBound, !isDone {
            anchors?.note(position, column, in: range)
            let end = endOfChunk(from: position, shown)
            if TextDecoder.isPlain(position..<end, of: bytes) {
                plain(position..<end, role)
            } else if let width = widthOutside(position..<end) {
                column += width
            } else {
                mixed(position..<end, role)
            }
            position = end
        }
    }

    /// A multiple of the chunk size, or a little less, so that no scalar is cut.
    private func endOfChunk(from position: Int, _ range: Range<Int>) -> Int {
        var end = position + Self.chunk
        guard end < range.upperBound else { return range.upperBound }
        for _ in 0..<3 where bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// The width of a chunk that lies outside of the window, if that can be told without making text of it.
    private func widthOutside(_ range: Range<Int>) -> Int? {
        guard wrapWidth == nil, column >= window.upperBound || column < window.lowerBound else { return nil }
        guard let width = TextDecoder.simpleWidth(range, of: bytes) else { return nil }
        return column >= window.upperBound || column + width <= window.lowerBound ? width : nil
    }

    private mutating func plain(_ range: Range<Int>, _ role: ThemeRole) {
        let start = max(window.lowerBound - column, 0)
        let end = min(window.upperBound - column, range.count)
        if start < end {
            let visible = range.lowerBound + start..<range.lowerBound + end
            if marks.isEmpty {
                join(visible, role)
            } else {
                var position = visible.lowerBound
                while position < visible.upperBound {
                    let (role, next) = self.role(at: position, role)
                    let stop = min(next, visible.upperBound)
                    join(position..<stop, role)
                    position = stop
                }
            }
        }
        wrap(range.count)
        column += range.count
    }

    private mutating func join(_ range: Range<Int>, _ role: ThemeRole) {
        line.join(String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self), role)
    }

    private mutating func mixed(_ range: Range<Int>, _ role: ThemeRole) {
        var position = range.lowerBound
        TextDecoder.decode(range, of: bytes) { element in
            let shown = marks.isEmpty ? role : self.role(at: position, role).role
            switch element {
            case .character(let character, let count):
                put(character, shown)
                position += count
            case .invalid:
                put(glyph: "\u{FFFD}", width: 1, shown == role ? .controlCharacter : shown)
                position += 1
            }
            return !isDone
        }
    }

    private mutating func put(_ character: Character, _ role: ThemeRole) {
        if character == "\t" {
            indent(DisplayWidth.of(character, at: column))
            return
        }
        Glyph.forEach(in: character) { glyph in
            let isMark = role == .searchMatch || role == .searchMatchCurrent
            put(glyph: glyph.character, width: glyph.width, glyph.isSubstitute && !isMark ? .controlCharacter : role)
        }
    }

    private mutating func put(glyph: Character, width: Int, _ role: ThemeRole) {
        let end = column + width
        if let wrapWidth, end > rowStarts[rowStarts.count - 1] + wrapWidth { rowStarts.append(column) }
        if column >= window.lowerBound, end <= window.upperBound {
            line.join(String(glyph), role)
        } else if end > window.lowerBound, column < window.upperBound {
            // The half of a wide character at the edge.
            if end > window.upperBound { cut = column }
            line.join(" ", role)
        }
        column = end
    }

    /// The role at a byte, and where the next one may begin.
    private func role(at offset: Int, _ usual: ThemeRole) -> (role: ThemeRole, next: Int) {
        for mark in marks {
            if offset < mark.range.lowerBound { return (usual, mark.range.lowerBound) }
            if offset < mark.range.upperBound { return (mark.role, mark.range.upperBound) }
        }
        return (usual, Int.max)
    }
}
