import Base
import NetworkLayer

/// What tells whether a value of a file is still what it was, without holding it: digests, down to what is merged as one.
indirect enum ValueDigest: Hashable, Sendable {
    case value(String)
    /// By key; the order of a map's entries is none of its value.
    case map([String: ValueDigest])

    init(_ node: YAMLNode, _ scope: MergeScope) {
        guard scope != .single, case .mapping(let pairs, _) = node.content, node.decoration?.tag == nil,
            scope != .body || pairs.count == 1
        else {
            self = .value(Self.digest(of: Self.canonical(node)))
            return
        }
        var members: [String: ValueDigest] = [:]
        for pair in pairs where scope != .request || !pair.isTarget {
            guard let key = pair.key.text, let inner = scope.inside(key) else { continue }
            members[key] = ValueDigest(pair.value, inner)
        }
        if scope == .request, let target = node.target { members[Self.target] = .value(Self.digest(of: Array(target.utf8))) }
        self = .map(members)
    }

    /// The key for method and URL, which are one: another method for another URL was meant by nobody.
    static let target = "url"

    subscript(_ key: String) -> ValueDigest? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    /// - Returns: 48 bits in hexadecimal digits: enough to notice a change, and too few to guess long values by.
    static func digest(of bytes: [UInt8]) -> String {
        DigestFunction.sha256.hash(Data(bytes)).prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Texts with their lengths, so that no two values have the same bytes. Whether a scalar is a text counts: `"1"` isn't `1`.
    private static func canonical(_ node: YAMLNode) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ kind: String, _ text: String) { bytes += Array("\(kind)\(text.utf8.count):".utf8) + Array(text.utf8) }
        func walk(_ node: YAMLNode) {
            if let tag = node.decoration?.tag { add("!", tag) }
            switch node.content {
            case .scalar(let text, let style): add(style != .plain || PlainScalar(text) == .text ? "t" : "p", text)
            case .sequence(let items, _):
                add("[", "")
                for item in items { walk(item) }
                add("]", "")
            case .mapping(let pairs, _):
                add("{", "")
                for pair in pairs.sorted(by: { ($0.key.text ?? "") < ($1.key.text ?? "") }) {
                    add("k", pair.key.text ?? "")
                    walk(pair.value)
                }
                add("}", "")
            }
        }
        walk(node)
        return bytes
    }
}

/// What the keys of a map are to a merge.
enum MergeScope: Hashable, Sendable {
    case collection, environments, folder, request, body
    /// Maps in it are merged, however deep.
    case json
    /// A map of which each entry is one.
    case rows
    /// The values of both sides can't be merged.
    case single

    /// - Returns: `nil` for what isn't a value: the tree, and its order.
    func inside(_ key: String) -> MergeScope? {
        switch self {
        case .collection, .folder:
            switch key {
            case "requests", "order": nil
            case "variables": .rows
            case "environments": .environments
            case "defaults": .request
            default: .single
            }
        case .environments: .rows
        case .request:
            switch key {
            case "body": .body
            case "auth", "mock", "needs", "hydrate", "when", "for-each", "until", "tear-down": .single
            default: .rows
            }
        case .body: key == "json" ? .json : .rows
        case .json: .json
        case .rows, .single: .single
        }
    }
}

extension YAMLPair {
    /// Whether it is one of the keys that give the method and the URL.
    var isTarget: Bool {
        guard let key = key.text, value.text != nil else { return false }
        return key == "method" || key == "url" || FormatTable.methods.contains(key)
    }
}

extension YAMLNode {
    /// A request's method and URL: `GET https://example.com/`.
    var target: String? {
        let targets = (pairs ?? []).filter(\.isTarget)
        guard let short = targets.first(where: { FormatTable.methods.contains($0.key.text ?? "") }) else {
            guard let url = self["url"]?.text else { return nil }
            return "\(self["method"]?.text ?? "GET") \(url)"
        }
        return "\(short.key.text?.uppercased() ?? "") \(short.value.text ?? "")"
    }
}
