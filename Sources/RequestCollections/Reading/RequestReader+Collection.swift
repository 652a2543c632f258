import NetworkLayer
import OrderedCollections

extension RequestReader {
    /// What a collection says about itself: a whole file's root, or `_collection.yaml`'s.
    func readCollection(_ node: YAMLNode, _ table: FormatTable, into collection: inout RequestCollection) {
        table.check(node, in: path, problems: &collection.problems)
        guard node.pairs != nil else { return }
        checkVersion(node, problems: &collection.problems)
        if let name = node["name"]?.text { collection.name = name }
        collection.description = node["description"]?.text
        if let variables = node["variables"] {
            collection.variables = self.variables(variables, problems: &collection.problems)
        }
        for pair in node["environments"]?.pairs ?? [] {
            guard let name = pair.key.text, collection.environments[name] == nil else { continue }
            collection.environments[name] = environment(name, pair, problems: &collection.problems)
        }
        checkExtends(node["environments"], collection.environments, problems: &collection.problems)
        if let defaults = node["defaults"] { collection.defaults = self.defaults(defaults, problems: &collection.problems) }
        collection.steps = steps(node)
    }

    private func checkVersion(_ node: YAMLNode, problems: inout [CollectionProblem]) {
        guard let version = node["turnstone"] else {
            problems.append(problem(node, "the file doesn't say which version of the format it has; add the line `turnstone: 1`"))
            return
        }
        if let number = version.text.flatMap({ Int($0) }), number != 1 {
            problems.append(problem(version, "the file has version \(number) of the format; this program reads version 1"))
        }
    }

    private func environment(_ name: String, _ pair: YAMLPair, problems: inout [CollectionProblem]) -> EnvironmentDefinition {
        EnvironmentDefinition(
            name: name, extends: pair.value["extends"]?.text,
            variables: variables(pair.value, problems: &problems).filter { $0.name != "extends" }, location: location(pair.key))
    }

    private func checkExtends(
        _ node: YAMLNode?, _ environments: OrderedDictionary<String, EnvironmentDefinition>, problems: inout [CollectionProblem]
    ) {
        for pair in node?.pairs ?? [] {
            guard let name = pair.key.text, let extends = pair.value["extends"], let base = extends.text else { continue }
            if environments[base] == nil {
                problems.append(
                    problem(
                        extends,
                        "the environment `\(name)` extends `\(base)`, which isn't there\(suggestion(for: base, in: environments.keys))"
                    ))
                continue
            }
            var chain = [name]
            var next: String? = base
            while let current = next, !chain.contains(current) {
                chain.append(current)
                next = environments[current]?.extends
            }
            if next == name {
                problems.append(
                    problem(extends, "the environment `\(name)` extends itself: \((chain + [name]).joined(separator: " → "))"))
            }
        }
    }

    func variables(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [VariableDefinition] {
        (node.pairs ?? []).compactMap { pair in
            guard let name = pair.key.text else { return nil }
            guard TemplateName.isValid(name) else {
                problems.append(
                    problem(pair.key, Self.notAName(name)))
                return nil
            }
            return VariableDefinition(
                name: name, value: variable(pair.value, problems: &problems),
                origins: origins(pair.value, problems: &problems), location: location(pair.key))
        }
    }

    private func variable(_ node: YAMLNode, problems: inout [CollectionProblem]) -> VariableDefinition.Value {
        switch node.content {
        case .scalar(let text, let style):
            if style == .plain, node.decoration?.tag == nil, PlainScalar(text) != .text {
                return .json(jsonText(node, problems: &problems))
            }
            return .text(text)
        case .mapping(let pairs, _) where Self.isSecret(pairs):
            let count = problems.count
            FormatTable.secret.check(node, in: path, problems: &problems)
            let secret = pairs.first { $0.key.text == "secret" }?.value ?? node
            guard problems.count == count, let source = secret.pairs, source.count == 1, let kind = source[0].key.text else {
                if problems.count == count {
                    problems.append(problem(secret, "a secret has one source: `env`, `command`, `file` or `prompt`"))
                }
                return .json("null")
            }
            switch kind {
            case "env": return .secret(.environment(source[0].value.text ?? ""))
            case "file": return .secret(.file(source[0].value.text ?? ""))
            case "prompt": return .secret(.prompt(source[0].value.text ?? ""))
            default:
                let command = source[0].value.items?.compactMap(\.text) ?? []
                if command.isEmpty { problems.append(problem(source[0].value, "the command of a secret is empty")) }
                return .secret(.command(command))
            }
        case .mapping, .sequence:
            return .json(jsonText(node, problems: &problems))
        }
    }

    /// A map with any other key in it is a variable's value.
    private static func isSecret(_ pairs: [YAMLPair]) -> Bool {
        Set(pairs.map(\.key.text)).isSubset(of: ["secret", "for"]) && pairs.contains { $0.key.text == "secret" }
    }

    /// `for:` of a secret.
    private func origins(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [OriginPattern]? {
        guard let pairs = node.pairs, Self.isSecret(pairs), let written = pairs.first(where: { $0.key.text == "for" })?.value
        else { return nil }
        let texts = written.items ?? [written]
        var origins: [OriginPattern] = []
        for node in texts {
            if let origin = node.text.flatMap({ OriginPattern($0) }) {
                origins.append(origin)
            } else if node.text != nil {
                problems.append(
                    problem(
                        node,
                        "`for` takes origins such as `https://api.example.com` or `https://*.example.com`, not `\(node.text ?? "")`"
                    ))
            }
        }
        if texts.isEmpty { problems.append(problem(written, "`for` is empty, so the secret may go nowhere")) }
        return origins
    }
}

extension RequestReader {
    /// A text is taken as it stands; any other value becomes JSON.
    func json(_ node: YAMLNode, problems: inout [CollectionProblem]) -> String {
        if case .scalar(let text, let style) = node.content, style != .plain || PlainScalar(text) == .text { return text }
        return jsonText(node, problems: &problems)
    }

    func jsonText(_ node: YAMLNode, problems: inout [CollectionProblem]) -> String {
        do throws(CollectionProblem) {
            return try JSONValue(node, in: path).text(pretty: true)
        } catch {
            problems.append(error)
            return "null"
        }
    }

    func parts(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            for value in pair.value.items ?? [pair.value] {
                guard value.pairs != nil else {
                    parts.append(.init(name: name, content: .text(value.isNull ? "" : value.text ?? ""), isEnabled: !value.isNull))
                    continue
                }
                if value["value"] != nil, let file = value.pairs?.first(where: { $0.key.text == "file" }) {
                    problems.append(problem(file.key, "both `value` and `file` are there; the part `\(name)` has one content"))
                }
                var part = BodyDefinition.Part(name: name, content: .text(""))
                BodyDefinition.Part.fields.read(value, with: self, into: &part, problems: &problems)
                parts.append(part)
            }
        }
        return parts
    }
}
