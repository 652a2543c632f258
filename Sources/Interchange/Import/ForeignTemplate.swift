import NetworkLayer
import RequestCollections

/// A text with another program's templates in it: `{{x}}`, and what else a format has.
struct ForeignTemplate: Hashable {
    var pieces: [Piece] = []

    enum Piece: Hashable {
        case text(String)
        /// What stands between the delimiters, trimmed, and which opened it.
        case template(String, opening: String)
    }

    struct Delimiters: Hashable {
        var opening: String
        var closing: String

        static let braces = Delimiters(opening: "{{", closing: "}}")
        static let tags = Delimiters(opening: "{%", closing: "%}")
    }

    /// An opening without its closing, or with another one before that, is text.
    init(_ text: String, _ delimiters: [Delimiters] = [.braces]) {
        var plain = ""
        var rest = Substring(text)
        // Where each of them begins and ends next: what is far ahead, or nowhere, is looked for once.
        var ahead: [Delimiters: Range<Substring.Index>?] = [:]
        var unclosed: Set<Delimiters> = []
        func first(in text: Substring) -> (Range<Substring.Index>, Delimiters)? {
            for delimiter in delimiters {
                if let known = ahead[delimiter], known.map({ $0.lowerBound >= text.startIndex }) ?? true { continue }
                ahead.updateValue(Self.range(of: delimiter, in: text), forKey: delimiter)
            }
            return delimiters.compactMap { delimiter in ahead[delimiter]?.map { ($0, delimiter) } }.min {
                $0.0.lowerBound < $1.0.lowerBound
            }
        }
        while let (range, delimiter) = first(in: rest) {
            let inside = rest[range.upperBound...]
            let closing = unclosed.contains(delimiter) ? nil : inside.firstRange(ofScalars: delimiter.closing)
            if closing == nil { unclosed.insert(delimiter) }
            let nested = first(in: inside)?.0
            guard let closing, nested.map({ closing.lowerBound <= $0.lowerBound }) ?? true else {
                plain += rest[..<range.upperBound]
                rest = inside
                if closing == nil, nested == nil { break }
                continue
            }
            plain += rest[..<range.lowerBound]
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.template(inside[..<closing.lowerBound].trimmingSpace, opening: delimiter.opening))
            rest = inside[closing.upperBound...]
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    private static func range(of delimiter: Delimiters, in text: Substring) -> Range<Substring.Index>? {
        guard var range = text.firstRange(ofScalars: delimiter.opening) else { return nil }
        // The last two of three braces open.
        let scalars = text.unicodeScalars
        while delimiter == .braces, range.upperBound < scalars.endIndex, scalars[range.upperBound] == "{" {
            range = scalars.index(after: range.lowerBound)..<scalars.index(after: range.upperBound)
        }
        return range
    }
}

/// A text in Turnstone's own templates, in pieces.
struct TemplateText: Hashable {
    var pieces: [Piece] = []

    enum Piece: Hashable {
        /// As it is: braces in it mean nothing.
        case text(String)
        /// What stands between the braces.
        case expression(String)
    }

    /// - Parameter translate: gives what stands between the braces here; `nil`: it means nothing, and is text.
    init(_ foreign: ForeignTemplate, _ translate: (_ inside: String, _ opening: String) -> String?) {
        for piece in foreign.pieces {
            switch piece {
            case .text(let text): append(text)
            case .template(let inside, let opening):
                if let expression = translate(inside, opening) {
                    // A comment is nothing.
                    if !expression.isEmpty { pieces.append(.expression(expression)) }
                } else {
                    append(opening == "{%" ? "{% \(inside) %}" : "{{\(inside)}}")
                }
            }
        }
    }

    private mutating func append(_ text: String) {
        if case .text(let before)? = pieces.last {
            pieces[pieces.count - 1] = .text(before + text)
        } else {
            pieces.append(.text(text))
        }
    }

    init(_ text: String) { pieces = [.text(text)] }

    /// With another text in place of a mark, outside of the expressions.
    func filling(_ mark: String, with text: String) -> TemplateText {
        var copy = self
        for (index, piece) in pieces.enumerated() {
            if case .text(let old) = piece { copy.pieces[index] = .text(old.replacing(scalars: mark, with: text)) }
        }
        return copy
    }

    /// As it stands in a collection.
    var text: String {
        var result = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .expression(let expression): result += "{{\(expression)}}"
            case .text(let text):
                let isBeforeExpression = index + 1 < pieces.count && pieces[index + 1].isExpression
                result += Self.escaped(text, isBeforeExpression: isBeforeExpression, quote: "\"")
            }
        }
        return result
    }

    /// The same for a text in JSON, whose strings have quotes of their own.
    var json: String {
        var result = ""
        var isInString = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .expression(let expression):
                // The other quotes mean the same, and end no string of JSON.
                result += "{{\(isInString ? expression.replacing(scalars: "\"", with: "'") : expression)}}"
            case .text(let text):
                let isBeforeExpression = isInString && index + 1 < pieces.count && pieces[index + 1].isExpression
                var piece = ""
                func flush(_ isLast: Bool = false) {
                    let quote = isInString ? "'" : "\""
                    result += Self.escaped(piece, isBeforeExpression: isLast && isBeforeExpression, quote: quote)
                    piece = ""
                }
                var isEscaped = false
                for character in text.unicodeScalars.lazy.map(Character.init) {
                    if character == "\"", !isEscaped {
                        flush()
                        isInString.toggle()
                        result += "\""
                    } else {
                        piece.append(character)
                    }
                    isEscaped = character == "\\" && !isEscaped
                }
                flush(true)
            }
        }
        return result
    }

    private static func escaped(_ text: String, isBeforeExpression: Bool, quote: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard Template.isIn(text) || isBeforeExpression && scalars.last == "{" else { return text }
        var result = scalars.replacing(["{", "{"], with: Array("{{\(quote){{\(quote)}}".unicodeScalars))
        if isBeforeExpression, scalars.reversed().prefix(while: { $0 == "{" }).count % 2 == 1 {
            result.removeLast()
            result += "{{\(quote){\(quote)}}".unicodeScalars
        }
        return String(String.UnicodeScalarView(result))
    }
}

extension TemplateText.Piece {
    fileprivate var isExpression: Bool { if case .expression = self { true } else { false } }
}

/// What may name a variable, out of what names one elsewhere.
enum VariableName {
    /// Letters, digits, `_`, `-` and `.`; the first is a letter or `_`.
    static func make(_ name: some StringProtocol) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isKept =
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "_-.".unicodeScalars.contains(scalar)
            result.unicodeScalars.append(isKept ? scalar : "_")
        }
        guard let first = result.unicodeScalars.first else { return "_" }
        if first.isASCII, !first.properties.isAlphabetic, first != "_" { result = "_" + result }
        // `extends` is a word of an environment; the others are values.
        return ["true", "false", "null", "extends"].contains(result) ? result + "_" : result
    }
}

extension StringProtocol {
    /// Without the spaces around it; an accent behind the first of them stays.
    var trimmingSpace: String {
        var scalars = Substring(self).unicodeScalars.drop(while: \.properties.isWhitespace)
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}

/// Percent-encoding of texts that have templates in them: it is about what stands outside of these, and what comes of it is text, whatever
/// braces it has.
extension TemplateText {
    init(pieces: [Piece]) { self.pieces = pieces }

    /// A text of ours, taken apart. Braces that nothing closes are text.
    init(own text: String) {
        guard Template.isIn(text) else {
            pieces = text.isEmpty ? [] : [.text(text)]
            return
        }
        var plain = ""
        var rest = Substring(text).utf8
        while let piece = Template.nextPiece(of: &rest), let inside = piece.inside {
            plain += piece.before
            if let quoted = Self.quoted(inside) {
                plain += quoted
            } else {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.expression(String(inside)))
            }
        }
        plain += String(Substring(rest))
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    /// What stands in quotes between braces is text, such as braces themselves; `nil` for anything else.
    private static func quoted(_ inside: Substring) -> String? {
        guard let template = try? Template("{{\(inside)}}") else { return nil }
        var text = ""
        for segment in template.segments {
            guard case .text(let piece) = segment else { return nil }
            text += piece
        }
        return text
    }

    /// Whether a template is in it.
    var hasExpression: Bool {
        pieces.contains { if case .expression = $0 { true } else { false } }
    }

    /// What is outside of the templates.
    private var plainTexts: [String] {
        pieces.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// Whether a scalar is in it, outside of the templates, also where an accent behind it makes another character of it.
    func contains(_ scalar: Unicode.Scalar) -> Bool { plainTexts.contains { $0.unicodeScalars.contains(scalar) } }

    /// - Returns: `nil` when it isn't text in UTF-8.
    func percentDecoded(plusIsSpace: Bool = false) -> TemplateText? {
        var copy = self
        for (index, piece) in pieces.enumerated() {
            guard case .text(let text) = piece else { continue }
            guard let decoded = PercentText.decoded(text, plusIsSpace: plusIsSpace) else { return nil }
            copy.pieces[index] = .text(decoded)
        }
        return copy
    }

    var percentEncoded: TemplateText {
        var copy = self
        for (index, piece) in pieces.enumerated() {
            if case .text(let text) = piece { copy.pieces[index] = .text(PercentText.encoded(text)) }
        }
        return copy
    }

    /// What stands between separators outside of the templates.
    ///
    /// - Parameter most: how often it is split.
    func split(at separator: Unicode.Scalar, most: Int = .max) -> [TemplateText] {
        var parts = [TemplateText(pieces: [])]
        for piece in pieces {
            guard case .text(let text) = piece else {
                parts[parts.count - 1].pieces.append(piece)
                continue
            }
            let texts = text.unicodeScalars.split(
                separator: separator, maxSplits: most - (parts.count - 1), omittingEmptySubsequences: false)
            for (index, text) in texts.enumerated() {
                if index > 0 { parts.append(TemplateText(pieces: [])) }
                if !text.isEmpty { parts[parts.count - 1].pieces.append(.text(String(Substring(text)))) }
            }
        }
        return parts
    }

    /// `name=value`, decoded.
    ///
    /// - Returns: `nil` for what a row would send otherwise: nothing at all, a name alone, a percent sign that begins nothing; and a
    ///   semicolon, which may part two pairs.
    func pair(plusIsSpace: Bool = false) -> (name: TemplateText, value: TemplateText)? {
        let halves = split(at: "=", most: 1)
        guard halves.count == 2, !contains(";"), plainTexts.allSatisfy(PercentText.hasWholeEscapes),
            let name = halves[0].percentDecoded(plusIsSpace: plusIsSpace),
            let value = halves[1].percentDecoded(plusIsSpace: plusIsSpace)
        else { return nil }
        return (name, value)
    }
}

extension [RequestDefinition.Row] {
    /// Names and values that are percent-encoded already, without it: here all of them are encoded when they are sent. What isn't text in
    /// UTF-8 stays as it is.
    func percentDecoded(plusIsSpace: Bool = false) -> [RequestDefinition.Row] {
        func decoded(_ text: String) -> String {
            TemplateText(own: text).percentDecoded(plusIsSpace: plusIsSpace)?.text ?? text
        }
        return map { row in
            var row = row
            (row.name, row.value) = (decoded(row.name), decoded(row.value))
            return row
        }
    }

    /// Those that are on and have a plus outside of their templates.
    var withPlus: [RequestDefinition.Row] {
        let plus: Unicode.Scalar = "+"
        return filter { row in row.isEnabled && [row.name, row.value].contains { TemplateText(own: $0).contains(plus) } }
    }

    /// Those that are on and have percent-encoded bytes that aren't text in UTF-8.
    var withOtherBytes: [RequestDefinition.Row] {
        filter { row in
            row.isEnabled && [row.name, row.value].contains { TemplateText(own: $0).percentDecoded() == nil }
        }
    }
}

/// An importer that translates texts where they stand.
protocol ForeignImport {
    var collection: ImportedCollection { get set }
    mutating func template(_ text: String, at place: String) -> TemplateText
}

extension ForeignImport {
    mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, text, isLoss: isLoss))
    }

    mutating func text(_ text: String, at place: String) -> String { template(text, at: place).text }

    /// Rows of a program that doesn't encode again what is percent-encoded already.
    mutating func percentDecoded(
        _ rows: [RequestDefinition.Row], plusIsSpace: Bool = false, at place: String
    ) -> [RequestDefinition.Row] {
        for row in rows.withOtherBytes {
            note(place, "`\(row.name)` has encoded bytes that aren't UTF-8; here its percent signs are sent as such")
        }
        return rows.percentDecoded(plusIsSpace: plusIsSpace)
    }
}

extension JSONValue {
    static func map(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}
