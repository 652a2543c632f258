/// When a request is sent, and how often.
extension RequestReader {
    /// `until: 30s`, or what the answer must be.
    func until(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> UntilDefinition {
        let node = pair.value
        var until = UntilDefinition(within: node.text.flatMap(DurationText.parse), location: location(pair.key))
        if node.pairs != nil {
            until.conditions = expectations(node)
            until.giveUp = node["give-up"].map(expectations) ?? []
            UntilDefinition.fields.read(node, with: self, into: &until, problems: &problems)
        }
        if until.within == .zero { problems.append(problem(node["within"] ?? node, "`within` must be more than nothing")) }
        if let every = until.every, let complaint = Self.complaint(about: every, within: until.limit) {
            problems.append(problem(node["every"] ?? node, complaint))
        }
        return until
    }

    private static func complaint(about every: PollPause, within limit: Duration) -> String? {
        if case .growing(let growth) = every, let first = growth.first, let longest = growth.longest, longest < first {
            return
                "`max` is \(DurationText.format(longest)), and `first` \(DurationText.format(first)): no pause is shorter than the first"
        }
        guard every.first > .zero else { return "`every` must be more than nothing: without a pause the server has no rest" }
        guard every.first > limit else { return nil }
        return "`every` is \(DurationText.format(every.first)), and `within` \(DurationText.format(limit)): "
            + "it would be sent once; make `within` longer"
    }

    /// `when: { plan: [pro, team] }`, `when: { any: [{ plan: pro }, { stage: test }] }`
    func when(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> WhenDefinition? {
        var when = WhenDefinition(conditions: [], location: location(pair.key))
        let pairs = pair.value.pairs ?? []
        for pair in pairs where Self.isMeantAsAlternatives(pair) {
            problems.append(
                problem(
                    pair.value, "`any` takes a list of maps, of which one must hold, as in `any: [{ plan: pro }, { stage: test }]`")
            )
        }
        when.conditions = conditions(
            pairs.filter { Self.alternatives($0) == nil && !Self.isMeantAsAlternatives($0) }, problems: &problems)
        for map in pairs.compactMap(Self.alternatives).flatMap(\.self) {
            if let inner = map.pairs?.first(where: { Self.alternatives($0) != nil }) {
                problems.append(problem(inner.key, "`any` doesn't stand in another `any`; write the maps of both into one list"))
                continue
            }
            let conditions = conditions(map.pairs ?? [], problems: &problems)
            guard !conditions.isEmpty else {
                if map.pairs?.isEmpty == true {
                    problems.append(problem(map, "a map of `any` names no variable, and would always hold"))
                }
                continue
            }
            when.alternatives.append(conditions)
        }
        if pairs.isEmpty, pair.value.pairs != nil {
            problems.append(problem(pair.value, "`when` names no variable; say what one must be, as in `when: { plan: pro }`"))
        }
        return when.allConditions.isEmpty ? nil : when
    }

    /// The maps of `any`, of which one must hold; `nil` for a variable of that name.
    static func alternatives(_ pair: YAMLPair) -> [YAMLNode]? {
        guard pair.key.text == "any", let maps = pair.value.items, !maps.isEmpty, maps.allSatisfy({ $0.pairs != nil }) else {
            return nil
        }
        return maps
    }

    /// Whether it is no list of maps, and neither says what a variable of that name must be.
    static func isMeantAsAlternatives(_ pair: YAMLPair) -> Bool {
        guard pair.key.text == "any", alternatives(pair) == nil else { return false }
        if let items = pair.value.items { return items.isEmpty || items.contains { $0.pairs != nil } }
        let matchers = Set(FormatTable.matcher.keys.map(\.name))
        return pair.value.pairs?.contains { $0.key.text.map { !matchers.contains($0) } ?? true } ?? false
    }

    private func conditions(_ pairs: [YAMLPair], problems: inout [CollectionProblem]) -> [WhenDefinition.Condition] {
        var conditions: [WhenDefinition.Condition] = []
        for condition in pairs {
            guard let name = condition.key.text else { continue }
            guard TemplateName.isValid(name) else {
                problems.append(problem(condition.key, Self.notAName(name)))
                continue
            }
            var reader = MatcherReader(path: path, kind: .json)
            let matcher = reader.read(condition.value)
            if !reader.steps.isEmpty || MatcherReader.parts(of: condition.value) != nil {
                problems.append(problem(condition.value, "`then` is for what comes of a response, not for `when`"))
            }
            conditions.append(.init(variable: name, matcher: matcher, location: location(condition.key)))
        }
        return conditions
    }

    /// What can only be said when the whole request is read.
    func checkFlow(of request: inout RequestDefinition) {
        if request.repeats != nil, request.forEach != nil {
            request.problems.append(
                CollectionProblem(
                    location: request.places["repeat"] ?? request.location,
                    message: "`repeat` and `for-each` don't stand together; a list of loops goes through both: "
                        + "`for-each: [{ round: 1..\(request.repeats ?? 1) }, …]`"))
        }
        if let until = request.until, until.conditions.isEmpty, request.expectations.isEmpty {
            request.problems.append(
                CollectionProblem(
                    location: until.location,
                    message: "`until` doesn't say what the answer must be, and there is no `expect`; say it here, as in "
                        + "`until: { status: 200, within: 30s }`, or in `expect`"))
        }
    }
}
