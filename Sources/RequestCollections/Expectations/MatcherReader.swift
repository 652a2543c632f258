/// Makes a matcher out of a YAML value.
struct MatcherReader {
    let path: String
    let kind: MatcherKind
    private(set) var problems: [CollectionProblem] = []
    /// What is done to the value first.
    private(set) var steps: [ValueStep] = []
    private var depth = 0

    init(path: String, kind: MatcherKind) {
        self.path = path
        self.kind = kind
    }

    /// What is said of one value after different steps: the items of an `all` that stands alone, when one of them has a `then`.
    static func parts(of node: YAMLNode) -> [YAMLNode]? {
        guard let pairs = node.pairs, pairs.count == 1, pairs[0].key.text == "all", let items = pairs[0].value.items,
            items.contains(where: { $0.has("then") })
        else { return nil }
        return items
    }

    mutating func read(_ node: YAMLNode) -> Matcher {
        switch node.content {
        case .scalar(let text, let style):
            if text.isEmpty, node.isNull { return .missing }
            do throws(MatcherError) {
                let isPlain = style == .plain && node.decoration?.tag == nil
                return try isPlain ? MatcherText(kind: kind).parse(text) : MatcherText(kind: kind).parse(quoted: text)
            } catch {
                report(node, error.message)
                return .exists
            }
        case .sequence(let items, _):
            if items.isEmpty { report(node, "an expectation with no value in its list can't hold") }
            depth += 1
            defer { depth -= 1 }
            return .any(items.map { read($0) })
        case .mapping(let pairs, _):
            if pairs.isEmpty { report(node, "an expectation takes a value, not an empty map") }
            let before = problems.count
            FormatTable.matcher.check(node, in: path, problems: &problems)
            guard problems.count == before else { return .exists }
            if let node = node["then"] {
                guard depth == 0 else {
                    report(
                        node,
                        "`then` is about the whole value: it stands in the outermost map of an expectation, or in each of the outermost `all`"
                    )
                    return .exists
                }
                // What comes of it has a type.
                var reader = MatcherReader(path: path, kind: .json)
                reader.depth = 1
                let matcher = reader.read(pairs.filter { $0.key.text != "then" })
                steps = Self.steps(node, in: path, problems: &problems)
                problems += reader.problems
                return matcher
            }
            depth += 1
            defer { depth -= 1 }
            return read(pairs)
        }
    }

    private mutating func read(_ pairs: [YAMLPair]) -> Matcher {
        let matchers = pairs.compactMap { pair in pair.key.text.map { read($0, pair.value) } }
        return matchers.isEmpty ? .exists : matchers.count == 1 ? matchers[0] : .all(matchers)
    }

    /// One step, or a list of them. They are all words: quotes change nothing.
    static func steps(_ node: YAMLNode, in path: String, problems: inout [CollectionProblem]) -> [ValueStep] {
        var steps: [ValueStep] = []
        for item in node.items ?? [node] {
            do throws(MatcherError) {
                guard let text = item.text else { throw MatcherError("a step is a text, such as `base64` or `.a.b`") }
                if Template.isIn(text) { throw MatcherError("templates aren't filled in in steps, and `\(text)` has one") }
                steps.append(try ValueStep(text))
            } catch {
                problems.append(CollectionProblem(location: item.location(in: path), message: error.message))
            }
        }
        return steps
    }

    private mutating func read(_ key: String, _ node: YAMLNode) -> Matcher {
        if kind != .json, let problem = Self.problem(of: key, node) { report(node, problem) }
        checkValues(of: key, node)
        switch key {
        case "equals": return .equals(value(node))
        case "not": return .not(read(node))
        case "one-of": return .any((node.items ?? [node]).map { .equals(value($0)) })
        case "all":
            let matchers = (node.items ?? [node]).map { read($0) }
            return matchers.count == 1 ? matchers[0] : .all(matchers)
        case "each": return .each(read(node))
        case "any": return .some(read(node))
        case "matches":
            // With its slashes, as it is written without `matches`; in quotes they are a part of it.
            if case .scalar(let text, .plain) = node.content {
                do throws(MatcherError) {
                    if let matcher = try MatcherText(kind: kind).pattern(text[...]) { return matcher }
                } catch {
                    report(node, error.message)
                }
            }
            let pattern = node.text ?? ""
            do throws(MatcherError) {
                try MatcherText.check(pattern: pattern)
            } catch {
                report(node, error.message)
            }
            return .matches(pattern, ignoringCase: false)
        case "contains": return .contains(value(node))
        case "starts-with": return .startsWith(node.text ?? "")
        case "ends-with": return .endsWith(node.text ?? "")
        case "type": return node.text.flatMap(Matcher.ValueType.init).map(Matcher.type) ?? .exists
        case "exists": return node.boolean == false ? .missing : .exists
        case "schema": return .schema(SchemaReference(path: node.text ?? ""))
        default:
            // `length`
            var reader = MatcherReader(path: path, kind: .number)
            reader.depth = 1
            let matcher = reader.read(node)
            problems += reader.problems
            return .length(matcher)
        }
    }

    /// A list of nothing always holds, or never does; a value of another kind never does, and its opposite always.
    private mutating func checkValues(of key: String, _ node: YAMLNode) {
        if ["all", "one-of"].contains(key), node.items?.isEmpty == true {
            report(node, "`\(key)` takes a list with something in it")
        }
        guard kind != .json, kind != .text, ["equals", "one-of"].contains(key) else { return }
        for value in node.items ?? [node] {
            // A certificate is valid for a duration, or has expired.
            guard let text = value.text, kind != .duration || text != "expired" else { continue }
            do throws(MatcherError) { try MatcherText(kind: kind).checkPlain(text[...]) } catch { report(value, error.message) }
        }
    }

    /// Where a value is no JSON, it is never a list, a map or of another type than text: such a matcher could never hold.
    private static func problem(of key: String, _ node: YAMLNode) -> String? {
        let hasStructure = (key == "one-of" ? node.items ?? [] : [node]).contains { $0.items != nil || $0.pairs != nil }
        switch key {
        case "each", "any", "type", "schema": return MatcherText.needsJSON("`\(key)`")
        case "equals", "contains", "one-of":
            return hasStructure ? MatcherText.needsJSON("`\(key)` with a list or a map") : nil
        default: return nil
        }
    }

    private mutating func value(_ node: YAMLNode) -> JSONValue {
        do throws(CollectionProblem) {
            return try JSONValue(node, in: path)
        } catch {
            problems.append(error)
            return .null
        }
    }

    private mutating func report(_ node: YAMLNode, _ message: String) {
        problems.append(CollectionProblem(location: node.location(in: path), message: message))
    }
}
