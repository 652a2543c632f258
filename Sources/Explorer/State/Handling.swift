import Base
import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// Takes in one event.
    ///
    /// - Returns: what is to be done, in order.
    mutating func handle(_ event: ExplorerEvent) -> [ExplorerEffect] {
        // Thousands of them come while a large body does; nothing else depends on them but what is drawn.
        if case .network(let event) = event {
            now = max(now, event.time)
            operations.apply(event)
            guard let cue = tour?.cue else { return [] }
            let effects = advanceTour()
            return cue == tour?.cue ? effects : effects + fit()
        }
        switch event {
        case .collectionLoaded, .collectionImported, .collectionFailed: awaited = max(0, awaited - 1)
        case .terminal(let event) where awaited > 0 && event.isTyped && overlay == nil:
            if case .key(let key) = event, isKey(key, of: .quit) || key == .control("c") { break }
            typedAhead.append(event)
            return []
        default: break
        }
        let request = selectedRequest
        let effects = reduce(event) + advanceTour()
        // A change of the tree has put the cursor on what it is about.
        let placesCursor = if case .treeChanged = event { true } else { false }
        if !placesCursor, selectedRequest != request, let selectedRequest,
            panes.collection.selectedEntry?.reference != selectedRequest
        {
            panes.collection.reveal(selectedRequest)
        }
        refreshContext()
        let isByUser = if case .terminal = event { true } else { false }
        if !isByUser, selectedRequest != request, overlay?.content.isAboutRequest == true {
            overlay = nil
            keyboard.changedHands(at: now)
            notice = Notice(.warning, "the panes show another request now: nothing was done")
        }
        return effects + fit() + goOnTyping()
    }

    /// What was typed before the collections were read is done now.
    private mutating func goOnTyping() -> [ExplorerEffect] {
        guard awaited == 0, !typedAhead.isEmpty else { return [] }
        let typed = typedAhead
        typedAhead = []
        return typed.flatMap { handle(.terminal($0)) }
    }

    /// When something happens without any event: gauges and running phases change ten times a second. `nil`: nothing does.
    var nextTick: MonotonicTime? {
        let isMoving = !operations.waitingSends.isEmpty || operations.entries.values.contains { !$0.state.isFinal }
        return isMoving ? now + .milliseconds(100) : nil
    }

    private mutating func reduce(_ event: ExplorerEvent) -> [ExplorerEffect] {
        switch event {
        case .terminal(let event):
            if event.isTyped, keyboard.isQuiet(at: now) { return [] }
            let effects = handle(event)
            if event.isTyped { keyboard.typed(at: now, asking: effects.contains(where: \.hasAnswer)) }
            return effects
        case .tick(let time):
            now = max(now, time)
            return peekAtBody()
        case .operationEnqueued(let id, let sent): return enqueued(id, sent)
        case .sendFailed(let reference, let message, let variable, let code, let location):
            operations.shownAtSend[reference] = nil
            whatIfRuns.giveUp(reference)
            let refusal = Refusal(message: message, missing: variable, code: code, location: location)
            operations.refusals[reference] = refusal
            arrive(.why(WhyCard(refusal, of: reference, in: self)))
        case .runStopped(let sent, let message, let date): return stopped(sent, message, at: date)
        case .sendWaits(let number, let sent, let wait): waits(number, sent, for: wait)
        case .sendOver(let number): operations.waitingSends[number] = nil
        case .sendCancelled(let reference): sendCancelled(reference)
        case .cookiesKept(let jar, let collection): workspace.sessionCookies[collection] = jar
        case .network: return []
        case .runReported(let id, let report): operations[id]?.report = report
        case .runRecorded(let id, let number):
            operations[id]?.historyNumber = number
            pastRuns.recorded(number)
        case .pastRunsLoaded(let runs, let collection):
            pastRuns.merge(runs, of: collection)
        case .pastRunLoaded(let contents, let purpose): return pastRunLoaded(contents, for: purpose)
        case .runsCompared(let comparison): arrive(.comparison(comparison))
        case .changeFound(let id, let change): operations[id]?.change = change
        case .labProgressed(let progress): progressed(progress)
        case .questionAsked(let question): arrive(.question(QuestionForm(question)))
        case .questionWithdrawn(let id): withdrawn(id)
        case .responseReady(let id, let response):
            return received(response, of: id) + contrastGoesOn(after: id) + askForChange(of: id)
        case .bodyArrived(let id, let document, let bytes): arrived(document, bytes: bytes, of: id)
        case .streamArrived(let id, let attempt, let records, let isLast, let unended):
            operations[id]?.stream?.unended = unended
            let goesOn = operations.arrived(records, of: id, attempt: attempt, isLast: isLast)
            return goesOn && shownStream?.id == id ? filterStream() : []
        case .streamFiltered(let id, let filter, let numbers, let looked, let failure):
            let goesOn = operations.filtered(id, by: filter, numbers, of: looked, failure)
            return goesOn && shownStream?.id == id ? filterStream() : []
        case .messageNotSent(let text, let id, let reason): notSent(text, to: id, because: reason)
        case .bodyPrepared(let id, let document): return show(document, of: id)
        case .bodyFailed(let id, let message):
            if operations[id]?.isReleased == false { operations[id]?.body = .failed(message) }
        case .pictureRead(let id, let picture): if operations[id]?.isReleased == false { operations[id]?.picture = picture }
        case .bodyIndexed(let id):
            if let document = responseDocument(of: id) { panes.response.body.indexed(in: document, size: responseArea) }
        case .bodySearched(let id, let question, let match):
            if let document = responseDocument(of: id) {
                panes.response.body.found(match, for: question, in: document, size: responseArea)
            }
        case .bodyCounted(let id, let tally): counted(tally, in: id)
        case .bodyFiltered(let id, let filter, let document): return filtered(id, by: filter, .success(document))
        case .bodyFilterFailed(let id, let filter, let message):
            return filtered(id, by: filter, .failure(.init(message: message)))
        case .usesCounted(let book): uses = book
        case .trustFound(let finding): found(finding)
        case .schemaFound(let source, let finding): found(finding, source)
        case .collectionLoaded(let collection):
            if case .start = overlay { overlay = nil }
            return loaded(collection)
        case .collectionImported(let collection, let source, let losses):
            return imported(collection, from: source, losses: losses)
        case .collectionFailed(_, let message) where startComplains(message): break
        case .collectionFailed(let path, let message):
            arrive(.dialog(Dialog(title: "Could not read \(path)", lines: [message])))
        case .draftFound(let reference, let edit): return restore(edit, of: reference)
        case .saved(let edits, let collection): return saved(edits, collection)
        case .saveFailed(let conflicts, let message): saveFailed(conflicts, message)
        case .treeChanged(let change, let collections, let remarks): return changed(change, collections, remarks: remarks)
        case .treeChangeFailed(_, let message): treeChangeFailed(message)
        case .editorReturned(let request, let text): return edited(request, text: text)
        case .copied(let what, true): notice = Notice(.success, "copied the \(what)")
        case .copied(let what, false):
            notice = Notice(.info, "sent the \(what) to the terminal, which may have no clipboard for it (OSC 52)")
        case .themeChanged(let name): screen.theme = name
        case .notice(let notice): self.notice = notice
        }
        return []
    }

    mutating func handle(_ event: TerminalEvent) -> [ExplorerEffect] {
        if layout.shape == .tooSmall, let effects = unseen(event) { return effects }
        switch event {
        case .key(let pressed):
            notice = nil
            return tourStep(pressed) ?? handle(key: pressed)
        case .paste(let text):
            notice = nil
            return handle(paste: text)
        case .mouse(let event):
            awaitsTab = false
            return handle(event)
        case .resize(let size):
            resize(to: size)
            return []
        case .resumed: return [.redraw]
        case .ground(let isLight):
            let fitting = isLight ? "light" : "dark"
            guard screen.followsGround, screen.theme != fitting, screen.themes.contains(fitting) else { return [] }
            return [.setTheme(fitting)]
        case .terminate:
            // What can't be taken over can't be kept either.
            return (leaveRow() ?? []) + [.quit]
        }
    }

    /// What a key, a paste or a click does where only "too small" is seen: nothing, but for the keys that are about the terminal, and the
    /// one that quits when that loses nothing.
    ///
    /// - Returns: `nil` for what is done as ever.
    private func unseen(_ event: TerminalEvent) -> [ExplorerEffect]? {
        switch event {
        case .key(let key) where isKey(key, of: .suspend) || isKey(key, of: .redraw): return nil
        case .key(let key):
            guard isKey(key, of: .quit), overlay == nil, !isTyping else { return [] }
            // On a copy: its question would be asked unseen.
            var asked = self
            return asked.quit() == [.quit] ? [.quit] : []
        case .paste, .mouse: return []
        case .resize, .resumed, .ground, .terminate: return nil
        }
    }

    /// Fits what scrolls to the screen as it is now.
    mutating func fit() -> [ExplorerEffect] {
        let places = layout.panes
        let filterRows = treeFilterRow == nil ? 0 : 1
        panes.collection.setHeight(max(1, (places[.collection]?.inner.rows ?? 1) - filterRows))
        let query = fitQuery()
        fitRequestRows()
        fitArrivals()
        fitOverlay()
        fitTypedLine()
        return query + fitResponse()
    }

    // MARK: Operations

    private mutating func received(_ response: Response, of id: OperationID) -> [ExplorerEffect] {
        operations[id]?.response = response
        let shown = [operations.selected, shownResponse?.entry.id].compactMap(\.self)
        let released = operations.releaseOld(except: Set(shown))
        guard let body = operations[id]?.response?.info?.body, body.count > 0 else {
            operations[id]?.body = .none
            return released
        }
        // What has arrived stays on the screen until all of it is ready.
        if case .arriving = operations[id]?.body {} else { operations[id]?.body = .preparing }
        return released + [.prepareBody(id, panes.response.body.mode)]
    }

    private mutating func enqueued(_ id: OperationID, _ sent: SentRequest) -> [ExplorerEffect] {
        operations[id] = OperationEntry(id: id, sent: sent)
        whatIfRuns.sent(id, sent)
        // The tree says what became of the request itself.
        if !sent.isIntrospection { operations.latest[sent.reference] = id }
        operations.refusals[sent.reference] = nil
        if sent.isNeeded { return [] }
        let shownThen = operations.shownAtSend.removeValue(forKey: sent.reference) ?? selectedRequest
        if selectedRequest != sent.reference, tree.index(of: sent.reference) != nil {
            // A replay of something else comes to the front: it was asked for. Whoever has gone on since, or types, stays.
            guard shownThen == selectedRequest, !isTyping else { return [] }
            selectedRequest = sent.reference
        }
        operations.selected = id
        return []
    }

    /// A run that was never sent has its row and its place on the screen all the same.
    private mutating func stopped(_ sent: SentRequest, _ message: String, at date: Date) -> [ExplorerEffect] {
        let number = operations.entries.values.count(where: \.isStopped)
        let entry = OperationEntry(stopped: OperationID(stopped: number), sent, because: message, at: date, now: now)
        let effects = enqueued(entry.id, sent)
        operations[entry.id] = entry
        return effects
    }

    // MARK: Files

    mutating func loaded(_ collection: RequestCollection) -> [ExplorerEffect] {
        // A line that is being edited belongs to what was read before; it must not end up in another row.
        var effects: [ExplorerEffect] = []
        let edited = keepEditing(before: collection, &effects)
        if pastRuns.isKept, pastRuns.begin(collection.path) { effects.append(.loadPastRuns(in: collection.path, before: nil)) }
        let isNew = workspace[collection.path] == nil
        let wereGone = Set(missingRequests(in: collection.path))
        workspace.collections[collection.path] = collection
        schemas.forgetFiles(of: collection.path)
        if isNew {
            let names = [workspace.preferredEnvironment, workspace.usualEnvironments[collection.path]].compactMap(\.self)
            workspace.environments[collection.path] = names.first { collection.environments[$0] != nil }
        }
        complainAboutEnvironment()
        if let chosen = workspace.environments[collection.path], collection.environments[chosen] == nil {
            workspace.environments[collection.path] = nil
        }
        showTree()
        reread(collection, gone: missingRequests(in: collection.path).filter { !wereGone.contains($0) })
        if let selectedRequest, tree.index(of: selectedRequest) == nil { self.selectedRequest = nil }
        if let edited { goOnEditing(edited) }
        if selectedRequest == nil {
            // So that there is something to see, and to send, at once.
            panes.collection.selectFirstRequest()
            requestUnderCursorChanged()
        }
        refreshContext(isStale: true)
        return effects
    }

    /// The environment that was asked for may be in any of the collections, or in none.
    private mutating func complainAboutEnvironment() {
        guard let name = workspace.preferredEnvironment else { return }
        let isComplaint = notice?.text.hasPrefix("there is no environment ") ?? false
        if workspace.collections.values.contains(where: { $0.environments[name] != nil }) {
            if isComplaint { notice = nil }
            return
        }
        guard notice == nil || isComplaint else { return }
        let known = Set(workspace.collections.values.flatMap { $0.environments.keys }).sorted()
        notice = Notice(
            .warning,
            "there is no environment \(name); \(known.isEmpty ? "there are none" : "there are: \(known.joined(separator: ", "))")")
    }

    /// An edit of an earlier run becomes one of this run, merged with what the file says by now; undo leads to that.
    private mutating func restore(_ edit: RequestEdit, of reference: RequestReference) -> [ExplorerEffect] {
        guard drafts[reference] == nil, let collection = workspace[reference.collection] else { return [] }
        var draft = RequestDraft(edit)
        guard let now = collection.request(reference.id) else {
            guard draft.isUnsaved else { return [.writeDraft(reference, nil)] }
            drafts[reference] = draft
            showTree()
            notice = Notice(
                .warning,
                draft.isNew
                    ? "\(reference.id), which isn't saved, was brought back; \(keyName(.save)) saves it"
                    : "an unsaved edit of \(reference.id) was brought back; it isn't in its file any more: \(keyName(.save)) puts it back"
            )
            return []
        }
        draft.reread(now)
        drafts[reference] = draft
        guard draft.isUnsaved else { return [drafts.keep(reference)] }
        refreshContext(isStale: true)
        let name = now.name ?? reference.id.rawValue
        notice = Notice(
            .warning,
            draft.isConflict
                ? "an unsaved edit of \(name) was brought back; its file has changed as well: saving asks which of the two stays"
                : "an unsaved edit of \(name) was brought back")
        return []
    }

    mutating func save(_ references: [RequestReference]) -> [ExplorerEffect] {
        if let source = workspace.unwritten?.source, references.isEmpty || references.contains(where: isUnwritten) {
            return write(from: source)
        }
        let unsaved = references.filter { drafts.isUnsaved($0) }
        guard !unsaved.isEmpty else {
            notice = Notice(
                .info,
                drafts.unsaved.isEmpty
                    ? "there is nothing to save" : "there is nothing to save here; \(keyName(.saveAll)) saves all")
            return []
        }
        if let conflict = unsaved.first(where: isConflict) {
            ask(about: conflict)
        } else if let missing = unsaved.first(where: isMissing) {
            if drafts[missing]?.isNew == true { return saveNew(missing) }
            overlay = puttingBackDialog(missing)
        }
        let free = unsaved.filter { !isConflict($0) && !isMissing($0) }
        return Dictionary(grouping: free, by: \.collection).sorted { $0.key < $1.key }.map { path, references in
            .save(references.compactMap { drafts[$0]?.pending }, in: path)
        }
    }

    private mutating func saved(_ edits: [RequestEdit], _ collection: RequestCollection) -> [ExplorerEffect] {
        let references = edits.map { RequestReference(collection: collection.path, id: $0.base.id) }
        for (reference, edit) in zip(references, edits) {
            drafts.wrote(edit.edited, of: reference)
        }
        var effects = loaded(collection)
        // What was typed meanwhile stays unsaved.
        effects += references.map(drafts.keep)
        let what = references.count == 1 ? "\(references[0].id)" : "\(references.count) requests"
        let complaint = edits.lazy.compactMap { edit in edit.edited.bodyComplaint.map { (edit.edited.id, $0) } }.first
        notice =
            complaint.map { Notice(.warning, "saved \(what); \(references.count == 1 ? "" : "\($0.0): ")\($0.1)") }
            ?? Notice(
                .success, "saved \(what)" + (collection.path == workspace.demo ? " in the demo, which is gone when you leave" : ""))
        if drafts.quitsWhenSaved, drafts.unsaved.isEmpty { effects.append(.quit) }
        return effects
    }

    private mutating func saveFailed(_ conflicts: [RequestReference], _ message: String?) {
        drafts.quitsWhenSaved = false
        if let message {
            arrive(.dialog(Dialog(title: "Not saved", lines: [message])))
        } else if let dialog = conflicts.first(where: isConflict).flatMap(conflictDialog) {
            arrive(.dialog(dialog))
        }
    }
}

extension OperationEntry {
    mutating func apply(_ event: NetworkEvent) {
        events.append(event)
        // What came of the attempt before is not what comes now.
        if case .transition(from: .waitingToRetry, _) = event.kind, isArriving || stream != nil {
            stream = nil
            body = .none
            peek = Peek()
        }
        metrics.apply(event)
    }
}
