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
    ///
    /// - Parameter isBare: it goes without what the collection gives to its requests, wherever it goes.
    func readTyped(_ text: String, isBare: Bool) -> Omnibox.Reading {
        guard let source = TypedRequest.source(of: text), let place = placeForNew else { return (nil, nil) }
        var complaint: String?
        let pasted = read(source, for: place.collection, complaint: &complaint)
        // Before it is sent, not after: behind an option that isn't known may stand what isn't a URL.
        if let notes = pasted?.notes, !notes.isEmpty { complaint = "Left out: " + notes.joined(separator: "; ") }
        guard let pasted else { return (nil, complaint) }
        var typed = TypedRequest(pasted: pasted, place: place)
        let inherited = inherited(at: place)
        let words = inherited.words(for: pasted.definition)
        guard !words.isEmpty, let name = workspace[place.collection]?.name else { return (typed, complaint) }
        if !isBare, isAtHome(pasted.definition.url, in: place.collection) {
            (typed.defaults, typed.takesDefaults) = ("+ \(words) of \(name)", true)
        } else {
            typed.pasted.definition = inherited.leftOff(pasted.definition)
            typed.defaults = "without \(words) of \(name)"
        }
        return (typed, complaint)
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
        if typed.place.collection == workspace.demo { return keepOutOfDemo(typed) }
        guard !treeChanges.isChanging else {
            return say("the tree is being changed: try it again")
        }
        return add(typed.pasted, at: typed.place)
    }
}

extension ExplorerState {
    /// What is added while the demo is open stands in no file, and asks for a collection of its own.
    mutating func keepOutOfDemo(_ typed: TypedRequest) -> [ExplorerEffect] {
        var typed = typed
        typed.pasted.definition = bareAbroad(typed.definition, at: typed.place)
        let reference = begin(typed)
        return reveal(reference) ? [drafts.keep(reference)] + saveNew(reference) : []
    }
}

extension KeyPress {
    /// Whether the key types something into a line.
    var isText: Bool {
        if case .character = key { modifiers.isEmpty } else { false }
    }
}
