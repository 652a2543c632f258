import Interchange
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    // MARK: Changing the draft

    /// Edits the request as one step of undo, and keeps the draft safe.
    @discardableResult
    mutating func edit(_ change: (inout RequestDefinition) -> Void) -> [ExplorerEffect] {
        guard let reference = selectedRequest, let saved = tree.definition(of: reference) else { return [] }
        var draft = drafts[reference] ?? RequestDraft(saved)
        guard draft.edit(change) else { return [] }
        let row = selectedRequestRow
        drafts[reference] = draft
        // A setting that is set stands before the others.
        if let row, case .field(.policy) = row { panes.request.select(row, in: requestRows) }
        return [drafts.keep(reference)]
    }

    mutating func undo(_ step: (inout RequestDraft) -> Bool, nothing: String) -> [ExplorerEffect] {
        guard let reference = selectedRequest, var draft = drafts[reference], step(&draft) else { return say(nothing) }
        drafts[reference] = draft
        return [drafts.keep(reference)]
    }

    // MARK: Editing in place

    mutating func editSelectedRow() -> [ExplorerEffect] {
        if requestShowsBodyText, panes.request.list.selected == 0 {
            beginEditingBody()
            return []
        }
        switch selectedRequestRow {
        case .field(.graphql(.query)): beginEditingBody()
        case .field(.graphql(.schema)): return askSchema()
        case .problem(let problem): overlay = .dialog(Dialog(about: problem))
        case .url: beginEditing(.url)
        case .named(let rows, let index): beginEditing(.value(rows, index))
        case .inherited(let rows, let row):
            // The request's own row wins over the folder's.
            let effects = overrideRow(.init(name: row.name, value: row.value), in: rows)
            if let index = namedIndex { beginEditing(.value(rows, index)) }
            return effects
        case .empty: return addRow()
        case .field(let field):
            if let choices = choices(of: field) { overlay = .chooser(choices) } else { beginEditing(field) }
        case .explained(let row): return openFile(at: row.origin.location, of: row.origin.source)
        case .overridden(let row): return openFile(at: row.origin.location, of: row.origin.source)
        case .want: return askTrust()
        case .more(let more, _):
            panes.request.opened.formSymmetricDifference([more])
            fitExplanation()
        case .heading, .preview, .note, .inheritedAuth, .origin, nil: break
        }
        return []
    }

    private mutating func overrideRow(_ row: RequestDefinition.Row, in rows: RequestField.Rows) -> [ExplorerEffect] {
        let effects = edit { $0[rows].append(row) }
        panes.request.select(.named(rows, (shownDefinition?[rows].count ?? 1) - 1), in: requestRows)
        return effects
    }

    private var namedIndex: Int? {
        if case .named(_, let index) = selectedRequestRow { index } else { nil }
    }

    /// The text of the body; of a query, the row above it has the cursor.
    mutating func beginEditingBody() {
        panes.request.select(.field(.graphql(.query)), in: requestRows)
        panes.request.editing = .body
    }

    mutating func beginEditing(_ field: RequestField) {
        guard let text = shownDefinition?.text(of: field) else { return }
        var line = LineEditor(text)
        // A line would make one of many, and lose what they were.
        guard line.text == text else {
            notice = Notice(.info, "it has several lines: \(keyName(.editExternally)) opens it in $EDITOR")
            return
        }
        // What is typed replaces a value that stands there before anybody has edited it.
        if case .value(.expectations, _) = field, text == "exists" { line.selectAll() }
        panes.request.editing = .line(field, line)
    }

    /// Takes over what is being edited, and ends editing. A key, a click or a signal that wants to leave the row comes through here, and
    /// nothing but these does: no command is performed while a row is open.
    ///
    /// - Returns: `nil` when the field can't have the text: the row stays open, the notice says why, and nothing else is begun.
    mutating func leaveRow() -> [ExplorerEffect]? {
        switch panes.request.editing {
        case nil: return []
        case .body:
            panes.request.editing = nil
            let text = panes.request.body.text
            let effects = edit { try? $0.setText(text, of: .body) }
            // What is shorter says so beside it.
            if text.utf8.count > JSONFault.longest, let complaint = shownDefinition?.bodyComplaint {
                notice = Notice(.warning, complaint)
            }
            return effects
        case .line(.url, let line) where PastedRequest.isCommand(line.text):
            guard let effects = replaceShownRequest(with: line.text) else { return nil }
            panes.request.editing = nil
            return effects
        case .line(let field, let line):
            guard var next = shownDefinition else {
                panes.request.editing = nil
                return []
            }
            do throws(InvalidFieldText) {
                try next.setText(line.text, of: field)
            } catch {
                notice = Notice(.error, error.message)
                return nil
            }
            panes.request.editing = nil
            return edit { $0 = next } + dropEmptyRow(field)
        }
    }

    /// A row that was added and got neither name nor value goes away again.
    private mutating func dropEmptyRow(_ field: RequestField) -> [ExplorerEffect] {
        switch field {
        case .name(let rows, let index), .value(let rows, let index):
            return isEmptyRow(field) ? edit { $0[rows].remove(at: index) } : []
        default: return []
        }
    }

    private func isEmptyRow(_ field: RequestField) -> Bool {
        switch field {
        case .name(let rows, let index), .value(let rows, let index):
            // A parameter of the URL is gone with its text.
            guard let list = shownDefinition?[rows], list.indices.contains(index) else { return false }
            return list[index].name.isEmpty && list[index].value.isEmpty
        default: return false
        }
    }

    /// A key while a field or the body is being edited.
    mutating func editing(key: KeyPress) -> [ExplorerEffect] {
        if case .function = key.key, let command = keymap.command(for: key, in: .request) {
            return leaveRow().map { $0 + perform(command) } ?? []
        }
        if completion(key: key) { return [] }
        switch (panes.request.editing, key.key) {
        case (.body, .escape): return leaveRow() ?? []
        case (.line(let field, _), .escape):
            panes.request.editing = nil
            return dropEmptyRow(field)
        case (.line(let field, _), .enter):
            guard let effects = leaveRow() else { return [] }
            if lacksValue(field) { editNeighbour(of: field) }
            return effects
        case (.line(let field, let line), .tab):
            if key.modifiers.isEmpty, complete(line, of: field) { return [] }
            if key.modifiers.isEmpty, line.text.isEmpty, isEmptyRow(field) {
                return say("a row begins with its name; Esc takes the row away")
            }
            guard let effects = leaveRow() else { return [] }
            editNeighbour(of: field, isForward: !key.modifiers.contains(.shift))
            return effects
        case (.line(let field, var line), _):
            // A secret doesn't get into any clipboard.
            var none = ""
            let result = field.isSecret ? line.handle(key, clipboard: &none) : line.handle(key, clipboard: &clipboard)
            panes.request.editing = .line(field, line)
            return field.isSecret ? [] : copied(result)
        case (.body, _):
            let revision = panes.request.body.revision
            let result = panes.request.body.handle(key, clipboard: &clipboard)
            completionFollows(key, isChanged: panes.request.body.revision != revision)
            return copied(result)
        case (nil, _): return []
        }
    }

    mutating func editing(paste text: String) -> [ExplorerEffect] {
        switch panes.request.editing {
        case .line(.url, _) where PastedRequest.isCommand(text):
            guard let effects = replaceShownRequest(with: text) else { return [] }
            panes.request.editing = nil
            return effects
        case .line(let field, var line):
            _ = line.paste(text)
            panes.request.editing = .line(field, line)
        case .body:
            panes.request.completion = nil
            _ = panes.request.body.paste(text)
        case nil: return handlePaste(text)
        }
        return []
    }

    private func copied(_ result: EditResult) -> [ExplorerEffect] {
        switch result {
        case .copied(let text), .cut(let text): [.copy(text, what: "text")]
        case .ignored, .moved, .changed: []
        }
    }

    /// Whether it is the name of a row that has no value yet: whoever typed the name goes on to type the value.
    private func lacksValue(_ field: RequestField) -> Bool {
        guard case .name(let rows, let index) = field, let list = shownDefinition?[rows], list.indices.contains(index) else {
            return false
        }
        let value = list[index].value
        return !list[index].name.isEmpty && (value.isEmpty || rows == .expectations && value == "exists")
    }

    private mutating func editNeighbour(of field: RequestField, isForward: Bool = true) {
        guard let definition = shownDefinition, let target = definition.neighbour(of: field, isForward: isForward),
            definition.text(of: target) != nil
        else { return }
        panes.request.select(RequestPaneRow(of: target), in: requestRows)
        beginEditing(target)
    }

    // MARK: Rows

    mutating func toggleSelectedRow() -> [ExplorerEffect] {
        switch selectedRequestRow {
        case .named(let rows, _) where rows.isAboutResponse:
            return say("it can't be switched off: \(keyName(.deleteRow)) deletes it, \(keyName(.undo)) brings it back")
        case .named(let rows, let index): return edit { $0[rows][index].isEnabled.toggle() }
        case .inherited(let rows, let row):
            // Switched off for this request alone.
            return overrideRow(.init(name: row.name, value: row.value, isEnabled: !row.isEnabled), in: rows)
        case .field(let field): return chooseNext(of: field)
        case .more: return editSelectedRow()
        case .heading, .problem, .url, .preview, .empty, .inheritedAuth, .note, .explained, .origin, .overridden, .want, nil:
            return []
        }
    }

    /// The choice after the one that holds.
    private mutating func chooseNext(of field: RequestField) -> [ExplorerEffect] {
        guard let chooser = choices(of: field) else { return [] }
        var next = chooser.list.selected.stepped(by: 1, of: chooser.items.count)
        if chooser.items[next].title == Self.anything { next = next.stepped(by: 1, of: chooser.items.count) }
        return choose(chooser, item: next)
    }

    mutating func addRow() -> [ExplorerEffect] {
        let lists: [RequestPaneState.Tab: RequestField.Rows] = [
            .params: .query, .headers: .headers, .checks: .expectations,
        ]
        var rows = selectedRequestRow?.list ?? lists[panes.request.tab]
        if panes.request.tab == .body, case .form = shownDefinition?.body { rows = .form }
        if panes.request.tab == .body, case .multipart = shownDefinition?.body { rows = .parts }
        if panes.request.tab == .body, case .graphql = shownDefinition?.body { rows = .uploads }
        // What is added stands in the list, where it can be switched off.
        if rows == .inURL { rows = .query }
        guard let rows else { return say("rows are added to parameters, headers, cookies, forms and checks") }
        var index = shownDefinition?[rows].count ?? 0
        if case .named(rows, let selected) = selectedRequestRow { index = selected + 1 }
        let effects = edit { $0[rows].insert(.init(name: "", value: ""), at: index) }
        panes.request.select(.named(rows, index), in: requestRows)
        beginEditing(.name(rows, index))
        return effects
    }

    mutating func deleteSelectedRow() -> [ExplorerEffect] {
        switch selectedRequestRow {
        case .named(let rows, let index):
            let name = shownDefinition?[rows][index].name ?? ""
            let effects = edit { $0[rows].remove(at: index) }
            notice = Notice(.info, "deleted \(name.isEmpty ? "the row" : name); \(keyName(.undo)) brings it back")
            return effects
        case .field(.policy(let setting)):
            return edit { try? setting.set("", in: &$0.settings) }
        case .field(.mock(let field)): return edit { try? $0.setText("", of: .mock(field)) }
        case .field(.graphql(let field)) where field != .query: return edit { try? $0.setText("", ofGraphQL: field) }
        case .field(.typed(let key)): return edit { try? $0.setTyped("", of: key) }
        case .inherited:
            notice = Notice(.info, "it comes from a folder: Space switches it off for this request")
        case .heading, .problem, .url, .preview, .empty, .field, .inheritedAuth, .note, .explained, .origin, .overridden,
            .want, .more, nil:
            break
        }
        return []
    }

    // MARK: $EDITOR

    mutating func editExternally() -> [ExplorerEffect] {
        guard let reference = selectedRequest, let definition = shownDefinition else { return [] }
        switch selectedRequestRow {
        case .explained, .overridden: return editSelectedRow()
        default: break
        }
        var field: RequestField = .body
        switch selectedRequestRow {
        case .field(.graphql(let selected)) where selected.hasOwnText: field = .graphql(selected)
        case _ where panes.request.tab == .body: break
        case .url: field = .url
        case .named(let rows, let index): field = .value(rows, index)
        case .field(let selected): field = selected
        default: break
        }
        if field == .body, case .file(let path) = definition.graphQL?.query, panes.request.tab == .body {
            return [.openFile(SourceLocation(path: definition.location.path(to: path), line: 1, column: 1))]
        }
        let isBody = panes.request.tab == .body && field == .body
        let canEdit = isBody ? requestShowsBodyText : field != .body && definition.text(of: field) != nil
        guard canEdit else {
            return say("there is no text here to edit: pick a value of this request, or a text or JSON body")
        }
        let text = definition.text(of: field) ?? ""
        return [
            .openEditor(
                EditorRequest(request: reference, field: field, text: text, fileExtension: definition.fileExtension(of: field)))
        ]
    }

    mutating func edited(_ request: EditorRequest, text: String?) -> [ExplorerEffect] {
        guard var text, request.request == selectedRequest else { return [] }
        // Editors end the last line.
        if text.hasSuffix("\n"), !request.text.hasSuffix("\n") { text.removeLast() }
        guard text != request.text else { return [] }
        guard var next = shownDefinition else { return [] }
        do throws(InvalidFieldText) {
            try next.setText(text, of: request.field)
        } catch {
            return say(error.message, .error)
        }
        return edit { $0 = next }
    }

    /// The key of a command, or what finds it.
    func keyName(_ command: Command.ID) -> String {
        keymap.keys(for: command).first?.name ?? "\(keymap.keys(for: .palette).first?.name ?? "") \(command.rawValue)"
    }
}

extension RequestDefinition {
    /// What a text would be called as a file.
    fileprivate func fileExtension(of field: RequestField) -> String {
        switch field {
        case .body where body?.kind == .json: "json"
        case .body where body?.kind == .graphql: "graphql"
        case .graphql(.variables), .graphql(.connection): "json"
        default: "txt"
        }
    }

    /// Where Tab leads: name, value, name of the next row, or the next field of the authentication.
    fileprivate func neighbour(of field: RequestField, isForward: Bool) -> RequestField? {
        switch field {
        case .name(let rows, let index):
            return isForward ? .value(rows, index) : index > 0 ? .value(rows, index - 1) : nil
        case .value(let rows, let index): return .name(rows, isForward ? index + 1 : index)
        case .auth(let field):
            let fields = auth?.fields.filter { $0.choices == nil } ?? []
            guard let index = fields.firstIndex(of: field).map({ isForward ? $0 + 1 : $0 - 1 }), fields.indices.contains(index)
            else { return nil }
            return .auth(fields[index])
        default: return nil
        }
    }
}

extension RequestPaneRow {
    /// The row where a field stands.
    init(of field: RequestField) {
        self = field.row.map { .named($0.rows, $0.index) } ?? .field(field)
    }
}
