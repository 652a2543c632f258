import TerminalUI

/// Sixteen bytes a line: offset, bytes in hexadecimal, and what of them is ASCII.
///
///     00000010  7b 22 69 64 22 3a 20 31  2c 20 22 6f 6b 22 7d 0a  {"id": 1, "ok"}·
enum HexFormat {
    static let bytesPerLine = 16

    static func lineCount(_ count: Int) -> Int { (count + bytesPerLine - 1) / bytesPerLine }

    /// - Parameter role: for each byte, when it is not the usual one: a match of a search.
    static func line(_ number: Int, of buffer: UnsafeBufferPointer<UInt8>, role: (Int) -> ThemeRole?) -> StyledLine {
        let start = number * bytesPerLine
        let end = min(buffer.count, start + bytesPerLine)
        guard start < end else { return StyledLine() }
        var line = StyledLine()
        let digits = max(8, String(max(0, buffer.count - 1), radix: 16).count)
        let offset = String(start, radix: 16)
        line.append(String(repeating: "0", count: digits - offset.count) + offset, .hexOffset)
        line.append("  ")
        for index in start..<start + bytesPerLine {
            let isMiddle = index - start == bytesPerLine / 2 - 1
            let gap = index - start == bytesPerLine - 1 ? "  " : isMiddle ? "  " : " "
            guard index < end else {
                line.join("  " + gap, .hexByte)
                continue
            }
            let byte = buffer[index]
            let pair = hexadecimal[Int(byte)]
            if let role = role(index) {
                line.join(pair, role)
                line.join(gap, .hexByte)
            } else {
                line.join(pair + gap, .hexByte)
            }
        }
        for index in start..<end {
            let byte = buffer[index]
            let isPrintable = byte >= 0x20 && byte < 0x7F
            line.join(
                isPrintable ? String(Unicode.Scalar(byte)) : "·", role(index) ?? (isPrintable ? .hexText : .controlCharacter))
        }
        return line
    }

    private static let hexadecimal = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
