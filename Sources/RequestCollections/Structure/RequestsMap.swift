import NetworkLayer

/// The map of requests of one folder in a file's text: its entries, each with the comments that belong to it.
///
/// To an entry belong the comment lines directly above it, and those below that are deeper than its key. Blank lines, and comments
/// that stand apart, belong to nobody, and stay where they are.
struct RequestsMap {
    typealias Edit = SpliceEditor.Edit

    let editor: SpliceEditor
    /// `nil`: `requests` isn't there.
    let node: YAMLNode?
    /// Behind the colon of `requests`; where it would be, when it isn't there.
    let head: Int
    /// The column of `requests`.
    let column: Int
    /// The text around it is in brackets.
    let isInFlow: Bool
    let entries: [SpliceEditor.Entry]
    /// From the start of the first line to the end of the last, without its break. Of an entry between brackets: itself.
    let extents: [Range<Int>]

    var source: SourceText { editor.source }
    var isFlow: Bool { isInFlow || (node?.isFlow ?? false) && !entries.isEmpty }

    init(_ node: YAMLNode?, head: Int, column: Int, isInFlow: Bool, in editor: SpliceEditor) throws(CollectionProblem) {
        self.editor = editor
        self.node = node
        self.head = head
        self.column = column
        self.isInFlow = isInFlow
        let source = editor.source
        let entries = try node.map { node throws(CollectionProblem) in try editor.entries(of: node) } ?? []
        self.entries = entries
        if node?.isFlow == true {
            extents = entries.map { $0.start..<$0.end }
        } else {
            extents = entries.indices.map { index in
                let floor = index == 0 ? source.lineEnd(head) : source.lineEnd(entries[index - 1].end)
                let ceiling = index + 1 < entries.count ? source.lineStart(entries[index + 1].start) : source.bytes.count
                return source.start(of: entries[index], above: floor)..<source.end(of: entries[index], below: ceiling)
            }
        }
    }

    func index(of name: String) -> Int? { entries.firstIndex { $0.key?.text == name } }

    // MARK: Taking out

    func piece(_ index: Int) -> EntryPiece {
        let entry = entries[index]
        let key = entry.key?.text ?? ""
        let valueStart = source.bytes[entry.head...].firstIndex { $0 != 0x20 } ?? entry.end
        if node?.isFlow == true {
            let column = source.indentation(entry.start)
            let lines = source.lines(valueStart..<entry.end)
            return EntryPiece(
                key: key, head: " " + lines[0], lines: lines.dropFirst().map { Self.outdented($0, column) },
                inline: source.text(valueStart..<entry.end))
        }
        let column = source.column(entry.start)
        let above = source.lineStart(entry.start)
        let comments = extents[index].lowerBound == above ? [] : source.lines(extents[index].lowerBound..<source.breakBefore(above))
        let lines = source.lines(entry.head..<extents[index].upperBound)
        var inline: String?
        if comments.isEmpty, !source.hasComment(in: entry.head..<extents[index].upperBound, outside: entry.value),
            !entry.value.isDecorated
        {
            inline = editor.renderer.render(.keep(entry.value), indent: 0, isFlow: true).inline
        }
        return EntryPiece(
            comments: comments.map { String($0.drop { $0 == " " }) }, key: key, head: lines[0],
            lines: lines.dropFirst().map { Self.outdented($0, column) }, inline: inline)
    }

    private static func outdented(_ line: String, _ column: Int) -> String {
        String(line.dropFirst(min(column, line.prefix { $0 == " " }.count)))
    }

    // MARK: Changing

    func removing(_ index: Int) throws(CollectionProblem) -> [Edit] {
        guard node?.isFlow != true else { return try removingFlow(index) }
        let extent = extents[index]
        if entries.count == 1 {
            // A folder is what has `requests`.
            return [
                Edit(range: head..<head, text: " {}"),
                Edit(range: source.breakBefore(extent.lowerBound)..<extent.upperBound, text: ""),
            ]
        }
        let below = source.startOfNextLine(extent.upperBound)
        let isLast = index == entries.count - 1
        if isLast || source.isBlank(lineAt: below), index > 0 {
            let start = source.breakBefore(source.startOfBlankLines(above: extent.lowerBound))
            return [Edit(range: start..<extent.upperBound, text: "")]
        }
        var end = below
        if index == 0, !source.isBlank(lineAt: source.startOfLine(above: extent.lowerBound)) {
            while end < extents[1].lowerBound, source.isBlank(lineAt: end) { end = source.startOfNextLine(end) }
        }
        return [Edit(range: extent.lowerBound..<end, text: "")]
    }

    /// - Parameter follows: it belongs to the entry before, and stays there when comments stand apart between the two.
    func inserting(_ piece: EntryPiece, at index: Int, follows: Bool = false) throws(CollectionProblem) -> [Edit] {
        if isFlow { return [try insertingFlow(piece, at: index)] }
        let lineBreak = source.lineBreak
        guard let first = entries.first else { return [try insertingFirst([piece])] }
        let lines = piece.lines(indent: source.column(first.start), renderer: editor.renderer).joined(separator: lineBreak)
        // As many blank lines apart as the other entries.
        let pattern = index > 0 && index < entries.count ? index : entries.count > 1 ? 1 : nil
        let blanks = pattern.map { source.blankLines(above: extents[$0].lowerBound) } ?? 0
        let gap = String(repeating: lineBreak, count: blanks)
        guard index < entries.count, !follows || index == 0 else {
            let end = extents[index - 1].upperBound
            return [Edit(range: end..<end, text: lineBreak + gap + lines)]
        }
        let start = extents[index].lowerBound
        return [Edit(range: start..<start, text: lines + lineBreak + gap)]
    }

    /// Into a map that has none yet.
    func insertingFirst(_ pieces: [EntryPiece]) throws(CollectionProblem) -> Edit {
        let indent = column + editor.renderer.step
        let lines = pieces.flatMap { $0.lines(indent: indent, renderer: editor.renderer) }.map { source.lineBreak + $0 }.joined()
        guard let node else {
            return Edit(range: head..<head, text: source.lineBreak + String(repeating: " ", count: column) + "requests:" + lines)
        }
        guard node.decoration == nil, source.lineStart(head) == source.lineStart(source.offset(node.end)) || node.text == "" else {
            throw editor.refusal(node, "an empty map of this form can't be filled in place; write `requests: {}`")
        }
        let end = node.text == "" ? head : source.offset(node.end)
        let lineEnd = source.lineEnd(end)
        return Edit(range: head..<lineEnd, text: source.text(end..<lineEnd) + lines)
    }

    func renaming(_ index: Int, to name: String) -> Edit {
        let key = entries[index].key
        var style: YAMLScalarStyle?
        if case .scalar(_, let written)? = key?.content { style = written }
        let start = entries[index].start
        let end = key.map { source.offset($0.end) } ?? start
        return Edit(range: start..<end, text: editor.renderer.key(name, style: style, isFlow: node?.isFlow ?? false))
    }

    /// - Parameter target: the entry that it comes before; the number of entries: the end.
    func moving(_ index: Int, before target: Int) throws(CollectionProblem) -> [Edit] {
        if target == index || target == index + 1 { return [] }
        guard node?.isFlow == true else { return try removing(index) + inserting(piece(index), at: target) }
        try requireNoComments()
        var order = Array(entries.indices)
        order.remove(at: index)
        order.insert(index, at: target > index ? target - 1 : target)
        return order.indices.filter { order[$0] != $0 }.map { place in
            Edit(range: extents[place], text: source.text(extents[order[place]]))
        }
    }

    // MARK: Brackets

    private func insertingFlow(_ piece: EntryPiece, at index: Int) throws(CollectionProblem) -> Edit {
        guard let inline = piece.inline else {
            throw CollectionProblem(
                location: node?.location(in: editor.path) ?? SourceLocation(path: editor.path, line: 1, column: 1),
                message: "these requests stand between brackets, where `\(piece.key)` with its comments or anchors has no place; "
                    + "write them in lines first")
        }
        try requireNoComments()
        let text = "\(editor.renderer.key(piece.key, isFlow: true)): \(inline)".replacing(scalars: "\r\n", with: "\n")
            .replacing(scalars: "\n", with: source.lineBreak)
        guard let node else {
            throw CollectionProblem(
                location: SourceLocation(path: editor.path, line: 1, column: 1),
                message: "the collection has no `requests`; add `requests: {}`")
        }
        guard !entries.isEmpty else {
            let start = node.text == "" ? head : source.offset(node.start)
            let end = node.text == "" ? head : source.offset(node.end)
            return Edit(range: start..<end, text: (start == head ? " " : "") + "{ \(text) }")
        }
        let neighbour = entries[min(index, entries.count - 1)]
        let isInLines = source.beginsLine(neighbour.start)
        let separator =
            isInLines ? "," + source.lineBreak + String(repeating: " ", count: source.column(neighbour.start)) : ", "
        if index < entries.count {
            return Edit(range: neighbour.start..<neighbour.start, text: text + separator)
        }
        return Edit(range: neighbour.end..<neighbour.end, text: separator + text)
    }

    private func removingFlow(_ index: Int) throws(CollectionProblem) -> [Edit] {
        try requireNoComments()
        guard entries.count > 1 else {
            let range = node.map { source.start(of: $0)..<source.offset($0.end) } ?? head..<head
            return [Edit(range: range, text: "{}")]
        }
        if index + 1 < entries.count {
            return [Edit(range: entries[index].start..<entries[index + 1].start, text: "")]
        }
        return [Edit(range: entries[index - 1].end..<entries[index].end, text: "")]
    }

    /// In a flow map, nothing tells to which entry a comment belongs.
    private func requireNoComments() throws(CollectionProblem) {
        guard let node, node.isFlow, let first = extents.first, let last = extents.last else { return }
        var gaps = [source.start(of: node)..<first.lowerBound, last.upperBound..<source.offset(node.end)]
        gaps += zip(extents, extents.dropFirst()).map { $0.upperBound..<$1.lowerBound }
        if gaps.contains(where: { source.bytes[$0].contains(UInt8(ascii: "#")) }) {
            throw editor.refusal(
                node,
                "between these brackets there are comments, and nothing says to which request they belong; edit it in the file")
        }
    }
}

extension YAMLNode {
    /// Whether it, or something in it, has an anchor, a tag, or is an alias.
    var isDecorated: Bool {
        if decoration != nil { return true }
        switch content {
        case .scalar: return false
        case .sequence(let items, _): return items.contains(where: \.isDecorated)
        case .mapping(let pairs, _): return pairs.contains { $0.key.isDecorated || $0.value.isDecorated }
        }
    }
}
