import Interchange
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    var omnibox: Omnibox {
        Omnibox(omniboxCatalog, hasBody: responseDocument != nil)
    }

    /// What is typed, as a request for where a new one would stand.
    func readTyped(_ text: String) -> Omnibox.Reading {
        guard let source = TypedRequest.source(of: text), let place = placeForNew else { return (nil, nil) }
        var complaint: String?
        let pasted = read(source, for: place.collection, complaint: &complaint)
        // Before it is sent, not after: behind an option that isn't known may stand what isn't a URL.
        if let notes = pasted?.notes, !notes.isEmpty { complaint = "Left out: " + notes.joined(separator: "; ") }
        return (pasted.map { TypedRequest(pasted: $0, place: place) }, complaint)
    }

    // MARK: Going there

    mutating func go(to row: Omnibox.Row) -> [ExplorerEffect] {
        switch row {
        case .send(let typed): return send(typed)
        case .keep(let typed): return keep(typed)
        case .line(let number): return goToLine(number)
        case .target(let target):
            let used = target.useKey.map { [ExplorerEffect.countUse($0)] } ?? []
            return used + go(to: target)
        }
    }

    private mutating func go(to target: Omnibox.Target) -> [ExplorerEffect] {
        switch target {
        case .request(let reference):
            if reveal(reference) { screen.setFocus(.request) }
            return []
        case .run(let id): return open(id)
        case .command(let id): return perform(id)
        case .environment(let name, let collection):
            if choose(environment: name, in: collection) {
                notice = Notice(.info, name.map { "in the environment \($0)" } ?? "in no environment")
            }
            return []
        case .theme(let name): return [.setTheme(name)]
        case .requestTab(let tab):
            go(toRequest: tab)
            return settle()
        case .responseTab(let tab):
            go(toResponse: tab)
            return settle()
        case .setting(let key):
            return show(.policy) { if case .field(.policy(let field)) = $0 { field.key == key } else { false } }
        case .row(let tab, let row): return show(tab) { $0 == row }
        }
    }

    /// A row of the request pane, on its tab.
    private mutating func show(_ tab: RequestPaneState.Tab, row isWanted: (RequestPaneRow) -> Bool) -> [ExplorerEffect] {
        go(toRequest: tab)
        let effects = settle()
        if let index = requestRows.firstIndex(where: isWanted) { panes.request.list.select(index) }
        return effects + settle()
    }

    /// Selects the request's row in the tree.
    ///
    /// - Returns: `false`: it is gone, which is said.
    mutating func reveal(_ reference: RequestReference) -> Bool {
        guard tree.index(of: reference) != nil else {
            notice = Notice(.info, "\(reference.id) isn't there any more")
            return false
        }
        screen.setFocus(.collection)
        panes.collection.reveal(reference)
        show(request: reference)
        return true
    }

    private mutating func goToLine(_ number: Int) -> [ExplorerEffect] {
        guard let document = responseDocument else { return [] }
        go(toResponse: .body)
        let effects = settle()
        guard document.isQuick || document.lineCount.isExact else {
            notice = Notice(.info, "the body is still being indexed")
            return effects
        }
        if number > document.lineCount.lines, document.lineCount.isExact {
            notice = Notice(.info, "the body has \(Figures.count(document.lineCount.lines, "line")): this is the last one")
        }
        panes.response.body.go(toLine: number - 1, in: document, size: responseArea)
        return effects
    }

    // MARK: Requests that are typed

    mutating func send(_ row: Omnibox.Row?) -> [ExplorerEffect] {
        switch row {
        case .send(let typed)?, .keep(let typed)?: return send(typed)
        case .target(.request(let reference))?:
            guard reveal(reference) else { return [] }
            let used = Omnibox.Target.request(reference).useKey.map { [ExplorerEffect.countUse($0)] } ?? []
            return used + sendShownRequest()
        default: return sendShownRequest()
        }
    }

    /// Sends what was typed, as a request that stands in no file until it is saved.
    private mutating func send(_ typed: TypedRequest) -> [ExplorerEffect] {
        let reference = begin(typed)
        return reveal(reference) ? [drafts.keep(reference)] + sendShownRequest() : []
    }

    /// The tree gets it, and the file only when it is saved.
    private mutating func begin(_ typed: TypedRequest) -> RequestReference {
        let place = typed.place
        var definition = typed.definition
        let key = String(definition.id.name)
        func isTaken(_ id: RequestID) -> Bool {
            workspace[place.collection]?.node(id) != nil
                || tree.index(of: RequestReference(collection: place.collection, id: id)) != nil
        }
        definition.id =
            ([key] + (2...99).map { "\(key)-\($0)" }).lazy.map { place.folder.child($0) }.first { !isTaken($0) }
            ?? place.folder.child(key)
        let reference = RequestReference(collection: place.collection, id: definition.id)
        workspace.sessionVariables.remember(typed.pasted, in: place.collection)
        drafts[reference] = RequestDraft(new: definition)
        showTree()
        notice = Notice(.info, "\(definition.id) is in no file yet: \(keyName(.save)) saves it")
        return reference
    }

    mutating func keep(_ typed: TypedRequest) -> [ExplorerEffect] {
        guard !treeChanges.isChanging else {
            return say("the tree is being changed: try it again")
        }
        return add(typed.pasted, at: typed.place)
    }
}

extension KeyPress {
    /// Whether the key types something into a line.
    var isText: Bool {
        if case .character = key { modifiers.isEmpty } else { false }
    }
}
