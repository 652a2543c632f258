/// How many bytes a character has in an encoding that has ASCII in it.
enum CharacterWidth {
    case shiftJIS, eucJP, gb18030
    /// Big5 and EUC-KR.
    case pairs

    /// - Parameter name: as in ``WebEncodings``. `nil` where each byte is a character.
    init?(_ name: String) {
        switch name {
        case "cp932": self = .shiftJIS
        case "euc-jp-ms": self = .eucJP
        case "gb18030": self = .gb18030
        case "big5-hkscs", "cp949": self = .pairs
        default: return nil
        }
    }

    /// At least one: a byte that begins no character stands for itself.
    func count(of bytes: [UInt8], at position: Int) -> Int {
        func byte(_ offset: Int) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }
        switch (self, byte(0)) {
        case (_, ..<0x81), (.shiftJIS, 0xA0...0xDF), (_, 0xFF): return 1
        case (.eucJP, 0x8F): return byte(1) > 0xA0 && byte(2) > 0xA0 ? 3 : 1
        case (.eucJP, 0x8E), (.eucJP, 0xA1...): return byte(1) > 0xA0 ? 2 : 1
        case (.eucJP, _): return 1
        case (.gb18030, _) where 0x30...0x39 ~= byte(1):
            return byte(2) > 0x80 && 0x30...0x39 ~= byte(3) ? 4 : 1
        default: return byte(1) >= 0x40 && byte(1) != 0x7F ? 2 : 1
        }
    }
}
