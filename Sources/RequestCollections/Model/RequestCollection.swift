package import NetworkLayer
package import OrderedCollections

/// A tree of saved requests, read from one file or one directory.
package struct RequestCollection: Sendable {
    /// The file or the directory.
    package var path: String
    package var name: String
    package var description: String?
    /// The collection's variables.
    package var variables: [VariableDefinition]
    package var environments: OrderedDictionary<String, EnvironmentDefinition>
    package var defaults: FolderDefaults
    package var steps = FolderSteps()
    package var nodes: [Node] { didSet { index = NodeIndex() } }
    /// The index of ``nodes``.
    private(set) var index = NodeIndex()
    /// What could not be read; everything else is in ``nodes``.
    package var problems: [CollectionProblem]
    /// What hides nothing, but may not be as it was meant: files that aren't read.
    package var warnings: [CollectionProblem] = []
    /// Whether it is another program's file, which nothing is added to.
    package internal(set) var isForeign = false
    /// The files that were read, so that saving notices when one has changed since.
    package var files: [String: FileFingerprint]
    /// What is written as comments where the collection has no bytes yet: by the id of a request or folder, `nil` for the collection,
    /// and then by key path, such as `query.limit`. Reading leaves it empty, since a file's comments stay in its bytes.
    package var comments: [RequestID?: [String: String]] = [:]

    /// Whether the collection, or an environment, has a secret that a command or a person says.
    package var asksForSecrets: Bool {
        (variables + environments.values.flatMap(\.variables)).contains { variable in
            switch variable.value {
            case .secret(.command), .secret(.prompt): true
            case .secret(.environment), .secret(.file), .text, .json: false
            }
        }
    }

    package init(path: String, name: String) {
        self.path = path
        self.name = name
        self.variables = []
        self.environments = [:]
        self.defaults = FolderDefaults()
        self.nodes = []
        self.problems = []
        self.files = [:]
    }

    package enum Node: Hashable, Sendable {
        /// A request, in memory that plans share with the tree.
        case request(Shared<RequestDefinition>)
        indirect case folder(Folder)

        package static func request(_ definition: RequestDefinition) -> Node { .request(Shared(wrappedValue: definition)) }
    }

    package struct Folder: Hashable, Sendable, Identifiable {
        package var id: RequestID
        package var name: String?
        package var description: String?
        package var defaults: FolderDefaults
        /// The variables for everything in the folder.
        package var variables: [VariableDefinition] = []
        /// All that is in it is sent only if this holds.
        @Boxed package var when: WhenDefinition? = nil
        /// All that is in it is sent once for each item.
        @Boxed package var forEach: ForEachDefinition? = nil
        package var steps = FolderSteps()
        package var nodes: [Node]
        package var location: SourceLocation

        package init(id: RequestID, defaults: FolderDefaults = .init(), nodes: [Node] = [], location: SourceLocation) {
            self.id = id
            self.defaults = defaults
            self.nodes = nodes
            self.location = location
        }
    }
}

/// What a folder gives to everything below it; nearer wins, maps are merged key by key, `null` removes.
package struct FolderDefaults: Hashable, Sendable {
    /// A value of `nil` removes what a farther level gave.
    package var headers: [DefaultRow] = []
    package var query: [DefaultRow] = []
    package var cookies: [DefaultRow] = []
    @Boxed package var auth: AuthDefinition? = nil
    @Boxed package var settings = RequestSettings()
    /// Where `auth` and each setting stand, by key path: `timeouts.idle`.
    package var places = KeyPlaces()

    package init() {}

    package struct DefaultRow: Hashable, Sendable {
        package var name: String
        package var value: String?
        package var isEnabled: Bool
        package var location: SourceLocation

        package init(name: String, value: String?, isEnabled: Bool = true, location: SourceLocation) {
            self.name = name
            self.value = value
            self.isEnabled = isEnabled
            self.location = location
        }
    }
}

/// A variable as it stands in the file.
package struct VariableDefinition: Hashable, Sendable, Codable {
    package var name: String
    package var value: Value
    /// Where a secret may go: `for: https://api.example.com`. `nil`: to the origin of each request that uses it.
    package var origins: [OriginPattern]?
    package var location: SourceLocation

    package init(name: String, value: Value, origins: [OriginPattern]? = nil, location: SourceLocation) {
        self.name = name
        self.value = value
        self.origins = origins
        self.location = location
    }

    package enum Value: Hashable, Sendable, Codable {
        /// A template.
        case text(String)
        /// A number, boolean, `null`, list or map, in JSON: a template that is this variable alone keeps the type.
        case json(String)
        /// `{ secret: ... }`: never shown.
        case secret(SecretReference)
    }
}

/// Where a secret comes from. The file never holds the secret itself.
package enum SecretReference: Hashable, Sendable, Codable {
    /// `{ secret: { env: NAME } }`
    case environment(String)
    /// `{ secret: { command: [...] } }`: the first line of its standard output.
    case command([String])
    /// `{ secret: { file: PATH } }`, relative to the collection's directory: its text without the last line break.
    case file(String)
    /// `{ secret: { prompt: MESSAGE } }`: what a person types, once a session.
    case prompt(String)
}

/// Named variables over the collection's.
package struct EnvironmentDefinition: Hashable, Sendable {
    package var name: String
    package var extends: String?
    package var variables: [VariableDefinition]
    package var location: SourceLocation

    package init(name: String, extends: String? = nil, variables: [VariableDefinition] = [], location: SourceLocation) {
        self.name = name
        self.extends = extends
        self.variables = variables
        self.location = location
    }
}
