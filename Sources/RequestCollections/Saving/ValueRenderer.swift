import NetworkLayer

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
            return render(DesiredValue.copy(node), indent: indent, isFlow: isFlow)
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

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// Writes scalars with the least quoting that reads back as the same text.
package enum ScalarWriter {
    enum Written: Hashable {
        case inline(String)
        /// A block scalar: what follows the key, and the lines without their indentation.
        case block(header: String, lines: [String])
    }

    /// - Parameters:
    ///   - style: how the text is written that it replaces; kept where the new text can be written so.
    ///   - isFlow: between `{ }` or `[ ]`, where commas and brackets need quotes and there are no block scalars.
    static func write(_ text: String, _ kind: ScalarKind, style: YAMLScalarStyle?, isFlow: Bool) -> Written {
        if kind == .literal { return .inline(text) }
        let canBeBlock = !isFlow && kind != .key && isBlockSafe(text)
        switch style {
        case .singleQuoted where isSingleQuotable(text): return .inline(singleQuoted(text))
        case .doubleQuoted: return .inline(doubleQuoted(text))
        case .literal where canBeBlock: return block(text)
        case .folded where canBeBlock && text.utf8.contains(0x0A): return block(text)
        default: break
        }
        if isPlainSafe(text, kind, isFlow: isFlow) { return .inline(text) }
        if canBeBlock, text.utf8.dropLast().contains(0x0A) { return block(text) }
        let hasQuotesInside = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
        return .inline(hasQuotesInside && isSingleQuotable(text) ? singleQuoted(text) : doubleQuoted(text))
    }

    private static func block(_ text: String) -> Written {
        var lines = text.pieces(at: "\n").map(String.init)
        var header = "|"
        // The reader finds the indentation by the first line, unless that begins with spaces itself.
        if lines.first(where: { !$0.isEmpty })?.unicodeScalars.first == " " || lines.first?.isEmpty == true { header += "2" }
        if text.ends(with: "\n") { lines.removeLast() } else { header += "-" }
        return .block(header: header, lines: lines)
    }

    /// Whether a block scalar can hold it: all characters as they are, and at most one line break at the end, because more would
    /// run into the blank lines that follow in the file.
    private static func isBlockSafe(_ text: String) -> Bool {
        guard text.contains(where: { $0 != " " && $0 != "\n" }), !text.ends(with: "\n\n") else { return false }
        // Lines of spaces alone, or spaces before the last break, are read with or without them, by where they stand.
        let lines = text.pieces(at: "\n")
        guard lines.allSatisfy({ $0.isEmpty || $0.contains { $0 != " " } }) else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isPrintable($0) && !isBreak($0) }
            && lines.first(where: { !$0.isEmpty })?.unicodeScalars.first != "\t"
    }

    private static func isSingleQuotable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isPrintable($0) && !isBreak($0) }
    }

    private static func singleQuoted(_ text: String) -> String { "'\(text.replacing(scalars: "'", with: "''"))'" }

    /// In double quotes; what a YAML file can't hold as it is, escaped.
    package static func doubleQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0": result += "\\0"
            default:
                if isPrintable(scalar), !isBreak(scalar) {
                    result.unicodeScalars.append(scalar)
                } else if scalar.value <= 0xFF {
                    result += "\\x" + hex(scalar.value, 2)
                } else if scalar.value <= 0xFFFF {
                    result += "\\u" + hex(scalar.value, 4)
                } else {
                    result += "\\U" + hex(scalar.value, 8)
                }
            }
        }
        return result + "\""
    }

    private static func hex(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: width - digits.count) + digits
    }

    /// YAML 1.2, section 7.3.3, a little stricter.
    static func isPlainSafe(_ text: String, _ kind: ScalarKind, isFlow: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":" else { return false }
        switch first {
        case "-", "?", ":":
            guard scalars.count > 1, scalars[1] != " ", scalars[1] != "-" else { return false }
        case ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`": return false
        default: break
        }
        for (index, scalar) in scalars.enumerated() {
            guard isPrintable(scalar), !isBreak(scalar) else { return false }
            if scalar == "#", scalars[index - 1] == " " { return false }
            if scalar == ":", index + 1 < scalars.count, scalars[index + 1] == " " { return false }
            // A reader of YAML 1.1, such as PyYAML, takes a question mark for the sign of a key.
            if isFlow, ",[]{}?".unicodeScalars.contains(scalar) { return false }
            if isFlow, scalar == ":", index == 0 { return false }
        }
        if text.begins(with: "...") || text == "<<" || text == "=" { return false }
        switch kind {
        case .string: return PlainScalar(text) == .text
        case .quoted: return false
        default: return PlainScalar(text) != .null
        }
    }

    /// What a YAML file can hold as it is (YAML 1.2, section 5.1), without the byte order mark.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Line breaks for libyaml, which follows YAML 1.1 here.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}

/// A text as lines of a comment.
enum CommentText {
    /// Broken between words where a line would have more than `width` scalars. Empty lines are left out.
    static func lines(_ text: String, width: Int) -> [String] {
        // What ends a line, or can't stand in YAML at all (YAML 1.2.2, section 5.1).
        let lines = text.unicodeScalars.split { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        }
        return lines.flatMap { broken($0, width: width) }
    }

    private static func broken(_ line: Substring.UnicodeScalarView, width: Int) -> [String] {
        var lines: [String] = []
        var count = 0
        for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if let last = lines.indices.last, count + 1 + word.count <= width {
                lines[last] += " " + String(word)
                count += 1 + word.count
            } else {
                lines.append(String(word))
                count = word.count
            }
        }
        return lines
    }
}
