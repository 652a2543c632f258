import Base
import NetworkLayer

/// Walks over the text of a Hurl file.
struct HurlScanner {
    private let scalars: [Unicode.Scalar]
    private(set) var position = 0
    /// From 1.
    private(set) var line = 1

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { position >= scalars.count }
    var current: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

    func begins(with text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

    /// To the end of the line, which stays.
    var restOfLine: String { HurlText.string(scalars[position...].prefix { $0 != "\n" }) }

    mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where !isAtEnd {
            if scalars[position] == "\n" { line += 1 }
            position += 1
        }
    }

    mutating func skipSpaces() {
        while current == " " || current == "\t" { advance() }
    }

    /// Past its end.
    mutating func skipLine() {
        while let scalar = current, scalar != "\n" {
            _ = scalar
            advance()
        }
        advance()
    }

    func text(from start: Int) -> String { HurlText.string(scalars[start..<min(position, scalars.count)]) }

    // MARK: Values

    /// To an end that isn't escaped, which is skipped; `nil`, and nothing is skipped, when there is none.
    mutating func scan(to end: String, escapes: Bool) -> String? {
        let start = self
        while !isAtEnd {
            if begins(with: end) {
                let text = text(from: start.position)
                advance(end.unicodeScalars.count)
                return text
            }
            advance(escapes && current == "\\" ? 2 : 1)
        }
        self = start
        return nil
    }

    /// `hex,…;`, `base64,…;` and `file,…;`, with the scanner at its start.
    mutating func encoded() -> HurlBody.Content? {
        let start = self
        for name in ["base64,", "hex,", "file,"] where begins(with: name) {
            advance(name.count)
            guard let text = scan(to: ";", escapes: true) else { break }
            switch name {
            case "file,": return .file(HurlText.unescaped(text.trimmingSpace))
            case "hex,": if let bytes = HurlText.bytes(hexadecimal: text) { return .bytes(bytes) }
            default:
                let plain = text.filter { !$0.isWhitespace }
                let padding = String(repeating: "=", count: plain.hasSuffix("=") ? 0 : (4 - plain.utf8.count % 4) % 4)
                if let data = Data(base64Encoded: plain + padding) { return .bytes(Array(data)) }
            }
            break
        }
        self = start
        return nil
    }

    /// ```` ``` ```` to the next three: a language and attributes may stand behind the first ones.
    mutating func fenced() -> HurlBody.Content? {
        guard begins(with: "```") else { return nil }
        let start = self
        advance(3)
        let head = restOfLine
        let isOneLine = head.contains("```")
        if !isOneLine { skipLine() }
        let words = isOneLine ? [] : head.split(separator: ",").map { $0.trimmingSpace }
        let escapes = words.contains("escape")
        guard let text = scan(to: "```", escapes: escapes) else {
            self = start
            return nil
        }
        let language = words.first { !["escape", "novariable", "raw", ""].contains($0) }
        let content = escapes ? HurlText.unescaped(text) : text
        if language == "hex", let bytes = HurlText.bytes(hexadecimal: content) { return .bytes(bytes) }
        if language == "base64", let data = Data(base64Encoded: content.filter { !$0.isWhitespace }) { return .bytes(Array(data)) }
        return words.contains("novariable") ? .literal(content, language: language) : .text(content, language: language)
    }

    /// A value of JSON, which may have templates in it, to its last bracket.
    mutating func json() -> String? {
        let start = self
        var depth = 0
        repeat {
            guard let scalar = current else {
                self = start
                return nil
            }
            switch scalar {
            case "\"":
                advance()
                guard scan(to: "\"", escapes: true) != nil else {
                    self = start
                    return nil
                }
                continue
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case "\n" where depth == 0: return text(from: start.position).trimmingSpace
            default: break
            }
            advance()
        } while depth > 0
        return text(from: start.position)
    }

    /// To the end of the outermost element; of a text that has none, nothing is skipped.
    mutating func xml() -> String? {
        let start = self
        var depth = 0
        while !isAtEnd {
            guard begins(with: "<") else {
                advance()
                continue
            }
            if let (_, end) = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")].first(where: { begins(with: $0.0) }
            ) {
                guard scan(to: end, escapes: false) != nil else { break }
                continue
            }
            let closes = begins(with: "</")
            var isEmpty = false
            while let scalar = current, scalar != ">" {
                isEmpty = scalar == "/"
                advance()
                if scalar == "\"" || scalar == "'" { _ = scan(to: String(scalar), escapes: false) }
            }
            advance()
            if !isEmpty || closes { depth += closes ? -1 : 1 }
            if depth <= 0 { return text(from: start.position) }
        }
        self = start
        return nil
    }
}
