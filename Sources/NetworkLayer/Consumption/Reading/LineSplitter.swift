import Base

/// Takes text apart at its line ends, `\n`, `\r\n` and `\r`, however it is cut into pieces. A line is there with the first byte of its
/// end; the last one needs none.
struct LineSplitter: Sendable {
    private var line: [UInt8] = []
    private var piece = Data()
    private var next = 0
    /// A `\n` that comes next belongs to the line end before it.
    private var skipsNewline = false

    mutating func add(_ data: Data) {
        piece = data
        next = data.startIndex
    }

    /// The next line of what was added, without its end; `nil`: more is needed.
    mutating func nextLine() -> [UInt8]? {
        if skipsNewline, next < piece.endIndex {
            skipsNewline = false
            if piece[next] == UInt8(ascii: "\n") { next += 1 }
        }
        let rest = piece[next...]
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            line += rest
            next = piece.endIndex
            return nil
        }
        defer { line = [] }
        line += rest[..<end]
        skipsNewline = piece[end] == UInt8(ascii: "\r")
        next = end + 1
        return line
    }

    /// What stands behind the last line end; `nil` when nothing does.
    mutating func flush() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}
