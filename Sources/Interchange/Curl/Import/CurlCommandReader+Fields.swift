import NetworkLayer
import RequestCollections

/// Pairs of a query or a form, as curl's options write them.
extension CurlCommandReader {
    /// What stands in a query or a form: a pair, or something without `=`, encoded.
    enum Field {
        case row(RequestDefinition.Row)
        case bare(String)

        var row: RequestDefinition.Row? { if case .row(let row) = self { row } else { nil } }
        var bare: String? { if case .bare(let text) = self { text } else { nil } }
    }

    static func encodedPair(_ row: RequestDefinition.Row) -> String {
        func encoded(_ text: String) -> String { Template.isIn(text) ? text : PercentText.encoded(text) }
        return "\(encoded(row.name))=\(encoded(row.value))"
    }

    static func text(of fields: some Sequence<Field>) -> String {
        fields.map { $0.bare ?? $0.row.map(encodedPair) ?? "" }.joined(separator: "&")
    }

    /// `a=1&b` of a query or form, decoded where it can be a row.
    static func fields(_ text: some StringProtocol, _ translate: (String) -> String) -> [Field] {
        text.split(separator: "&", omittingEmptySubsequences: false).map { text in
            guard let pair = PercentText.pair(text, plusIsSpace: true) else { return .bare(translate(String(text))) }
            return .row(.init(name: translate(pair.name), value: translate(pair.value)))
        }
    }

    /// `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`; the name is encoded already.
    static func encoded(_ pair: String, _ text: (String) -> String) -> Field {
        guard let mark = pair.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return bare(text(pair))
        }
        let name = String(pair[..<mark])
        let rest = String(pair[pair.index(after: mark)...])
        let value = pair[mark] == "@" ? "{{file(\"\(rest)\")}}" : text(rest)
        if name.isEmpty { return bare(value) }
        return .row(.init(name: text(PercentText.decoded(name) ?? name), value: value))
    }
    /// As curl encodes it, in a query, too: a space is a plus.
    private static func bare(_ text: String) -> Field {
        .bare(Template.isIn(text) ? text : PercentText.encoded(text).replacing(scalars: "%20", with: "+"))
    }
}
