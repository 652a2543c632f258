import TerminalUI

/// `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, ended by BEL or `ESC \`: what a terminal answers when it is asked for the colour of its ground.
enum GroundReport {
    private static let start = Array("\u{1B}]11;".utf8)
    private static let longest = 64

    /// Whether the bytes, which begin with `ESC ]`, are the report or its beginning; else it is Alt and a bracket.
    static func mayBe(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, start).allSatisfy { $0 == $1 }
    }

    static func step(_ bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        guard bytes.count >= start.count else { return .incomplete }
        let rest = bytes.dropFirst(start.count)
        guard let end = rest.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else {
            return bytes.count > longest ? .nothing(length: bytes.count) : .incomplete
        }
        var next = end + 1
        if bytes[end] == 0x1B {
            guard next < bytes.endIndex else { return .incomplete }
            if bytes[next] == UInt8(ascii: "\\") { next += 1 }
        }
        let length = next - bytes.startIndex
        guard let isLight = isLight(String(decoding: rest[..<end], as: UTF8.self)) else { return .nothing(length: length) }
        return .event(.ground(isLight: isLight), length: length)
    }

    /// `rgb:` with one to four hexadecimal digits a channel.
    private static func isLight(_ text: String) -> Bool? {
        guard text.hasPrefix("rgb:") else { return nil }
        let channels = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false).map { digits -> Double? in
            guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
            return Double(value) / Double(1 << UInt32(digits.utf8.count * 4) - 1)
        }
        guard channels.count == 3, let red = channels[0], let green = channels[1], let blue = channels[2] else { return nil }
        // As bright as the eye finds it (ITU-R BT.709).
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    }
}
