import Base
import TerminalUI

/// Lays out JSON indented, one member or element a line, every lexeme exactly as it was sent.
struct JSONFormat: LineFormat {
    /// `LineStart.state`.
    enum State {
        static let pretty: UInt8 = 0
        static let note: UInt8 = 1
        static let raw: UInt8 = 2
    }

    let ends: LineEndCache

    static let indent = 2
    /// Deeper levels are not indented further, so that what they hold stays in reach.
    static let deepestIndent = 64

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        switch start.state {
        case State.note: return note(start, buffer.count, failure, into: &layout)
        case State.raw: return TextFormat(ends: ends).layout(start, in: buffer, failure: nil, into: &layout)
        default: return pretty(start, buffer, failure, into: &layout)
        }
    }

    private func note(_ start: LineStart, _ count: Int, _ failure: FormatFailure?, into layout: inout LineLayout) -> LineStart? {
        guard let failure else { return nil }
        layout.add("not valid JSON at byte \(Figures.count(failure.offset)): \(failure.reason)", .warning)
        return start.offset < count ? LineStart(offset: start.offset, state: State.raw) : nil
    }

    private func pretty(
        _ start: LineStart, _ buffer: UnsafeBufferPointer<UInt8>, _ failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        let bytes = buffer.baseAddress!
        let end = failure?.restart ?? buffer.count
        layout.indent = min(Int(start.depth), Self.deepestIndent) * Self.indent
        var position = start.offset
        var depth = start.depth

        if position < end, bytes[position] == 0x22 {
            let stringEnd = endOfString(position, bytes, end)
            let behind = JSONScanner.skipSpace(bytes, stringEnd, end)
            if behind < end, bytes[behind] == 0x3A {
                layout.append(position..<stringEnd, .syntaxKey)
                layout.append(behind..<behind + 1, .syntaxPunctuation)
                layout.add(" ", .text)
                position = JSONScanner.skipSpace(bytes, behind + 1, end)
            }
        }
        if position < end {
            let byte = bytes[position]
            switch byte {
            case 0x22:
                let stringEnd = endOfString(position, bytes, end)
                layout.append(position..<stringEnd, .syntaxString)
                position = stringEnd
            case 0x7B, 0x5B:
                layout.append(position..<position + 1, .syntaxPunctuation)
                let inside = JSONScanner.skipSpace(bytes, position + 1, end)
                if inside < end, bytes[inside] == byte + 2 {
                    layout.append(inside..<inside + 1, .syntaxPunctuation)
                    position = inside + 1
                } else {
                    return next(inside, depth + 1, bytes, end, failure)
                }
            case 0x7D, 0x5D:
                layout.append(position..<position + 1, .syntaxPunctuation)
                position += 1
            default:
                let scalarEnd = JSONScanner.endOfScalar(bytes, position, end)
                let isNumber = byte == 0x2D || JSONScanner.isDigit(byte)
                layout.append(position..<scalarEnd, isNumber ? .syntaxNumber : .syntaxKeyword)
                position = scalarEnd
            }
        }
        position = JSONScanner.skipSpace(bytes, position, end)
        if position < end, bytes[position] == 0x2C {
            layout.append(position..<position + 1, .syntaxPunctuation)
            position = JSONScanner.skipSpace(bytes, position + 1, end)
        } else if position < end, bytes[position] == 0x7D || bytes[position] == 0x5D {
            depth -= 1
        }
        return next(position, depth, bytes, end, failure)
    }

    private func endOfString(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int {
        ends.end(of: start, limit: end) { from, to in
            JSONScanner.endOfString(bytes, inside: from == start ? start + 1 : from, to)
        }
    }

    private func next(
        _ position: Int, _ depth: Int32, _ bytes: UnsafePointer<UInt8>, _ end: Int, _ failure: FormatFailure?
    ) -> LineStart? {
        guard position < end else { return failure.map { LineStart(offset: $0.restart, state: State.note) } }
        return LineStart(offset: position, depth: depth)
    }
}

/// Where a body that is being written isn't JSON, and why. Templates in it stand for values.
package struct JSONFault: Sendable, Hashable {
    /// From 1.
    package var line: Int
    package var reason: String

    /// A text that is longer than this wasn't written by hand.
    package static let longest = 1 << 16

    /// `nil` when a text is JSON, or blank, or has more bytes than the limit: 64 KiB where it is looked at as it is typed.
    package init?(in text: String, limit: Int = Self.longest) {
        var bytes = Array(text.utf8)
        guard bytes.count <= limit, !bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
        let source = bytes
        Self.putNumbersForTemplates(in: &bytes)
        let document = BodyDocument(BodyBytes(Data(bytes)), kind: .json)
        document.extendIndexToEnd()
        guard let failure = document.failure else { return nil }
        line = source.prefix(failure.offset).count { $0 == 0x0A } + 1
        reason = failure.reason
    }

    /// The text keeps its length, so that places stay: a number can stand for a value, and within a string for anything.
    private static func putNumbersForTemplates(in bytes: inout [UInt8]) {
        var position = 0
        while let start = bytes[position...].firstRange(of: [0x7B, 0x7B]),
            let end = bytes[start.upperBound...].firstRange(of: [0x7D, 0x7D])
        {
            for index in start.lowerBound..<end.upperBound { bytes[index] = 0x31 }
            position = end.upperBound
        }
    }
}
