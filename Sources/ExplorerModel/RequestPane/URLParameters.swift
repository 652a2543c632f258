import RequestCollections

/// The parameters that stand in a URL behind its question mark, as they stand there: templates are left whole, and nothing is
/// encoded or decoded.
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

    /// What hasn't changed stays letter by letter.
    mutating func set(_ rows: [RequestDefinition.Row]) {
        let old = pieces
        pieces = rows.map { row in
            old.first { Self.row($0) == row } ?? (row.name.isEmpty || row.value.isEmpty ? row.name : row.name + "=") + row.value
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
