import Base
import TerminalUI

/// Lays out lines as they were sent, coloured by what each line says on its own.
struct TextFormat: LineFormat {
    var syntax = Syntax.plain
    let ends: LineEndCache

    enum Syntax: Sendable {
        case plain, json, eventStream
    }

    /// Longer lines are not coloured: a screen in the middle of one would need all that is before it.
    static let longestColoured = 1 << 17

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        guard let bytes = buffer.baseAddress, start.offset < buffer.count else { return nil }
        let next = ends.endOfLine(start.offset, bytes, buffer.count)
        let line = start.offset..<Self.withoutLineEnd(start.offset, next, bytes)
        switch syntax {
        case _ where line.count > Self.longestColoured: layout.append(line, .text)
        case .plain: layout.append(line, .text)
        case .json: Self.json(line, bytes, into: &layout)
        case .eventStream: Self.eventStream(line, bytes, into: &layout)
        }
        return next < buffer.count ? LineStart(offset: next, state: start.state) : nil
    }

    static func withoutLineEnd(_ start: Int, _ next: Int, _ bytes: UnsafePointer<UInt8>) -> Int {
        guard next > start, bytes[next - 1] == 0x0A else { return next }
        return next - 1 > start && bytes[next - 2] == 0x0D ? next - 2 : next - 1
    }

    /// JSON's lexemes, whether or not they make sense together.
    private static func json(_ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, into layout: inout LineLayout) {
        var position = line.lowerBound
        let end = line.upperBound
        while position < end {
            let byte = bytes[position]
            var next = position + 1
            var role = ThemeRole.text
            switch byte {
            case 0...0x20:
                next = JSONScanner.skipSpace(bytes, position, end)
                if next == position { next += 1 }
            case 0x22:
                next = JSONScanner.endOfString(bytes, position, end)
                let behind = JSONScanner.skipSpace(bytes, next, end)
                role = behind < end && bytes[behind] == 0x3A ? .syntaxKey : .syntaxString
            case 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D:
                role = .syntaxPunctuation
            default:
                next = JSONScanner.endOfScalar(bytes, position, end)
                if byte == 0x2D || JSONScanner.isDigit(byte) {
                    role = .syntaxNumber
                } else if isKeyword(bytes + position, next - position) {
                    role = .syntaxKeyword
                }
            }
            next = min(next, end)
            layout.append(position..<next, role)
            position = next
        }
    }

    private static func isKeyword(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count == 4 || count == 5 else { return false }
        let word = UnsafeBufferPointer(start: bytes, count: count)
        return word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) || word.elementsEqual("null".utf8)
    }

    /// `field: value`, or `: comment` (WHATWG HTML, section 9.2.5).
    private static func eventStream(_ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, into layout: inout LineLayout) {
        guard let colon = line.first(where: { bytes[$0] == 0x3A }) else { return layout.append(line, .syntaxKey) }
        guard colon > line.lowerBound else { return layout.append(line, .syntaxComment) }
        layout.append(line.lowerBound..<colon, .syntaxKey)
        layout.append(colon..<colon + 1, .syntaxPunctuation)
        let value = JSONScanner.skipSpace(bytes, colon + 1, line.upperBound)
        layout.append(colon + 1..<value, .text)
        let isJSON = value < line.upperBound && (bytes[value] == 0x7B || bytes[value] == 0x5B)
        if isJSON {
            json(value..<line.upperBound, bytes, into: &layout)
        } else {
            layout.append(value..<line.upperBound, .syntaxString)
        }
    }
}

/// Finds lines as they were sent: each ends behind its LF. Stops within a line too, where it is long.
struct TextIndexer: LineIndexer {
    private(set) var position: Int
    private let state: UInt8
    private var isAtStart = true

    init(start: Int, state: UInt8 = 0) {
        position = start
        self.state = state
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        let end = min(buffer.count, stop)
        while position < end {
            if isAtStart { sink.add(LineStart(offset: position, state: state)) }
            position = Self.endOfLine(bytes, position, end)
            isAtStart = bytes[position - 1] == 0x0A
        }
        return position >= buffer.count
    }

    /// Behind the next LF; `end` if there is none.
    @inline(__always)
    static func endOfLine(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        guard let found = memchr(bytes + start, 0x0A, end &- start) else { return end }
        return UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found)) &+ 1
    }
}

/// Sixteen bytes a line: offset, bytes in hexadecimal, and what of them is ASCII.
///
///     00000010  7b 22 69 64 22 3a 20 31  2c 20 22 6f 6b 22 7d 0a  {"id": 1, "ok"}·
enum HexFormat {
    static let bytesPerLine = 16

    static func lineCount(_ count: Int) -> Int { (count + bytesPerLine - 1) / bytesPerLine }

    /// - Parameter role: for each byte, when it is not the usual one: a match of a search.
    static func line(_ number: Int, of buffer: UnsafeBufferPointer<UInt8>, role: (Int) -> ThemeRole?) -> StyledLine {
        let start = number * bytesPerLine
        let end = min(buffer.count, start + bytesPerLine)
        guard start < end else { return StyledLine() }
        var line = StyledLine()
        let digits = max(8, String(max(0, buffer.count - 1), radix: 16).count)
        let offset = String(start, radix: 16)
        line.append(String(repeating: "0", count: digits - offset.count) + offset, .hexOffset)
        line.append("  ")
        for index in start..<start + bytesPerLine {
            let isMiddle = index - start == bytesPerLine / 2 - 1
            let gap = index - start == bytesPerLine - 1 ? "  " : isMiddle ? "  " : " "
            guard index < end else {
                line.join("  " + gap, .hexByte)
                continue
            }
            let byte = buffer[index]
            let pair = hexadecimal[Int(byte)]
            if let role = role(index) {
                line.join(pair, role)
                line.join(gap, .hexByte)
            } else {
                line.join(pair + gap, .hexByte)
            }
        }
        for index in start..<end {
            let byte = buffer[index]
            let isPrintable = byte >= 0x20 && byte < 0x7F
            line.join(isPrintable ? String(Unicode.Scalar(byte)) : "·", role(index) ?? (isPrintable ? .hexText : .controlCharacter))
        }
        return line
    }

    private static let hexadecimal = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
