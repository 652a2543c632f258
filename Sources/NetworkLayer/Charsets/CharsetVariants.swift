import Base

/// Characters that an encoding has at several places, of which a writer takes any.
enum CharsetVariants {
    /// All bytes that stand for such a character, in encodings by their names in ``WebEncodings``.
    static func variants(in name: String) -> [Unicode.Scalar: [[UInt8]]] {
        switch name {
        case "cp932": shiftJIS
        case "euc-jp-ms": eucJP
        case "big5-hkscs": big5
        case "gb18030": gb18030
        case "windows-1258": vietnamese
        default: [:]
        }
    }

    private static let shiftJIS = found(in: "cp932", pairs(0x81...0xFC, 0x40...0xFC))
    private static let big5 = found(in: "big5-hkscs", pairs(0x81...0xFE, 0x40...0xFE))
    private static let eucJP = found(
        in: "euc-jp-ms", pairs(0xA1...0xFE, 0xA1...0xFE) + pairs(0xA1...0xFE, 0xA1...0xFE).map { [0x8F] + $0 }
    ).merging(necRows) { $0 + $1 }
    /// A letter and the accent behind it.
    private static let vietnamese = found(
        in: "windows-1258", (0x41...0xFF).flatMap { letter in [0xCC, 0xD2, 0xDE, 0xEC, 0xF2].map { [letter, $0] } }, least: 1)
    /// Six characters that moved to four bytes and back again between the editions of the standard, and browsers' sign of the euro: see
    /// CharsetDecoder.
    private static let gb18030 = found(
        in: "gb18030",
        [
            [0x95, 0x32, 0x90, 0x31], [0x95, 0x32, 0x90, 0x33], [0x95, 0x32, 0x97, 0x30], [0x95, 0x36, 0xB9, 0x37],
            [0x96, 0x30, 0xBA, 0x35], [0x96, 0x35, 0xB6, 0x30],
        ], least: 1
    ).merging(["\u{20AC}": [[0x80]]]) { $0 + $1 }

    /// The rows 89 to 92 of NEC, which browsers write in EUC-JP, and the system doesn't. In Shift_JIS they begin with ED or EE.
    private static let necRows: [Unicode.Scalar: [[UInt8]]] = found(
        in: "cp932", pairs(0xED...0xEE, 0x40...0xFC), least: 1
    ).mapValues { codes in
        codes.map { code in
            let isSecond = code[1] >= 0x9F
            let row: UInt8 = (code[0] - 0xC1) * 2 + (isSecond ? 2 : 1)
            let before: UInt8 = isSecond ? 0x9E : code[1] > 0x7F ? 0x40 : 0x3F
            return [row + 0xA0, code[1] - before + 0xA0]
        }
    }

    private static func pairs(_ first: ClosedRange<UInt8>, _ second: ClosedRange<UInt8>) -> [[UInt8]] {
        first.flatMap { first in second.map { [first, $0] } }
    }

    /// Reads a line for each of the codes.
    ///
    /// - Parameter least: how many of them stand for a character that is kept.
    private static func found(in name: String, _ codes: [[UInt8]], least: Int = 2) -> [Unicode.Scalar: [[UInt8]]] {
        guard let text = CharsetDecoder.utf8(Data(codes.joined(separator: [0x0A])), in: name) else { return [:] }
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == codes.count else { return [:] }
        var found: [Unicode.Scalar: [[UInt8]]] = [:]
        for (code, line) in zip(codes, lines) {
            let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
            if let scalar = scalars.first, scalars.count == 1, scalar != "\u{FFFD}" { found[scalar, default: []].append(code) }
        }
        return found.filter { $1.count >= least }
    }
}
