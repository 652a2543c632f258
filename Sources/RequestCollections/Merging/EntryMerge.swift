import Base
import NetworkLayer

/// Puts what two have made of the same thing together, entry by entry: an edit into what the file says by now, and an import into a
/// collection that was edited.
///
/// All three are what definitions say, written without a file. The result is theirs, with what is chosen of mine put into it.
struct EntryMerge {
    enum Side { case mine, theirs }

    /// What both were made from: what it said, or its digest.
    enum Base {
        case value(DesiredValue?)
        case digest(ValueDigest?)

        fileprivate subscript(_ key: String) -> Base {
            switch self {
            case .value(let value): .value(value?[key])
            case .digest(let digest): .digest(digest?[key])
            }
        }

        fileprivate func says(_ value: DesiredValue?, _ scope: MergeScope) -> Bool {
            switch self {
            case .value(let own): own == value
            case .digest(let own): own == value.map { ValueDigest($0, scope) }
            }
        }

        fileprivate var keys: [String] { if case .value(let value?) = self { value.keys } else { [] } }
    }

    /// An entry in which the two differ.
    struct Entry {
        /// As the file names it: `url`, `headers.accept`, `timeouts.idle`.
        var name: String
        /// Whether mine differs from the base, and whether theirs does.
        var isMine: Bool
        var isTheirs: Bool
        var base: DesiredValue?
        var mine: DesiredValue?
        var theirs: DesiredValue?
    }

    let choose: (Entry) -> Side

    /// - Returns: `nil` when nothing is to stand there.
    func merged(
        _ base: Base, _ mine: DesiredValue?, _ theirs: DesiredValue?, _ scope: MergeScope, at name: String = ""
    ) -> DesiredValue? {
        if mine == theirs { return theirs }
        if isMerged(mine, theirs, scope) {
            let keys = Self.order(base.keys, mine?.keys ?? [], theirs?.keys ?? [])
            let entries = keys.compactMap { key -> DesiredEntry? in
                let value = merged(
                    base[key], mine?[key], theirs?[key], scope.inside(key), at: name.isEmpty ? key : "\(name).\(key)")
                return value.map { DesiredEntry(source: nil, key: key, value: $0) }
            }
            return entries.isEmpty && (mine == nil || theirs == nil) ? nil : .map(entries, name.isEmpty ? .block : .automatic)
        }
        let baseValue: DesiredValue? = if case .value(let value) = base { value } else { nil }
        let entry = Entry(
            name: name, isMine: !base.says(mine, scope), isTheirs: !base.says(theirs, scope), base: baseValue, mine: mine,
            theirs: theirs)
        return choose(entry) == .mine ? mine : theirs
    }

    /// Whether it is merged by what is in it: maps, of which one side may have taken the last entry away, or added the first.
    private func isMerged(_ mine: DesiredValue?, _ theirs: DesiredValue?, _ scope: MergeScope) -> Bool {
        switch scope {
        case .single: return false
        case .body: return mine?.isMap == true && theirs?.isMap == true && mine?.keys == theirs?.keys
        default:
            guard mine?.isMap ?? true, theirs?.isMap ?? true else { return false }
            return mine != nil && theirs != nil || (mine ?? theirs)?.keys.isEmpty == false
        }
    }

    /// The keys of both sides, each once: in the order of theirs, with what is new in mine behind what it is behind there; the other way
    /// round when only mine has another order.
    private static func order(_ base: [String], _ mine: [String], _ theirs: [String]) -> [String] {
        let common = Set(base).intersection(mine).intersection(theirs)
        func isReordered(_ names: [String]) -> Bool { names.filter(common.contains) != base.filter(common.contains) }
        let isMine = isReordered(mine) && !isReordered(theirs)
        var result = isMine ? mine : theirs
        let other = isMine ? theirs : mine
        for (index, name) in other.enumerated() where !result.contains(name) {
            let before = other[..<index].last { result.contains($0) }
            result.insert(name, at: before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        return result
    }
}

/// What the keys of a map are to a merge.
enum MergeScope: Hashable, Sendable {
    case collection, environments, folder, request, body
    /// Maps in it are merged, however deep.
    case deep
    /// A map of which each entry is one.
    case rows
    /// The values of both sides can't be merged.
    case single

    func inside(_ key: String) -> MergeScope {
        switch self {
        case .collection, .folder:
            switch key {
            case "variables": .rows
            case "environments": .environments
            case "defaults": .request
            default: .single
            }
        case .environments: .rows
        case .request:
            switch key {
            case "body": .body
            case "path", "query", "headers", "cookies", "variables", "capture", "expect": .rows
            default: SettingNode.named(key)?.children.isEmpty == false ? .deep : .single
            }
        case .body: ["form", "multipart"].contains(key) ? .rows : key == "json" ? .deep : .single
        case .deep: .deep
        case .rows, .single: .single
        }
    }
}

extension DesiredValue {
    fileprivate var keys: [String] { if case .map(let entries, _) = self { entries.map(\.key) } else { [] } }

    /// In one line, as far as it helps. What may be a credential that somebody typed in is not shown.
    func shown(at name: String) -> String {
        if name == "auth", case .map(let entries, _) = self, let kind = entries.first?.key { return kind }
        if case .scalar(let text, let kind) = self, kind != .literal, !Self.mayBeSecret(name, text) { return text }
        let text = ValueRenderer(step: 2).render(self, indent: 0, isFlow: true).inline
        return Self.mayBeSecret(name, text) ? "(not shown)" : text.count <= 80 ? text : text.prefix(79) + "…"
    }

    private static func mayBeSecret(_ name: String, _ text: String) -> Bool {
        let words = ["auth", "token", "secret", "password", "passwd", "passphrase", "key", "cookie", "credential"]
        let name = name.lowercased()
        return words.contains(where: name.contains) && !text.contains("{{") && !text.contains("secret:") && text != "none"
    }
}

/// What tells whether a value is still what it was, without holding it: digests, down to what is merged as one.
indirect enum ValueDigest: Hashable, Sendable {
    case value(String)
    /// By key; the order of a map's entries is none of its value.
    case map([String: ValueDigest])

    init(_ value: DesiredValue, _ scope: MergeScope) {
        guard scope != .single, case .map(let entries, _) = value else {
            self = .value(Self.digest(of: value))
            return
        }
        self = .map(
            Dictionary(
                entries.map { ($0.key, ValueDigest($0.value, scope.inside($0.key))) }, uniquingKeysWith: { first, _ in first }))
    }

    subscript(_ key: String) -> ValueDigest? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    /// - Returns: 48 bits in hexadecimal digits: enough to notice a change, and too few to guess long values by.
    private static func digest(of value: DesiredValue) -> String {
        DigestFunction.sha256.hash(Data(canonical(value))).prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Texts with their lengths, so that no two values have the same bytes. Whether a scalar is a text counts: `"1"` isn't `1`.
    private static func canonical(_ value: DesiredValue) -> [UInt8] {
        func text(_ kind: String, _ text: String) -> [UInt8] { Array("\(kind)\(text.utf8.count):\(text)".utf8) }
        switch value {
        case .keep(let node): return canonical(.copy(node))
        case .scalar(let scalar, let kind): return text(kind == .literal ? "p" : "t", scalar)
        case .list(let entries, _): return text("[", "") + entries.flatMap { canonical($0.value) } + text("]", "")
        case .map(let entries, _):
            let members = entries.sorted { $0.key < $1.key }.flatMap { text("k", $0.key) + canonical($0.value) }
            return text("{", "") + members + text("}", "")
        }
    }
}
