import Base
import HTTPTypes
import Interchange
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections

/// Everything that the omnibox finds, kind by kind.
struct OmniboxCatalog {
    private(set) var index = OmniboxIndex()
    private(set) var targets: [Omnibox.Target] = []
    private(set) var ranges: [Omnibox.Kind: Range<Int>] = [:]
    private var ranks: [String: Int]
    private let used: [String]
    private var places: [String: Int32] = [:]

    init(_ uses: RecentUses) {
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
            for tab in RequestPaneState.Tab.allCases {
                catalog.add(.requestTab(tab), tab.rawValue, alias: tab == .settings ? "explain" : "", detail: "request")
            }
            for tab in ResponsePaneState.Tab.allCases {
                catalog.add(
                    .responseTab(tab), tab.rawValue, alias: tab == .timing ? "hops TLS certificate info attempts" : "",
                    detail: "response")
            }
        }
        catalog.add(.row) { catalog in
            guard let definition = shownDefinition, let context else { return }
            for tab in RequestPaneState.Tab.allCases where tab != .settings {
                for row in tab.rows(of: definition, inherited: context.inherited, query: context.query, columns: 80) {
                    guard let title = row.omniboxTitle(in: definition) else { continue }
                    catalog.add(.row(tab, row), title, detail: tab.rawValue)
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
        case .heading, .problem, .preview, .empty, .inheritedAuth, .note, .explained, .origin, .overridden, .want, .more: nil
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
        case .graphql(let field): "graphql \(field.label)"
        case .typed(let key): key.name
        case .body: "body"
        case .method, .url, .name, .value, .policy: nil
        }
    }
}

/// A row of the omnibox, as it is drawn.
struct OmniboxText: Hashable, Sendable {
    /// `request`
    var kind: String
    var title: String
    var detail: String
    /// What became of the last run.
    var run: OperationID?
    /// The keys that do the same.
    var keys = ""
}

extension Omnibox.Kind {
    /// The plural of the kind, for the title.
    var plural: String {
        self == .row ? "Rows of the request" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() + "s"
    }
}

extension ExplorerState {
    func text(of row: Omnibox.Row) -> OmniboxText {
        switch row {
        case .send(let typed): OmniboxText(kind: "send", title: typed.title, detail: typed.detail, keys: "Enter")
        case .keep(let typed):
            OmniboxText(
                kind: "keep", title: "as a request in \(placeName(typed.place))",
                detail: typed.pasted.values.values.contains(where: \.isSecret) ? "without the secret" : "", keys: "Tab")
        case .line(let number): OmniboxText(kind: "line", title: "line \(Figures.count(number)) of the body", detail: "")
        case .target(let target): text(of: target)
        }
    }

    private func text(of target: Omnibox.Target) -> OmniboxText {
        var text = OmniboxText(kind: target.kind.rawValue, title: "", detail: "")
        switch target {
        case .request(let reference):
            text.title = reference.id.rawValue
            let definition = definition(of: reference)
            text.detail = definition.map { "\($0.method) \(Self.shown($0.url))" } ?? ""
            if workspace.collections.count > 1, let name = workspace[reference.collection]?.name {
                text.detail += "  \(name)"
            }
            text.run = operations.latest[reference]
        case .run(let id):
            (text.title, text.detail) = runText(id).map { ($0.title, Self.shown($0.detail)) } ?? ("", "")
            text.run = operations[id] == nil ? nil : id
        case .command(let id):
            guard let command = Command[id] else { break }
            (text.title, text.detail) = (command.title, command.help)
            text.keys = keymap.keys(for: id).map(\.name).joined(separator: " ")
        case .environment(let name, let path):
            text.title = name ?? "no environment"
            let collection = workspace[path]
            let names = name.flatMap { collection?.environments[$0]?.variables.map(\.name) } ?? []
            let variables = names.isEmpty ? "" : "variables: \(names.prefix(6).joined(separator: ", "))"
            text.detail = [
                workspace.environments[path] == name ? "chosen" : nil, workspace.collections.count > 1 ? collection?.name : nil,
                variables,
            ]
            .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
            text.keys = keyName(.chooseEnvironment)
        case .setting(let key):
            let field = SettingField.all.first { $0.key == key }
            text.title = field?.label ?? key
            let current = field.map {
                $0.typed(in: shownDefinition?.settings ?? .init()) ?? context?.inherited.setting($0).text ?? ""
            }
            let isSecret = field.map { RequestField.policy($0).isSecret } ?? false
            text.detail = [isSecret ? nil : current.map(Self.shown), field?.help].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: "  ")
        case .requestTab(let tab): (text.title, text.detail) = (tab.rawValue, "of the request")
        case .responseTab(let tab): (text.title, text.detail) = (tab.rawValue, "of the response")
        case .row(let tab, let row):
            text.title = shownDefinition.flatMap { row.omniboxTitle(in: $0) } ?? ""
            text.detail = "in \(tab.rawValue)"
        case .theme(let name):
            text.title = name
            text.detail = name == screen.theme ? "chosen" : ""
            text.keys = keyName(.chooseTheme)
        }
        return text
    }

    /// Credentials in a URL are masked, as everywhere on the screen.
    private static func shown(_ text: String) -> String {
        var shown = text
        for range in Redaction.standard.secrets(inURL: text[...]).reversed() { shown.replaceSubrange(range, with: Redactor.mask) }
        return shown
    }
}

/// What was used in the omnibox, by the second since 1970 in which it was used last.
struct RecentUses: Hashable, Sendable, Codable {
    private var seconds: [String: Double] = [:]

    /// What was used longest ago goes first.
    static let limit = 400

    var isEmpty: Bool { seconds.isEmpty }

    mutating func use(_ key: String, at time: Double) {
        seconds[key] = time
        trim()
    }

    /// Takes in what another program has used meanwhile.
    mutating func merge(_ other: RecentUses) {
        seconds.merge(other.seconds) { max($0, $1) }
        trim()
    }

    private mutating func trim() {
        for key in recent.dropFirst(Self.limit) { seconds[key] = nil }
    }

    /// The keys, the last used one first.
    var recent: [String] { seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key) }

    /// The ranks for the index: what was used longest ago has 1.
    var ranks: [String: Int] {
        Dictionary(uniqueKeysWithValues: recent.reversed().enumerated().map { ($1, $0 + 1) })
    }
}
