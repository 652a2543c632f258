import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

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
