import NetworkLayer

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

/// What a request, or all of a folder, is sent once for.
extension RequestReader {
    /// `repeat: 3`; what is no such number is a problem of the format.
    func repeats(_ node: YAMLNode) -> Int? {
        node.text.flatMap { Int($0) }.flatMap { (1...ForEachDefinition.mostItems).contains($0) ? $0 : nil }
    }

    /// `for-each: { sku: [A7, B9] }`, `{ page: 1..5 }`, the long form, or a list of these.
    ///
    /// - Parameter isFolder: what is in a folder is planned before anything is sent, so its items are known then.
    func forEach(_ pair: YAMLPair, isFolder: Bool = false, problems: inout [CollectionProblem]) -> ForEachDefinition? {
        do throws(CollectionProblem) {
            if let maps = pair.value.items { return try product(of: maps, pair.value) }
            guard pair.value.pairs != nil else { return nil }
            let loop = try loop(pair.value)
            guard isFolder, loop.source != nil else { return loop }
            throw problem(
                pair.value.pairs?.last?.value ?? pair.value,
                "the `for-each` of a folder takes items that stand in a file; one request may take them from an answer")
        } catch {
            problems.append(error)
            return nil
        }
    }

    /// Every combination: `for-each: [{ region: [eu, us] }, { plan: [a, b] }]`
    private func product(of maps: [YAMLNode], _ node: YAMLNode) throws(CollectionProblem) -> ForEachDefinition {
        var loops: [ForEachDefinition] = []
        for map in maps {
            guard map.pairs != nil else {
                throw problem(
                    map, "a list under `for-each` has a map for each loop, as in `[{ region: [eu, us] }, { plan: [a, b] }]`")
            }
            let loop = try loop(map)
            guard loop.source == nil else {
                throw problem(map, "loops in a list take items that stand in a file; one loop alone may take them from an answer")
            }
            guard !loops.contains(where: { $0.variable == loop.variable }) else {
                throw problem(map, "`\(loop.variable)` is the variable of two loops; each has one of its own")
            }
            loops.append(loop)
        }
        guard var outer = loops.first else { throw problem(node, "the list is empty, so the request would never be sent") }
        outer.inner = Array(loops.dropFirst())
        return outer
    }

    /// Whether a map is `{ as: sku, in: [A7, B9], … }`.
    static func isLong(_ node: YAMLNode) -> Bool {
        let count = node.pairs?.count ?? 0
        return count > 1 && (node.has("as") || node.has("in"))
    }

    private func loop(_ node: YAMLNode) throws(CollectionProblem) -> ForEachDefinition {
        guard Self.isLong(node) else {
            guard let pairs = node.pairs, pairs.count == 1 else {
                throw problem(
                    node,
                    "`for-each` takes one variable and what it goes through, as in `for-each: { sku: [A7, B9] }`; "
                        + "for every combination of two, a list: `for-each: [{ sku: [A7, B9] }, { plan: [a, b] }]`; to say more, "
                        + "`for-each: { as: sku, in: [A7, B9], title: \"{{sku}}\" }`")
            }
            return try loop(over: pairs[0].value, called: pairs[0].key)
        }
        guard let name = node["as"], let items = node["in"] else {
            throw problem(node, "the long form of `for-each` has `as`, a variable, and `in`, what it goes through")
        }
        var loop = try loop(over: items, called: name)
        func number(_ key: String) -> Int? { node[key]?.text.flatMap { Int($0) } }
        loop.title = try node["title"].map { node throws(CollectionProblem) in try title(node, of: loop.variable) }
        (loop.jobs, loop.atLeast, loop.atMost) = (number("jobs"), number("at-least"), number("at-most"))
        if let least = loop.atLeast, let most = loop.atMost, least > most {
            throw problem(node["at-least"] ?? node, "`at-least` is \(least), and `at-most` \(most)")
        }
        switch loop.source {
        case nil where loop.file == nil:
            if let complaint = loop.complaint(aboutCount: loop.items.count) { throw problem(items, complaint) }
        case .pages(var pages)?:
            if let jobs = loop.jobs, jobs > 1 {
                throw problem(
                    node["jobs"] ?? node, "each page leads to the next one, so they go one after the other; leave `jobs` out")
            }
            pages.atMost = loop.atMost ?? pages.atMost
            loop.atMost = nil
            loop.source = .pages(pages)
        case nil, .list?: break
        }
        return loop
    }

    private func loop(over list: YAMLNode, called key: YAMLNode) throws(CollectionProblem) -> ForEachDefinition {
        let name = key.text ?? ""
        guard TemplateName.isValid(name) else { throw problem(key, Self.notAName(name)) }
        guard name != "loop", !name.hasPrefix("loop.") else {
            throw problem(key, "`loop` is what each loop says of itself, as in `{{loop.number}}`; give the variable another name")
        }
        let location = location(key)
        if let word = ItemFile.words.first(where: list.has), let file = list[word] {
            return ForEachDefinition(name, [], file: try itemFile(word, file, of: list), location: location)
        }
        if let source = try source(list, called: name, at: location) {
            return ForEachDefinition(name, [], from: source, location: location)
        }
        let forEach = ForEachDefinition(name, try items(list), location: location)
        try check(forEach, list)
        return forEach
    }

    /// A title is shown before anything is known but the items.
    private func title(_ node: YAMLNode, of variable: String) throws(CollectionProblem) -> String {
        let text = node.text ?? ""
        let template: Template
        do throws(TemplateError) { template = try Template(text) } catch { throw problem(node, error.message) }
        for case .expression(let part) in template.segments {
            guard let name = part.expression.variable,
                name == variable || name.begins(with: variable + ".") || ForEachDefinition.place(0)[name] != nil
            else {
                throw problem(
                    node, "`title` takes the item itself, as in `{{\(variable)}}` or `{{\(variable).name}}`, and `{{loop.number}}`")
            }
            guard !Redaction.standard.redacts(variable: name) else {
                throw problem(node, "`\(name)` is a credential by its name, and titles are shown")
            }
        }
        return text
    }

    /// - Returns: `nil` for items that stand there.
    private func source(
        _ node: YAMLNode, called variable: String, at location: SourceLocation
    ) throws(CollectionProblem) -> ForEachDefinition.Source? {
        if let text = node.text, Template.isIn(text) {
            guard let template = try? Template(text), case .variable(let name)? = template.onlyExpression?.expression else {
                throw problem(node, "`for-each` takes one variable that is a list, as in `\"{{ids}}\"`; a capture can make it")
            }
            guard name != variable else { throw problem(node, "an item can't have the name of the list, `\(name)`") }
            return .list(name)
        }
        guard node.pairs != nil else { return nil }
        for key in ["at", "types"] {
            if let other = node[key] { throw problem(other, "`\(key)` belongs to `file`, which isn't there") }
        }
        guard let next = node["pages"] else {
            throw problem(node, "`for-each` takes a list, a range such as `1..5`, or a map with `file` or `pages`, not one without")
        }
        guard let text = next.text, let (capture, steps) = CaptureSource.parse(text) else {
            throw problem(
                next, "`pages` takes what of an answer leads to the next one, as `capture` does: `.next`, `header:link: /<(.*?)>/`")
        }
        let atMost = node["at-most"]?.text.flatMap { Int($0) } ?? ForEachDefinition.Pages.defaultAtMost
        guard (1...ForEachDefinition.mostItems).contains(atMost) else {
            throw problem(node["at-most"] ?? node, "`at-most` takes a number from 1 to \(ForEachDefinition.mostItems)")
        }
        let start = try node["start"].map { node throws(CollectionProblem) in try JSONValue(node, in: path) } ?? .string("")
        return .pages(
            ForEachDefinition.Pages(
                next: CaptureDefinition(name: variable, source: capture, then: steps, fallback: .null, location: location),
                start: start, atMost: atMost))
    }

    /// - Parameter word: `file`, or what the file is, whatever its name.
    private func itemFile(_ word: String, _ file: YAMLNode, of node: YAMLNode) throws(CollectionProblem) -> ItemFile {
        let others = ItemFile.words + ["pages"]
        if let other = others.first(where: { $0 != word && node.has($0) }) {
            throw problem(node[other] ?? node, "`for-each` takes one of `\(word)` and `\(other)`")
        }
        for key in ["start", "at-most"] {
            if let other = node[key] { throw problem(other, "`\(key)` belongs to `pages`, which isn't there") }
        }
        let kind = ItemFile.Kind(rawValue: word)
        guard let path = file.text, !path.isEmpty, !Template.isIn(path), let format = ItemFile(path: path, kind: kind).format else {
            throw problem(
                file,
                kind == nil
                    ? "`file` takes the name of a file that ends in .csv, .tsv, .json, .jsonl, .ndjson or .txt, without a template; "
                        + "`csv`, `json` or `lines` in its place takes any name"
                    : "`\(word)` takes the name of a file, without a template")
        }
        let place = node["at"]
        if let place {
            guard format == .json else {
                throw problem(place, "`at` says where the list is in a file in JSON, and `\(path)` is none")
            }
            guard let text = place.text, JSONFilter(text).steps != nil else {
                throw problem(place, "`at` takes a path to a list, such as `.users`")
            }
        }
        return ItemFile(path: path, kind: kind, place: place?.text, types: try columnTypes(node["types"], format))
    }

    private func columnTypes(
        _ node: YAMLNode?, _ format: ItemFile.Format
    ) throws(CollectionProblem) -> [ItemFile.ColumnType]? {
        guard let node, let pairs = node.pairs, !pairs.isEmpty else { return nil }
        guard format == .rows else { throw problem(node, "`types` is for the columns of CSV; other files have types of their own") }
        // What isn't a type was reported by the table's check.
        return pairs.compactMap { pair in
            guard let column = pair.key.text, let type = pair.value.text.flatMap(ItemFile.CellType.init) else { return nil }
            return ItemFile.ColumnType(column: column, type: type)
        }
    }

    private func items(_ list: YAMLNode) throws(CollectionProblem) -> [JSONValue] {
        if let nodes = list.items {
            var items: [JSONValue] = []
            for node in nodes { items.append(try JSONValue(node, in: path)) }
            return items
        }
        let text = list.text ?? ""
        let ends = text.split(separator: "..").map { Int($0) }
        if ends.count == 2, let first = ends[0], let last = ends[1], first <= last {
            let (distance, isTooFar) = last.subtractingReportingOverflow(first)
            guard !isTooFar, distance < ForEachDefinition.mostItems else { throw tooMany(list) }
            return (first...last).map { .number("\($0)") }
        }
        throw problem(
            list, "`for-each` takes a list, a range such as `1..5`, a variable such as `\"{{ids}}\"`, or `pages`, not `\(text)`")
    }

    private func check(_ forEach: ForEachDefinition, _ list: YAMLNode) throws(CollectionProblem) {
        if let complaint = ForEachDefinition.complaint(about: forEach.items) {
            throw problem(
                list.items.flatMap { $0.indices.contains(complaint.index) ? $0[complaint.index] : nil } ?? list, complaint.message)
        }
        for (index, item) in forEach.items.enumerated() where item.hasTemplate {
            throw problem(
                list.items?[index] ?? list,
                "an item of `for-each` stands for itself, and takes no template; write the template where it is used")
        }
    }

    private func tooMany(_ list: YAMLNode) -> CollectionProblem {
        problem(list, ForEachDefinition.tooMany)
    }
}

extension ForEachDefinition {
    fileprivate static let tooMany =
        "`for-each` goes through at most \(ForEachDefinition.mostItems) items; `turnstone run --data FILE` takes more"

    /// - Returns: the first item that can't be one, from 0, and why; also for a list that is empty or too long.
    static func complaint(about items: [JSONValue]) -> (index: Int, message: String)? {
        guard let first = items.first else { return (0, "the list is empty, so the request would never be sent") }
        guard items.count <= mostItems else { return (0, tooMany) }
        let names = Set(first.members.map(\.name))
        for (index, item) in items.enumerated() {
            if let missing = names.symmetricDifference(item.members.map(\.name)).sorted().first {
                return (index, "`\(missing)` is not in every item, so it would have no value for some of them")
            }
        }
        return nil
    }
}

extension JSONValue {
    fileprivate var hasTemplate: Bool {
        switch self {
        case .string(let text): Template.isIn(text)
        case .array(let items): items.contains(where: \.hasTemplate)
        case .object(let members): members.contains { $0.value.hasTemplate }
        case .null, .boolean, .number: false
        }
    }
}
