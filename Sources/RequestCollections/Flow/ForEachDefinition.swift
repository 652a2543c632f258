import NetworkLayer

/// A request, or all of a folder, is sent once for each item: `for-each: { sku: [A7, B9] }`.
package struct ForEachDefinition: Hashable, Sendable, Codable {
    /// What an item is called in templates. Of an item that is a map, `{{user.name}}` is a member.
    package var variable: String
    /// At least one, unless a ``source`` gives them, or a ``file`` that isn't read yet.
    package var items: [JSONValue]
    /// What gives the items while it is run, one after the other; `nil`: they are known before.
    package var source: Source?
    /// `for-each: { user: { file: users.csv } }`; `nil`: the items stand in the collection.
    package var file: ItemFile?
    package var location: SourceLocation

    package enum Source: Hashable, Sendable, Codable {
        /// `for-each: { id: "{{ids}}" }`: a variable that is a list.
        case list(String)
        /// `for-each: { cursor: { pages: .next } }`
        case pages(Pages)
    }

    /// Each answer says where the next one is.
    package struct Pages: Hashable, Sendable, Codable {
        /// What of an answer is the next item, or the next URL. `null`, nothing, an empty text and `false` are the end.
        package var next: CaptureDefinition
        /// The first item.
        package var start: JSONValue
        /// So many answers, and not one more.
        package var atMost: Int

        package static let defaultAtMost = 100
    }

    package static let mostItems = 10_000

    package init(
        _ variable: String, _ items: [JSONValue], from source: Source? = nil, file: ItemFile? = nil, location: SourceLocation
    ) {
        self.variable = variable
        self.items = items
        self.source = source
        self.file = file
        self.location = location
    }

    /// Not of each item: there may be ten thousand of it, each with all items.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(variable)
        hasher.combine(items.count)
        hasher.combine(location)
    }

    /// The variables that an item gives.
    package func variables(of item: JSONValue) -> [String: JSONValue] { item.variables(called: variable) }
}

extension JSONValue {
    /// A value and, of a map, its members, as `user` and `user.name`.
    package func variables(called name: String) -> [String: JSONValue] {
        members.reduce(into: [name: self]) { $0["\(name).\($1.name)"] = $1.value }
    }
}

/// What sends requests once for each item, and for which ones it does so.
package struct RequestLoop: Hashable, Sendable {
    /// The request's or the folder's.
    package var scope: RequestID
    package var definition: ForEachDefinition

    package init(scope: RequestID, definition: ForEachDefinition) {
        self.scope = scope
        self.definition = definition
    }
}

extension RequestCollection {
    /// Those around a request whose items are known before it is sent, its own last.
    package func loops(of definition: RequestDefinition) -> [RequestLoop] {
        let loops = folders(around: definition.id).compactMap { folder in
            folder.forEach.map { RequestLoop(scope: folder.id, definition: $0) }
        }
        guard let own = definition.forEach ?? definition.repetition, own.source == nil else { return loops }
        return loops + [RequestLoop(scope: definition.id, definition: own)]
    }
}

extension RequestDefinition {
    /// `repeat: 3`, as the loop that it is: `for-each: { repeat: 1..3 }`.
    fileprivate var repetition: ForEachDefinition? {
        repeats.map { ForEachDefinition("repeat", (1...$0).map { .number("\($0)") }, location: places["repeat"] ?? location) }
    }
}

extension RequestReader {
    /// `repeat: 3`; what is no such number is a problem of the format.
    func repeats(_ node: YAMLNode) -> Int? {
        node.text.flatMap { Int($0) }.flatMap { (1...ForEachDefinition.mostItems).contains($0) ? $0 : nil }
    }

    /// `for-each: { sku: [A7, B9] }`, or `{ page: 1..5 }`
    ///
    /// - Parameter isFolder: what is in a folder is planned before anything is sent, so its items are known then.
    func forEach(_ pair: YAMLPair, isFolder: Bool = false, problems: inout [CollectionProblem]) -> ForEachDefinition? {
        guard let pairs = pair.value.pairs else { return nil }
        guard pairs.count == 1, let name = pairs[0].key.text else {
            problems.append(
                problem(
                    pair.value,
                    "`for-each` takes one variable and what it goes through, as in `for-each: { sku: [A7, B9] }`; "
                        + "for every combination of two, put the request into a folder with a `for-each` of its own"))
            return nil
        }
        guard TemplateName.isValid(name) else {
            problems.append(problem(pairs[0].key, Self.notAName(name)))
            return nil
        }
        let list = pairs[0].value
        do throws(CollectionProblem) {
            if let file = list["file"] {
                return ForEachDefinition(name, [], file: try itemFile(file, of: list), location: location(pairs[0].key))
            }
            if let source = try source(list, called: name, at: location(pairs[0].key)) {
                guard !isFolder else {
                    throw problem(
                        list,
                        "the `for-each` of a folder takes items that stand in a file; one request may take them from an answer")
                }
                return ForEachDefinition(name, [], from: source, location: location(pairs[0].key))
            }
            let items = try items(list)
            let forEach = ForEachDefinition(name, items, location: location(pairs[0].key))
            try check(forEach, list)
            return forEach
        } catch {
            problems.append(error)
            return nil
        }
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

    private func itemFile(_ file: YAMLNode, of node: YAMLNode) throws(CollectionProblem) -> ItemFile {
        if let pages = node["pages"] { throw problem(pages, "`for-each` takes one of `file` and `pages`") }
        for key in ["start", "at-most"] {
            if let other = node[key] { throw problem(other, "`\(key)` belongs to `pages`, which isn't there") }
        }
        guard let path = file.text, let format = ItemFile.format(of: path), !Template.isIn(path) else {
            throw problem(
                file, "`file` takes the name of a file that ends in .csv, .tsv, .json, .jsonl, .ndjson or .txt, without a template")
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
        return ItemFile(path: path, place: place?.text, types: try columnTypes(node["types"], format))
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

extension RequestWriter {
    static func forEach(_ forEach: ForEachDefinition) -> DesiredValue {
        let value: DesiredValue
        switch forEach.source {
        case nil:
            value =
                forEach.file.map { file in
                    .map(
                        [("file", .scalar(file.path, .text))] + (file.place.map { [("at", .scalar($0, .text))] } ?? [])
                            + (file.types.map { types in
                                [("types", .map(types.map { ($0.column, .scalar($0.type.rawValue, .text)) }))]
                            } ?? []))
                } ?? DesiredValue(json: .array(forEach.items))
        case .list(let name): value = .scalar("{{\(name)}}", .text)
        case .pages(let pages):
            var entries: [(String, DesiredValue)] = [("pages", .scalar(pages.written, .text))]
            if pages.start != .string("") { entries.append(("start", DesiredValue(json: pages.start))) }
            if pages.atMost != ForEachDefinition.Pages.defaultAtMost {
                entries.append(("at-most", .scalar("\(pages.atMost)", .literal)))
            }
            value = .map(entries)
        }
        return .map([DesiredEntry(source: nil, key: forEach.variable, value: value)], .automatic)
    }
}

extension ForEachDefinition.Pages {
    /// As the file has it: `header:link: /<(.*?)>/`
    fileprivate var written: String { ([next.source.description] + next.steps.map(\.description)).joined(separator: ": ") }
}

extension ForEachDefinition {
    func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> ForEachDefinition {
        var copy = self
        copy.location = change(location) ?? .none
        // What another file gives is neither saved nor kept.
        if file != nil { copy.items = [] }
        if case .pages(var pages) = source {
            pages.next.location = copy.location
            copy.source = .pages(pages)
        }
        return copy
    }
}

extension ForEachDefinition: CustomStringConvertible {
    /// `each id of {{ids}}`, `each page (.next), 100 at most`
    package var description: String {
        switch source {
        case nil: "each \(variable) of \(file?.path ?? "\(items.count)")"
        case .list(let name): "each \(variable) of {{\(name)}}"
        case .pages(let pages): "each page (\(pages.written)), \(pages.atMost) at most"
        }
    }
}
