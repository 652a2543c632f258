/// A text with `{{...}}` in it.
///
/// | written                      | stands for                                            |
/// |------------------------------|-------------------------------------------------------|
/// | `{{host}}`                   | the variable; spaces inside the braces don't count    |
/// | `{{host \| default("h")}}`   | the variable, or the text when it has no value        |
/// | `{{now(offset: -1h)}}`       | what a function gives: ``TemplateFunction``           |
/// | `{{"{{"}}`                   | the text between the quotes: how to write two braces  |
package struct Template: Hashable, Sendable {
    package var segments: [Segment]

    package enum Segment: Hashable, Sendable {
        case text(String)
        case expression(TemplateNode)
    }

    /// Whether there is something to look for: most texts have no template.
    package static func isIn(_ text: String) -> Bool {
        var isAfterBrace = false
        for byte in text.utf8 {
            if byte == brace {
                if isAfterBrace { return true }
                isAfterBrace = true
            } else {
                isAfterBrace = false
            }
        }
        return false
    }

    /// - Throws: ``TemplateError`` for braces that aren't closed, and for what the grammar of ``TemplateParser`` doesn't know.
    package init(_ text: String) throws(TemplateError) {
        segments = []
        var rest = Substring(text).utf8
        var plain = ""
        func offset(of index: Substring.Index) -> Int { text.unicodeScalars.distance(from: text.startIndex, to: index) }
        while let piece = Self.nextPiece(of: &rest) {
            plain += String(piece.before)
            guard let inside = piece.inside else {
                throw TemplateError(
                    "`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves", at: offset(of: piece.before.endIndex))
            }
            let node = try TemplateParser.parse(inside, at: offset(of: inside.startIndex))
            if case .string(let text) = node.expression {
                plain += text
            } else {
                if !plain.isEmpty { segments.append(.text(plain)) }
                plain = ""
                segments.append(.expression(node))
            }
        }
        plain += String(Substring(rest))
        if !plain.isEmpty { segments.append(.text(plain)) }
    }

    /// Where a scalar first stands that isn't a part of a template.
    package static func firstIndex(of scalar: Unicode.Scalar, outsideTemplatesOf text: String) -> String.Index? {
        var rest = Substring(text).utf8
        while let piece = nextPiece(of: &rest), piece.inside != nil {
            if let index = piece.before.unicodeScalars.firstIndex(of: scalar) { return index }
        }
        return Substring(rest).unicodeScalars.firstIndex(of: scalar)
    }

    /// What stands in a text besides its templates.
    package static func withoutTemplates(_ text: String) -> String {
        var plain = ""
        var rest = Substring(text).utf8
        while let piece = nextPiece(of: &rest), piece.inside != nil { plain += piece.before }
        return plain + String(Substring(rest))
    }

    /// Takes the next braces, and what stands before them, off a text; `nil` where it has none.
    ///
    /// - Returns: without an inside for braces that nothing closes: then the text is left as it is.
    package static func nextPiece(of text: inout Substring.UTF8View) -> (before: Substring, inside: Substring?)? {
        guard let open = Self.open(in: text) else { return nil }
        let before = Substring(text[..<open])
        let inside = text[text.index(open, offsetBy: 2)...]
        guard let close = Self.close(in: inside) else { return (before, nil) }
        text = inside[inside.index(close, offsetBy: 2)...]
        return (before, Substring(inside[..<close]))
    }

    /// The expression, when the whole text is one: then its type is kept.
    package var onlyExpression: TemplateNode? {
        if segments.count == 1, case .expression(let node) = segments[0] { node } else { nil }
    }

    /// Where `{{` begins.
    static func open(in text: Substring.UTF8View) -> Substring.Index? {
        var position = text.startIndex
        while let first = text[position...].firstIndex(of: brace) {
            let next = text.index(after: first)
            if next < text.endIndex, text[next] == brace { return first }
            position = next
        }
        return nil
    }

    /// Where `}}` begins, quoted texts skipped.
    static func close(in text: Substring.UTF8View) -> Substring.Index? {
        var quote: UInt8?
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            let next = text.index(after: position)
            if let open = quote {
                if byte == UInt8(ascii: "\\"), next < text.endIndex {
                    position = text.index(after: next)
                    continue
                }
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "}"), next < text.endIndex, text[next] == byte {
                return position
            }
            position = next
        }
        return nil
    }

    private static let brace = UInt8(ascii: "{")
}

/// What is wrong with a template. The caller knows where its text stands.
package struct TemplateError: Error, Hashable, Sendable {
    package var message: String
    /// Where in the text, in Unicode scalars from its first.
    package var offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

extension Substring {
    /// Without the spaces around it.
    var trimmed: Substring {
        // Nearly all texts begin and end with a sign of ASCII that is no space.
        if let first = utf8.first, let last = utf8.last, (0x21...0x7E).contains(first), (0x21...0x7E).contains(last) { return self }
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
