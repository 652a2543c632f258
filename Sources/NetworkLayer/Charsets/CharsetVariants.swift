#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Characters that an encoding has at several places, of which a writer takes any.
enum CharsetVariants {
    /// All bytes that stand for such a character, in encodings by their names in ``WebEncodings``.
    static func variants(in name: String) -> [Unicode.Scalar: [[UInt8]]] {
        switch name {
        case "cp932": shiftJIS
        case "euc-jp-ms": eucJP
        case "big5-hkscs": big5
        // See CharsetDecoder.
        case "gb18030": ["\u{20AC}": [[0x80]]]
        default: [:]
        }
    }

    private static let shiftJIS = found(in: "cp932", pairs(0x81...0xFC, 0x40...0xFC))
    private static let big5 = found(in: "big5-hkscs", pairs(0x81...0xFE, 0x40...0xFE))
    private static let eucJP = found(
        in: "euc-jp-ms", pairs(0xA1...0xFE, 0xA1...0xFE) + pairs(0xA1...0xFE, 0xA1...0xFE).map { [0x8F] + $0 })

    private static func pairs(_ first: ClosedRange<UInt8>, _ second: ClosedRange<UInt8>) -> [[UInt8]] {
        first.flatMap { first in second.map { [first, $0] } }
    }

    /// Reads a line for each of the codes.
    private static func found(in name: String, _ codes: [[UInt8]]) -> [Unicode.Scalar: [[UInt8]]] {
        guard let text = CharsetDecoder.utf8(Data(codes.joined(separator: [0x0A])), in: name) else { return [:] }
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == codes.count else { return [:] }
        var found: [Unicode.Scalar: [[UInt8]]] = [:]
        for (code, line) in zip(codes, lines) {
            let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
            if let scalar = scalars.first, scalars.count == 1, scalar != "\u{FFFD}" { found[scalar, default: []].append(code) }
        }
        return found.filter { $1.count > 1 }
    }
}
