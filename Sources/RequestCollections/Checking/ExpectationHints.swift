import NetworkLayer

/// What stands below `expect` and may not mean what its author meant: texts that are operators, and operators that are texts.
package struct ExpectationHints {
    private let path: String
    private let lines: [Substring]
    private let onlyBlind: Bool
    private var hints: [CollectionProblem] = []

    /// - Parameter onlyBlind: those alone that are about an expectation that nearly every answer would meet: behind `not` stands what was
    ///   meant for an operator, and is none.
    /// - Returns: nothing for a file that isn't YAML: that is said elsewhere.
    package static func find(in bytes: [UInt8], path: String, onlyBlind: Bool = false) -> [CollectionProblem] {
        // Reading the file again takes longer than a look for the word without which no expectation is blind.
        if onlyBlind, !hasNot(bytes) { return [] }
        guard let document = try? YAMLDocument(path: path, bytes: bytes), let root = document.root else { return [] }
        var hints = ExpectationHints(path: path, text: String(decoding: bytes, as: UTF8.self), onlyBlind: onlyBlind)
        hints.walk(root)
        return hints.hints
    }

    private static func hasNot(_ bytes: [UInt8]) -> Bool {
        var (beforeLast, last) = (UInt8(0), UInt8(0))
        for byte in bytes {
            if byte == UInt8(ascii: "t"), last == UInt8(ascii: "o"), beforeLast == UInt8(ascii: "n") { return true }
            (beforeLast, last) = (last, byte)
        }
        return false
    }

    /// The same of several files, in their order.
    ///
    /// - Parameter contents: of a file; `nil` for one that has gone.
    package static func find(
        in paths: [String], onlyBlind: Bool = false, contents: @escaping @Sendable (String) -> [UInt8]?
    ) -> [CollectionProblem] {
        concurrentMap(paths.count, pieceSize: 64) { index in
            contents(paths[index]).map { find(in: $0, path: paths[index], onlyBlind: onlyBlind) } ?? []
        }
        .flatMap(\.self)
    }

    private init(path: String, text: String, onlyBlind: Bool) {
        self.path = path
        self.onlyBlind = onlyBlind
        lines = text.lines
    }

    private mutating func add(_ node: YAMLNode, _ message: String?, isBlind: Bool = false) {
        if let message, isBlind || !onlyBlind {
            hints.append(CollectionProblem(location: node.location(in: path), message: message))
        }
    }

    private mutating func walk(_ node: YAMLNode) {
        for item in node.items ?? [] { walk(item) }
        guard let pairs = node.pairs else { return }
        let isRequest = pairs.contains { pair in pair.key.text.map { $0 == "url" || FormatTable.methods.contains($0) } ?? false }
        for pair in pairs {
            if isRequest, pair.key.text == "expect" {
                add(pair.value, of: .keys(.expect))
            } else if isRequest, pair.key.text == "until" {
                add(pair.value, of: .keys(.until))
            } else {
                walk(pair.value)
            }
        }
    }

    private mutating func add(_ node: YAMLNode, of shape: FormatShape) {
        // What an alias stands for is looked at where it stands.
        guard node.decoration?.alias == nil else { return }
        switch shape {
        case .keys(let table):
            for pair in node.pairs ?? [] { if let key = table[pair.key.text ?? ""] { add(pair.value, of: key.takes) } }
        case .named(let shape):
            for pair in node.pairs ?? [] { add(pair.value, of: shape) }
        case .bodyMatcher where RequestReader.isFilters(node):
            for pair in node.pairs ?? [] {
                add(pair.key, Self.hint(filter: pair.key.text ?? ""))
                add(pair.value, of: .matcher(.json))
            }
        case .bodyMatcher: add(node, of: .matcher(.text))
        case .either(let shapes):
            if let shape = shapes.first(where: { $0.takesMap == (node.pairs != nil) }) { add(node, of: shape) }
        case .matcher(let kind): add(matcher: node, kind, isNegated: false)
        default: break
        }
    }

    private mutating func add(matcher node: YAMLNode, _ kind: MatcherKind, isNegated: Bool) {
        switch node.content {
        case .sequence(let items, _):
            for item in items { add(matcher: item, kind, isNegated: isNegated) }
        case .mapping(let pairs, _):
            for pair in pairs where ["not", "all", "each", "any"].contains(pair.key.text) {
                add(matcher: pair.value, kind, isNegated: isNegated != (pair.key.text == "not"))
            }
        case .scalar(let text, .plain) where node.decoration?.tag == nil:
            if text.hasPrefix("/"), !text.dropFirst().contains("/"), isCut(node) {
                add(
                    node,
                    "this ends at ` #`, behind which YAML takes everything for a comment: `{ matches: '…' }` takes it in quotes")
            } else {
                let matcher = MatcherText(kind: kind)
                let blind = matcher.blindHint(plain: text, isNegated: isNegated)
                let hint = blind ?? matcher.hint(plain: text)
                // Nobody says of a whole body that it may be anything but one word.
                add(node, hint, isBlind: blind != nil || kind == .text && text.hasPrefix("not ") && hint != nil)
            }
        case .scalar(let text, _): add(node, MatcherText(kind: kind).hint(quoted: text))
        }
    }

    /// Whether a comment follows in the same line.
    private func isCut(_ node: YAMLNode) -> Bool {
        guard lines.indices.contains(Int(node.end.line)) else { return false }
        let rest = lines[Int(node.end.line)].unicodeScalars.dropFirst(Int(node.end.column))
        return Substring(rest).drop { $0 == " " }.hasPrefix("#") && Substring(rest).contains("/")
    }

    private static func hint(filter: String) -> String? {
        let filter = JSONFilter(filter)
        if let name = filter.refusedName { return "`\(name)` reaches out of the body, which a filter may not; it isn't evaluated" }
        guard JSONPathParser.isIdentifier(filter.source), !builtins.contains(filter.source) else { return nil }
        return "`\(filter.source)` is a program for jq; the member of that name is `.\(filter.source)`"
    }

    /// Those of jq's functions without arguments that say something about a body.
    private static let builtins: Set<String> = [
        "add", "all", "any", "empty", "first", "flatten", "keys", "keys_unsorted", "last", "length", "max", "min", "paths",
        "reverse",
        "sort", "to_entries", "tojson", "tostring", "type", "unique", "values",
    ]
}

extension MatcherText {
    /// What might surprise about a text without quotes.
    fileprivate func hint(plain text: String) -> String? {
        let trimmed = Substring(text).trimmed
        switch try? parse(text) {
        case .not(.equals(.string(let value)))? where trimmed.hasSuffix(value) && !Template.isIn(value):
            return
                "`\(text)` holds for everything but `\(value)`; the text itself stands in quotes, and `not \"\(value)\"` says that "
                + "the opposite is meant"
        case .equals(.number(let digits))?:
            if kind == .status, Int(digits).map({ !(100...599).contains($0) }) ?? true { return "no status is `\(text)`" }
            guard kind == .json, digits != text else { return nil }
            return "`\(text)` is the number \(digits); in quotes it is the text"
        case .equals(.string(let value))?: return Self.nearOperator(value, kind)
        default: return nil
        }
    }

    /// For "not" before a text that was meant for an operator.
    fileprivate func blindHint(plain text: String, isNegated: Bool) -> String? {
        var matcher = try? parse(text)
        var isNegated = isNegated
        while true {
            switch matcher {
            case .not(let inner)?: (matcher, isNegated) = (inner, !isNegated)
            case .each(let inner)?: matcher = inner
            case .equals(.string(let value))?:
                // A value in quotes is meant as a text.
                guard isNegated, Substring(text).trimmed.hasSuffix(value), !Template.isIn(value), Self.looksMeant(value) else {
                    return nil
                }
                return
                    "`\(value)` is no operator but a text, and `not` holds for everything else; in quotes it would be clear that "
                    + "it is meant"
            default: return nil
            }
        }
    }

    /// Whether a text looks like an operator of ours, or of others.
    private static func looksMeant(_ text: String) -> Bool {
        let words = text.split(separator: " ").map { $0.lowercased() }
        guard let first = words.first, let sign = text.unicodeScalars.first else { return false }
        if "<>=!~[{".unicodeScalars.contains(sign) { return true }
        let own = ["contains", "starts", "ends", "is", "length", "each", "matches", "equals", "includes"]
        guard words.count > 1 else { return nearestName(to: first, in: ["exists", "missing", "empty"]) != nil }
        return own.contains(first) || nearestName(to: first, in: own.filter { $0.utf8.count > 3 }) != nil
            || [
                "begins", "contain", "end", "endswith", "ends-with", "eq", "equal", "has", "in", "include", "like", "match", "ne",
                "one", "start", "startswith", "starts-with",
            ].contains(first)
    }

    /// For a text that is taken for itself, and looks like an operator.
    private static func nearOperator(_ text: String, _ kind: MatcherKind) -> String? {
        let words = text.split(separator: " ")
        guard let first = words.first.map({ $0.lowercased() }) else { return nil }
        let meant = "`\(text)` is a text as it stands; in quotes that would be clear"
        if kind == .json, ["yes", "no", "on", "off"].contains(text.lowercased()) {
            return "`\(text)` is a text; the values of JSON are `true` and `false`"
        }
        if words.count == 1 {
            if ["exists", "missing", "empty"].contains(first) || ["exist", "isnull", "notempty"].contains(first) {
                return "\(meant), and the operators are `exists`, `missing` and `empty`"
            }
        } else if words.count == 2, first == "is" {
            let types = Matcher.ValueType.allCases.map(\.rawValue)
            let word = String(words[1]).lowercased()
            guard
                nearestName(to: word, in: types) != nil
                    || ["text", "int", "bool", "float", "list", "map", "exists", "missing", "empty"]
                        .contains(word)
            else { return nil }
            return "\(meant); the types are \(types.map { "`\($0)`" }.joined(separator: ", "))"
        } else if ["matches", "equals", "startswith", "starts-with", "endswith", "ends-with", "includes"].contains(first) {
            return "\(meant); the operators are `/…/`, `contains`, `starts with` and `ends with`"
        }
        if let misspelt = misspeltOperator(words.map { $0.lowercased() }) { return "\(meant); \(misspelt)" }
        guard let sign = text.first, "<>!".contains(sign), words.count == 2, ["<", ">", "<=", ">=", "!"].contains(words[0]) else {
            return nil
        }
        return "\(meant): only numbers, durations and sizes are compared"
    }

    /// Which operator `lenght 3` or `=> 5` may have been meant for.
    private static func misspeltOperator(_ words: [String]) -> String? {
        guard words.count > 1, let first = words.first else { return nil }
        switch first {
        case "=>": return "the operator is `>=`"
        case "=<": return "the operator is `<=`"
        case "<>", "!==", "=!": return "the operator is `not`"
        case "===", "eq": return "a value stands by itself"
        case "=~", "~", "!~": return "a regular expression stands between slashes: `/…/`"
        default: break
        }
        let candidates = words[1] == "with" ? ["starts", "ends"] : ["length", "contains", "each"]
        guard !candidates.contains(first), first.utf8.count > 3, let name = nearestName(to: first, in: candidates) else {
            return nil
        }
        // `lengths in metres` is a text.
        guard name != "length" || words[1].contains(where: \.isNumber) || "<>=".contains(words[1].first ?? " ") else { return nil }
        return "the operator is `\(name)\(words[1] == "with" ? " with" : "")`"
    }

    /// In quotes an operator is a text. Words such as `missing` are quoted for that very reason; nobody looks for these.
    fileprivate func hint(quoted text: String) -> String? {
        guard case .equals? = try? parse(quoted: text), let matcher = try? parse(text) else { return nil }
        if case .equals(.string(let value)) = matcher, let sign = value.first, "=<!~".contains(sign) {
            let words = value.split(separator: " ").map(String.init)
            return Self.misspeltOperator(words).map {
                "`\"\(text)\"` is a text; \($0), and `{ equals: … }` says that the text is meant"
            }
        }
        let isMeant: Bool
        switch matcher {
        case .matches(let pattern, _): isMeant = !pattern.contains { "\\^$*+[(|".contains($0) }
        case .range, .contains, .startsWith, .endsWith, .length, .each, .not(.exists), .not(.empty), .not(.missing), .not(.matches):
            isMeant = false
        case .not(.equals): isMeant = !text.hasPrefix("!=")
        case .equals: isMeant = !text.hasPrefix("==")
        default: isMeant = true
        }
        guard !isMeant else { return nil }
        let way = text.hasPrefix("!=") ? "write `not \(text.dropFirst(2).drop { $0 == " " })`" : "leave the quotes out"
        return
            "`\"\(text)\"` is a text, since it stands in quotes; for the operator \(way), and `{ equals: … }` says that the text is meant"
    }
}

extension FormatShape {
    fileprivate var takesMap: Bool {
        if case .keys = self { true } else { false }
    }
}
