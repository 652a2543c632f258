import Base
import Interchange
import NetworkLayer
import OrderedCollections
import RequestCollections

/// A command for curl or a URL that is pasted is a request. Secrets in it don't get into the file.
extension ExplorerState {
    /// Text that came while nothing is being typed.
    mutating func handlePaste(_ text: String) -> [ExplorerEffect] {
        guard PastedRequest.isOne(text) else { return say("what was pasted is neither a URL nor a command for curl") }
        guard let place = placeForNew else { return say("there is no collection for it: \(keyName(.newCollection)) makes one") }
        guard !treeChanges.isChanging else { return say("the tree is being changed: paste it again") }
        return read(text, for: place.collection).map { pasted in
            guard place.collection == workspace.demo || place.collection == workspace.unwritten?.path else {
                return add(pasted, at: place)
            }
            return keepOutOfFiles(TypedRequest(pasted: pasted, place: place))
        } ?? []
    }

    /// Adds it to the tree, under a name that is free.
    mutating func add(_ pasted: PastedRequest, at place: TreePlace) -> [ExplorerEffect] {
        var definition = bareAbroad(pasted.definition, at: place)
        let key = String(definition.id.name)
        let isTaken = workspace[place.collection]?.node(place.folder.child(key)) != nil
        let name = isTaken ? freeName(like: key, beside: place.child(key)) : key
        definition.id = place.folder.child(name)
        return add(definition, of: pasted, in: place.collection)
    }

    /// Adds a request to the tree, and remembers what stands in no file.
    mutating func add(_ definition: RequestDefinition, of pasted: PastedRequest, in collection: String) -> [ExplorerEffect] {
        do throws(CollectionProblem) {
            try workspace[collection]?.check(.add(definition))
        } catch {
            return say(error.message, .error)
        }
        workspace.sessionVariables.remember(pasted, in: collection)
        treeChanges.pasted = PastedNote(request: RequestReference(collection: collection, id: definition.id), pasted)
        return treeChanges.write(.edit(.add(definition), in: collection))
    }

    /// Puts a pasted command in place of the shown request: what it is called and what is checked of its answer stays.
    ///
    /// - Returns: `nil` when the command can't be read; the notice says why.
    mutating func replaceShownRequest(with command: String) -> [ExplorerEffect]? {
        guard let reference = selectedRequest, let pasted = read(command, for: reference.collection) else { return nil }
        workspace.sessionVariables.remember(pasted, in: reference.collection)
        let isAtHome = isAtHome(pasted.definition.url, in: reference.collection)
        let brought = isAtHome ? pasted.definition : context?.inherited.leftOff(pasted.definition) ?? pasted.definition
        let effects = edit { current in
            let new = brought
            (current.method, current.url, current.path, current.query) = (new.method, new.url, new.path, new.query)
            (current.headers, current.cookies) = (new.headers, new.cookies)
            (current.auth, current.body) = (new.auth, new.body)
            if new.settings != RequestSettings() { current.settings = new.settings }
        }
        refreshContext(isStale: true)
        notice = Notice(
            .success, "took over the command for curl" + Self.sentence(of: pasted) + "; \(keyName(.undo)) takes it back")
        show(pasted.notes)
        return effects
    }

    /// Puts what a command says into the form for a new request.
    func apply(_ command: String, to form: inout EntryForm) {
        guard case .request(let place) = form.purpose else { return }
        if let pasted = read(command, for: place.collection, complaint: &form.complaint) { form.fill(with: pasted) }
    }

    func read(_ text: String, for collection: String, complaint: inout String?) -> PastedRequest? {
        let taken = knownNames(in: collection)
        do throws(CollectionProblem) {
            return try PastedRequest(text, known: workspace.sessionVariables.knownSecrets(in: collection), taken: taken)
        } catch {
            complaint = "the command for curl can't be read: \(error.message)"
            return nil
        }
    }

    private mutating func read(_ text: String, for collection: String) -> PastedRequest? {
        var complaint: String?
        let pasted = read(text, for: collection, complaint: &complaint)
        if let complaint { notice = Notice(.error, complaint) }
        return pasted
    }

    /// What is to be told of a request that was pasted, once it is in the tree.
    mutating func tellOfPasted(_ change: TreeChange) {
        guard let note = treeChanges.pasted, change.kind == .made, change.to == note.request else { return }
        treeChanges.pasted = nil
        notice?.text += note.sentence
        show(note.losses)
    }

    private mutating func show(_ losses: [String]) {
        guard !losses.isEmpty else { return }
        let rest = losses.count > 8 ? ["and \(losses.count - 8) more"] : []
        arrive(.dialog(Dialog(title: "Not all of the command could be taken over", lines: Array(losses.prefix(8)) + rest)))
    }

    fileprivate static func sentence(of pasted: PastedRequest) -> String {
        let names = pasted.values.filter(\.value.isSecret).keys.sorted()
        guard !names.isEmpty else { return "" }
        let list = names.map { "{{\($0)}}" }.joined(separator: ", ")
        return "; \(list) until you quit, in no file"
    }
}

/// A request that was pasted, on its way into the tree.
struct PastedNote: Hashable, Sendable {
    var request: RequestReference
    var sentence: String
    var losses: [String]

    init(request: RequestReference, _ pasted: PastedRequest) {
        self.request = request
        sentence = ExplorerState.sentence(of: pasted)
        losses = pasted.notes
    }
}
