import NetworkLayer
import RequestCollections

/// Pairs of a query or a form, as curl's options write them.
extension CurlCommandReader {
    /// What stands in a query or a form: a pair, or something without `=`, encoded.
    enum Field {
        case row(RequestDefinition.Row)
        /// As it is sent.
        case bare(String)
        /// What is encoded once its templates are filled in, which a row alone does.
        case unencoded(TemplateText)

        var row: RequestDefinition.Row? { if case .row(let row) = self { row } else { nil } }
        /// What goes into a text as it stands.
        var bare: String? {
            switch self {
            case .row: nil
            case .bare(let text): text
            case .unencoded(let text): text.text
            }
        }

        /// Whether a template in it has to be encoded, which no text does.
        fileprivate var needsRow: Bool {
            switch self {
            case .row(let row): TemplateText(own: row.name).hasExpression || TemplateText(own: row.value).hasExpression
            case .bare: false
            case .unencoded: true
            }
        }

        /// With an empty value where it has none.
        fileprivate var asRow: RequestDefinition.Row? {
            switch self {
            case .row(let row): row
            case .unencoded(let text): .init(name: text.text, value: "")
            case .bare(let text):
                TemplateText(own: text).percentDecoded(plusIsSpace: true).map { .init(name: $0.text, value: "") }
            }
        }
    }

    /// The same fields, as rows where a text would leave out the encoding of what a template stands for.
    static func encodable(_ fields: [Field], _ losses: inout [String]) -> [Field] {
        guard fields.contains(where: \.needsRow), fields.contains(where: { $0.bare != nil }) else { return fields }
        let rows = fields.compactMap(\.asRow)
        // What stands there raw may be several fields.
        let isRaw = fields.contains { field in
            if case .bare(let text) = field { TemplateText(own: text).hasExpression } else { false }
        }
        guard !isRaw, rows.count == fields.count else {
            losses.append(
                "curl encodes what `--data-urlencode` or `--url-query` puts in; here a template beside a raw one isn't encoded")
            return fields
        }
        for field in fields {
            guard field.bare?.isEmpty == false, let name = field.asRow?.name else { continue }
            losses.append(
                "the field `\(name)` has no `=` in curl; here it is sent with one, so that what templates stand for is encoded")
        }
        return rows.filter { !$0.name.isEmpty || !$0.value.isEmpty }.map(Field.row)
    }

    static func encodedPair(_ row: RequestDefinition.Row) -> String {
        func encoded(_ text: String) -> String { TemplateText(own: text).percentEncoded.text }
        return "\(encoded(row.name))=\(encoded(row.value))"
    }

    static func text(of fields: some Sequence<Field>) -> String {
        fields.map { $0.bare ?? $0.row.map(encodedPair) ?? "" }.joined(separator: "&")
    }

    /// `a=1&b` of a query or form, decoded where it can be a row.
    static func fields(_ text: String, _ translate: (String) -> TemplateText) -> [Field] {
        translate(text).split(at: "&").map { text in
            guard let pair = text.pair(plusIsSpace: true) else { return .bare(text.text) }
            return .row(.init(name: pair.name.text, value: pair.value.text))
        }
    }

    /// `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`; the name is encoded already.
    func encoded(_ pair: String, _ losses: inout [String], _ translate: (String) -> TemplateText) -> [Field] {
        let scalars = pair.unicodeScalars
        guard let mark = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            let text = translate(pair)
            guard text.hasExpression else { return [Self.bare(text)] }
            // What a variable of the shell stands for may have a name of its own, which isn't encoded.
            losses.append("curl encodes what `\(pair)` stands for, but for a name and `=` at its start; here it is sent as it is")
            return [.bare(text.text)]
        }
        let rest = String(pair[scalars.index(after: mark)...])
        let value: TemplateText
        if scalars[mark] == "=" {
            value = translate(rest)
        } else if Self.isStandardInput(rest) {
            if input == nil { losses.append("the text of `\(pair)`, which comes from standard input") }
            value = translate(input ?? "")
        } else {
            value = TemplateText(contentOf: rest, &losses, translate)
            losses.append(Self.lineEndLoss(rest))
        }
        if mark == scalars.startIndex { return [Self.bare(value)] }
        // An ampersand in it ends fields before.
        let names = String(pair[..<mark]).pieces(at: "&")
        let before = names.count > 1 ? Self.fields(names.dropLast().joined(separator: "&"), translate) : []
        let name = translate(String(names.last ?? ""))
        return before + [.row(.init(name: (name.percentDecoded(plusIsSpace: true) ?? name).text, value: value.text))]
    }

    static func lineEndLoss(_ path: String) -> String { "a line end at the end of the file \(path), if it has one" }

    /// As curl encodes it, in a query, too: a space is a plus.
    private static func bare(_ text: TemplateText) -> Field {
        text.hasExpression ? .unencoded(text) : .bare(text.percentEncoded.text.replacing(scalars: "%20", with: "+"))
    }
}

extension TemplateText {
    /// The text of a file.
    ///
    /// - Parameter translate: makes the templates of its path ours.
    init(contentOf path: String, _ losses: inout [String], _ translate: (String) -> TemplateText) {
        let path = translate(path)
        if path.pieces.count == 1, case .expression(let expression)? = path.pieces.first {
            pieces = [.expression("file(\(expression))")]
            return
        }
        if path.hasExpression {
            losses.append("the variables in the name of the file \(path.text): `file()` takes a text or one variable")
        }
        let plain = path.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .expression(let expression): "{{\(expression)}}"
            }
        }
        pieces = [.expression("file(\"\(plain.joined().escaping("\\", "\""))\")")]
    }
}
