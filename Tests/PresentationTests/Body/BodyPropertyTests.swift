import FoundationEssentials
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

@Suite struct BodyPropertyTests {
    private static let seeds = Array(UInt64(1)...60)

    /// Bytes with a taste for what hurts: escapes, quotes, brackets, cut-off UTF-8.
    private static func hostile(_ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let spice: [[UInt8]] = [
            Array("\u{1B}[31m".utf8), [0x9B], [0], Array("\u{202E}".utf8), [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            Array("😀".utf8),
            Array("e\u{301}".utf8), Array("漢字".utf8), [0x0A], [0x0D], [0x0D, 0x0A], [0x09], Array("{\"".utf8), Array("\":[".utf8),
            Array("]}".utf8), Array("<a b='".utf8), Array("'>".utf8), Array("</a>".utf8), Array("<!--".utf8), Array("-->".utf8),
            Array("data: ".utf8), [0x5C], [0x22], [0x2C], Array("true".utf8), Array("-0.5e7".utf8), [0xC2, 0x85], [0x7F],
            Array("<script>".utf8), Array("👨‍👩‍👧".utf8), Array("\u{200B}".utf8), [0xED, 0xA0, 0x80],
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<400, using: &generator) {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.append(UInt8.random(in: 0...255, using: &generator))
            case 1: bytes += Array("some text ".utf8)
            default: bytes += spice.randomElement(using: &generator)!
            }
        }
        return bytes
    }

    private static let types: [String?] = [
        nil, "application/json", "application/x-ndjson", "text/plain", "text/html", "application/xml", "text/event-stream",
        "text/plain; charset=iso-8859-1", "application/json; charset=utf-16le", "image/png",
    ]

    @Test(arguments: seeds)
    func `whatever the bytes, no cell holds what a terminal would obey`(seed: UInt64) {
        let bytes = Self.hostile(seed)
        for type in Self.types {
            for mode in BodyMode.allCases {
                let document = BodyDocument(bytes: bytes, type, mode: mode)
                for line in document.screen(columns: 0..<1000) + document.screen(columns: 3..<9) {
                    let obeyed = line.unicodeScalars.first { scalar in
                        switch scalar.value {
                        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
                        default: false
                        }
                    }
                    #expect(obeyed == nil, "\(type ?? "no type"), \(mode), seed \(seed): \(line.debugDescription)")
                }
            }
        }
    }

    @Test(arguments: seeds)
    func `a window of columns is that part of the whole line`(seed: UInt64) {
        let bytes = Self.hostile(seed)
        for type in Self.types {
            for mode in [BodyMode.pretty, .raw] {
                let document = BodyDocument(bytes: bytes, type, mode: mode)
                document.extendIndexToEnd()
                let all = 0..<document.lineCount.lines
                let whole = document.lines(all, columns: 0..<2000)
                for window in [0..<10, 7..<30, 29..<31] {
                    let parts = document.lines(all, columns: window)
                    #expect(
                        parts.map { Self.cells($0) } == whole.map { Self.cells($0, window) }, "\(type ?? "no type"), seed \(seed)")
                }
                let widths = all.map { document.columnCount(ofLine: $0) }
                #expect(widths == whole.map { Self.cells($0).count })
            }
        }
    }

    /// A cell for each column; of a wide character the second is empty, and half a wide character is a space.
    private static func cells(_ line: StyledLine, _ window: Range<Int>? = nil) -> [String] {
        var cells: [String] = []
        for character in line.text {
            Glyph.forEach(in: character) { glyph in
                cells.append(String(glyph.character))
                if glyph.width == 2 { cells.append("") }
            }
        }
        guard let window else { return cells }
        var part = Array(cells.dropFirst(window.lowerBound).prefix(window.count))
        if part.first == "" { part[0] = " " }
        if window.upperBound < cells.count, cells[window.upperBound] == "", !part.isEmpty { part[part.count - 1] = " " }
        return part
    }

    @Test(arguments: seeds)
    func `raw mode gives back the text that was sent`(seed: UInt64) {
        let text = String(decoding: Self.hostile(seed), as: UTF8.self)
        for type in ["application/json", "text/plain", "text/html", "application/xml", "text/event-stream"] {
            let document = BodyDocument(text, type, mode: .raw)
            document.extendIndexToEnd()
            let copy = document.text(of: 0..<document.lineCount.lines)
            #expect(Array(copy.utf8) == Array((text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? String(text.dropFirst()) : text).utf8))
        }
    }

    @Test(arguments: seeds)
    func `indented JSON has the lexemes of the JSON that was sent`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = Self.json(depth: 0, &generator)
        let document = BodyDocument(text, "application/json")
        document.extendIndexToEnd()
        #expect(document.failure == nil, "\(text)")
        let indented = document.text(of: 0..<document.lineCount.lines)
        #expect(Self.lexemes(indented) == Self.lexemes(text), "seed \(seed)")
    }

    /// What was sent is not lost where it isn't JSON: all bytes that aren't white space are there, in order.
    @Test(arguments: seeds)
    func `nothing is lost of what isn't JSON`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(Self.json(depth: 0, &generator).utf8)
        for _ in 0..<3 where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = Array("{}[],:\"\\x0 ".utf8).randomElement(using: &generator)!
        }
        let document = BodyDocument(bytes: bytes, "application/json")
        document.extendIndexToEnd()
        var shown: [UInt8] = []
        document.forEachLine(0..<document.lineCount.lines) { buffer, _, layout, _ in
            for case .bytes(let range, _) in layout.pieces { shown += buffer[range] }
        }
        func solid(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 > 0x20 } }
        #expect(solid(shown) == solid(bytes), "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `walking from any line comes to the same lines`(seed: UInt64) {
        let bytes = Array(repeating: Self.hostile(seed), count: 12).flatMap { $0 }
        for type in Self.types.dropLast() {
            let document = BodyDocument(bytes: bytes, type)
            document.extendIndexToEnd()
            let count = document.lineCount.lines
            let all = document.lines(0..<count, columns: 0..<40)
            #expect(all.count == count)
            if document.mode != .hex { #expect(Self.linesByLayout(document) == count, "\(type ?? "no type"), seed \(seed)") }
            for line in stride(from: 0, to: count, by: max(1, count / 20)) {
                #expect(
                    document.lines(line..<line + 1, columns: 0..<40) == [all[line]],
                    "\(type ?? "no type"), line \(line), seed \(seed)")
            }
        }
    }

    /// Lays out one line after another from the first one, without the index.
    private static func linesByLayout(_ document: BodyDocument) -> Int {
        let (first, failure) = document.snapshot { ($0.checkpoints.first?.start, $0.failure) }
        return document.bytes.withBytes { buffer in
            var layout = LineLayout()
            var next = first
            var count = 0
            while let start = next {
                layout.reset()
                next = document.format.layout(start, in: buffer, failure: failure, into: &layout)
                count += 1
            }
            return count
        }
    }

    // MARK: JSON

    private static func json(depth: Int, _ generator: inout SeededGenerator) -> String {
        let space = [" ", "", "", "\n  ", "\t", "\r\n"].randomElement(using: &generator)!
        switch Int.random(in: 0..<(depth > 5 ? 4 : 7), using: &generator) {
        case 0: return space + ["true", "false", "null"].randomElement(using: &generator)!
        case 1:
            return space + ["0", "-1", "12.50", "1e9", "-0.0E-10", "123456789012345678901234567890"].randomElement(
                using: &generator)!
        case 2, 3: return space + string(&generator) + space
        case 4, 5:
            let members = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                string(&generator) + space + ":" + json(depth: depth + 1, &generator)
            }
            return "{" + space + members.joined(separator: space + ",") + space + "}"
        default:
            let elements = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in json(depth: depth + 1, &generator) }
            return "[" + elements.joined(separator: ",") + space + "]"
        }
    }

    private static func string(_ generator: inout SeededGenerator) -> String {
        let parts = [
            "a", "key", "\\\"", "\\\\", "\\u00e9", "é", "漢", " ", "{", "}", "[", "]", ":", ",", "long enough for a block", "\\n",
        ]
        return "\"" + (0..<Int.random(in: 0..<6, using: &generator)).map { _ in parts.randomElement(using: &generator)! }.joined()
            + "\""
    }

    /// An own, slow and simple lexer.
    private static func lexemes(_ text: String) -> [String] {
        var lexemes: [String] = []
        var current = ""
        var isString = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isString {
                current.unicodeScalars.append(scalar)
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"" {
                    lexemes.append(current)
                    current = ""
                    isString = false
                }
            } else if scalar == "\"" {
                isString = true
                current = "\""
            } else if "{}[],:".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace {
                if !current.isEmpty { lexemes.append(current) }
                current = ""
                if !scalar.properties.isWhitespace { lexemes.append(String(scalar)) }
            } else {
                current.unicodeScalars.append(scalar)
            }
        }
        return current.isEmpty ? lexemes : lexemes + [current]
    }
}
