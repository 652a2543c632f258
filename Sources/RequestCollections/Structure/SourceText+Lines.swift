import NetworkLayer

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

    /// Whether there is a comment in a part of the text, and not inside of a scalar.
    func hasComment(in range: Range<Int>, outside node: YAMLNode) -> Bool {
        var scalars: [Range<Int>] = []
        func collect(_ node: YAMLNode) {
            switch node.content {
            case .scalar:
                let start = offset(node.start)
                // Behind the header of a block scalar there may be a comment.
                scalars.append(start..<max(start, end(of: node)))
            case .sequence(let items, _): items.forEach(collect)
            case .mapping(let pairs, _):
                for pair in pairs {
                    collect(pair.key)
                    collect(pair.value)
                }
            }
        }
        collect(node)
        return range.contains { position in
            bytes[position] == UInt8(ascii: "#") && !scalars.contains { $0.contains(position) }
        }
    }
}
