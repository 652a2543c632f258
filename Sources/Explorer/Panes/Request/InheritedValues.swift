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
        case .path, .form, .parts, .inURL, .needs, .expectations, .captures, .mockHeaders: []
        }
    }

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
