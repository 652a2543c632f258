import NetworkLayer
import RequestCollections

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
