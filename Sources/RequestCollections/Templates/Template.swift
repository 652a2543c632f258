/// A text with `{{...}}` in it.
///
/// | written       | stands for                                            |
/// |---------------|-------------------------------------------------------|
/// | `{{host}}`    | the variable; spaces inside the braces don't count    |
/// | `{{"{{"}}`    | the text between the quotes: how to write two braces  |
struct Template: Hashable, Sendable {
    var segments: [Segment]

    enum Segment: Hashable, Sendable {
        case text(String)
        case variable(String)
    }

    /// Whether there is something to look for: most texts have no template.
    static func isIn(_ text: String) -> Bool {
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

    /// - Throws: ``TemplateError`` for braces that aren't closed, and for what isn't a variable or a quoted text.
    init(_ text: String) throws(TemplateError) {
        segments = []
        var rest = Substring(text).utf8
        var plain = ""
        while let open = Self.open(in: rest) {
            plain += String(Substring(rest[..<open]))
            let inside = rest[rest.index(open, offsetBy: 2)...]
            guard let close = Self.close(in: inside) else {
                throw TemplateError("`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves")
            }
            switch try Self.expression(inside[..<close]) {
            case .text(let text): plain += text
            case let variable:
                if !plain.isEmpty { segments.append(.text(plain)) }
                plain = ""
                segments.append(variable)
            }
            rest = inside[inside.index(close, offsetBy: 2)...]
        }
        plain += String(Substring(rest))
        if !plain.isEmpty { segments.append(.text(plain)) }
    }

    /// The name, when the whole text is one variable: then its type is kept.
    var onlyVariable: String? {
        if segments.count == 1, case .variable(let name) = segments[0] { name } else { nil }
    }

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

    private static func expression(_ text: Substring.UTF8View) throws(TemplateError) -> Segment {
        let source = Substring(text).trimmed
        if let quote = source.first, quote == "\"" || quote == "'" { return .text(try literal(source, quote)) }
        if TemplateName.isValid(source) { return .variable(String(source)) }
        if source.isEmpty { throw TemplateError("`{{}}` is empty; write the name of a variable between the braces") }
        let name = source.prefix { $0 != "(" && $0 != "|" && !$0.isWhitespace }
        let rest = source.dropFirst(name.count).trimmed
        if rest.hasPrefix("("), TemplateName.isValid(name) {
            throw TemplateError("the function `\(name)()` isn't known; a template takes the name of a variable or a text in quotes")
        }
        if rest.hasPrefix("|"), TemplateName.isValid(name) {
            let filter = rest.dropFirst().trimmed.prefix { $0 != "(" && !$0.isWhitespace }
            throw TemplateError(
                "the function `\(filter)()` isn't known; a template takes the name of a variable or a text in quotes")
        }
        throw TemplateError("`{{\(source)}}` isn't the name of a variable: those take letters, digits, `_`, `-` and `.`")
    }

    private static func literal(_ source: Substring, _ quote: Character) throws(TemplateError) -> String {
        var text = ""
        var isEscaped = false
        for (offset, character) in source.dropFirst().enumerated() {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == quote {
                guard offset == source.count - 2 else { break }
                return text
            } else {
                text.append(character)
            }
        }
        throw TemplateError("`{{\(source)}}` isn't one text in quotes")
    }
}

/// What is wrong with a template; the place is known to who asked.
struct TemplateError: Error, Hashable, Sendable {
    var message: String

    init(_ message: String) { self.message = message }
}

extension Substring {
    /// Without the spaces around it.
    var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
