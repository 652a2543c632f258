import NetworkLayer
import OrderedCollections
import Presentation
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

    mutating func fit(in state: ExplorerState) -> Bool {
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

/// Environments and variables: seen, added, changed and taken away, and at once in the collection's file.
extension ExplorerState {
    var variableBoard: Opening {
        guard let path = shownCollection?.path else { return .notice("there is no collection that could have variables") }
        var board = VariableBoard(collection: path)
        board.wanted = workspace.environments[path].map { VariableBoard.Place(environment: $0) }
        return .overlay(.variables(board))
    }

    func rows(of board: VariableBoard) -> [VariableBoard.Row] {
        workspace[board.collection]?.variableRows ?? []
    }

    /// Takes the last change back, or does it again, when it is one of the board's: what it doesn't show stays.
    mutating func revert(_ command: Command.ID, of board: VariableBoard) -> [ExplorerEffect] {
        guard !treeChanges.isChanging else { return [] }
        guard let last = (command == .undo ? treeChanges.undo : treeChanges.redo).last else {
            return say("there is nothing to \(command.rawValue)")
        }
        guard last.edit.isOfVariables(of: board.collection) else {
            let key = "\(keyName(command)) in the tree \(command == .undo ? "takes it back" : "does it again")"
            return say("the last change is none of these: \(last.edit.sentence); \(key)")
        }
        return changeTreeNow(command) ?? []
    }

    // MARK: Forms

    /// - Returns: `nil` when the form isn't about variables.
    /// - Throws: why it can't be so.
    func variableEdit(of form: EntryForm) throws(CollectionProblem) -> (edit: VariableEdit, board: VariableBoard)? {
        switch form.purpose {
        case .editVariable(let base, let environment, let board):
            let name = form.fields[0].text
            let edited = VariableDefinition(
                name: name, value: try value(of: form, before: base?.value), origins: base?.origins,
                location: base?.location ?? .init(path: "", line: 1, column: 1))
            var next = board
            next.wanted = .init(environment: environment, variable: name)
            return (.variable(base: base, edited: edited, in: environment), next)
        case .editEnvironment(let base, let board):
            let (name, extends) = (form.fields[0].text, form.fields[1].text)
            let edited = EnvironmentDefinition(
                name: name, extends: extends.isEmpty ? nil : extends, location: .init(path: "", line: 1, column: 1))
            var next = board
            next.wanted = .init(environment: name)
            return (.environment(base: base, edited: edited), next)
        default: return nil
        }
    }

    private func value(
        of form: EntryForm, before: VariableDefinition.Value?
    ) throws(CollectionProblem) -> VariableDefinition.Value {
        let (text, source) = (form.fields[1].line.text, form.fields[2].text)
        // What nobody has touched stays as it was, whatever a line can say of it.
        if let typed = before?.typed, source.isEmpty, LineEditor(typed).text == text, let before { return before }
        guard !source.isEmpty else { return .init(typed: text) }
        guard text.isEmpty else { throw complaint("it is a value or a secret: one of the two stays empty") }
        guard let reference = SecretReference(typed: source) else {
            throw complaint("`\(source)` isn't where a secret is: env NAME, file PATH, prompt MESSAGE or command WORDS")
        }
        return .secret(reference)
    }

    /// What was filled in, on its way into the file.
    mutating func apply(_ edit: VariableEdit, of board: VariableBoard) throws(CollectionProblem) -> [ExplorerEffect] {
        guard !treeChanges.isChanging else {
            throw complaint("the change before this one is still being written: press the key again")
        }
        _ = try workspace[board.collection]?.edited(by: edit)
        overlay = .variables(board)
        if case .environment(let base?, let edited?) = edit, workspace.environments[board.collection] == base.name {
            workspace.environments[board.collection] = edited.name
        }
        return treeChanges.write(.vary(edit, of: board.collection))
    }

    mutating func delete(_ row: VariableBoard.Row, of board: VariableBoard) -> [ExplorerEffect] {
        let edit: VariableEdit
        switch row {
        case .scope(nil): return []
        case .scope(let environment?): edit = .environment(base: environment, edited: nil)
        case .variable(let variable, let environment): edit = .variable(base: variable, edited: nil, in: environment)
        }
        do throws(CollectionProblem) {
            let effects = try apply(edit, of: board)
            if case .environment(let base?, nil) = edit, workspace.environments[board.collection] == base.name {
                workspace.environments[board.collection] = nil
            }
            return effects
        } catch {
            return say(error.message, .error)
        }
    }
}

extension VariableBoard {
    static func masks(_ name: String) -> Bool {
        Redaction.standard.redacts(name) || Redaction.standard.redacts(parameter: name)
    }
}

extension VariableEdit {
    /// A sentence that says what was done, in the past tense.
    var sentence: String {
        switch self {
        case .variable(nil, let edited, let place): "added \(edited?.name ?? "")" + (place.map { " to \($0)" } ?? "")
        case .variable(let base?, nil, let place): "deleted \(base.name)" + (place.map { " of \($0)" } ?? "")
        case .variable(let base?, let edited?, let place):
            (base.name == edited.name ? "set \(edited.name)" : "renamed \(base.name) to \(edited.name)")
                + (place.map { " in \($0)" } ?? "")
        case .environment(nil, let edited): "added the environment \(edited?.name ?? "")"
        case .environment(let base?, nil): "deleted the environment \(base.name)"
        case .environment(_, let edited?): "changed the environment \(edited.name)"
        }
    }
}

/// Draws the variables of a collection, environment by environment; secrets masked.
extension VariableBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (rows, rect) = (state.rows(of: self), layout.list)
        let names = rows.map { row in if case .variable(let variable, _) = row { DisplayWidth.of(variable.name) } else { 0 } }
        let column = min(24, names.max() ?? 0) + 6
        canvas.list(list, in: rect) { canvas, index, row in
            guard rows.indices.contains(index) else { return }
            switch rows[index] {
            case .scope(let environment): draw(environment, of: state, row: row, on: &canvas)
            case .variable(let variable, _):
                canvas.text(SafeText.line(variable.name), .headerName, column: 4, row: row, limit: column - 5, ellipsis: true)
                let value = Self.value(of: variable)
                canvas.line(value, column: column, row: row, limit: rect.columns - column - 1, ellipsis: true)
            }
        }
    }

    private func draw(_ environment: EnvironmentDefinition?, of state: ExplorerState, row: Int, on canvas: inout Canvas) {
        guard let environment else {
            canvas.text("in every environment", .title, column: 2, row: row)
            return
        }
        var end = canvas.text(SafeText.line(environment.name), .title, column: 2, row: row, ellipsis: true) + 1
        if let extends = environment.extends {
            end = canvas.text("extends \(SafeText.line(extends))", .dim, column: end, row: row, ellipsis: true) + 1
        }
        if state.workspace.environments[collection] == environment.name {
            canvas.text("in use", .accent, column: end, row: row)
        }
    }

    private static func value(of variable: VariableDefinition) -> StyledLine {
        guard case .secret(let reference) = variable.value else {
            let text = variable.isMasked ? Redactor.mask : SafeText.line(variable.value.typed ?? "")
            return StyledLine(text, variable.isMasked ? .secret : .headerValue)
        }
        var line = StyledLine(Redactor.mask, .secret)
        line.append(" from \(SafeText.line(reference.typed))", .dim)
        return line
    }
}
