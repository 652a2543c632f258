import NetworkLayer
import OrderedCollections

/// The entries of a request that is new.
struct RequestWriter {
    let request: RequestDefinition
    /// By key path: `query.limit`, `body.form.name`.
    private let comments: [String: String]

    init(_ request: RequestDefinition, comments: [String: String] = [:]) {
        self.request = request
        self.comments = comments
    }

    typealias Entries = CollectionWriter.Entries

    /// In the order in which people think: what it is, where it goes, what it sends, what comes of it.
    ///
    /// - Parameter isTargetOne: method and URL are one entry, ``RequestDefinition/target``, which no file has so, and come first, as in the
    ///   format's table.
    func entries(isTargetOne: Bool = false) throws(CollectionProblem) -> Entries {
        func entries(_ keys: [RequestKey]) -> Entries { keys.compactMap { key in key.write(self).map { (key.name, $0) } } }
        let one: Entries = [(RequestDefinition.target, .scalar("\(request.method) \(request.url)", .text))]
        var all = isTargetOne ? one + entries(RequestKey.about) : entries(RequestKey.about) + target
        all += entries(RequestKey.sent)
        all += try settings()
        all += entries(RequestKey.around)
        // What an import didn't understand; it has no meaning here.
        for key in comments.keys.filter({ $0.hasPrefix("x-") }).sorted() {
            all.append((key, .scalar(comments[key] ?? "", .text)))
        }
        return all
    }

    private var target: Entries {
        if request.hasShortTarget { return [(request.method.lowercased(), .scalar(request.url, .text))] }
        return [("method", .scalar(request.method, .text)), ("url", .scalar(request.url, .text))]
    }

    private func settings() throws(CollectionProblem) -> Entries {
        var entries: Entries = []
        for node in SettingNode.all { if let value = try written(node) { entries.append((node.name, value)) } }
        return entries
    }

    private func written(_ node: SettingNode) throws(CollectionProblem) -> DesiredValue? {
        let own = try node.field?.written(in: request.settings, at: request.location)
        var entries: Entries = []
        for child in node.children { if let value = try written(child) { entries.append((child.name, value)) } }
        if case .map? = own { return .map(entries, layout: entries.isEmpty ? .flow : .automatic) }
        return own.map { DesiredValue($0) } ?? (entries.isEmpty ? nil : .map(entries))
    }

    static func needs(_ needs: [NeedDefinition]) -> DesiredValue {
        if needs.allSatisfy({ NeedDefinition.fields.written($0).isEmpty }) {
            let names = needs.map(\.name)
            return names.count == 1 ? .scalar(names[0], .text) : .texts(names)
        }
        return .map(
            needs.map { need in
                let entries = NeedDefinition.fields.written(need)
                return (need.name, entries.isEmpty ? .scalar("null", .literal) : .map(entries))
            })
    }

    /// A line for the shell, or the words of a program.
    static func hydrate(_ hydrate: HydrateDefinition) -> DesiredValue {
        let words = hydrate.words
        return words.count == 3 && words[..<2] == ["sh", "-c"] ? .scalar(words[2], .text) : .texts(words)
    }

    static func captures(_ captures: [CaptureDefinition]) -> DesiredValue {
        .map(
            captures.map { capture in
                let source = DesiredValue.scalar(capture.source.description, .text)
                let more = CaptureDefinition.fields.written(capture)
                return (capture.name, more.isEmpty ? source : .map([("from", source)] + more))
            })
    }

    // MARK: Rows

    /// - Parameter place: what the names of comments begin with.
    func rows(_ rows: [RequestDefinition.Row], at place: String) -> DesiredValue {
        groups(rows.grouped(by: \.name).map { ($0[0].name, $0.map(Self.row)) }, at: place)
    }

    /// Values that have one name are a list.
    private func groups(_ groups: [(name: String, values: [DesiredValue])], at place: String) -> DesiredValue {
        .map(
            groups.map { name, values in
                DesiredEntry(
                    source: nil, key: name,
                    value: values.count == 1
                        ? values[0] : .list(values.map { DesiredEntry(source: nil, key: "", value: $0) }, .automatic),
                    comment: comments["\(place).\(name)"])
            }, .automatic)
    }

    /// Rows that have no comments of their own.
    static func rows(_ rows: [RequestDefinition.Row]) -> DesiredValue {
        .map(
            rows.grouped(by: \.name).map { rows in
                let values = rows.map(row)
                let list = values.map { DesiredEntry(source: nil, key: "", value: $0) }
                return (rows[0].name, values.count == 1 ? values[0] : .list(list, .automatic))
            })
    }

    private static func row(_ row: RequestDefinition.Row) -> DesiredValue {
        if row.isEnabled { return .scalar(row.value, .text) }
        return row.value.isEmpty
            ? .scalar("null", .literal)
            : .map([("value", .scalar(row.value, .text)), ("enabled", .scalar("false", .literal))])
    }

    // MARK: Body

    func parts(_ parts: [BodyDefinition.Part]) -> DesiredValue {
        groups(parts.grouped(by: \.name).map { ($0[0].name, $0.map(Self.part)) }, at: "body.multipart")
    }

    static func json(_ text: String) -> DesiredValue {
        guard let value = JSONValue.standingAsYAML(text) else { return .scalar(text, .string) }
        return DesiredValue(json: value)
    }

    static func graphql(_ graphql: BodyDefinition.GraphQL) -> DesiredValue {
        if case .text(let query) = graphql.query, graphql == .init(query: graphql.query) { return .scalar(query, .text) }
        return .map(BodyDefinition.GraphQL.fields.written(graphql))
    }

    static func part(_ part: BodyDefinition.Part) -> DesiredValue {
        if case .text(let text) = part.content, part.isEnabled, part.fileName == nil, part.contentType == nil {
            return .scalar(text, .text)
        }
        return .map(BodyDefinition.Part.fields.written(part))
    }

    // MARK: The mock

    func mock(_ mock: MockDefinition) -> DesiredValue {
        var entries = MockDefinition.fields.written(mock)
        if !mock.headers.isEmpty {
            entries.insert(("headers", rows(mock.headers, at: "mock.headers")), at: mock.status == nil ? 0 : 1)
        }
        return .map(entries)
    }
}

extension Array {
    /// As a map holds them: those of one name stand together, at the place of the first.
    func grouped(by name: (Element) -> String) -> [[Element]] {
        Array<[Element]>(OrderedDictionary(grouping: self, by: name).values)
    }
}

extension JSONValue {
    /// A map of YAML can't have a name twice.
    var canBeYAML: Bool {
        switch self {
        case .array(let values): values.allSatisfy(\.canBeYAML)
        case .object(let members): Set(members.map(\.name)).count == members.count && members.allSatisfy(\.value.canBeYAML)
        default: true
        }
    }

    /// JSON that is written as YAML; `nil` for what isn't, and for what isn't JSON.
    package static func standingAsYAML(_ text: String) -> JSONValue? {
        guard let value = JSONParser.parse(text), value.standsAsYAML, !JSONParser.hasHalfPairs(text) else { return nil }
        return value
    }

    /// Whether a body of this JSON is written as YAML: nothing is lost by it, a text alone would be read as JSON itself, and what is
    /// nested deeply is hard to read, and runs into the limit of a file.
    package var standsAsYAML: Bool {
        if case .string = self { return false }
        return canBeYAML && depth <= 12
    }

    /// Levels of lists and maps.
    private var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}

extension RequestWriter {
    static func when(_ when: WhenDefinition) -> DesiredValue {
        func entries(_ conditions: [WhenDefinition.Condition]) -> [DesiredEntry] {
            conditions.map { DesiredEntry(source: nil, key: $0.variable, value: ExpectationWriter.value($0.matcher)) }
        }
        let any = when.alternatives.map { DesiredEntry(source: nil, key: "", value: .map(entries($0), .automatic)) }
        return .map(
            entries(when.conditions) + (any.isEmpty ? [] : [DesiredEntry(source: nil, key: "any", value: .list(any, .automatic))]),
            .automatic)
    }

    /// A duration alone where that says all.
    static func until(_ until: UntilDefinition) -> DesiredValue {
        if until.conditions.isEmpty, until.giveUp.isEmpty, until.every == nil, until.tries == nil, let within = until.within {
            return .scalar(DurationText.format(within), .text)
        }
        var entries: [DesiredEntry] = []
        if case .map(let conditions, _) = ExpectationWriter.value(until.conditions) { entries += conditions }
        func add(_ key: String, _ value: DesiredValue) { entries.append(DesiredEntry(source: nil, key: key, value: value)) }
        for (key, value) in UntilDefinition.fields.written(until) { add(key, value) }
        if !until.giveUp.isEmpty { add("give-up", ExpectationWriter.value(until.giveUp)) }
        return .map(entries, .automatic)
    }
}

/// What a request is sent once for, as a file has it.
extension RequestWriter {
    /// The long form where more is said than a variable and what it goes through.
    static func forEach(_ forEach: ForEachDefinition) -> DesiredValue {
        guard forEach.inner.isEmpty else {
            return .list(forEach.all.map { DesiredEntry(source: nil, key: "", value: loop($0)) }, .automatic)
        }
        return loop(forEach)
    }

    private static func loop(_ loop: ForEachDefinition) -> DesiredValue {
        var more: Entries = []
        if let title = loop.title { more.append(("title", .scalar(title, .text))) }
        for (key, number) in [("jobs", loop.jobs), ("at-least", loop.atLeast), ("at-most", loop.atMost)] {
            if let number { more.append((key, .scalar("\(number)", .literal))) }
        }
        guard !more.isEmpty else { return .map([(loop.variable, items(of: loop))]) }
        return .map([("as", .scalar(loop.variable, .text)), ("in", items(of: loop))] + more)
    }

    private static func items(of loop: ForEachDefinition) -> DesiredValue {
        switch loop.source {
        case nil: return loop.file.map(file) ?? DesiredValue(json: .array(loop.items))
        case .list(let name): return .scalar("{{\(name)}}", .text)
        case .pages(let pages):
            var entries: Entries = [("pages", .scalar(pages.written, .text))]
            if pages.start != .string("") { entries.append(("start", DesiredValue(json: pages.start))) }
            if pages.atMost != ForEachDefinition.Pages.defaultAtMost {
                entries.append(("at-most", .scalar("\(pages.atMost)", .literal)))
            }
            return .map(entries)
        }
    }

    private static func file(_ file: ItemFile) -> DesiredValue {
        var entries: Entries = [(file.kind?.rawValue ?? "file", .scalar(file.path, .text))]
        if let place = file.place { entries.append(("at", .scalar(place, .text))) }
        if let types = file.types {
            entries.append(("types", .map(types.map { ($0.column, .scalar($0.type.rawValue, .text)) })))
        }
        return .map(entries)
    }
}
