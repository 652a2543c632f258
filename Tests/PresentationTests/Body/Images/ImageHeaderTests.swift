import FoundationEssentials
import Testing

@testable import Presentation

@Suite struct ImageHeaderTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).map { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start...].prefix(2), radix: 16) ?? 0
        }
    }

    static let samples: [(hex: String, summary: String)] = [
        ("89504E470D0A1A0A 0000000D 49484452 00000280 000001E0 08060000 00", "PNG image, 640×480"),
        ("474946383961 0A00 0500 F000", "GIF image, 10×5"),
        // What a camera writes, then the frame.
        ("FFD8 FFE0 0010 4A46494600010100000100010000 FFC0 0011 08 0258 0320 03", "JPEG image, 800×600"),
        ("52494646 00000000 57454250 56503858 0A000000 00000000 7F0200 DF0100", "WebP image, 640×480"),
        ("52494646 00000000 57454250 5650384C 00000000 2F 7FC27700 00", "WebP image, 640×480"),
        ("424D 00000000 00000000 00000000 28000000 40000000 E0FFFFFF", "BMP image, 64×32"),
        ("89504E470D0A1A0A", "PNG image"), ("FFD8FFE0", "JPEG image"),
    ]

    @Test(arguments: samples) func `an image says its format and its size`(hex: String, summary: String) {
        #expect(ImageHeader(Self.bytes(hex))?.summary == summary)
    }

    @Test(arguments: ["", "00", "424D", "474946", "25504446", "FFD8", "52494646000000005741564520"])
    func `what is no image says nothing`(hex: String) {
        #expect(ImageHeader(Self.bytes(hex)) == nil)
    }

    @Test func `what is cut off anywhere, or full of noise, is no crash`() {
        for (hex, _) in Self.samples {
            let whole = Self.bytes(hex)
            for length in 0...whole.count { _ = ImageHeader(Array(whole.prefix(length))) }
            for place in whole.indices {
                var noise = whole
                noise[place] = 0xFF
                _ = ImageHeader(noise)
            }
        }
        _ = ImageHeader([0xFF, 0xD8, 0xFF] + Array(repeating: 0xFF, count: 70_000))
    }

    @Test func `the title of a body has both`() throws {
        let data = Data(Self.bytes(Self.samples[0].hex))
        #expect(BodyDocument(BodyBytes(data), contentType: "image/png").summary == "PNG image, 640×480, 29 B")
    }
}
