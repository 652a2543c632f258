import NetworkLayer

/// A request, or all of a folder, is sent once for each item: `for-each: { sku: [A7, B9] }`.
package struct ForEachDefinition: Hashable, Sendable, Codable {
    /// What an item is called in templates. Of an item that is a map, `{{user.name}}` is a member.
    package var variable: String
    package var items: [JSONValue]
    package var location: SourceLocation

    package static let mostItems = 10_000

    package init(_ variable: String, _ items: [JSONValue], location: SourceLocation) {
        self.variable = variable
        self.items = items
        self.location = location
    }

    /// The variables that an item gives.
    package func variables(of item: JSONValue) -> [String: JSONValue] { item.variables(called: variable) }
}

extension JSONValue {
    /// A value and, of a map, its members, as `user` and `user.name`.
    func variables(called name: String) -> [String: JSONValue] {
        members.reduce(into: [name: self]) { $0["\(name).\($1.name)"] = $1.value }
    }
}

/// What sends requests once for each item, and for which ones it does so.
package struct RequestLoop: Hashable, Sendable {
    /// The request's or the folder's.
    package var scope: RequestID
    package var definition: ForEachDefinition
}

extension RequestCollection {
    /// Those around a request, its own last.
    package func loops(of definition: RequestDefinition) -> [RequestLoop] {
        let loops = folders(around: definition.id).compactMap { folder in
            folder.forEach.map { RequestLoop(scope: folder.id, definition: $0) }
        }
        return loops + (definition.forEach.map { [RequestLoop(scope: definition.id, definition: $0)] } ?? [])
    }
}

extension RequestReader {
    /// `for-each: { sku: [A7, B9] }`, or `{ page: 1..5 }`
    func forEach(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> ForEachDefinition? {
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
            let items = try items(list)
            let forEach = ForEachDefinition(name, items, location: location(pairs[0].key))
            try check(forEach, list)
            return forEach
        } catch {
            problems.append(error)
            return nil
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
            list,
            Template.isIn(text)
                ? "`for-each` takes a list that stands in the file, and not yet one from a variable or an answer; "
                    + "`turnstone run --data FILE` takes rows from a file"
                : "`for-each` takes a list or a range such as `1..5`, not `\(text)`")
    }

    private func check(_ forEach: ForEachDefinition, _ list: YAMLNode) throws(CollectionProblem) {
        if forEach.items.isEmpty { throw problem(list, "the list is empty, so the request would never be sent") }
        if forEach.items.count > ForEachDefinition.mostItems { throw tooMany(list) }
        let names = Set(forEach.items[0].members.map(\.name))
        for (index, item) in forEach.items.enumerated() {
            let node = list.items?[index] ?? list
            if item.hasTemplate {
                throw problem(
                    node, "an item of `for-each` stands for itself, and takes no template; write the template where it is used")
            }
            if let missing = names.symmetricDifference(item.members.map(\.name)).sorted().first {
                throw problem(node, "`\(missing)` is not in every item, so it would have no value for some of them")
            }
        }
    }

    private func tooMany(_ list: YAMLNode) -> CollectionProblem {
        problem(
            list, "`for-each` goes through at most \(ForEachDefinition.mostItems) items; `turnstone run --data FILE` takes more")
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
        .map([DesiredEntry(source: nil, key: forEach.variable, value: DesiredValue(json: .array(forEach.items)))], .automatic)
    }
}
