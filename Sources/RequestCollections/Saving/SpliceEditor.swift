/// Turns the difference between what stands in a file and what is to stand there into edits of its bytes.
///
/// An edit never touches more than the scalar, the entry or the value that changes. Edits are collected against the bytes as they
/// are, and applied at once by ``SourceText/applying(_:)``.
struct SpliceEditor {
    let source: SourceText
    let path: String
    let usedAnchors: Set<String>
    let renderer: ValueRenderer
    private(set) var edits: [Edit] = []

    struct Edit: Hashable {
        var range: Range<Int>
        var text: String
    }

    /// Where a value stands.
    struct Place {
        /// Behind the colon or the dash; in a flow list, the start of the value.
        var head: Int
        /// The column of the key or the dash.
        var indent: Int
        var isFlow: Bool
    }

    init(_ document: YAMLDocument) {
        source = SourceText(document.bytes)
        path = document.path
        usedAnchors = document.usedAnchors
        renderer = ValueRenderer(step: Self.step(document.root, source))
    }

    mutating func replace(_ range: Range<Int>, with text: String) {
        if range.isEmpty && text.isEmpty { return }
        edits.append(Edit(range: range, text: text))
    }

    func refusal(_ node: YAMLNode, _ message: String) -> CollectionProblem {
        CollectionProblem(location: node.location(in: path), message: message)
    }

    mutating func update(_ node: YAMLNode, to desired: DesiredValue, at place: Place) throws(CollectionProblem) {
        if case .keep(let kept) = desired, kept.start == node.start { return }
        if let alias = node.decoration?.alias, node.text == nil || !desired.isScalar {
            throw refusal(node, "this is `*\(alias)`, a copy of what has the anchor `&\(alias)`; edit it there, in the file")
        }
        if let anchor = node.decoration?.anchor, usedAnchors.contains(anchor) {
            throw refusal(node, "this has the anchor `&\(anchor)`, and other places would change with it; edit it in the file")
        }
        switch (desired, node.content) {
        case (.scalar(let text, let kind), .scalar(let old, let style)):
            let isSame =
                old == text && node.decoration?.alias == nil && (style == .plain) == (style == .plain && kind.allowsPlain(text))
            if isSame, kind != .literal || style == .plain { return }
            try replace(node, with: desired, style: style, at: place)
        case (.map(let entries, _), .mapping(_, let isFlow)), (.list(let entries, _), .sequence(_, let isFlow)):
            if entries.isEmpty || isFlow && !place.isFlow && needsLines(entries, insteadOf: node) {
                try replace(node, with: desired, style: nil, at: place)
            } else if isFlow {
                try updateFlow(node, entries)
            } else {
                try updateBlock(node, entries)
            }
        default:
            try replace(node, with: desired, style: nil, at: place)
        }
    }

    /// Whether the one value between the brackets is a text of several lines now, which can be read only below its key.
    private func needsLines(_ entries: [DesiredEntry], insteadOf node: YAMLNode) -> Bool {
        guard entries.count == 1, case .scalar(let text, _) = entries[0].value, text.utf8.contains(0x0A), node.decoration == nil
        else {
            return false
        }
        // A comment between the brackets stays.
        return !source.text(source.start(of: node)..<source.offset(node.end)).utf8.contains(0x0A)
    }

    /// Puts another value in the place of one, of whatever form.
    private mutating func replace(
        _ node: YAMLNode, with desired: DesiredValue, style: YAMLScalarStyle?, at place: Place
    ) throws(CollectionProblem) {
        let rendering = renderer.render(desired, indent: place.indent, isFlow: place.isFlow, style: style)
        let start = source.start(of: node)
        if place.isFlow || node.isInlineBefore(source, start, place.head) {
            let end = inlineEnd(of: node, start)
            let needsSpace =
                start == place.head && !rendering.inline.isEmpty && source.bytes[max(0, start - 1)] == UInt8(ascii: ":")
            // `key:` and nothing: no space stays behind the colon.
            let from = rendering.inline.isEmpty ? place.head : start
            replace(from..<end, with: (needsSpace ? " " : "") + rendering.inline)
            replaceLines(after: end, upTo: source.end(of: node), with: lines(rendering, replacing: node, desired))
        } else {
            // A block collection on the lines below.
            replace(place.head..<place.head, with: rendering.inline.isEmpty ? "" : " " + rendering.inline)
            replaceLines(after: place.head, upTo: source.end(of: node), with: rendering.lines)
        }
    }

    private mutating func replaceLines(after position: Int, upTo end: Int, with lines: [String]) {
        let start = source.lineEnd(position)
        replace(start..<max(start, end), with: lines.map { source.lineBreak + $0 }.joined())
    }

    /// The lines of a block scalar that replaces another stay as deep as they were.
    private func lines(_ rendering: ValueRenderer.Rendering, replacing node: YAMLNode, _ desired: DesiredValue) -> [String] {
        guard case .scalar(_, .literal) = node.content, case .scalar = desired,
            let first = rendering.lines.first(where: { !$0.isEmpty }),
            !rendering.inline.contains("2")
        else { return rendering.lines }
        let headerEnd = source.lineEnd(source.start(of: node))
        let old = source.bytes[headerEnd...].firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }
        guard let old, old < source.offset(node.end) else { return rendering.lines }
        let header = source.text(source.start(of: node)..<headerEnd)
        guard !header.prefix(3).contains(where: \.isNumber) else { return rendering.lines }
        let indent = first.prefix { $0 == " " }.count
        let prefix = String(repeating: " ", count: source.column(old))
        return rendering.lines.map { $0.isEmpty ? "" : prefix + $0.dropFirst(indent) }
    }

    /// The end of what stands in the line of the key: of a block scalar, its header.
    private func inlineEnd(of node: YAMLNode, _ start: Int) -> Int {
        switch node.content {
        case .scalar(_, .literal), .scalar(_, .folded):
            return source.bytes[start...].firstIndex { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D } ?? source.bytes.count
        default: return source.offset(node.end)
        }
    }

    /// How deep this file indents: the first map in a map tells.
    private static func step(_ root: YAMLNode?, _ source: SourceText) -> Int {
        guard case .mapping(let pairs, false)? = root?.content, let first = pairs.first else { return 2 }
        let outer = Int(first.key.start.column)
        for pair in pairs {
            if case .mapping(let inner, false) = pair.value.content, let key = inner.first?.key {
                return max(1, Int(key.start.column) - outer)
            }
        }
        return 2
    }
}

extension DesiredValue {
    fileprivate var isScalar: Bool {
        if case .scalar = self { true } else { false }
    }
}

extension ScalarKind {
    /// Whether a text that stands there without quotes may stay so.
    fileprivate func allowsPlain(_ text: String) -> Bool {
        switch self {
        case .string: PlainScalar(text) == .text
        default: true
        }
    }
}

extension YAMLNode {
    /// Whether it begins in the line of its key or dash.
    fileprivate func isInlineBefore(_ source: SourceText, _ start: Int, _ head: Int) -> Bool {
        switch content {
        case .sequence(_, false), .mapping(_, false): decoration?.alias != nil
        default: source.lineStart(start) == source.lineStart(head)
        }
    }
}

extension SourceText {
    /// - Returns: `nil` when edits overlap.
    func applying(_ edits: [SpliceEditor.Edit]) -> [UInt8]? {
        let ordered = edits.enumerated().sorted { left, right in
            (left.element.range.lowerBound, left.element.range.upperBound, left.offset)
                < (right.element.range.lowerBound, right.element.range.upperBound, right.offset)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for (_, edit) in ordered {
            guard edit.range.lowerBound >= position else { return nil }
            result += bytes[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        return result + bytes[position...]
    }
}
