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

    func piece(_ index: Int) throws(CollectionProblem) -> EntryPiece {
        try requireLines()
        let entry = entries[index]
        let column = source.column(entry.start)
        let above = source.lineStart(entry.start)
        let comments = extents[index].lowerBound == above ? [] : source.lines(extents[index].lowerBound..<source.breakBefore(above))
        let lines = source.lines(entry.head..<extents[index].upperBound)
        return EntryPiece(
            comments: comments.map { String($0.drop { $0 == " " }) }, key: entry.key?.text ?? "", head: lines[0],
            lines: lines.dropFirst().map { Self.outdented($0, column) })
    }

    private static func outdented(_ line: String, _ column: Int) -> String {
        String(line.dropFirst(min(column, line.prefix { $0 == " " }.count)))
    }

    // MARK: Changing

    /// Takes entries out, and puts others in. Blank lines, and comments that stand apart, stay where they are; blank lines above what goes go
    /// with it.
    ///
    /// - Parameter pieces: each with the entry that it is put behind; `nil`: before the first.
    func edits(
        inserting pieces: [(piece: EntryPiece, after: Int?)], removing removed: Set<Int> = []
    ) throws(CollectionProblem) -> [Edit] {
        if pieces.isEmpty && removed.isEmpty { return [] }
        try requireLines()
        guard let first = entries.first else { return [try insertingFirst(pieces.map(\.piece))] }
        let lineBreak = source.lineBreak
        // As many blank lines apart as the other entries.
        let gap = String(repeating: lineBreak, count: entries.count > 1 ? source.blankLines(above: extents[1].lowerBound) : 0)
        let column = source.column(first.start)
        var edits = pieces.map { piece, after in
            let text = piece.lines(indent: column, renderer: editor.renderer).joined(separator: lineBreak)
            var after = after
            while let index = after, removed.contains(index) { after = index > 0 ? index - 1 : nil }
            guard let after else {
                let start = extents[0].lowerBound
                return Edit(range: start..<start, text: text + lineBreak + gap)
            }
            let end = extents[after].upperBound
            return Edit(range: end..<end, text: lineBreak + gap + text)
        }
        // A folder is what has `requests`.
        if removed.count == entries.count, pieces.isEmpty {
            let all = source.breakBefore(extents[0].lowerBound)..<extents[entries.count - 1].upperBound
            return [Edit(range: head..<head, text: " {}"), Edit(range: all, text: "")]
        }
        // Before the first that stays, an entry goes with what is below it, so that the line of the map's key stays.
        let firstStaying = entries.indices.first { !removed.contains($0) } ?? entries.count
        for index in removed.sorted() {
            let extent = extents[index]
            guard index < firstStaying else {
                let start = max(
                    extents[index - 1].upperBound, source.breakBefore(source.startOfBlankLines(above: extent.lowerBound)))
                edits.append(Edit(range: start..<extent.upperBound, text: ""))
                continue
            }
            let below = source.startOfNextLine(extent.upperBound)
            let ceiling = index + 1 < extents.count ? extents[index + 1].lowerBound : below
            var end = below
            while end < ceiling, source.isBlank(lineAt: end) { end = source.startOfNextLine(end) }
            edits.append(Edit(range: extent.lowerBound..<min(end, ceiling), text: ""))
        }
        return edits
    }

    private func requireLines() throws(CollectionProblem) {
        guard isFlow else { return }
        throw editor.refusal(
            node ?? entries[0].value,
            "these requests stand between brackets, where none can be put in or taken out; write them in lines first")
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
}
