import NetworkLayer

/// The bytes of a file, and where its lines and the marks of the parser are in them.
struct SourceText {
    let bytes: [UInt8]
    /// The offset of each Unicode scalar, when they aren't all one byte long.
    private let offsets: [Int]?
    /// What ends a line in this file.
    let lineBreak: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        offsets = isASCII ? nil : bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
        if let first = bytes.firstIndex(of: 0x0A), first > 0, bytes[first - 1] == 0x0D {
            lineBreak = "\r\n"
        } else {
            lineBreak = "\n"
        }
    }

    func offset(_ mark: YAMLMark) -> Int {
        let index = Int(mark.index)
        guard let offsets else { return min(index, bytes.count) }
        return index < offsets.count ? offsets[index] : bytes.count
    }

    /// A byte order mark is before the first line.
    func lineStart(_ offset: Int) -> Int {
        bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? (offset >= 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// The end of the line without its break.
    func lineEnd(_ offset: Int) -> Int {
        let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
        return end > offset && end > 0 && end < bytes.count && bytes[end - 1] == 0x0D ? end - 1 : end
    }

    /// The start of the break before a line that isn't the first.
    func breakBefore(_ lineStart: Int) -> Int {
        lineStart >= 2 && bytes[lineStart - 2] == 0x0D ? lineStart - 2 : lineStart - 1
    }

    func startOfNextLine(_ offset: Int) -> Int {
        bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    }

    /// Whether nothing but spaces is before it in its line.
    func beginsLine(_ offset: Int) -> Bool {
        bytes[lineStart(offset)..<offset].allSatisfy { $0 == 0x20 }
    }

    /// Columns from 0; what is before it is indentation and dashes, one byte each.
    func column(_ offset: Int) -> Int { offset - lineStart(offset) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension SourceText {
    /// Where a value really ends: libyaml puts the end of a block scalar behind the blank lines after it.
    func end(of node: YAMLNode) -> Int {
        guard node.decoration?.alias == nil else { return offset(node.end) }
        switch node.content {
        case .scalar(_, .literal), .scalar(_, .folded): return blockScalarEnd(node)
        case .sequence(let items, false): return items.last.map(end) ?? offset(node.end)
        case .mapping(let pairs, false): return pairs.last.map { end(of: $0.value) } ?? offset(node.end)
        default: return offset(node.end)
        }
    }

    private func blockScalarEnd(_ node: YAMLNode) -> Int {
        let headerEnd = lineEnd(start(of: node))
        var end = max(offset(node.end), headerEnd)
        if keepsTrailingLines(node) {
            if end > headerEnd, bytes[end - 1] == 0x0A { end = breakBefore(end) }
            return max(end, headerEnd)
        }
        while end > headerEnd, [0x20, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
        return end > headerEnd ? lineEnd(end) : headerEnd
    }

    /// Whether a block scalar has the indicator `+`.
    func keepsTrailingLines(_ node: YAMLNode) -> Bool {
        let start = start(of: node)
        return bytes[start...].prefix(3).prefix { $0 != 0x0A && $0 != 0x20 }.contains(UInt8(ascii: "+"))
    }

    /// Where a value begins, behind its anchor and tag.
    func start(of node: YAMLNode) -> Int {
        var position = offset(node.start)
        guard node.decoration?.alias == nil else { return position }
        while position < bytes.count, node.decoration != nil,
            bytes[position] == UInt8(ascii: "&") || bytes[position] == UInt8(ascii: "!")
        {
            position = bytes[position...].firstIndex { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            position = bytes[position...].firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D } ?? bytes.count
        }
        return position
    }
}

extension SourceText {
    /// The lines of a part, without their breaks.
    func lines(_ range: Range<Int>) -> [String] {
        text(range).replacing(scalars: "\r\n", with: "\n").pieces(at: "\n").map(String.init)
    }

    /// How far the line of a place is indented.
    func indentation(_ offset: Int) -> Int {
        let start = lineStart(offset)
        return (bytes[start...].firstIndex { $0 != 0x20 } ?? bytes.count) - start
    }

    func isBlank(lineAt start: Int) -> Bool {
        start < bytes.count && bytes[start..<lineEnd(start)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private func isComment(lineAt start: Int) -> Bool {
        bytes[start..<lineEnd(start)].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "#")
    }

    /// The start of the line before the one that begins here; of the first line: itself.
    func startOfLine(above start: Int) -> Int { start == 0 ? 0 : lineStart(breakBefore(start)) }

    /// The start of the run of blank lines that ends here.
    func startOfBlankLines(above start: Int) -> Int {
        var start = start
        while start > 0, isBlank(lineAt: startOfLine(above: start)) { start = startOfLine(above: start) }
        return start
    }

    func blankLines(above start: Int) -> Int {
        bytes[startOfBlankLines(above: start)..<start].count { $0 == 0x0A }
    }

    /// Where an entry of a block map begins with the comment lines directly above it.
    func start(of entry: SpliceEditor.Entry, above floor: Int) -> Int {
        let column = column(entry.start)
        var start = lineStart(entry.start)
        while start > 0 {
            let above = startOfLine(above: start)
            guard above > floor, isComment(lineAt: above), indentation(above) <= column else { break }
            start = above
        }
        return start
    }

    /// Where it ends with the comment lines below it that are deeper than its key.
    func end(of entry: SpliceEditor.Entry, below ceiling: Int) -> Int {
        let column = column(entry.start)
        var end = lineEnd(entry.end)
        var line = startOfNextLine(end)
        while line < ceiling, isBlank(lineAt: line) || isComment(lineAt: line) {
            if isComment(lineAt: line) {
                guard indentation(line) > column else { break }
                end = lineEnd(line)
            }
            let next = startOfNextLine(line)
            guard next > line else { break }
            line = next
        }
        return end
    }
}
