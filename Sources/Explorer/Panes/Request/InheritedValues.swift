import Base
import NetworkLayer
import OrderedCollections
import RequestCollections

/// What the folders above a request and the collection give it, each value with where it comes from. Nearer wins.
struct InheritedValues: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        var name: String
        var value: String
        var isEnabled: Bool
        /// The folder's or the collection's name.
        var origin: String
    }

    private(set) var headers: [Row] = []
    private(set) var query: [Row] = []
    private(set) var cookies: [Row] = []
    private(set) var auth: (definition: AuthDefinition, origin: String)? {
        get { authDefinition.map { ($0, authOrigin) } }
        set { (authDefinition, authOrigin) = (newValue?.definition, newValue?.origin ?? "") }
    }
    private var authDefinition: AuthDefinition?
    private var authOrigin = ""
    private(set) var settings = RequestSettings.library
    private var settingOrigins: [SettingField: String] = [:]
    /// Where the schema's file is named, and so what its path is relative to.
    private(set) var schemaPlace: SourceLocation?

    init() {}

    /// - Parameter folders: outermost first.
    init(collection: RequestCollection, folders: [RequestID]) {
        add(collection.defaults, from: collection.name)
        var nodes = collection.nodes
        for id in folders {
            guard let folder = nodes.lazy.compactMap(\.folder).first(where: { $0.id == id }) else { return }
            add(folder.defaults, from: folder.name ?? String(folder.id.name))
            nodes = folder.nodes
        }
    }

    private mutating func add(_ defaults: FolderDefaults, from origin: String) {
        Self.merge(defaults.headers, into: &headers, from: origin, isCaseSensitive: false)
        Self.merge(defaults.query, into: &query, from: origin, isCaseSensitive: true)
        Self.merge(defaults.cookies, into: &cookies, from: origin, isCaseSensitive: true)
        if let auth = defaults.auth, auth != .inherit { self.auth = (auth, origin) }
        for field in SettingField.all where field.isSaid(in: defaults.settings) {
            field.copy(from: defaults.settings, to: &settings)
            settingOrigins[field] = origin
        }
        if defaults.settings.graphQLSchema != nil { schemaPlace = defaults.places["graphql-schema"] }
    }

    private static func merge(
        _ new: [FolderDefaults.DefaultRow], into rows: inout [Row], from origin: String, isCaseSensitive: Bool
    ) {
        func isSame(_ one: String, _ other: String) -> Bool {
            isCaseSensitive ? one == other : one.lowercased() == other.lowercased()
        }
        rows.removeAll { row in new.contains { isSame($0.name, row.name) } }
        for row in new {
            guard let value = row.value else { continue }
            rows.append(Row(name: row.name, value: value, isEnabled: row.isEnabled, origin: origin))
        }
    }

    func rows(_ rows: RequestField.Rows) -> [Row] {
        switch rows {
        case .headers: headers
        case .query: query
        case .cookies: cookies
        case .path, .form, .parts, .uploads, .inURL, .needs, .expectations, .captures, .mockHeaders: []
        }
    }

    /// Whether a folder or the collection says it.
    func isSet(_ field: SettingField) -> Bool { settingOrigins[field] != nil }

    /// What holds when the request itself says nothing: a folder's value, or the library's.
    func setting(_ field: SettingField) -> (text: String, origin: String) {
        (field.typed(in: settings) ?? "", settingOrigins[field] ?? "library")
    }
}

extension RequestCollection.Node {
    fileprivate var folder: RequestCollection.Folder? {
        if case .folder(let folder) = self { folder } else { nil }
    }
}

// MARK: Requests that bring nothing of the collection along

extension InheritedValues {
    /// What a server sees of them with a request: `bearer, 1 header`. Empty: nothing.
    func words(for request: RequestDefinition) -> String {
        var parts: [String] = []
        if let auth, auth.definition != .none, request.auth ?? .inherit == .inherit { parts.append(auth.definition.kindName) }
        for (list, noun) in Self.lists {
            let count = rows(list, besides: request).count
            if count > 0 { parts.append("\(count) \(noun)\(count == 1 ? "" : "s")") }
        }
        return parts.joined(separator: ", ")
    }

    /// The request with all of them switched off, which its rows then show: each can be switched on again.
    func leftOff(_ request: RequestDefinition) -> RequestDefinition {
        var request = request
        if auth != nil, request.auth ?? .inherit == .inherit { request.auth = AuthDefinition.none }
        for (list, _) in Self.lists {
            request[list] += rows(list, besides: request).map { .init(name: $0.name, value: $0.value, isEnabled: false) }
        }
        return request
    }

    private static let lists: [(RequestField.Rows, noun: String)] = [
        (.headers, "header"), (.query, "parameter"), (.cookies, "cookie"),
    ]

    private func rows(_ list: RequestField.Rows, besides request: RequestDefinition) -> [Row] {
        // Only names of header fields are the same in other letters.
        func key(_ name: String) -> String { list == .headers ? name.lowercased() : name }
        let own = Set(request[list].map { key($0.name) })
        return rows(list).filter { $0.isEnabled && !own.contains(key($0.name)) }
    }
}

extension ExplorerState {
    /// What the folders and the collection give to a request at a place of the tree.
    func inherited(at place: TreePlace) -> InheritedValues {
        guard let collection = workspace[place.collection] else { return InheritedValues() }
        let folder = place.folder.map { RequestReference(collection: place.collection, id: $0) }
        return InheritedValues(collection: collection, folders: folder.map { tree.folders(of: $0) + [$0.id] } ?? [])
    }

    /// Whether a URL goes to the origin of one of the collection's requests, as far as these are known without running anything.
    func isAtHome(_ url: String, in path: String) -> Bool {
        guard let collection = workspace[path] else { return false }
        let templates = TemplatePreview(
            collection, environment: workspace.environments[path], given: givenVariables(in: path).texts,
            secrets: Set(givenVariables(in: path).secrets.keys))
        func origin(_ text: String) -> Origin? {
            URL(international: templates.resolvedParts(of: text).map(\.text).joined()).flatMap { Origin($0) }
        }
        guard let wanted = origin(url) else { return false }
        // Thousands of requests begin with the same few templates.
        var isHome: [Substring: Bool] = [:]
        return collection.requests.contains { request in
            let start = request.url.authorityPrefix
            if let known = isHome[start] { return known }
            let answer = origin(String(start)) == wanted
            isHome[start] = answer
            return answer
        }
    }

    /// A request that was typed or pasted: where it goes to an origin that the collection has nothing to do with, it goes without what the
    /// collection gives to its own.
    func bareAbroad(_ request: RequestDefinition, at place: TreePlace) -> RequestDefinition {
        isAtHome(request.url, in: place.collection) ? request : inherited(at: place).leftOff(request)
    }
}

extension String {
    /// A URL up to its path: `https://host:80`, `{{host}}`.
    fileprivate var authorityPrefix: Substring {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        return prefix(
            upTo: self[start...].utf8.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
                ?? endIndex)
    }
}
