/// A key of a request that is typed in one line: what it says in the file, in YAML's flow style.
package enum TypedKey: String, Hashable, Sendable, CaseIterable {
    case when
    case forEach = "for-each"
    case `repeat`, until
    case tearDown = "tear-down"
    case hydrate
    case description, tags, variables

    /// When it is sent and how often, apart from what it is about.
    package static let flow: [TypedKey] = [.when, .forEach, .repeat, .until, .tearDown, .hydrate]
    package static let about: [TypedKey] = [.description, .tags, .variables]

    /// What may be typed, as an example.
    package var example: String {
        switch self {
        case .when: "{ plan: [pro, team] }"
        case .forEach: "{ sku: [A7, B9] }"
        case .repeat: "10"
        case .until: "30s, or { status: 200, within: 60s }"
        case .tearDown: "delete"
        case .hydrate: "./sign.sh"
        case .description: "what it is for"
        case .tags: "[smoke, slow]"
        case .variables: "{ page: 2 }"
        }
    }
}

extension RequestDefinition {
    /// What is said under a key; `""` when nothing is.
    package func typed(_ key: TypedKey) -> String {
        if key == .description { return description ?? "" }
        guard let entries = try? RequestWriter(onlyTypedKeys).entries(),
            let value = entries.first(where: { $0.0 == key.rawValue })?.1
        else { return "" }
        return ValueRenderer(step: 2).render(value, indent: 0, isFlow: true).inline
    }

    /// - Parameter text: `""` takes the key away.
    /// - Throws: what the reader of files says of it.
    package mutating func setTyped(_ text: String, of key: TypedKey) throws(InvalidFieldText) {
        if key == .description {
            description = text.isEmpty ? nil : text
            return
        }
        var changed = self
        changed.problems = []
        do throws(CollectionProblem) {
            changed.take(key, from: text.isEmpty ? empty : try reading("\(key.rawValue): \(text)"))
        } catch {
            throw InvalidFieldText(message: error.message)
        }
        // What can be said of the whole alone: `until` with nothing expected, `repeat` beside `for-each`.
        RequestReader(path: location.path).checkFlow(of: &changed)
        if let problem = changed.problems.first { throw InvalidFieldText(message: problem.message) }
        changed.problems = problems
        self = changed
    }

    /// A request in whose map this line stands, at the place of this one.
    func reading(_ line: String) throws(CollectionProblem) -> RequestDefinition {
        // Paths are relative to the file that it will stand in.
        let path = location.path
        // Whether anything is expected is asked later, of the request itself.
        let source = "get: http://h/\nexpect: { status: 200 }\n\(line)\n"
        let document = try YAMLDocument(path: path, bytes: Array(source.utf8))
        guard let root = document.root, root.pairs?.count == 3 else {
            throw CollectionProblem(location: location, message: "`\(line)` isn't one line of YAML")
        }
        let read = RequestReader(path: path).request(root, id: id)
        if let problem = read.problems.first { throw problem }
        return read.mappingLocations { _ in location }
    }

    mutating func take(_ key: TypedKey, from other: RequestDefinition) {
        switch key {
        case .when: when = other.when
        case .forEach: forEach = other.forEach
        case .repeat: repeats = other.repeats
        case .until: until = other.until
        case .tearDown: tearDown = other.tearDown
        case .hydrate: hydrate = other.hydrate
        case .description: description = other.description
        case .tags: tags = other.tags
        case .variables: variables = other.variables
        }
    }

    /// Whether two say the same under a key, wherever it stands.
    func isSame(_ key: TypedKey, as other: RequestDefinition) -> Bool {
        var (mine, theirs) = (empty, empty)
        mine.take(key, from: self)
        theirs.take(key, from: other)
        return mine.withoutLocations == theirs.withoutLocations
    }

    /// Without what takes long to write, or can't be written.
    private var onlyTypedKeys: RequestDefinition {
        var copy = empty
        for key in TypedKey.allCases { copy.take(key, from: self) }
        return copy
    }

    private var empty: RequestDefinition { RequestDefinition(id: id, method: "GET", url: "", location: location) }
}
