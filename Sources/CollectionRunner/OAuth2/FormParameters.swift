import Base
import NetworkLayer

/// Parameters in the order in which they are sent, as forms and queries write them (RFC 6749, appendix B).
struct FormParameters: Hashable, Sendable {
    private(set) var pairs: [Pair] = []

    struct Pair: Hashable, Sendable {
        var name: String
        var value: String
    }

    init(_ pairs: [(String, String?)] = []) {
        for (name, value) in pairs { self[name] = value }
    }

    /// Reads `a=1&b=c+d`; the first of a name counts.
    init(parsing text: some StringProtocol) {
        for entry in text.split(separator: "&") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = URLCoding.percentDecoded(parts[0], preservesPluses: false)
            guard !pairs.contains(where: { $0.name == name }) else { continue }
            self[name] = parts.count == 2 ? URLCoding.percentDecoded(parts[1], preservesPluses: false) : ""
        }
    }

    /// What is empty or `nil` isn't sent.
    subscript(name: String) -> String? {
        get { pairs.first { $0.name == name }?.value }
        set {
            pairs.removeAll { $0.name == name }
            if let newValue, !newValue.isEmpty { pairs.append(Pair(name: name, value: newValue)) }
        }
    }

    /// A space is written as `%20`, which every reader of forms takes.
    var text: String {
        pairs.map { "\(URLCoding.percentEncoded($0.name))=\(URLCoding.percentEncoded($0.value))" }.joined(separator: "&")
    }
}
