extension RequestReader {
    /// One entry for each thing that is expected, in the file's order. What is wrong in them was reported by the table's check.
    func expectations(_ node: YAMLNode) -> [ExpectationDefinition] {
        (node.pairs ?? []).flatMap { pair in pair.key.text.flatMap { ExpectationField[$0] }?.read(self, pair) ?? [] }
    }

    /// What a cookie's value must be, and its attributes.
    func cookies(_ node: YAMLNode) -> [ExpectationDefinition] {
        (node.pairs ?? []).flatMap { cookie -> [ExpectationDefinition] in
            guard let name = cookie.key.text else { return [] }
            guard let pairs = cookie.value.pairs else { return self.expectations(.cookie(name), cookie) }
            var expectations: [ExpectationDefinition] = []
            for pair in pairs {
                if let attribute = pair.key.text.flatMap(CookieAttribute.init) {
                    expectations += self.expectations(.cookieAttribute(name, attribute), pair)
                } else if pair.key.text == "value" {
                    expectations += self.expectations(.cookie(name), pair)
                }
            }
            guard let words = Self.valueWords(ofCookie: cookie.value) else { return expectations }
            return self.expectations(.cookie(name), YAMLPair(key: cookie.key, value: words)) + expectations
        }
    }

    /// What stands beside the attributes of a cookie in words for its value itself; `nil` where nothing does.
    static func valueWords(ofCookie node: YAMLNode) -> YAMLNode? {
        let words = (node.pairs ?? []).filter { !FormatTable.isCookieFact($0.key.text ?? "") }
        return words.isEmpty ? nil : YAMLNode(content: .mapping(words, isFlow: false), start: node.start, end: node.end)
    }

    /// A map of filters, or what the whole text must be.
    func body(_ pair: YAMLPair) -> [ExpectationDefinition] {
        guard Self.isFilters(pair.value) else {
            // A schema is about JSON, and so about what the body says.
            return expectations(pair.value.has("schema") ? .filter(".") : .body, pair)
        }
        return named(pair.value) { .filter($0) }
    }

    /// Keys that begin with a dot are filters; a map of matchers has none.
    static func isFilters(_ node: YAMLNode) -> Bool {
        node.pairs?.contains { FormatTable.matcher[$0.key.text ?? ""] == nil } ?? false
    }

    func named(_ node: YAMLNode, _ subject: (String) -> ExpectationSubject) -> [ExpectationDefinition] {
        (node.pairs ?? []).flatMap { pair in pair.key.text.map { expectations(subject($0), pair) } ?? [] }
    }

    /// What is said of one thing: one expectation, or one for each part of it.
    func expectations(_ subject: ExpectationSubject, _ pair: YAMLPair) -> [ExpectationDefinition] {
        let parts = MatcherReader.parts(of: pair.value)
        return (parts ?? [pair.value]).map { part in
            var reader = MatcherReader(path: path, kind: subject.kind)
            let matcher = reader.read(part)
            let location = parts == nil ? self.location(pair.key) : self.location(part)
            return ExpectationDefinition(subject, then: reader.steps, matcher, location: location)
        }
    }

    // MARK: Captures

    func captures(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [CaptureDefinition] {
        var captures: [CaptureDefinition] = []
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            guard TemplateName.isValid(name) else {
                problems.append(problem(pair.key, Self.notAName(name)))
                continue
            }
            let isLong = pair.value.pairs != nil
            if isLong, pair.value["from"] == nil {
                if FormatTable.capture.knowsAllKeys(of: pair.value) {
                    problems.append(problem(pair.value, "`\(name)` lacks `from`"))
                }
                continue
            }
            let from = isLong ? pair.value["from"] ?? pair.value : pair.value
            guard let text = from.text, let (source, steps) = CaptureSource.parse(text) else {
                problems.append(
                    problem(
                        from,
                        "`\(name)` captures \(from.kind); it takes a path into the body such as `.id`, `header:NAME`, "
                            + "`cookie:NAME`, `link:next`, `/…(…)…/`, `xpath:…`, `tls:NAME`, `time:NAME`, `status`, `url` or `body`"
                    ))
                continue
            }
            if case .filter(let filter) = source, Template.isIn(filter) {
                problems.append(problem(from, Self.noTemplates(in: filter)))
                continue
            }
            if case .filter(let filter) = source, case .regex(let pattern, _) = JSONFilter(filter).language {
                do throws(MatcherError) {
                    try MatcherText.check(pattern: pattern)
                } catch {
                    problems.append(problem(from, error.message))
                    continue
                }
            }
            var capture = CaptureDefinition(name: name, source: source, then: steps, location: location(pair.key))
            CaptureDefinition.fields.read(pair.value, with: self, into: &capture, problems: &problems)
            captures.append(capture)
        }
        return captures
    }

    static func noTemplates(in filter: String) -> String {
        "templates aren't filled in in filters, and `\(filter)` has one"
    }

    static func notAName(_ name: String) -> String {
        "`\(name)` can't name a variable: it takes letters, digits, `_`, `-` and `.`, a letter or `_` first"
    }

    // MARK: Before the request

    func needs(_ node: YAMLNode) -> [NeedDefinition] {
        if let pairs = node.pairs {
            return pairs.compactMap { pair in
                guard let name = pair.key.text else { return nil }
                var need = NeedDefinition(name: name, location: location(pair.key))
                var reported: [CollectionProblem] = []
                NeedDefinition.fields.read(pair.value, with: self, into: &need, problems: &reported)
                return need
            }
        }
        return (node.items ?? [node]).compactMap { item in
            item.text.map { NeedDefinition(name: $0, location: location(item)) }
        }
    }

    func hydrate(_ node: YAMLNode, problems: inout [CollectionProblem]) -> HydrateDefinition? {
        let words = node.items.map { $0.compactMap(\.text) } ?? node.text.map { ["sh", "-c", $0] } ?? []
        guard let first = words.first, !first.isEmpty, node.text?.isEmpty != true else {
            problems.append(problem(node, "the command of `hydrate` is empty"))
            return nil
        }
        return HydrateDefinition(words: words, location: location(node))
    }

    // MARK: Mocks

    func mock(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> MockDefinition {
        let node = pair.value
        var mock = MockDefinition(location: location(pair.key))
        if let headers = node["headers"] { mock.headers = rows(headers) }
        if node["body"] != nil, let file = node.pairs?.first(where: { $0.key.text == "file" }) {
            problems.append(problem(file.key, "both `body` and `file` are there; a mock has one body"))
        }
        MockDefinition.fields.read(node, with: self, into: &mock, problems: &problems)
        return mock
    }

    func mockBody(_ node: YAMLNode, _ problems: inout [CollectionProblem]) -> MockDefinition.Body {
        if case .scalar(let text, let style) = node.content, style != .plain || PlainScalar(text) == .text { return .text(text) }
        return .json(jsonText(node, problems: &problems))
    }
}
