import NetworkLayer

/// The text of a request or folder, taken out of its file: to be put in elsewhere, as deep as it has to be there.
struct EntryPiece: Hashable {
    /// The lines directly above it, without their indentation.
    var comments: [String] = []
    var key: String
    /// Behind the colon, up to the end of the line; of what stands between brackets, up to the end of the value.
    var head: String
    /// The lines below, as they are relative to the key's column.
    var lines: [String] = []
    /// What stands there, when it has no comments and can be written between brackets in one line.
    var inline: String?

    /// The lines of the entry in a block map.
    func lines(indent: Int, renderer: ValueRenderer) -> [String] {
        let prefix = String(repeating: " ", count: indent)
        return comments.map { $0.isEmpty ? "" : prefix + $0 } + [prefix + renderer.key(key, isFlow: false) + ":" + head]
            + lines.map { $0.isEmpty ? "" : prefix + $0 }
    }

    /// The text of a file of its own; `nil` if the entry has a form that isn't possible there.
    func file(lineBreak: String) -> String? {
        let trimmed = String(head.drop { $0 == " " })
        var body = lines
        var above = comments
        if trimmed.isEmpty || trimmed.hasPrefix("#") {
            if !trimmed.isEmpty { above.append(trimmed) }
            guard let first = body.first(where: { !$0.isEmpty && !$0.drop { $0 == " " }.hasPrefix("#") }) else { return nil }
            let depth = first.prefix { $0 == " " }.count
            body = body.map { line in String(line.dropFirst(min(depth, line.prefix { $0 == " " }.count))) }
        } else if trimmed.hasPrefix("{") {
            body.insert(trimmed, at: 0)
        } else {
            return nil
        }
        return (above + body).joined(separator: lineBreak) + lineBreak
    }

    /// A request's file as entry of a map; `nil` for a form that has no place there: directives, several documents.
    init?(file source: SourceText, root: YAMLNode, key: String, step: Int) {
        var text = source.text(0..<source.bytes.count).replacing(scalars: "\r\n", with: "\n")
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        var lines = text.pieces(at: "\n").map(String.init)
        while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        var comments: [String] = []
        while let line = lines.first,
            line.allSatisfy({ $0 == " " }) || line.drop(while: { $0 == " " }).hasPrefix("#") || line == "---"
        {
            if line != "---" { comments.append(String(line.drop { $0 == " " })) }
            lines.removeFirst()
        }
        while comments.first?.isEmpty == true { comments.removeFirst() }
        guard let first = lines.first, !first.hasPrefix("%"), !first.hasPrefix("--- "), !lines.contains("..."),
            root.decoration == nil, root.pairs != nil
        else { return nil }
        self.key = key
        self.comments = comments
        if root.isFlow {
            head = " " + first
            self.lines = Array(lines.dropFirst())
        } else {
            let depth = first.prefix { $0 == " " }.count
            head = ""
            let prefix = String(repeating: " ", count: step)
            self.lines = lines.map { line in
                line.isEmpty ? "" : prefix + line.dropFirst(min(depth, line.prefix { $0 == " " }.count))
            }
        }
    }

    init(comments: [String] = [], key: String, head: String, lines: [String] = [], inline: String? = nil) {
        self.comments = comments
        self.key = key
        self.head = head
        self.lines = lines
        self.inline = inline
    }

    /// A value that nobody has written yet.
    init(_ value: DesiredValue, key: String, renderer: ValueRenderer) {
        let rendering = renderer.render(value, indent: 0, isFlow: false)
        self.init(
            key: key, head: rendering.inline.isEmpty ? "" : " " + rendering.inline, lines: rendering.lines,
            inline: renderer.render(value, indent: 0, isFlow: true).inline)
    }

    /// A request that nobody has written yet.
    init(_ request: RequestDefinition, renderer: ValueRenderer) throws(CollectionProblem) {
        self.init(.map(try RequestWriter(request).entries(), layout: .block), key: String(request.id.name), renderer: renderer)
    }
}
