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

/// The escapes and encodings of Hurl's texts (https://hurl.dev/docs/grammar.html).
enum HurlText {
    /// A value as it stands behind a colon: without the comment at its end, and with its escapes resolved.
    static func value(_ text: some StringProtocol) -> String {
        let scalars = Array(text.unicodeScalars)
        var end = 0
        while end < scalars.count, scalars[end] != "#" { end += scalars[end] == "\\" ? 2 : 1 }
        return unescaped(string(scalars[..<min(end, scalars.count)]).trimmingSpace)
    }

    /// `\n`, `\u{1f600}`; a character that needs no escape is itself.
    static func unescaped(_ text: String) -> String {
        guard text.unicodeScalars.contains("\\") else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let next = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "b": result.append("\u{8}")
            case "f": result.append("\u{C}")
            case "u":
                guard rest.first == "{", let close = rest.firstIndex(of: "}"),
                    let code = UInt32(String(rest[rest.index(after: rest.startIndex)..<close]), radix: 16),
                    let named = Unicode.Scalar(code)
                else {
                    result.append(contentsOf: "\\u".unicodeScalars)
                    continue
                }
                result.append(named)
                rest = rest[rest.index(after: close)...]
            default: result.append(next)
            }
        }
        return String(result)
    }

    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// `nil` unless these are pairs of hexadecimal digits.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8.filter { $0 > 0x20 })
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = digits[index...index + 1]
            guard !pair.contains(UInt8(ascii: "+")), !pair.contains(UInt8(ascii: "-")),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Hurl's templates: variables, and a few functions (https://hurl.dev/docs/templates.html).
enum HurlTemplates {
    /// - Returns: what stands between the braces here; `nil` for what has no equivalent.
    static func translate(_ inside: String) -> String? {
        switch inside {
        case "newUuid": return "uuid()"
        case "newDate": return "now(\"iso8601-ms\")"
        default:
            if let match = inside.wholeMatch(of: /getEnv\s+"?([A-Za-z_][A-Za-z0-9_]*)"?/) { return "env(\"\(match.1)\")" }
            return inside.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil ? VariableName.make(inside) : nil
        }
    }

    static func variables(in text: String) -> [String] {
        ForeignTemplate(text).pieces.compactMap { piece in
            guard case .template(let inside, _) = piece, inside.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil,
                inside != "newUuid", inside != "newDate"
            else { return nil }
            return VariableName.make(inside)
        }
    }
}
