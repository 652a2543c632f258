import Interchange
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// A request that was typed or pasted into the omnibox: a URL, with its method or without, `host:port/path`, or a command for curl.
struct TypedRequest: Hashable, Sendable {
    var pasted: PastedRequest
    /// The place where it is kept.
    var place: TreePlace
    /// What the collection gives to it: `+ bearer, 1 header of shop`, or that it goes without.
    var defaults = ""
    /// Whether the collection gives something, which a key leaves off.
    var takesDefaults = false

    var definition: RequestDefinition { pasted.definition }

    /// `GET api.example.org/orders`
    var title: String {
        let url = definition.url
        let short = url.hasPrefix("https://") ? String(url.dropFirst(8)) : url
        return "\(definition.method) \(short)"
    }

    /// `1 secret for this session, 1 parameter, 2 headers`
    var detail: String {
        var parts: [String] = []
        func count(_ count: Int, _ word: String) {
            if count > 0 { parts.append("\(count) \(word)\(count == 1 ? "" : "s")") }
        }
        let secrets = pasted.values.values.count(where: \.isSecret)
        if secrets > 0 { parts.append("\(secrets) secret\(secrets == 1 ? "" : "s") for this session") }
        count(definition.query.count(where: \.isEnabled), "parameter")
        count(definition.headers.count(where: \.isEnabled), "header")
        if let body = definition.body, body.kind != .none { parts.append("\(body.kind.name) body") }
        if let auth = definition.auth, auth.kind != .inherit, auth.kind != .none { parts.append(auth.kindName) }
        return [parts.joined(separator: ", "), defaults].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// A text as ``PastedRequest`` takes it; `nil`: it is no request.
    static func source(of text: String) -> String? {
        let text = text.trimmingBlanks
        // So far it is the beginning of a command, or the name of something.
        if text == "curl" { return nil }
        if PastedRequest.isOne(text) { return text }
        let parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard (1...2).contains(parts.count), let address = parts.last, !address.contains("://") else { return nil }
        let method = parts.count == 2 ? parts[0] : ""
        guard method.allSatisfy({ $0.isASCII && $0.isUppercase }),
            let scheme = scheme(ofAddress: address, isNamed: parts.count == 2)
        else { return nil }
        let url = "\(method) \(scheme)://\(address)".trimmingBlanks
        return PastedRequest.isOne(url) ? url : nil
    }

    /// What stands before a host: a port says enough, and so does a method before a name with a dot.
    private static func scheme(ofAddress address: String, isNamed: Bool) -> String? {
        let authority = address.prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }),
            host.first?.isLetter == true || host.first?.isNumber == true
        else { return nil }
        guard authority.count > host.count else {
            return !isNamed ? nil : host == "localhost" ? "http" : host.contains(".") ? "https" : nil
        }
        guard let port = UInt16(authority.dropFirst(host.count + 1)), port > 0 else { return nil }
        // `12:30` is a time.
        guard host.contains(where: \.isLetter) || host.contains(".") else { return nil }
        return port == 443 || port == 8443 ? "https" : "http"
    }
}

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
            return fit()
        case .responseTab(let tab):
            go(toResponse: tab)
            return fit()
        case .setting(let key):
            if let field = SettingField[key] { go(toSetting: field) }
            return fit()
        case .row(let tab, let row): return show(tab) { $0 == row }
        }
    }

    /// A row of the request pane, on its tab.
    private mutating func show(_ tab: RequestPaneState.Tab, row isWanted: (RequestPaneRow) -> Bool) -> [ExplorerEffect] {
        go(toRequest: tab)
        let effects = fit()
        if let index = requestRows.firstIndex(where: isWanted) { panes.request.list.select(index) }
        return effects + fit()
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
        let effects = fit()
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
        if typed.place.collection == workspace.demo || typed.place.collection == workspace.unwritten?.path {
            return keepOutOfFiles(typed)
        }
        guard !treeChanges.isChanging else {
            return say("the tree is being changed: try it again")
        }
        return add(typed.pasted, at: typed.place)
    }
}

extension ExplorerState {
    /// What is added to a collection that is in no file stands in none either until it is saved; beside the demo it asks for a collection
    /// of its own.
    mutating func keepOutOfFiles(_ typed: TypedRequest) -> [ExplorerEffect] {
        var typed = typed
        typed.pasted.definition = bareAbroad(typed.definition, at: typed.place)
        let reference = begin(typed)
        guard reveal(reference) else { return [] }
        return [drafts.keep(reference)] + (isUnwritten(reference) ? [] : saveNew(reference))
    }
}

extension KeyPress {
    /// Whether the key types something into a line.
    var isText: Bool {
        if case .character = key { modifiers.isEmpty } else { false }
    }
}
