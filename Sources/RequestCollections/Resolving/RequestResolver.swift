import Base
import GraphQLLanguage
import HTTPTypes
import NetworkLayer

/// Resolves one request. Each aspect has a file of its own.
struct RequestResolver {
    let definition: RequestDefinition
    /// The farthest first, the request's own last.
    let levels: [Level]
    /// Those that say something about a setting: for most requests none does.
    let levelsWithSettings: [Level]
    /// Those that have a row: for most requests one does.
    let levelsWithRows: [Level]
    /// Its own `when` and those of the folders around it.
    let conditions: [(when: WhenDefinition, folder: RequestID?)]
    var scope: VariableScope
    var origins: [ValueOrigin] = []
    /// What of the request is made of secrets.
    var secrets = PlacedSecrets()
    /// Where the answer's body is written to.
    var output: PermittedOutput?
    /// The body, when it is one.
    var multipart: MultipartBody?
    /// What is sent of a persisted query when the server doesn't know its hash.
    var wholeQuery: RequestBody?
    /// `nil`: there is no query, or it can't be read yet.
    var sentOperation: GraphQLDocument.OperationKind?
    /// The start of the URL, as people read it, while a part of its address isn't known.
    var unknownAddress: String?
    /// Permission for expectations that are commands.
    var filterPermits: [ExactText: Permission] = [:]

    /// What one level says: the collection's defaults, a folder's, or the request.
    struct Level {
        var source: ValueOrigin.Source
        var query: [Row]
        var headers: [Row]
        var cookies: [Row]
        var auth: AuthDefinition?
        @Boxed var settings: RequestSettings
        var places: KeyPlaces
        /// Paths in it are relative to this.
        var directory: String
    }

    struct Row {
        var name: String
        /// `nil` removes what a farther level gave, as does a row that is off.
        var value: String?
        var isEnabled: Bool
        var location: SourceLocation?
    }

    init(_ definition: RequestDefinition, in collection: RequestCollection, scope: VariableScope) {
        self.definition = definition
        self.scope = scope
        var levels = [Level(collection.defaults, from: .defaults(nil), directory: collection.directory)]
        for folder in collection.folders(around: definition.id) {
            let path = folder.location.path
            levels.append(
                Level(
                    folder.defaults, from: .defaults(folder.id),
                    directory: FileContents.isDirectory(path) ? path : RequestCollections.directory(of: path)))
        }
        levels.append(Level(definition))
        self.levels = levels
        levelsWithSettings = levels.filter { $0.$settings.isBoxed }
        levelsWithRows = levels.filter { !$0.query.isEmpty || !$0.headers.isEmpty || !$0.cookies.isEmpty }
        conditions = collection.conditions(of: definition)
    }

    mutating func resolve() throws(ResolutionError) -> ResolvedRequest {
        if let problem = definition.problems.first {
            throw ResolutionError(.definition, problem.message, at: problem.location)
        }
        guard let method = definition.isWebSocket ? .get : HTTPRequest.Method(definition.method) else {
            throw ResolutionError(
                .definition, "`\(definition.method)` can't be a method", at: definition.places["url"] ?? definition.location)
        }
        noteSources()
        // A request that isn't sent needs no other values.
        if !scope.sources.showsPlaceholders { try checkConditions() }
        let url = try url()
        var headers = try headers()
        let body = try body(&headers)
        addAccept(to: &headers)
        let session = try session()
        try addCookies(to: &headers)
        let auth = try addAuth(to: &headers)
        var request = Request(url: url, method: method, headers: headers, body: body)
        let settings = try configuration()
        var configuration = settings.complete
        configuration.transport.authentication = auth.transport
        configuration.transport.omittedHeaders = omittedHeaders
        let uses = try secretUses(of: request)
        noteJourney(to: Self.origin(of: url), uses, configuration, auth.oauth2)
        request.secrets = secrets.secrets(of: request, knowing: scope.secretTexts)
        var resolved = ResolvedRequest(
            id: definition.id, request: request, configuration: configuration, priority: settings.priority, origins: [], secrets: []
        )
        resolved.cookieJar = settings.jarChoice
        resolved.delay = levelsWithSettings.last { $0.settings.delay != nil }?.settings.delay
        resolved.output = output
        resolved.oauth2 = auth.oauth2
        resolved.multipart = multipart
        resolved.wholeQuery = wholeQuery
        resolved.unknownAddress = unknownAddress
        resolved.needs = try needs()
        resolved.hydrate = try hydrate()
        resolved.session = session
        resolved.captures = definition.captures
        resolved.expectations = try expectations()
        resolved.until = try until()
        resolved.mock = try mock()
        resolved.origins = origins + scope.used
        resolved.secrets = scope.secretTexts
        resolved.secretUses = uses
        resolved.literalCredentials = secrets.literals.union(Redaction.standard.credentials(of: request))
        let proxy = configuration.transport.proxy ?? ""
        resolved.literalCredentials.formUnion(
            Redaction.standard.secrets(inURL: proxy[...]).map { URLCoding.percentDecoded(proxy[$0]) })
        if let passphrase = configuration.transport.tls.passphrase { resolved.literalCredentials.insert(passphrase.text) }
        resolved.wants = scope.wants
        resolved.filterPermits = filterPermits
        // Parts have a boundary of their own each time.
        resolved.isConstant = !scope.takesWhatChanges && scope.wants.isEmpty && multipart == nil
        return resolved
    }

    /// The rows that count, by name: the nearest level that has a name decides about all rows of that name.
    func merged(_ rows: (Level) -> [Row], ignoringCase: Bool) -> [(row: Row, source: ValueOrigin.Source)] {
        let levels = levelsWithRows.map { (rows: rows($0), source: $0.source) }.filter { !$0.rows.isEmpty }
        guard levels.count > 1 else { return levels.first.map { Self.counting($0.rows, from: $0.source) } ?? [] }
        var merged: [(key: String, row: Row, source: ValueOrigin.Source)] = []
        for level in levels {
            let keyed = level.rows.map { (key: ignoringCase ? $0.name.lowercased() : $0.name, row: $0) }
            let names = Set(keyed.map(\.key))
            merged.removeAll { names.contains($0.key) }
            merged += keyed.map { ($0.key, $0.row, level.source) }
        }
        return merged.flatMap { Self.counting([$0.row], from: $0.source) }
    }

    private static func counting(_ rows: [Row], from source: ValueOrigin.Source) -> [(row: Row, source: ValueOrigin.Source)] {
        rows.filter { $0.isEnabled && $0.value != nil }.map { ($0, source) }
    }
}

extension RequestResolver.Level {
    init(_ defaults: FolderDefaults, from source: ValueOrigin.Source, directory: String) {
        func rows(_ rows: [FolderDefaults.DefaultRow]) -> [RequestResolver.Row] {
            rows.map { .init(name: $0.name, value: $0.value, isEnabled: $0.isEnabled, location: $0.location) }
        }
        self.init(
            source: source, query: rows(defaults.query), headers: rows(defaults.headers), cookies: rows(defaults.cookies),
            auth: defaults.auth, settings: defaults.settings, places: defaults.places, directory: directory)
    }

    init(_ request: RequestDefinition) {
        func rows(_ rows: [RequestDefinition.Row]) -> [RequestResolver.Row] {
            rows.map { .init(name: $0.name, value: $0.value, isEnabled: $0.isEnabled, location: $0.location) }
        }
        self.init(
            source: .request, query: rows(request.query), headers: rows(request.headers), cookies: rows(request.cookies),
            auth: request.auth, settings: request.settings, places: request.places,
            directory: RequestCollections.directory(of: request.location.path))
    }
}

extension RequestCollection {
    /// What paths in the collection's own defaults and variables are relative to.
    package var directory: String { FileContents.isDirectory(path) ? path : RequestCollections.directory(of: path) }
}
