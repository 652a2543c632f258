import NetworkLayer

extension FormatTable {
    /// What is wrong with the keys of a map and with what stands behind them.
    func check(_ node: YAMLNode, in path: String, problems: inout [CollectionProblem]) {
        guard let pairs = node.pairs else {
            problems.append(problem(node, path, "`\(subject)` takes a map, not \(node.kind)"))
            return
        }
        node.checkNames(in: path, problems: &problems)
        for pair in pairs {
            guard let name = pair.key.text else { continue }
            if let key = self[name] {
                key.takes.check(pair.value, of: name, in: path, problems: &problems)
            } else if takesOthers, name.hasPrefix("x-") {
                pair.value.checkAllNames(in: path, problems: &problems)
            } else {
                problems.append(problem(pair.key, path, unknown(name)))
            }
        }
    }

    /// Whether keys that begin with `x-` may stand there, for other programs, and for anchors.
    var takesOthers: Bool {
        [FormatTable.collection, .collectionFile, .folder, .folderFile, .request].contains { $0 === self }
    }

    func unknown(_ name: String) -> String {
        if let near = nearestName(to: name, in: keys.map(\.name)) {
            return "unknown key `\(name)` in \(subject); did you mean `\(near)`?"
        }
        return "unknown key `\(name)` in \(subject); known are \(keys.map(\.name).joined(separator: ", "))"
    }

    private func problem(_ node: YAMLNode, _ path: String, _ message: String) -> CollectionProblem {
        CollectionProblem(location: node.location(in: path), message: message)
    }
}

extension FormatShape {
    func check(_ node: YAMLNode, of key: String, in path: String, problems: inout [CollectionProblem]) {
        if let tag = node.decoration?.tag, tag != YAMLNode.stringTag {
            problems.append(
                CollectionProblem(
                    location: node.location(in: path), message: "the tag `\(tag)` has no meaning in a collection; leave it out"))
            return
        }
        switch (self, node.content) {
        case (.notEmpty(.text), .scalar("", _)):
            problems.append(CollectionProblem(location: node.location(in: path), message: "`\(key)` is empty"))
        case (.notEmpty(let shape), _): shape.check(node, of: key, in: path, problems: &problems)
        case (.steps, _): _ = MatcherReader.steps(node, in: path, problems: &problems)
        case (.captureSource, _): FormatShape.text.check(node, of: key, in: path, problems: &problems)
        case (.nodes, .mapping):
            break  // Each of them is checked as what it is.
        case (.anything, _):
            node.checkAllNames(in: path, problems: &problems)
            node.checkTemplates(in: path, problems: &problems)
        case (.text, .scalar), (.name, .scalar):
            checkAlone(node, of: key, in: path, problems: &problems)
            node.checkTemplates(in: path, problems: &problems)
        case (.keys(let table), .mapping(let pairs, _)):
            if pairs.isEmpty, table === FormatTable.delay || table === FormatTable.pause {
                let keys =
                    table === FormatTable.delay ? "`before`, `between` or both" : "one of `first`, `factor`, `max` and `jitter`"
                let message = "`\(key)` takes \(keys), and this map is empty"
                problems.append(CollectionProblem(location: node.location(in: path), message: message))
            }
            let before = problems.count
            table.check(node, in: path, problems: &problems)
            if table === FormatTable.cookieFacts, problems.count == before, let words = RequestReader.valueWords(ofCookie: node) {
                Self.checkMatcher(words, .text, in: path, problems: &problems)
            }
        case (.list(let shape), .sequence(let items, _)):
            for item in items { shape.check(item, of: key, in: path, problems: &problems) }
        case (.named(let shape), .mapping(let pairs, _)), (.variables(let shape), .mapping(let pairs, _)):
            node.checkNames(in: path, problems: &problems)
            for pair in pairs { shape.check(pair.value, of: pair.key.text ?? key, in: path, problems: &problems) }
        case (.conditions, .mapping(let pairs, _)):
            node.checkNames(in: path, problems: &problems)
            // The reader says what is wrong with an `any` that is no list.
            for pair in pairs where !RequestReader.isMeantAsAlternatives(pair) {
                let shape =
                    RequestReader.alternatives(pair) == nil ? FormatShape.matcher(.json) : .list(.variables(.matcher(.json)))
                shape.check(pair.value, of: pair.key.text ?? key, in: path, problems: &problems)
            }
        case (.loop(let table), .mapping):
            let short = table["in"].map { FormatShape.variables($0.takes) } ?? .anything
            (RequestReader.isLong(node) ? .keys(table) : short).check(node, of: key, in: path, problems: &problems)
        case (.loop, .sequence(let items, _)):
            for item in items { check(item, of: key, in: path, problems: &problems) }
        case (.rows, .mapping(let pairs, _)):
            node.checkNames(in: path, problems: &problems)
            for pair in pairs { Self.checkRows(pair, .row, in: path, problems: &problems) }
        case (.parts, .mapping(let pairs, _)):
            node.checkNames(in: path, problems: &problems)
            for pair in pairs { Self.checkRows(pair, .part, in: path, problems: &problems) }
        case (.matcher(let kind), _):
            node.checkAllNames(in: path, problems: &problems)
            Self.checkMatcher(node, kind, in: path, problems: &problems)
            node.checkTemplates(in: path, problems: &problems)
        case (.bodyMatcher, .mapping(let pairs, _)) where RequestReader.isFilters(node):
            node.checkNames(in: path, problems: &problems)
            for pair in pairs { Self.checkFilter(pair, in: path, problems: &problems) }
        case (.bodyMatcher, _):
            // A schema is about what the text says in JSON.
            FormatShape.matcher(node.has("schema") ? .json : .text).check(node, of: key, in: path, problems: &problems)
        case (.either(let shapes), _):
            if let shape = shapes.first(where: { $0.hasForm(of: node) }) {
                shape.check(node, of: key, in: path, problems: &problems)
            } else {
                checkAlone(node, of: key, in: path, problems: &problems)
                node.checkTemplates(in: path, problems: &problems)
            }
        default:
            checkAlone(node, of: key, in: path, problems: &problems)
        }
    }

    private static func checkMatcher(
        _ node: YAMLNode, _ kind: MatcherKind, in path: String, problems: inout [CollectionProblem]
    ) {
        for part in MatcherReader.parts(of: node) ?? [node] {
            var reader = MatcherReader(path: path, kind: kind)
            _ = reader.read(part)
            problems += reader.problems
        }
    }

    private static func checkFilter(_ pair: YAMLPair, in path: String, problems: inout [CollectionProblem]) {
        guard let name = pair.key.text else { return }
        if !name.hasPrefix("."), let near = nearestName(to: name, in: FormatTable.matcher.keys.map(\.name)) {
            problems.append(
                CollectionProblem(
                    location: pair.key.location(in: path),
                    message: "`\(name)` is no filter: those begin with a dot; did you mean `.\(name)` or `\(near)`?"))
        }
        if Template.isIn(name) {
            problems.append(CollectionProblem(location: pair.key.location(in: path), message: RequestReader.noTemplates(in: name)))
        }
        if case .regex(let pattern, _) = JSONFilter(name).language {
            do throws(MatcherError) {
                try MatcherText.check(pattern: pattern)
            } catch {
                problems.append(CollectionProblem(location: pair.key.location(in: path), message: error.message))
            }
        }
        FormatShape.matcher(.json).check(pair.value, of: name, in: path, problems: &problems)
    }

    private func checkAlone(_ node: YAMLNode, of key: String, in path: String, problems: inout [CollectionProblem]) {
        guard !accepts(node) else { return }
        problems.append(CollectionProblem(location: node.location(in: path), message: "`\(key)` takes \(self), not \(node.kind)"))
    }

    private static func checkRows(_ pair: YAMLPair, _ table: FormatTable, in path: String, problems: inout [CollectionProblem]) {
        for value in pair.value.items ?? [pair.value] {
            checkRow(value, table, of: pair.key.text ?? "", in: path, problems: &problems)
        }
    }

    /// One value of a row or part: a scalar or the long form.
    private static func checkRow(
        _ node: YAMLNode, _ table: FormatTable, of key: String, in path: String, problems: inout [CollectionProblem]
    ) {
        if node.pairs != nil {
            table.check(node, in: path, problems: &problems)
        } else if node.items != nil {
            problems.append(
                CollectionProblem(
                    location: node.location(in: path),
                    message: "`\(key)` takes text, a list of texts, or `{ value:, enabled: }`, not a list in a list"))
        } else {
            // The tag.
            FormatShape.either([.text, .oneOf(["null"])]).check(node, of: key, in: path, problems: &problems)
        }
    }

    /// Whether it is made of other shapes as the node is, so that its own sentences say what is wrong inside.
    private func hasForm(of node: YAMLNode) -> Bool {
        switch self {
        case .keys, .named, .variables, .rows, .parts: node.pairs != nil
        case .list: node.items != nil
        case .notEmpty(let shape): shape.hasForm(of: node)
        // A matcher may have any form.
        case .matcher: true
        default: false
        }
    }

    /// For what isn't made of other shapes.
    private func accepts(_ node: YAMLNode) -> Bool {
        switch self {
        case .text, .prose, .captureSource, .steps: return node.text != nil && !node.isNull
        case .name:
            guard case .scalar(let text, .plain) = node.content else { return node.text != nil }
            return text.isEmpty ? !node.isNull : PlainScalar(text) == .text
        case .notEmpty(let shape): return shape.accepts(node)
        case .environmentVariable: return node.text.map(EnvironmentVariableName.isValid) == true
        case .integer: return node.text.flatMap { Int($0) } != nil
        case .boolean: return node.boolean != nil
        case .timeout:
            guard let text = node.text else { return false }
            return text == "never" || DurationText.parse(text).map { $0 > .zero } == true
        case .duration: return node.text.flatMap(DurationText.parse) != nil
        case .durationRange: return node.text.flatMap(DurationText.parseRange) != nil
        case .ports: return node.text.flatMap(PortsText.parse) != nil
        case .number(let range): return node.text.flatMap { Double($0) }.map(range.contains) == true
        case .count(let range): return node.text.flatMap { Int($0) }.map(range.contains) == true
        case .retryTrigger: return node.text.flatMap { RetryCondition($0) } != nil
        case .byteCount: return node.text.flatMap(ByteCountText.parse) != nil
        case .oneOf(let names):
            if names.contains("null"), node.isNull { return true }
            return node.text.map(names.contains) == true
        case .either(let shapes): return shapes.contains { $0.accepts(node) }
        default: return false
        }
    }
}

extension FormatShape: CustomStringConvertible {
    /// As the end of "takes".
    var description: String {
        switch self {
        case .text, .prose, .captureSource, .steps, .name: "text"
        case .notEmpty(let shape): shape.description
        case .environmentVariable: "the name of an environment variable (\(EnvironmentVariableName.rule))"
        case .integer: "a whole number"
        case .boolean: "`true` or `false`"
        case .timeout: "`never` or a duration (200ms, 3s, 1m, 1h)"
        case .duration: "a duration (200ms, 3s, 1m, 1h)"
        case .durationRange: "a duration (200ms, 3s, 1m) or two of them (`100ms..2s`)"
        case .ports: "a port, or the first and the last one (`8000-8010`)"
        case .number(let range): "a number from \(NumberText.format(range.lowerBound)) to \(NumberText.format(range.upperBound))"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .retryTrigger:
            "a status (`503`), a class of them (`5xx`), \(alternatives(RetryCondition.Kind.allCases.map { "`\($0.rawValue)`" }))"
        case .matcher, .bodyMatcher: "a value, or what it must be"
        case .byteCount: "a number of bytes (4096, 10MB, 1MiB)"
        case .oneOf(let names): alternatives(names.map { $0 == "null" ? "nothing" : "`\($0)`" })
        case .rows, .parts: "a map of names and values"
        case .nodes: "a map of requests and folders"
        case .list(let shape): "a list of \(shape.plural)"
        case .named, .variables, .conditions: "a map"
        case .loop: "a map, or a list of maps"
        case .keys(let table): "a map of \(alternatives(table.keys.map { "`\($0.name)`" }))"
        case .either(let shapes): alternatives(shapes.map(\.description))
        case .anything: "any value"
        }
    }

    private var plural: String {
        switch self {
        case .text, .prose, .captureSource, .steps: "texts"
        case .oneOf(let names): alternatives(names.map { "`\($0)`" })
        case .retryTrigger:
            "statuses (`503`), classes of them (`5xx`), \(alternatives(RetryCondition.Kind.allCases.map { "`\($0.rawValue)`" }))"
        default: "values"
        }
    }
}

private func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
}

extension YAMLNode {
    static let stringTag = "tag:yaml.org,2002:str"

    /// `true` and `false` without quotes.
    package var boolean: Bool? {
        guard case .scalar(let text, .plain) = content, case .boolean(let value) = PlainScalar(text) else { return nil }
        return value
    }

    /// As the end of "takes a map, not".
    var kind: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a map"
        case .scalar(let text, _):
            if isNull { "nothing" } else { Self.quoted(text) }
        }
    }

    /// In backticks, without what it has of credentials: a body may be where a text isn't taken.
    private static func quoted(_ text: String) -> String {
        let shown = SourceExcerpt.maskingCredentials(in: text)
        return shown.count > 40 ? "`\(shown.prefix(39))…`" : "`\(shown)`"
    }

    /// Names must be scalars, and different.
    func checkNames(in path: String, problems: inout [CollectionProblem]) {
        guard let pairs else { return }
        if isFlow { checkCommas(of: pairs, in: path, problems: &problems) }
        var seen: [String: YAMLMark] = [:]
        // Few keys are compared faster than they are hashed.
        if pairs.count <= 8 {
            for (index, pair) in pairs.enumerated() {
                checkIsScalar(pair.key, in: path, problems: &problems)
                guard let name = pair.key.text, let first = pairs[..<index].first(where: { $0.key.text == name }) else { continue }
                report(twice: pair.key, first: first.key.start, in: path, problems: &problems)
            }
            return
        }
        for pair in pairs {
            checkIsScalar(pair.key, in: path, problems: &problems)
            guard let name = pair.key.text else { continue }
            if let first = seen[name] {
                report(twice: pair.key, first: first, in: path, problems: &problems)
            } else {
                seen[name] = pair.key.start
            }
        }
    }

    /// The same for all maps inside.
    func checkAllNames(in path: String, problems: inout [CollectionProblem]) {
        switch content {
        case .scalar: break
        case .sequence(let items, _):
            for item in items { item.checkAllNames(in: path, problems: &problems) }
        case .mapping(let pairs, _):
            checkNames(in: path, problems: &problems)
            for pair in pairs { pair.value.checkAllNames(in: path, problems: &problems) }
        }
    }

    /// `{ .x: /a,b/ }` is `/a`, and a key `b/` without a value; `{ x: a, b }` is `a`, and a key `b`.
    private func checkCommas(of pairs: [YAMLPair], in path: String, problems: inout [CollectionProblem]) {
        for (before, pair) in zip(pairs, pairs.dropFirst()) {
            guard case .scalar(let first, .plain) = before.value.content, !first.isEmpty,
                case .scalar(let rest, .plain) = pair.key.content, !pair.hasColon
            else { continue }
            let text = "\(first),\(before.value.end.index + 1 == pair.key.start.index ? "" : " ")\(rest)"
            problems.append(
                CollectionProblem(
                    location: before.value.location(in: path),
                    message: "between braces `,` is a sign of YAML's own, and `\(text)` has one: put it in quotes, or write "
                        + "`\(before.key.text ?? "…"): \(text)` on a line of its own, without braces around it"))
        }
    }

    private func checkIsScalar(_ key: YAMLNode, in path: String, problems: inout [CollectionProblem]) {
        guard key.text == nil else { return }
        problems.append(CollectionProblem(location: key.location(in: path), message: "a key is text, not \(key.kind)"))
    }

    private func report(twice key: YAMLNode, first: YAMLMark, in path: String, problems: inout [CollectionProblem]) {
        problems.append(
            CollectionProblem(
                location: key.location(in: path),
                message:
                    "`\(key.text ?? "")` is there twice, first in line \(first.line + 1); a repeated parameter or header is a list")
        )
    }
}
