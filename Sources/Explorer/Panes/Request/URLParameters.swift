import RequestCollections

/// The parameters that stand in a URL behind its question mark, as they stand there: templates are left whole, and nothing is
/// encoded or decoded but what would end one that is typed.
struct URLParameters {
    private let start: String
    private var pieces: [String]
    /// With its `#`.
    private let fragment: String

    init(_ url: String) {
        var parts = Self.cut(url, at: "#", once: true)
        fragment = parts.count > 1 ? "#" + parts[1] : ""
        parts = Self.cut(parts[0], at: "?", once: true)
        start = parts[0]
        pieces = parts.count > 1 ? Self.cut(parts[1], at: "&", once: false).filter { !$0.isEmpty } : []
    }

    var url: String { start + (pieces.isEmpty ? "" : "?" + pieces.joined(separator: "&")) + fragment }

    var rows: [RequestDefinition.Row] { pieces.map(Self.row) }

    /// What hasn't changed stays letter by letter; what is empty goes.
    mutating func set(_ rows: [RequestDefinition.Row]) {
        let old = pieces
        pieces = rows.map { row in
            if let same = old.first(where: { Self.row($0) == row }) { return same }
            let name = Self.escaped(row.name, ["=", "&", "#"])
            return (name.isEmpty || row.value.isEmpty ? name : name + "=") + Self.escaped(row.value, ["&", "#"])
        }.filter { !$0.isEmpty }
    }

    /// What would end the parameter, as its code.
    private static func escaped(_ text: String, _ ends: [Unicode.Scalar]) -> String {
        ends.reduce(text) { text, end in
            cut(text, at: end, once: false).joined(separator: "%" + String(end.value, radix: 16, uppercase: true))
        }
    }

    private static func row(_ piece: String) -> RequestDefinition.Row {
        let parts = cut(piece, at: "=", once: true)
        return RequestDefinition.Row(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }

    /// Outside of templates.
    private static func cut(_ text: String, at separator: Unicode.Scalar, once: Bool) -> [String] {
        var parts = [""]
        var depth = 0
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "{", last == "{" { depth = 1 }
            if scalar == "}", last == "}" { depth = 0 }
            last = scalar
            if scalar == separator, depth == 0, !once || parts.count == 1 {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return parts
    }
}
