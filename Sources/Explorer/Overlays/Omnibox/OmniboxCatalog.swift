import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections

/// Everything that the omnibox finds, kind by kind.
struct OmniboxCatalog {
    private(set) var index = OmniboxIndex()
    private(set) var targets: [Omnibox.Target] = []
    private(set) var ranges: [Omnibox.Kind: Range<Int>] = [:]
    private var ranks: [String: Int]
    private let used: [String]
    private var places: [String: Int32] = [:]

    init(_ uses: UseBook) {
        ranks = uses.ranks
        used = uses.recent
    }

    var recent: [Int32] { used.compactMap { places[$0] } }

    /// Adds all targets of a kind, one after another.
    mutating func add(_ kind: Omnibox.Kind, _ fill: (inout Self) -> Void) {
        let start = targets.count
        fill(&self)
        ranges[kind] = start..<targets.count
    }

    mutating func add(
        _ target: Omnibox.Target, _ title: String, alias: String = "", detail: String = "", keys: [String] = []
    ) {
        // The names of what was never used aren't even made: there may be 10,000 requests.
        let key = ranks.isEmpty ? nil : target.useKey
        let use = key.flatMap { ranks[$0] } ?? 0
        if use > 0, let key { places[key] = Int32(targets.count) }
        index.add(title, alias: alias, detail: detail, keys: keys, prior: prior(of: target), use: use)
        targets.append(target)
    }

    private func prior(of target: Omnibox.Target) -> Int { Omnibox.Kind.allCases.firstIndex(of: target.kind) ?? 15 }
}

extension ExplorerState {
    /// What there is now.
    var omniboxCatalog: OmniboxCatalog {
        var catalog = OmniboxCatalog(uses)
        catalog.add(.request) { catalog in
            for entry in tree.entries {
                guard let definition = entry.definition else { continue }
                catalog.add(
                    .request(entry.reference), entry.reference.id.rawValue, alias: definition.name ?? "",
                    detail: "\(definition.method) \(definition.url)")
            }
        }
        catalog.add(.run) { catalog in
            for id in historyRows.prefix(1_000) {
                guard let run = runText(id) else { continue }
                catalog.add(.run(id), run.title, detail: run.detail)
            }
        }
        catalog.add(.command) { catalog in
            for command in Command.all {
                catalog.add(
                    .command(command.id), command.title, alias: command.id.rawValue, detail: command.help,
                    keys: keymap.keys(for: command.id).map(\.name))
            }
        }
        catalog.add(.environment) { catalog in
            for collection in workspace.collections.values where !collection.environments.isEmpty {
                for environment in collection.environments.values {
                    catalog.add(
                        .environment(environment.name, in: collection.path), environment.name, alias: "environment",
                        detail: collection.name)
                }
                catalog.add(.environment(nil, in: collection.path), "no environment", detail: collection.name)
            }
        }
        catalog.add(.setting) { catalog in
            guard shownDefinition != nil else { return }
            for field in SettingField.all {
                catalog.add(.setting(key: field.key), field.label, alias: field.key, detail: field.help)
            }
        }
        catalog.add(.tab) { catalog in
            for tab in RequestPaneState.Tab.allCases { catalog.add(.requestTab(tab), tab.title, detail: "request") }
            for tab in responsePaneTabs { catalog.add(.responseTab(tab), tab.title, detail: "response") }
        }
        catalog.add(.row) { catalog in
            guard let definition = shownDefinition, let context else { return }
            for tab in RequestPaneState.Tab.allCases where tab != .policy && tab != .explain {
                for row in tab.rows(of: definition, inherited: context.inherited, columns: 80) {
                    guard let title = row.omniboxTitle(in: definition) else { continue }
                    catalog.add(.row(tab, row), title, detail: tab.title)
                }
            }
        }
        catalog.add(.theme) { catalog in
            for name in screen.themes { catalog.add(.theme(name), name, alias: "theme") }
        }
        return catalog
    }

    /// `orders/create #216`, and what became of it.
    func runText(_ id: OperationID) -> (title: String, detail: String)? {
        if let past = pastRuns[id], operations[id] == nil {
            let result = past.status.map(String.init) ?? past.errorType ?? past.state.description
            return ("\(past.title) #\(past.number)", "\(result) \(past.environment ?? "") \(past.url)")
        }
        guard let entry = operations[id] else { return nil }
        let number = entry.historyNumber.map { " #\($0)" } ?? ""
        let status = entry.metrics.attempts.last?.head.map { "\($0.status.code)" }
        return (entry.title + number, "\(status ?? "\(entry.state)") \(entry.environment ?? "") \(entry.sent.definition.url)")
    }
}

extension RequestPaneRow {
    /// Its name; values may be secrets, and stand in their own place. `nil`: it can't be gone to.
    func omniboxTitle(in definition: RequestDefinition) -> String? {
        switch self {
        case .named(let rows, let index): definition[rows].indices.contains(index) ? definition[rows][index].name : nil
        case .inherited(_, let row): row.name
        case .field(let field): field.omniboxTitle
        case .url: "URL"
        case .heading, .problem, .preview, .empty, .inheritedAuth, .note, .explained, .origin, .overridden, .want: nil
        }
    }
}

extension RequestField {
    fileprivate var omniboxTitle: String? {
        switch self {
        case .bodyKind: "kind of body"
        case .authKind: "kind of auth"
        case .auth(let field): field.key
        case .mock(let field): "mock \(field.key)"
        case .graphql(let field): "graphql \(field)"
        case .typed(let key): key.name
        case .body: "body"
        case .method, .url, .name, .value, .policy: nil
        }
    }
}

extension ResponsePaneState.Tab {
    var title: String { self == .redirects ? "hops" : String(describing: self) }
}
