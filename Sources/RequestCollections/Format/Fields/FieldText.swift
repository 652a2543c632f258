/// A value as a file writes it.
enum FieldText: Hashable, Sendable {
    case text(String)
    /// A number or a boolean, never in quotes.
    case literal(String)
    case texts([String])
    /// A map of texts.
    case pairs([Pair])
    /// A map, which has fields of its own.
    case map

    struct Pair: Hashable, Sendable {
        var key: String
        var text: String
        /// A number, never in quotes.
        var isLiteral = false
    }

    /// In one line, as people read and type it.
    var line: String {
        switch self {
        case .text(let text), .literal(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        case .pairs(let pairs): pairs.map { "\($0.key) \($0.text)" }.joined(separator: ", ")
        case .map: "on"
        }
    }
}
