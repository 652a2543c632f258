/// A text in ISO-2022-JP, whose characters have one or two bytes of ASCII, as the escape sequence before them says.
struct ISO2022JPText {
    private let bytes: [UInt8]
    /// The same in EUC-JP, in which a character is the same bytes wherever it stands.
    let eucJP: [UInt8]

    /// A character or an escape sequence.
    private struct Unit {
        var range: Range<Int>
        /// How it is read.
        var mode: Mode
        /// How what follows is read.
        var next: Mode
        var isEscape = false
        /// What stands before its bytes in EUC-JP.
        var prefix: UInt8?
        /// Whether its bytes have the eighth bit there.
        var isHigh = false

        var countInEUCJP: Int { isEscape ? 0 : (prefix == nil ? 0 : 1) + range.count }
    }

    private enum Mode: UInt8 {
        case ascii, roman, katakana, kanji1978, kanji1983, supplement

        /// What begins it.
        var escape: [UInt8] { Self.escapes[Int(rawValue)].escape }
        var hasASCII: Bool { self == .ascii || self == .roman }

        static let escapes: [(mode: Mode, escape: [UInt8])] = [
            (.ascii, Array("\u{1B}(B".utf8)), (.roman, Array("\u{1B}(J".utf8)), (.katakana, Array("\u{1B}(I".utf8)),
            (.kanji1978, Array("\u{1B}$@".utf8)), (.kanji1983, Array("\u{1B}$B".utf8)), (.supplement, Array("\u{1B}$(D".utf8)),
        ]
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        Self.walk(bytes) { unit in
            guard !unit.isEscape else { return }
            if let prefix = unit.prefix { text.append(prefix) }
            for byte in bytes[unit.range] { text.append(unit.isHigh ? byte | 0x80 : byte) }
        }
        eucJP = text
    }

    private static func walk(_ bytes: [UInt8], _ body: (Unit) -> Void) {
        var mode = Mode.ascii
        var position = 0
        func isGraphic(_ index: Int) -> Bool { index < bytes.count && 0x21...0x7E ~= bytes[index] }
        while position < bytes.count {
            let byte = bytes[position]
            var unit = Unit(range: position..<position + 1, mode: mode, next: mode)
            if byte == 0x1B, let next = Mode.escapes.first(where: { bytes[position...].starts(with: $0.escape) }) {
                unit = Unit(range: position..<position + next.escape.count, mode: mode, next: next.mode, isEscape: true)
                mode = next.mode
            } else if mode == .katakana, 0x21...0x5F ~= byte {
                (unit.prefix, unit.isHigh) = (0x8E, true)
            } else if !mode.hasASCII, mode != .katakana, isGraphic(position), isGraphic(position + 1) {
                unit.range = position..<position + 2
                (unit.prefix, unit.isHigh) = (mode == .supplement ? 0x8F : nil, true)
            }
            body(unit)
            position = unit.range.upperBound
        }
    }

    /// Where the characters of parts of ``eucJP`` stand.
    ///
    /// - Parameter ranges: in ascending order.
    func sources(of ranges: [Range<Int>]) -> [Range<Int>] {
        ends(of: ranges, \.countInEUCJP).map { $0.first.range.lowerBound..<$0.last.range.upperBound }
    }

    /// Parts of the bytes, widened to whole characters, and what to write in place of each, so that what follows is read as before.
    ///
    /// - Parameter places: in ascending order. Their masks are in ASCII.
    func replacements(of places: [(range: Range<Int>, mask: [UInt8])]) -> [(range: Range<Int>, mask: [UInt8])] {
        zip(places, ends(of: places.map(\.range), \.range.count)).map { place, ends in
            let mode = ends.first.mode.hasASCII ? ends.first.mode : .ascii
            let start = mode == ends.first.mode ? [] : mode.escape
            let end = mode == ends.last.next ? [] : ends.last.next.escape
            return (ends.first.range.lowerBound..<ends.last.range.upperBound, start + place.mask + end)
        }
    }

    /// The first and the last unit of each part of a text in which units have so many bytes.
    private func ends(of ranges: [Range<Int>], _ count: (Unit) -> Int) -> [(first: Unit, last: Unit)] {
        var ends: [(first: Unit, last: Unit)] = []
        guard !ranges.isEmpty else { return ends }
        var position = 0
        var first: Unit?
        Self.walk(bytes) { unit in
            position += count(unit)
            while ends.count < ranges.count, ranges[ends.count].lowerBound < position {
                let begin = first ?? unit
                guard ranges[ends.count].upperBound <= position else {
                    first = begin
                    break
                }
                ends.append((begin, unit))
                first = nil
            }
        }
        return ends
    }
}
