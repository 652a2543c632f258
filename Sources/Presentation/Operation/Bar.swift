/// A bar on an axis, as text exactly as wide as the axis.
enum Bar {
    private static let blocks = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    struct Text: Hashable {
        var before: String
        var bar: String
        var after: String
    }

    /// - Parameters:
    ///   - start: 0 … 1 of the axis.
    ///   - end: not before `start`. However short, an eighth of a column shows.
    ///   - isOpen: ends in `╌` (`-`), because it goes on.
    static func text(from start: Double, to end: Double, width: Int, isOpen: Bool = false, ascii: Bool = false) -> Text {
        guard width > 0 else { return Text(before: "", bar: "", after: "") }
        let eighths = width * 8
        let first = min(eighths - 1, max(0, Int((start * Double(eighths)).rounded())))
        let last = min(eighths, max(first + 1, Int((end * Double(eighths)).rounded())))
        let column = first / 8
        var bar = ""
        if ascii {
            bar = String(repeating: "#", count: max(1, (last + 3) / 8 - column))
        } else if last <= (column + 1) * 8 {
            bar = blocks[last - first - 1]
        } else {
            // Only the half of a column can be left empty at the left of a bar.
            bar = first % 8 >= 4 ? "▐" : "█"
            bar += String(repeating: "█", count: last / 8 - column - 1)
            if last % 8 > 0 { bar += blocks[last % 8 - 1] }
        }
        let used = column + bar.count
        let isContinued = isOpen && used < width
        if isContinued { bar += ascii ? "-" : "╌" }
        return Text(
            before: String(repeating: " ", count: column), bar: bar,
            after: String(repeating: " ", count: max(0, width - used - (isContinued ? 1 : 0))))
    }
}
