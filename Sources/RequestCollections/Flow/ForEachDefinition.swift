import NetworkLayer
import OrderedCollections

/// A request, or all of a folder, is sent once for each item: `for-each: { sku: [A7, B9] }`, or in its long form
/// `for-each: { as: sku, in: [A7, B9], title: "{{sku}}", jobs: 4, at-least: 1, at-most: 500 }`.
package struct ForEachDefinition: Hashable, Sendable, Codable {
    /// What an item is called in templates. Of an item that is a map, `{{user.name}}` is a member.
    package var variable: String
    /// At least one, unless a ``source`` gives them, or a ``file`` that isn't read yet.
    package var items: [JSONValue]
    /// What gives the items while it is run, one after the other; `nil`: they are known before.
    package var source: Source?
    /// `for-each: { user: { file: users.csv } }`; `nil`: the items stand in the collection.
    package var file: ItemFile?
    /// What an item is called where a run is shown, in place of its value: a text with templates that name the item alone.
    package var title: String? = nil
    /// How many items are under way at a time, at most; `nil`: as many as the run has jobs.
    package var jobs: Int? = nil
    /// Fewer items than this are a failure.
    package var atLeast: Int? = nil
    /// More items than this are a failure; of pages, ``Pages/atMost`` says so.
    package var atMost: Int? = nil
    /// Loops in this one: `for-each: [{ region: [eu, us] }, { plan: [a, b] }]` goes through every combination.
    package var inner: [ForEachDefinition] = []
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
        /// The most answers that are asked for.
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

    /// The items aren't hashed: ten thousand jobs may each hold all of them.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(variable)
        hasher.combine(items.count)
        hasher.combine(location)
    }

    /// The variables that an item gives.
    package func variables(of item: JSONValue) -> [String: JSONValue] { item.variables(called: variable) }

    /// This loop and those inside it, the outermost first.
    package var all: [ForEachDefinition] { [self] + inner }

    /// What each loop says of the item that it is at, the first of which has the index 0.
    package static func place(_ index: Int) -> [String: JSONValue] {
        ["loop.index": .number("\(index)"), "loop.number": .number("\(index + 1)")]
    }

    /// What an item is called, when the file says so.
    package func title(of item: JSONValue, at index: Int) -> String? {
        guard let title, let template = try? Template(title) else { return nil }
        let values = variables(of: item).merging(Self.place(index)) { $1 }
        let texts = template.segments.map { segment in
            switch segment {
            case .text(let text): text
            case .expression(let node):
                node.expression.variable.flatMap { values[$0] }.map { $0.scalar ?? $0.text(pretty: false) } ?? ""
            }
        }
        return texts.joined()
    }

    /// Why there are too few or too many items.
    package func complaint(aboutCount count: Int) -> String? {
        let items = count == 1 ? "1 item" : "\(count) items"
        if let atLeast, count < atLeast { return "`for-each` has \(items), and `at-least` wants \(atLeast)" }
        if let atMost, count > atMost { return "`for-each` has \(items), and `at-most` allows \(atMost)" }
        return nil
    }
}

extension TemplateExpression {
    /// The name, when it is a variable and nothing else.
    var variable: String? { if case .variable(let name) = self { name } else { nil } }
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
        let around = index.places(in: nodes).hasLoops ? folders(around: definition.id) : []
        let loops = around.compactMap { folder in
            folder.forEach.map { loop in loop.all.map { RequestLoop(scope: folder.id, definition: $0) } }
        }.flatMap(\.self)
        guard let own = definition.forEach ?? definition.repetition, own.source == nil else { return loops }
        return loops + own.all.map { RequestLoop(scope: definition.id, definition: $0) }
    }
}

extension RequestDefinition {
    /// `repeat: 3`, as the loop that it is: `for-each: { repeat: 1..3 }`.
    fileprivate var repetition: ForEachDefinition? {
        repeats.map { ForEachDefinition("repeat", (1...$0).map { .number("\($0)") }, location: places["repeat"] ?? location) }
    }
}

extension ForEachDefinition {
    func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> ForEachDefinition {
        var copy = self
        copy.location = change(location) ?? .none
        copy.inner = inner.map { $0.mappingLocations(change) }
        // What another file gives is neither saved nor kept.
        if file != nil { copy.items = [] }
        if case .pages(var pages) = source {
            pages.next.location = copy.location
            copy.source = .pages(pages)
        }
        return copy
    }
}

extension ForEachDefinition.Pages {
    /// As the file has it: `header:link: /<(.*?)>/`
    var written: String { ([next.source.description] + next.steps.map(\.description)).joined(separator: ": ") }
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

extension RequestCollection {
    /// Every loop around a request, those included whose items are known only as it is sent.
    func allLoops(of definition: RequestDefinition) -> [RequestLoop] {
        let known = loops(of: definition)
        guard let own = definition.forEach, own.source != nil else { return known }
        return known + [RequestLoop(scope: definition.id, definition: own)]
    }

    /// Reports loops whose variable another one has already: whoever reads it could mean either.
    func checkLoops() -> [RequestID: [CollectionProblem]] {
        var found: [RequestID: [CollectionProblem]] = [:]
        let scopes = folders.filter { $0.forEach != nil }.map { $0.id.rawValue + "/" }
        let looped = requests { request in
            request.forEach != nil || request.repeats != nil || scopes.contains { request.id.rawValue.hasPrefix($0) }
        }
        for request in looped {
            var outer: Set<String> = []
            for loop in allLoops(of: request).map(\.definition) {
                let name = loop.variable
                let owner = outer.contains(name) ? "the variable of a loop around it" : self.owner(of: name, for: request)
                outer.insert(name)
                guard let owner else { continue }
                found[request.id, default: []].append(
                    CollectionProblem(
                        location: loop.location,
                        message: "`\(name)` is also \(owner), which the loop would hide; give the loop's variable another name"))
            }
        }
        return found
    }

    /// What else gives a variable of that name, as the end of a sentence.
    private func owner(of name: String, for request: RequestDefinition) -> String? {
        if variables.contains(where: { $0.name == name }) { return "a variable of the collection" }
        if let environment = environments.values.first(where: { $0.variables.contains { $0.name == name } }) {
            return "a variable of the environment `\(environment.name)`"
        }
        if let folder = folders(around: request.id).first(where: { $0.variables.contains { $0.name == name } }) {
            return "a variable of the folder `\(folder.id)`"
        }
        if request.variables.contains(where: { $0.name == name }) { return "a variable of the request" }
        return captors(of: name).first.map { "what `\($0.request)` captures" }
    }

    /// Why an earlier answer can't do in place of a request; `nil` when it can.
    func complaint(about need: NeedDefinition, of target: RequestID, from asker: RequestID?) -> CollectionProblem? {
        guard need.maxAge != nil, let definition = request(target) else { return nil }
        let around = asker.flatMap(request).map { Set(allLoops(of: $0).map(\.scope)) } ?? []
        let isLooped = definition.repeats != nil || allLoops(of: definition).contains { !around.contains($0.scope) }
        guard isLooped else { return nil }
        return CollectionProblem(
            location: need.location,
            message:
                "`\(target)` is sent once for each item of a loop, so there is no one answer whose age `max-age` could be about")
    }
}

extension RequestCollection {
    /// The items of a variable that is a list, when all that it is made of is known.
    package func items(
        of name: String, for definition: RequestDefinition, environment: String?, variables: [String: JSONValue],
        with sources: TemplateEnvironment
    ) throws(ResolutionError) -> [JSONValue] {
        let place = definition.forEach?.location
        var scope = try VariableScope(self, environment: environment, given: variables, sources: sources, for: definition)
        let value = try scope.value(of: name, at: place)
        if let unmet = scope.unmetError { throw unmet }
        guard value.labels.isEmpty else {
            throw ResolutionError(.secret, "`\(name)` is a secret, and the items of a `for-each` are shown", at: place)
        }
        let items: [JSONValue]
        switch value.value {
        case .array(let list): items = list
        // A map's items are its members.
        case .object(let members):
            items = members.map { member in
                .object([.init(name: "key", value: .string(member.name)), .init(name: "value", value: member.value)])
            }
        default:
            throw ResolutionError(
                .template, "`for-each` takes a list, and `\(name)` is \(value.value.typed)", at: place)
        }
        guard items.count <= ForEachDefinition.mostItems else {
            throw ResolutionError(
                .template, "`\(name)` has \(items.count) items, and `for-each` goes through at most \(ForEachDefinition.mostItems)",
                at: place)
        }
        return items
    }
}
