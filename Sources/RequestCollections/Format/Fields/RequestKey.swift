/// A key of a request, besides its method, its URL and its settings: one row of the format's table, with everything that is known of it.
///
/// Reading, writing, and with that saving and merging, the lines of an editor, the schema and the reference page are each one walk
/// over ``all``. So a new key is a property of ``RequestDefinition`` and a row in `FormatTable+Request.swift`.
package struct RequestKey: Sendable {
    /// As the file has it.
    package let name: String
    let shape: FormatShape
    /// What it does, for people who write collections.
    let help: String
    /// What may be typed, when all of it is edited in one line.
    package let example: String?

    let read: @Sendable (RequestReader, YAMLPair, inout RequestDefinition) -> Void
    /// `nil`: nothing is said.
    let write: @Sendable (RequestWriter) -> DesiredValue?
    let copy: @Sendable (RequestDefinition, inout RequestDefinition) -> Void
    /// - Parameter place: the node at which problems with its value are shown, when there is one.
    init<Value: Hashable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<RequestDefinition, Value> & Sendable, _ shape: FormatShape,
        example: String? = nil, place: (@Sendable (YAMLPair) -> YAMLNode)? = nil,
        read: @escaping @Sendable (RequestReader, YAMLPair, inout [CollectionProblem]) -> Value,
        write: @escaping @Sendable (RequestWriter, Value) -> DesiredValue?, _ help: String
    ) {
        self.name = name
        self.shape = shape
        self.help = help
        self.example = example
        self.read = { reader, pair, request in
            let value = read(reader, pair, &request.problems)
            request[keyPath: path] = value
            if let place { request.places[name] = reader.location(place(pair)) }
        }
        self.write = { write($0, $0.request[keyPath: path]) }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// Named values, each by itself.
    init(
        rows name: String, _ path: any WritableKeyPath<RequestDefinition, [RequestDefinition.Row]> & Sendable,
        shape: FormatShape = .rows, _ help: String
    ) {
        self.init(
            name, path, shape, read: { reader, pair, _ in reader.rows(pair.value) },
            write: { $1.isEmpty ? nil : $0.rows($1, at: name) }, help)
    }

    package static subscript(_ name: String) -> RequestKey? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension RequestKey: Hashable {
    package static func == (left: RequestKey, right: RequestKey) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: Lines

extension RequestDefinition {
    /// What is said under a key, in YAML's flow style; `""` when nothing is.
    package func typed(_ key: RequestKey) -> String {
        if key == .description { return description ?? "" }
        guard let value = key.write(RequestWriter(self)) else { return "" }
        return ValueRenderer(step: 2).render(value, indent: 0, isFlow: true).inline
    }

    /// - Parameter text: `""` takes the key away.
    /// - Throws: what the reader of files says of it.
    package mutating func setTyped(_ text: String, of key: RequestKey) throws(InvalidFieldText) {
        if key == .description {
            description = text.isEmpty ? nil : text
            return
        }
        var changed = self
        changed.problems = []
        do throws(CollectionProblem) {
            key.copy(text.isEmpty ? empty : try reading("\(key.name): \(text)"), &changed)
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

    private var empty: RequestDefinition { RequestDefinition(id: id, method: "GET", url: "", location: location) }
}
