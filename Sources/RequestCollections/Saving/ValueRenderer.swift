/// Writes values that are new in a file.
struct ValueRenderer {
    /// How much deeper the lines of a map are than its key.
    let step: Int

    /// What stands behind a key or dash: the rest of its line, and more lines with their indentation.
    struct Rendering: Hashable {
        var inline: String
        var lines: [String] = []
    }

    /// - Parameter indent: the column of the key or dash before it.
    func render(_ value: DesiredValue, indent: Int, isFlow: Bool, style: YAMLScalarStyle? = nil) -> Rendering {
        switch value {
        case .keep(let node):
            if case .scalar(let text, let style) = node.content {
                let isText = style != .plain || PlainScalar(text) == .text
                return render(.scalar(text, isText ? .text : .literal), indent: indent, isFlow: isFlow, style: style)
            }
            return render(Self.copy(node), indent: indent, isFlow: isFlow)
        case .scalar(let text, let kind):
            switch ScalarWriter.write(text, kind, style: style, isFlow: isFlow) {
            case .inline(let text): return Rendering(inline: text)
            case .block(let header, let lines):
                let contentIndent = header.contains("2") ? indent + 2 : indent + step
                return Rendering(inline: header, lines: lines.map { $0.isEmpty ? "" : spaces(contentIndent) + $0 })
            }
        case .map(let entries, let layout):
            if let inline = inline(entries, layout, isFlow: isFlow, isMap: true) { return Rendering(inline: inline) }
            return Rendering(inline: "", lines: entries.flatMap { lines($0, isMap: true, indent: indent + step) })
        case .list(let entries, let layout):
            if let inline = inline(entries, layout, isFlow: isFlow, isMap: false) { return Rendering(inline: inline) }
            return Rendering(inline: "", lines: entries.flatMap { lines($0, isMap: false, indent: indent + step) })
        }
    }

    /// The columns of a line with a comment.
    private static let width = 100

    /// The lines of one entry of a block map or list, and of its comment.
    func lines(_ entry: DesiredEntry, isMap: Bool, indent: Int) -> [String] {
        let lines = linesWithoutComment(entry, isMap: isMap, indent: indent)
        let comment = CommentText.lines(entry.comment ?? "", width: Self.width - indent - 2)
        if lines.count == 1, comment.count == 1, lines[0].count + comment[0].count + 4 <= Self.width {
            return ["\(lines[0])  # \(comment[0])"]
        }
        return comment.map { spaces(indent) + "# " + $0 } + lines
    }

    private func linesWithoutComment(_ entry: DesiredEntry, isMap: Bool, indent: Int) -> [String] {
        let rendering = render(entry.value, indent: indent, isFlow: false)
        guard isMap else {
            if rendering.inline.isEmpty, let first = rendering.lines.first {
                // A map or list in a list begins right behind the dash.
                let inner = step == 2 ? rendering.lines : render(entry.value, indent: indent + 2 - step, isFlow: false).lines
                return [spaces(indent) + "- " + (inner.first ?? first).drop { $0 == " " }] + inner.dropFirst()
            }
            return [spaces(indent) + "- " + rendering.inline] + rendering.lines
        }
        return [spaces(indent) + key(entry.key, isFlow: false) + ":" + (rendering.inline.isEmpty ? "" : " " + rendering.inline)]
            + rendering.lines
    }

    func key(_ text: String, style: YAMLScalarStyle? = nil, isFlow: Bool) -> String {
        guard case .inline(let key) = ScalarWriter.write(text, .key, style: style, isFlow: isFlow) else { return text }
        return key
    }

    /// An entry between brackets.
    func inline(_ entry: DesiredEntry, isMap: Bool) -> String {
        let value = render(entry.value, indent: 0, isFlow: true).inline
        return isMap ? "\(key(entry.key, isFlow: true)): \(value)" : value
    }

    private func inline(_ entries: [DesiredEntry], _ layout: DesiredLayout, isFlow: Bool, isMap: Bool) -> String? {
        if entries.isEmpty { return isMap ? "{}" : "[]" }
        if !isFlow, layout == .block || entries.contains(where: Self.wantsBlock) { return nil }
        let inside = entries.map { inline($0, isMap: isMap) }.joined(separator: ", ")
        if !isFlow, layout == .automatic, inside.count > 60 { return nil }
        return isMap ? "{ \(inside) }" : "[\(inside)]"
    }

    /// Text of several lines is readable in a block only, and a comment ends with its line.
    private static func wantsBlock(_ entry: DesiredEntry) -> Bool {
        guard entry.comment == nil else { return true }
        return switch entry.value {
        case .keep(let node): node.text?.contains("\n") ?? false
        case .scalar(let text, _): text.contains("\n")
        case .map(let entries, let layout), .list(let entries, let layout):
            layout == .block && !entries.isEmpty || entries.contains(where: wantsBlock)
        }
    }

    private static func copy(_ node: YAMLNode) -> DesiredValue {
        switch node.content {
        case .scalar: .keep(node)
        case .sequence(let items, let isFlow):
            .list(items.map { DesiredEntry(source: nil, key: "", value: copy($0)) }, isFlow ? .flow : .block)
        case .mapping(let pairs, let isFlow):
            .map(pairs.map { DesiredEntry(source: nil, key: $0.key.text ?? "", value: copy($0.value)) }, isFlow ? .flow : .block)
        }
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
