/// The saved form of a request, as it stands in the file: templates unresolved, defaults not merged in.
///
/// A value to edit: the explorer changes a copy and hands it to ``CollectionStore/save(_:in:)``, which finds what changed and
/// rewrites only those bytes.
package struct RequestDefinition: Hashable, Sendable, Codable, Identifiable {
    package var id: RequestID
    /// What the tree shows; the id's last component when the file gives none.
    package var name: String?
    package var description: String?
    package var tags: [String] = []

    /// A method's name, in capitals.
    package var method: String
    /// With templates, and `:name` for a path parameter.
    package var url: String
    package var path: [Row] = []
    package var query: [Row] = []
    package var headers: [Row] = []
    package var cookies: [Row] = []
    /// `nil`: from the defaults.
    @Boxed package var auth: AuthDefinition? = nil
    @Boxed package var body: BodyDefinition? = nil
    /// What a WebSocket offers.
    package var subprotocols: [String] = []
    @Boxed package var session: SessionSettings? = nil
    /// What a WebSocket sends and waits for.
    package var messages: [SessionStep] = []
    @Boxed package var settings = RequestSettings()
    /// Its own, over those of its folders, the environment and the collection.
    package var variables: [VariableDefinition] = []
    /// Where the request begins.
    package var location: SourceLocation
    /// Where the URL, the body, `auth` and each setting stand, by key path: `url`, `timeouts.idle`.
    package var places = KeyPlaces()
    /// It is sent only if this holds.
    @Boxed package var when: WhenDefinition? = nil
    /// It is sent once for each item.
    @Boxed package var forEach: ForEachDefinition? = nil
    /// How often it is sent; `nil`: once, or once for each item.
    package var repeats: Int? = nil
    /// What is run before it.
    package var needs: [NeedDefinition] = []
    /// What undoes it at the end of a run.
    package var tearDown: [NeedDefinition] = []
    @Boxed package var hydrate: HydrateDefinition? = nil
    package var captures: [CaptureDefinition] = []
    package var expectations: [ExpectationDefinition] = []
    /// It is sent again until this holds of its answer.
    @Boxed package var until: UntilDefinition? = nil
    @Boxed package var mock: MockDefinition? = nil
    /// What is wrong with it in the file. It is shown, and neither sent nor saved until that is mended.
    package var problems: [CollectionProblem] = []

    /// All expectations, including those of `until`.
    var allExpectations: [ExpectationDefinition] { expectations + (until.map { $0.conditions + $0.giveUp } ?? []) }

    package init(id: RequestID, method: String, url: String, location: SourceLocation) {
        self.id = id
        self.method = method
        self.url = url
        self.location = location
    }

    /// A named value in `path`, `query`, `headers`, `cookies` or a form. A name that occurs twice is two rows.
    package struct Row: Hashable, Sendable, Codable {
        package var name: String
        /// A template; scalars that aren't strings as they stand in the file.
        package var value: String
        /// A row that is off isn't sent, and neither is a default of its name. `null` in the file is such a row, without a value.
        package var isEnabled: Bool
        /// `nil` for a row that is new.
        package var location: SourceLocation?

        package init(name: String, value: String, isEnabled: Bool = true, location: SourceLocation? = nil) {
            self.name = name
            self.value = value
            self.isEnabled = isEnabled
            self.location = location
        }
    }
}

/// The body as it stands in the file.
package enum BodyDefinition: Hashable, Sendable, Codable {
    case none
    case text(String)
    /// The YAML value's JSON form, pretty-printed with two spaces and templates inside, or the string that stands in the file.
    case json(String)
    case form([RequestDefinition.Row])
    case multipart([Part])
    /// Relative to the file that names it.
    case file(String)
    case graphql(GraphQL)

    package struct GraphQL: Hashable, Sendable, Codable {
        package var query: Query
        /// Which operation of the query.
        package var operation: String?
        /// In JSON, with templates.
        package var variables: String?
        /// Whether the query goes as its hash, and as a whole only to a server that doesn't know it.
        package var isPersisted: Bool?
        /// Files that take the place of variables: `avatar`, or `pictures.0` within a list.
        package var files: [RequestDefinition.Row] = []
        /// What `connection_init` carries over a WebSocket, in JSON with templates.
        package var connection: String?

        package init(query: Query, operation: String? = nil, variables: String? = nil) {
            self.query = query
            self.operation = operation
            self.variables = variables
        }

        package enum Query: Hashable, Sendable, Codable {
            case text(String)
            /// Relative to the file that names it.
            case file(String)
        }
    }

    package struct Part: Hashable, Sendable, Codable {
        package var name: String
        package var content: Content
        package var fileName: String?
        package var contentType: String?
        package var isEnabled: Bool

        package init(name: String, content: Content, fileName: String? = nil, contentType: String? = nil, isEnabled: Bool = true) {
            self.name = name
            self.content = content
            self.fileName = fileName
            self.contentType = contentType
            self.isEnabled = isEnabled
        }

        package enum Content: Hashable, Sendable, Codable {
            case text(String)
            case file(String)
        }
    }
}

extension RequestDefinition {
    /// Its body, where that is a query.
    package var graphQL: BodyDefinition.GraphQL? { if case .graphql(let query)? = body { query } else { nil } }

    /// The same without the places in the file, which move with every line above: what counts when two are compared.
    package var withoutLocations: RequestDefinition { mappingLocations { _ in nil } }

    /// The same in other places; `nil`: in none.
    package func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> RequestDefinition {
        var copy = self
        func map(_ location: inout SourceLocation) { location = change(location) ?? .none }
        map(&copy.location)
        copy.places = copy.places.compactMapValues(change)
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] { copy[keyPath: rows].mapLocations(change) }
        copy.variables.mapLocations(change)
        if case .form(var rows) = copy.body {
            rows.mapLocations(change)
            copy.body = .form(rows)
        }
        if case .graphql(var graphql) = copy.body {
            graphql.files.mapLocations(change)
            copy.body = .graphql(graphql)
        }
        if let when = copy.when { copy.when = when.mappingLocations(change) }
        if let forEach = copy.forEach { copy.forEach = forEach.mappingLocations(change) }
        copy.needs.mapLocations(change)
        copy.tearDown.mapLocations(change)
        if var hydrate = copy.hydrate {
            map(&hydrate.location)
            copy.hydrate = hydrate
        }
        copy.messages = messages.map { $0.mappingLocations(change) }
        for index in copy.captures.indices { map(&copy.captures[index].location) }
        for index in copy.expectations.indices { map(&copy.expectations[index].location) }
        if var until = copy.until {
            map(&until.location)
            for index in until.conditions.indices { map(&until.conditions[index].location) }
            for index in until.giveUp.indices { map(&until.giveUp[index].location) }
            copy.until = until
        }
        if var mock = copy.mock {
            map(&mock.location)
            mock.headers.mapLocations(change)
            copy.mock = mock
        }
        for index in copy.problems.indices { map(&copy.problems[index].location) }
        return copy
    }
}

extension [RequestDefinition.Row] {
    fileprivate mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = self[index].location.flatMap(change) }
    }
}

extension [VariableDefinition] {
    fileprivate mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = change(self[index].location) ?? .none }
    }
}

extension [NeedDefinition] {
    mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = change(self[index].location) ?? .none }
    }
}

extension SourceLocation {
    package static let none = SourceLocation(path: "", line: 0, column: 0)
}
