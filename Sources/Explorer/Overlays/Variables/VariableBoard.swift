import OrderedCollections
import RequestCollections
import TerminalUI

/// All variables of a collection, environment by environment.
struct VariableBoard: Hashable, Sendable {
    var collection: String
    var list = ListState()
    /// What the cursor stays on while rows come and go, or goes to as soon as it is there; `nil`: it was just moved.
    var wanted: Place?

    init(collection: String) { self.collection = collection }

    enum Row: Hashable, Sendable {
        /// `nil`: of all environments.
        case scope(EnvironmentDefinition?)
        case variable(VariableDefinition, in: String?)

        /// The environment that it is or stands in.
        var environment: String? {
            switch self {
            case .scope(let environment): environment?.name
            case .variable(_, let environment): environment
            }
        }

        var place: Place {
            switch self {
            case .scope(let environment): Place(environment: environment?.name)
            case .variable(let variable, let environment): Place(environment: environment, variable: variable.name)
            }
        }
    }

    struct Place: Hashable, Sendable {
        var environment: String?
        var variable: String?
    }
}

extension VariableBoard: ListedOverlay {
    var overlay: Overlay { .variables(self) }
    var title: String { "Environments and variables" }

    func area(in screen: Rect) -> Rect {
        screen.centered(Size(columns: 96, rows: max(12, list.count + 4)))
    }

    func listArea(in inner: Rect) -> Rect { inner.splitBottom(2).rest }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [
            .init(key: "Enter", word: "edit"), .init(key: "a", word: "add"), .init(key: "A", word: "environment"),
            .init(key: "d", word: "delete"), .init(key: "u", word: "undo"), .init(key: "Space", word: "use"),
            .init(key: "Esc", word: "back"),
        ]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let rows = state.rows(of: self)
        let row = rows.indices.contains(list.selected) ? rows[list.selected] : nil
        let board = self
        switch (key.key, key.modifiers) {
        case (.escape, _), (.character("q"), []): return .closes()
        case (.enter, _), (.character("e"), []): return row.map { .opens(.entry(form(of: $0))) } ?? .stays()
        case (.character("a"), []): return .opens(.entry(form(base: nil, in: row?.environment)))
        case (.character("A"), _): return .opens(.entry(form(base: nil)))
        case (.character("d"), []): return row.map { row in .stays { $0.delete(row, of: board) } } ?? .stays()
        case (.character(" "), []), (.character("v"), []):
            return .stays {
                $0.workspace.environments[board.collection] = row?.environment
                $0.refreshContext(isStale: true)
                return []
            }
        case (.character("u"), []):
            return .stays { $0.revert(.undo, of: board) }
        case (.character("r"), .control):
            return .stays { $0.revert(.redo, of: board) }
        default:
            if list.handle(key) { wanted = nil }
            return .stays()
        }
    }

    /// A click in the selected row edits it.
    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool {
        let before = self.list.selected
        wanted = nil
        return select(atRow: row) && before == self.list.selected
    }

    mutating func settle(in state: ExplorerState) -> Bool {
        let rows = state.rows(of: self)
        list.count = rows.count
        list.height = OverlayLayout(of: self, in: state.screen.size).list.rows
        if let index = rows.firstIndex(where: { $0.place == wanted }) { list.select(index) }
        if wanted == nil, rows.indices.contains(list.selected) { wanted = rows[list.selected].place }
        return true
    }

    // MARK: Forms

    private func form(of row: VariableBoard.Row) -> EntryForm {
        switch row {
        case .scope(nil): form(base: nil, in: nil)
        case .scope(let environment): form(base: environment)
        case .variable(let variable, let environment): form(base: variable, in: environment)
        }
    }

    private func form(base: VariableDefinition?, in environment: String?) -> EntryForm {
        var secret = ""
        if case .secret(let reference) = base?.value { secret = reference.typed }
        let place = environment.map { " in \($0)" } ?? ""
        var form = EntryForm(
            base.map { "Variable \($0.name)\(place)" } ?? "New variable\(place)",
            [
                .init("name", base?.name ?? ""), .init("value", base?.value.typed ?? "", isSecret: base?.isMasked ?? false),
                .init("secret from", secret),
            ],
            note: "A secret stands in no file: instead of a value say where it is, env NAME, file PATH, prompt MESSAGE",
            purpose: .editVariable(base: base, in: environment, of: self))
        if base != nil { form.selected = secret.isEmpty ? 1 : 2 }
        return form
    }

    private func form(base: EnvironmentDefinition?) -> EntryForm {
        EntryForm(
            base.map { "Environment \($0.name)" } ?? "New environment",
            [.init("name", base?.name ?? ""), .init("extends", base?.extends ?? "")],
            note: "What an environment doesn't say is as the one says that it extends, then as the collection says",
            purpose: .editEnvironment(base: base, of: self))
    }
}

extension RequestCollection {
    /// First the variables of all environments, then each environment with its own.
    var variableRows: [VariableBoard.Row] {
        [.scope(nil)] + variables.map { .variable($0, in: nil) }
            + environments.values.flatMap { environment in
                [.scope(environment)] + environment.variables.map { .variable($0, in: environment.name) }
            }
    }
}

extension VariableDefinition {
    /// Whether its value is drawn as dots: a secret, or a text of which the name says that it is one.
    var isMasked: Bool {
        guard case .text(let text) = value else { return false }
        return VariableBoard.masks(name) && !text.contains("{{") && !text.isEmpty
    }
}
