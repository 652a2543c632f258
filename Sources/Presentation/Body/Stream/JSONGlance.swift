package import TerminalUI

/// A value of JSON in one line, with what is deep in it folded: `{"level":"error","user":{…3},"took":118}`.
package enum JSONGlance {
    /// What is behind so many bytes isn't looked at: it is beyond every screen.
    private static let reach = 4096

    /// - Parameter columns: so many are needed; more may come.
    package static func line(_ text: String, columns: Int) -> StyledLine {
        var text = text
        return text.withUTF8 { buffer in
            guard let bytes = buffer.baseAddress, buffer.count > 0 else { return StyledLine() }
            let end = min(buffer.count, reach)
            guard bytes[0] == 0x7B || bytes[0] == 0x5B else { return plain(bytes, end) }
            var line = StyledLine()
            var width = 0
            var position = 0
            var depth = 0
            func add(_ range: Range<Int>, _ role: ThemeRole) {
                let part = SafeText.line(String(decoding: UnsafeBufferPointer(rebasing: buffer[range]), as: UTF8.self))
                width += part.utf8.count
                line.append(part, role)
            }
            while position < end, width < columns {
                let byte = bytes[position]
                var next = position + 1
                switch byte {
                case 0...0x20:
                    position = next
                    continue
                case 0x22:
                    next = min(end, JSONScanner.endOfString(bytes, position, end))
                    let behind = JSONScanner.skipSpace(bytes, next, end)
                    add(position..<next, behind < end && bytes[behind] == 0x3A ? .syntaxKey : .syntaxString)
                case 0x7B, 0x5B:
                    if depth > 0 {
                        let (members, behind) = contents(bytes, position, end)
                        line.append(folded(byte, members), .syntaxPunctuation)
                        width += 4
                        next = behind
                    } else {
                        depth = 1
                        add(position..<next, .syntaxPunctuation)
                    }
                case 0x7D, 0x5D, 0x2C, 0x3A: add(position..<next, .syntaxPunctuation)
                default:
                    next = max(next, min(end, JSONScanner.endOfScalar(bytes, position, end)))
                    let isNumber = byte == 0x2D || JSONScanner.isDigit(byte)
                    add(position..<next, isNumber ? .syntaxNumber : .syntaxKeyword)
                }
                position = next
            }
            return line
        }
    }

    private static func plain(_ bytes: UnsafePointer<UInt8>, _ end: Int) -> StyledLine {
        StyledLine(SafeText.line(String(decoding: UnsafeBufferPointer(start: bytes, count: end), as: UTF8.self)))
    }

    private static func folded(_ open: UInt8, _ members: Int?) -> String {
        let inside = members == 0 ? "" : "…" + (members.map { "\($0)" } ?? "")
        return open == 0x7B ? "{\(inside)}" : "[\(inside)]"
    }

    /// How many members a container has, and where it ends; `nil`: it goes on beyond what is looked at.
    private static func contents(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> (members: Int?, next: Int) {
        var depth = 0
        var commas = 0
        var isEmpty = true
        var position = start
        while position < end {
            let byte = bytes[position]
            var next = position + 1
            switch byte {
            case 0...0x20: break
            case 0x22:
                next = JSONScanner.endOfString(bytes, position, end)
                isEmpty = false
            case 0x7B, 0x5B:
                if depth > 0 { isEmpty = false }
                depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return (isEmpty ? 0 : commas + 1, next) }
            case 0x2C: if depth == 1 { commas += 1 }
            default: isEmpty = false
            }
            position = next
        }
        return (nil, end)
    }
}
