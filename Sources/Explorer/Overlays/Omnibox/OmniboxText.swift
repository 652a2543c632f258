import Interchange
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections

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
        case .requestTab(let tab): (text.title, text.detail) = (tab.title, "of the request")
        case .responseTab(let tab): (text.title, text.detail) = (tab.title, "of the response")
        case .row(let tab, let row):
            text.title = shownDefinition.flatMap { row.omniboxTitle(in: $0) } ?? ""
            text.detail = "in \(tab.title)"
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
