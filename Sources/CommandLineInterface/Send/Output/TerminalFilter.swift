import Base

/// Turns bytes from a stranger into text that a terminal only shows: control characters become their pictures (U+2400 …),
/// broken UTF-8 becomes U+FFFD. Line feeds and tabs stay, and of a line end that is CR LF its line feed.
struct TerminalFilter {
    /// The beginning of a character whose rest comes with the next bytes.
    private var pending: [UInt8] = []
    private var endsInLine = false

    mutating func safe(_ bytes: Data) -> String {
        let bytes = pending + bytes
        let cut = Self.startOfUnfinishedCharacter(in: bytes)
        pending = Array(bytes[cut...])
        return shown(bytes[..<cut])
    }

    /// A whole text.
    static func safe(_ bytes: Data) -> Data {
        guard bytes.contains(where: { !($0 >= 0x20 && $0 < 0x7F || $0 == 0x0A) }) else { return bytes }
        var filter = TerminalFilter()
        return Data(filter.shown(Array(bytes)[...]).utf8)
    }

    static func safe(_ text: String) -> String { String(decoding: safe(Data(text.utf8)), as: UTF8.self) }

    /// What was left over, and a line feed where the last line has none.
    mutating func finish() -> String {
        let rest = shown(pending[...])
        pending = []
        return endsInLine ? rest + "\n" : rest
    }

    private mutating func shown(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        text.reserveCapacity(bytes.count)
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar.value {
            case 0x0A, 0x09: text.unicodeScalars.append(scalar)
            case 0x0D where scalars[scalars.index(after: index)...].first == "\n": break
            case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.unicodeScalars.append("\u{2421}")
            // C1 controls, and what turns the direction of writing around.
            case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
            default: text.unicodeScalars.append(scalar)
            }
        }
        if let last = text.unicodeScalars.last { endsInLine = last != "\n" }
        return text
    }

    private static func startOfUnfinishedCharacter(in bytes: [UInt8]) -> Int {
        // A line feed may follow.
        if bytes.last == 0x0D { return bytes.count - 1 }
        for back in 1...3 where back <= bytes.count {
            let index = bytes.count - back
            switch bytes[index] {
            case 0x80..<0xC0: continue
            case 0xC2..<0xE0: return back < 2 ? index : bytes.count
            case 0xE0..<0xF0: return back < 3 ? index : bytes.count
            case 0xF0..<0xF5: return back < 4 ? index : bytes.count
            default: return bytes.count
            }
        }
        return bytes.count
    }
}
