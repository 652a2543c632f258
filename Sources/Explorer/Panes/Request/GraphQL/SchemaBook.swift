import GraphQLLanguage
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Where the schema of a query comes from.
enum SchemaSource: Hashable, Sendable {
    /// A file of a collection's directory.
    case file(String, in: String)
    /// A server's answer to introspection, by what tells servers' answers apart: the URL, the environment and the authentication, without
    /// secrets.
    case server(String)
}

/// A schema, and what is said about it.
struct KnownSchema: Sendable {
    let schema: GraphQLSchema
    /// `asked for today`, `asked for 3 days ago`; `nil`: that of a file.
    var age: String?
}

/// What became of looking for a schema.
enum SchemaFinding: Sendable {
    case found(KnownSchema)
    /// Nobody has asked the server yet.
    case nothing
    case failed(String)
}

/// The schemas that were looked for since the explorer was started.
struct SchemaBook: Sendable {
    struct Entry: Sendable {
        /// The last one that was found stays while another is asked for, and when that fails.
        var known: KnownSchema?
        var isAwaited = true
        var problem: String?
        /// Counts what was found.
        var revision = 0
    }

    private var entries: [SchemaSource: Entry] = [:]

    subscript(source: SchemaSource) -> Entry? { entries[source] }

    /// - Returns: whether nobody has looked for it before.
    mutating func begin(_ source: SchemaSource) -> Bool {
        guard entries[source] == nil else { return false }
        entries[source] = Entry()
        return true
    }

    mutating func await(_ source: SchemaSource) { entries[source, default: Entry()].isAwaited = true }

    mutating func found(_ finding: SchemaFinding, _ source: SchemaSource) {
        var entry = entries[source] ?? Entry()
        entry.isAwaited = false
        entry.problem = nil
        entry.revision += 1
        switch finding {
        case .found(let known): entry.known = known
        case .nothing: break
        case .failed(let message): entry.problem = message
        }
        entries[source] = entry
    }

    /// Files may have changed: they are read again when they are needed.
    mutating func forgetFiles(of collection: String) {
        entries = entries.filter { if case .file(_, collection) = $0.key { false } else { true } }
    }
}

extension ExplorerState {
    /// Where the schema of the shown request's query comes from; `nil`: it has none.
    var schemaSource: SchemaSource? {
        guard let definition = shownDefinition, definition.body?.kind == .graphql, let context else { return nil }
        if let path = schemaPath(of: definition) { return .file(path, in: context.reference.collection) }
        let url = context.templates.resolvedParts(of: context.wholeURL(of: definition)).map(\.text).joined()
        var masked = definition
        masked.auth = definition.auth.flatMap { $0 == .inherit ? nil : $0 } ?? context.inherited.auth?.definition
        let auth =
            masked.maskingCredentials.auth.map { auth in [auth.kindName] + auth.fields.compactMap { auth.text(of: $0) } } ?? []
        return .server(([url, context.environment ?? ""] + auth).joined(separator: "\n"))
    }

    /// The file that the nearest level names, relative to the file of that level.
    private func schemaPath(of definition: RequestDefinition) -> String? {
        guard let context else { return nil }
        let own = definition.settings.graphQLSchema
        guard let template = own ?? context.inherited.settings.graphQLSchema, !template.isEmpty else { return nil }
        let place = own == nil ? context.inherited.schemaPlace : definition.places["graphql-schema"] ?? definition.location
        return place?.path(to: context.templates.resolvedParts(of: template).map(\.text).joined())
    }

    /// Looks for the schema when its request is shown first, and reads the query anew where that or the schema has changed. Called after each
    /// event.
    mutating func fitQuery() -> [ExplorerEffect] {
        guard let source = schemaSource, let definition = shownDefinition, var graphql = definition.graphQL else {
            context?.query = nil
            panes.request.completion = nil
            return []
        }
        let effects: [ExplorerEffect] = schemas.begin(source) ? [.loadSchema(source)] : []
        let isEdited = panes.request.editing == .body
        if isEdited { graphql.query = .text(panes.request.body.text) } else { panes.request.completion = nil }
        let entry = schemas[source]
        if context?.query?.isOf(graphql, source, entry?.revision ?? 0) != true {
            let before = context?.query?.document
            context?.query = QueryAnalysis(graphql, source, entry?.revision ?? 0, schema: entry?.known?.schema, before: before)
        }
        context?.query?.look(at: isEdited ? panes.request.body.offset : nil)
        return effects
    }

    /// `:schema`: asks the server, or reads the file again.
    mutating func askSchema() -> [ExplorerEffect] {
        guard let source = schemaSource, let definition = shownDefinition, let reference = selectedRequest else {
            return say("a schema is for queries in GraphQL, and this request has none")
        }
        if schemas[source]?.isAwaited == true { return say("the schema is on its way") }
        if case .file(let path, _) = source {
            schemas.await(source)
            notice = Notice(.info, "reading \(SafeText.line(path)) again")
            return [.loadSchema(source)]
        }
        if definition.isWebSocket {
            return say("a schema is asked for over HTTP: ask in a request to an http URL, or name a file in graphql-schema")
        }
        schemas.await(source)
        notice = Notice(.info, "asking the server for its schema")
        return [.askSchema(source, definition.askingForSchema, in: reference.collection, environment: environment)]
    }

    mutating func found(_ finding: SchemaFinding, _ source: SchemaSource) {
        let wasAsked = schemas[source]?.isAwaited == true && schemas[source]?.revision ?? 0 > 0
        schemas.found(finding, source)
        switch finding {
        case .found(let known) where wasAsked && source == schemaSource:
            notice = Notice(.success, "the schema has \(Figures.count(known.schema.types.count, "type"))")
        case .failed(let message) where source == schemaSource: notice = Notice(.warning, message)
        case .found, .nothing, .failed: break
        }
    }

    /// What the row of the schema says.
    var schemaText: (text: String, role: ThemeRole) {
        guard let source = schemaSource, let entry = schemas[source] else { return ("", .dim) }
        var words: [String] = []
        if case .file(let path, _) = source { words.append(shortPath(path)) }
        if let known = entry.known {
            words.append(Figures.count(known.schema.types.count, "type"))
            if let age = known.age { words.append(age) }
        }
        if let problem = entry.problem { return ((words + [problem]).joined(separator: ", "), .warning) }
        if entry.isAwaited { return ((words + ["on its way"]).joined(separator: ", "), .dim) }
        let asking = entry.known == nil ? "none yet: Enter, or :schema, asks the server" : ""
        return ((words + [asking]).filter { !$0.isEmpty }.joined(separator: ", "), entry.known == nil ? .placeholder : .headerValue)
    }

    private func shortPath(_ path: String) -> String {
        guard let root = selectedRequest?.collection, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count + 1))
    }
}

extension SourceLocation {
    /// - Parameter other: relative to the directory of this file.
    func path(to other: String) -> String {
        other.hasPrefix("/") ? other : (path.lastIndex(of: "/").map { path[...$0] } ?? "") + other
    }
}

extension RequestDefinition {
    /// This request with the introspection query for servers that refuse the newer one.
    var askingForOldSchema: RequestDefinition {
        var definition = self
        definition.body = .graphql(.init(query: .text(GraphQLSchema.oldIntrospectionQuery)))
        return definition
    }

    /// This request with the introspection query in place of its own, sent once, and without what is about its answer.
    fileprivate var askingForSchema: RequestDefinition {
        var definition = self
        definition.body = .graphql(.init(query: .text(GraphQLSchema.introspectionQuery)))
        (definition.captures, definition.expectations, definition.until) = ([], [], nil)
        (definition.when, definition.forEach, definition.repeats, definition.hydrate) = (nil, nil, nil, nil)
        definition.tearDown = []
        (definition.settings.savesResponse, definition.settings.keepResponse) = (nil, nil)
        return definition
    }
}
