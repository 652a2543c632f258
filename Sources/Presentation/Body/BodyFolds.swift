import Synchronization
package import TerminalUI

/// Which lines of a document are hidden in folded containers. A value of the view's; the document doesn't change.
///
/// A *row* is a line that shows. The line that opens a folded container shows, with the container's end behind it.
package struct BodyFolds: Sendable, Hashable {
    /// By the line that opens each; nested ones are kept for when the outer one opens.
    private var hidden: [Int: Range<Int>] = [:]
    /// What *fold all* has folded, in order: the document's own list, of which there may be a million.
    private var members: [Range<UInt32>] = []
    /// The lines that open those of them that are open again.
    private var opened: Set<Int> = []
    /// The outermost ones, in order.
    private var outermost: [Range<UInt32>] = []
    /// How many lines those before each of them hide, and at the end how many all of them do.
    private var hiddenBefore: [UInt32] = [0]

    package init() {}

    package var isEmpty: Bool { hidden.isEmpty && opened.count == members.count }

    /// The lines hidden behind a line, if that one is folded.
    package func lines(behind line: Int) -> Range<Int>? { hidden[line] ?? member(openedBy: line) }

    private func member(openedBy line: Int) -> Range<Int>? {
        let index = members.partitioningIndex { $0.lowerBound > line }
        guard index < members.count, members[index].lowerBound == line + 1, !opened.contains(line) else { return nil }
        return Int(members[index].lowerBound)..<Int(members[index].upperBound)
    }

    /// With more lines than this, all levels of a container are unfolded at once: to look for the members would take too long.
    package static let longestLevel = 1 << 15

    /// Folds what begins on a line, or unfolds one level of it: its members are folded then.
    package mutating func toggle(_ line: Int, in document: BodyDocument) {
        if let range = hidden.removeValue(forKey: line) {
            foldMembers(in: range, of: document)
        } else {
            if let range = member(openedBy: line) {
                opened.insert(line)
                foldMembers(in: range, of: document)
            } else if opened.remove(line) == nil {
                guard let range = document.foldableLines(at: line) else { return }
                hidden[line] = range
            }
        }
        update()
    }

    private mutating func foldMembers(in range: Range<Int>, of document: BodyDocument) {
        guard range.count <= Self.longestLevel else { return }
        var depths: [Int32] = []
        document.forEachLine(range) { _, start, _, _ in depths.append(start.depth) }
        guard let level = depths.first else { return }
        var opener: Int?
        for (index, depth) in depths.enumerated() where depth <= level {
            if let start = opener { hidden[range.lowerBound + start] = range.lowerBound + start + 1..<range.lowerBound + index + 1 }
            opener = index + 1 < depths.count && depths[index + 1] > depth ? index : nil
        }
    }

    package mutating func unfoldAll() {
        self = BodyFolds()
    }

    /// Folds what stands in the outermost container: each of its members shows on one row. Costs what is left of the index.
    package mutating func foldMembers(of document: BodyDocument) {
        document.extendIndexToEnd()
        members = document.members
        opened = []
        hidden = hidden.filter { member(openedBy: $0.key) == nil }
        update()
    }

    /// Unfolds whatever hides a line: before jumping to a match on it.
    package mutating func reveal(_ line: Int) {
        hidden = hidden.filter { !$0.value.contains(line) }
        let index = members.partitioningIndex { $0.upperBound > line }
        if index < members.count, members[index].lowerBound <= line { opened.insert(Int(members[index].lowerBound) - 1) }
        update()
    }

    private mutating func update() {
        (outermost, hiddenBefore) = ([], [0])
        outermost.reserveCapacity(members.count + hidden.count)
        hiddenBefore.reserveCapacity(members.count + hidden.count + 1)
        var others = hidden.values.sorted { $0.lowerBound < $1.lowerBound }[...]
        var opened = opened.sorted()[...]
        for member in members {
            if opened.first.map({ $0 + 1 == member.lowerBound }) == true {
                opened.removeFirst()
                continue
            }
            while let other = others.first, other.lowerBound < member.lowerBound {
                hide(UInt32(other.lowerBound)..<UInt32(other.upperBound))
                others.removeFirst()
            }
            hide(member)
        }
        for other in others { hide(UInt32(other.lowerBound)..<UInt32(other.upperBound)) }
    }

    /// Unless it is inside of the last one.
    private mutating func hide(_ range: Range<UInt32>) {
        guard range.lowerBound >= outermost.last?.upperBound ?? 0 else { return }
        hiddenBefore.append(hiddenBefore[outermost.count] + UInt32(range.count))
        outermost.append(range)
    }

    package func line(ofRow row: Int) -> Int {
        let before = outermost.indices.partitioningIndex { Int(outermost[$0].lowerBound) - Int(hiddenBefore[$0]) > row }
        return row + Int(hiddenBefore[before])
    }

    /// The row that shows a line, or what it is folded into.
    package func row(ofLine line: Int) -> Int {
        let count = outermost.partitioningIndex { $0.lowerBound > line }
        guard count > 0, outermost[count - 1].upperBound > line else { return line - Int(hiddenBefore[count]) }
        return Int(outermost[count - 1].lowerBound) - 1 - Int(hiddenBefore[count - 1])
    }

    package func rowCount(_ count: BodyDocument.LineCount) -> BodyDocument.LineCount {
        let begun = outermost.partitioningIndex { $0.lowerBound >= count.lines }
        let beyond = begun > 0 ? max(0, Int(outermost[begun - 1].upperBound) - count.lines) : 0
        return .init(lines: count.lines - Int(hiddenBefore[begun]) + beyond, isExact: count.isExact)
    }
}

extension BodyDocument {
    /// The lines behind the first of each member of the outermost container, as far as the index goes.
    fileprivate var members: [Range<UInt32>] {
        guard mode == .pretty else { return [] }
        return snapshot { index in
            guard let open = index.openMember else { return index.members }
            return index.members + [open + 1..<UInt32(index.count)]
        }
    }

    /// Whether its lines are those of a tree, of which parts can be folded.
    package var isTree: Bool { format is JSONFormat || format is XMLFormat }

    /// The lines of the object, array or element that a line opens, without that line and with the one that closes it.
    /// `nil` when it opens none. May have to extend the index up to its end.
    package func foldableLines(at line: Int) -> Range<Int>? {
        guard line >= 0, let depth = self.depth(ofLine: line), let inside = self.depth(ofLine: line + 1), inside > depth else {
            return nil
        }
        guard let end = firstLine(from: line + 1, atDepth: depth) else { return line + 1..<lineCount.lines }
        return line + 1..<end + 1
    }

    /// The line that opens what a line stands in, or what it closes. `nil` at the outermost level, and where that line is more
    /// than 16,384 above.
    package func line(enclosing line: Int) -> Int? {
        guard isTree, var depth = self.depth(ofLine: line) else { return nil }
        var end = line
        while end > max(0, line - 1 << 14) {
            let start = max(0, end - CheckpointSink.lines)
            var depths: [Int32] = []
            forEachLine(start..<end) { _, start, _, _ in depths.append(start.depth) }
            while let found = depths.lastIndex(where: { $0 <= depth }) {
                // One as deep opens what the line closes, or is a sibling.
                if depths[found] < depth || foldableLines(at: start + found)?.contains(line) == true { return start + found }
                depth -= 1
                depths.removeSubrange(found...)
            }
            end = start
        }
        return nil
    }

    private func depth(ofLine line: Int) -> Int32? {
        var depth: Int32?
        forEachLine(line..<line + 1) { _, start, _, _ in depth = start.depth }
        return mode == .pretty ? depth : nil
    }

    /// The first line at or behind `line` that is no deeper than `depth`.
    private func firstLine(from line: Int, atDepth depth: Int32) -> Int? {
        var line = line
        while true {
            extendIndex(toLine: line + CheckpointSink.lines)
            let (next, count) = snapshot { index -> (Int, Int) in
                // The first block that has such a line, if whole blocks can be left out.
                let later = index.checkpoints.partitioningIndex { $0.line > line }
                guard later < index.checkpoints.count else { return (line, index.count) }
                let first = index.checkpoints[later...].firstIndex { $0.minimumDepthBefore <= depth }
                let start = first.map { index.checkpoints[$0 - 1].line } ?? index.checkpoints[index.checkpoints.count - 1].line
                return (max(line, start), index.count)
            }
            var found: Int?
            var number = next
            let end = min(count, next + CheckpointSink.lines * 2)
            guard next < end else { return nil }
            forEachLine(next..<end) { _, start, _, _ in
                if found == nil, start.depth <= depth { found = number }
                number += 1
            }
            if let found { return found }
            line = end
        }
    }

    /// The rows of `range` as lines; a folded container shows as `"items": [ … ],  38 lines`.
    package func lines(
        _ range: Range<Int>, folds: BodyFolds, columns: Range<Int>, highlighting pattern: BodyPattern? = nil,
        current: BodyMatch? = nil
    ) -> [StyledLine] {
        if folds.isEmpty { return lines(range, columns: columns, highlighting: pattern, current: current) }
        return range.compactMap { row in
            let line = folds.line(ofRow: row)
            guard let hidden = folds.lines(behind: line) else {
                return lines(line..<line + 1, columns: columns, highlighting: pattern, current: current).first
            }
            return folded(line, hidden, columns, pattern, current)
        }
    }

    private func folded(
        _ line: Int, _ hidden: Range<Int>, _ columns: Range<Int>, _ pattern: BodyPattern?, _ current: BodyMatch?
    ) -> StyledLine? {
        var result: StyledLine?
        forEachLine(line..<line + 1) { buffer, start, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, window: columns)
            painter.marks = marks(of: layout, columns: columns, buffer, pattern, current)
            painter.paint(layout, anchors)
            var size: String? = Figures.count(hidden.count, "line")
            switch layout.bracket(in: buffer) {
            case UInt8(ascii: "{") where format is JSONFormat:
                paintMembers(of: hidden, depth: start.depth + 1, &painter)
                size = nil
            case UInt8(ascii: "[") where format is JSONFormat:
                let count = count(of: hidden, depth: start.depth + 1)
                painter.add(count.map { " \(Figures.count($0, "item")) " } ?? " … ", .dim)
                if count != nil { size = nil }
            default: painter.add(" … ", .dim)
            }
            forEachLine(hidden.upperBound - 1..<hidden.upperBound) { _, _, closing, _ in
                var closing = closing
                closing.indent = 0
                painter.paint(closing, anchors)
            }
            if let size { painter.add("  \(size)", .dim) }
            result = painter.line
        }
        return result
    }

    /// How many values a folded list has; `nil`: too many to count them for a frame.
    private func count(of hidden: Range<Int>, depth: Int32) -> Int? {
        guard hidden.count <= 1 << 13 else { return nil }
        if let known = counts.withLock({ $0[hidden.lowerBound] }) { return known }
        var count = 0
        forEachLine(hidden) { buffer, start, _, _ in
            if start.depth == depth, buffer[start.offset] | 0x20 != UInt8(ascii: "}") { count += 1 }
        }
        counts.withLock { $0[hidden.lowerBound] = count }
        return count
    }

    /// The first members of a folded object, as long as there is room, and dots for the others.
    private func paintMembers(of hidden: Range<Int>, depth: Int32, _ painter: inout LinePainter) {
        let limit = min(painter.column + 56, painter.window.upperBound - 20)
        let seen = hidden.lowerBound..<min(hidden.upperBound - 1, hidden.lowerBound + 1 << 6)
        var isWhole = seen.upperBound == hidden.upperBound - 1
        /// What closes the member that was begun.
        var closing: String?
        painter.add(" ", .text)
        forEachLine(seen) { buffer, start, layout, next in
            guard start.depth == depth else { return }
            guard closing != nil || painter.column <= limit else { return isWhole = false }
            var member = layout
            member.indent = 0
            painter.paint(member, nil)
            let opens = next.map { $0.depth > depth } ?? false
            closing = !opens ? nil : layout.bracket(in: buffer) == UInt8(ascii: "{") ? "} " : "] "
            painter.add(opens ? "…" : " ", .dim)
        }
        if let closing { painter.add(closing, .dim) }
        if !isWhole { painter.add("… ", .dim) }
    }
}

extension LineLayout {
    /// The last byte, which opens what a line opens.
    fileprivate func bracket(in buffer: UnsafeBufferPointer<UInt8>) -> UInt8? { extent.map { buffer[$0.upperBound - 1] } }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element fulfils `isAfter`; all behind it must do so too.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
