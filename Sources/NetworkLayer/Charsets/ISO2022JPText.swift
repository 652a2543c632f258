/// A text in ISO-2022-JP, whose characters have one or two bytes of ASCII, as the escape sequence before them says.
struct ISO2022JPText {
    /// The same in EUC-JP, in which a character is the same bytes wherever it stands.
    private(set) var eucJP: [UInt8] = []
    /// For each byte of ``eucJP``, the unit that it comes from.
    private var owners: [UInt32] = []
    private var units: [Unit] = []

    /// A character or an escape sequence.
    private struct Unit {
        var start: UInt32
        var end: UInt32
        /// How it is read.
        var mode: Mode
        /// How what follows is read.
        var next: Mode
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
        eucJP.reserveCapacity(bytes.count)
        var mode = Mode.ascii
        var position = 0
        func isGraphic(_ index: Int) -> Bool { index < bytes.count && 0x21...0x7E ~= bytes[index] }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x1B, let next = Mode.escapes.first(where: { bytes[position...].starts(with: $0.escape) }) {
                add(position, next.escape.count, mode, next: next.mode, [])
                mode = next.mode
                position += next.escape.count
            } else if mode == .katakana, 0x21...0x5F ~= byte {
                add(position, 1, mode, next: mode, [0x8E, byte | 0x80])
                position += 1
            } else if !mode.hasASCII, mode != .katakana, isGraphic(position), isGraphic(position + 1) {
                let pair = [byte | 0x80, bytes[position + 1] | 0x80]
                add(position, 2, mode, next: mode, mode == .supplement ? [0x8F] + pair : pair)
                position += 2
            } else {
                add(position, 1, mode, next: mode, [byte])
                position += 1
            }
        }
    }

    private mutating func add(_ start: Int, _ count: Int, _ mode: Mode, next: Mode, _ bytes: [UInt8]) {
        for byte in bytes {
            eucJP.append(byte)
            owners.append(UInt32(units.count))
        }
        units.append(Unit(start: UInt32(start), end: UInt32(start + count), mode: mode, next: next))
    }

    /// Where the characters of a part of ``eucJP`` stand.
    func source(of range: Range<Int>) -> Range<Int> {
        let (first, last) = (units[Int(owners[range.lowerBound])], units[Int(owners[range.upperBound - 1])])
        return Int(first.start)..<Int(last.end)
    }

    /// A part of the bytes, widened to whole characters, and what to write in its place, so that what follows is read as before.
    ///
    /// - Parameter mask: in ASCII.
    func replacement(of range: Range<Int>, by mask: [UInt8]) -> (range: Range<Int>, mask: [UInt8]) {
        let (first, last) = (unit(at: range.lowerBound), unit(at: range.upperBound - 1))
        let mode = first.mode.hasASCII ? first.mode : .ascii
        let bytes = (mode == first.mode ? [] : mode.escape) + mask + (mode == last.next ? [] : last.next.escape)
        return (Int(first.start)..<Int(last.end), bytes)
    }

    private func unit(at byte: Int) -> Unit {
        var (low, high) = (0, units.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(units[middle].start) <= byte { low = middle } else { high = middle }
        }
        return units[low]
    }
}
