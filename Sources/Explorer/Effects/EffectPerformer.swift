import Base
import CollectionRunner
import Dispatch
import History
import NetworkLayer
import RequestCollections
import TerminalUI

/// Does what the state asks for. What takes no time is answered at once; everything else happens beside the loop and is answered
/// by mail.
@MainActor
final class EffectPerformer {
    let terminal: any Terminal
    let mailbox: Mailbox
    let queue: RequestOperationQueue
    let runner: CollectionRunner
    let prompter: MailingPrompter
    let operations = OperationTable()
    /// Sends that aren't in the queue yet.
    let sends: SendOrder
    let cookies: CookieTelling
    let editor: any ExternalEditor
    let drafts: DraftStore?
    let uses: UseStore?
    let schemas: SchemaStore
    /// One after another: a file is read after it was written.
    let files = DispatchQueue(label: "turnstone.files")
    /// What was before, read beside everything else.
    let reading = DispatchQueue(label: "turnstone.reading")
    let history: LazyHistory?
    /// Runs that were sent and are not recorded yet.
    let underWay = DispatchGroup()
    let loadedFiles = LoadedFiles()
    let store: CollectionStore
    let importer: ExplorerServices.Importer?
    let sharer: ExplorerServices.Sharer?
    let watcher: CollectionWatcher
    let trust: TrustTelling
    /// What collections want, found out one after another.
    let judging = DispatchQueue(label: "turnstone.judging")
    /// What it was found out for last.
    var trustQuestion: ExplorerState.TrustQuestion?
    /// The search under way. There is only one: what is typed next replaces it.
    var searching: Task<Void, Never>?
    /// The filter under way; there is only one, too.
    var filtering: Task<Void, Never>?
    /// The task that passes records on, one after another, since each is awaited.
    var passing: Task<Void, Never>?
    /// How far streams are taken apart.
    var streams: [OperationID: StreamSource] = [:]
    /// The last message that was typed for each session: the next one goes behind it.
    var messages: [OperationID: Task<Void, Never>] = [:]
    /// Takes the parts of streams one after another.
    let taking = DispatchQueue(label: "turnstone.taking")
    /// The run of the lab that was begun last.
    var lab: LabSession?
    private let observation: Registration

    init(
        terminal: any Terminal, services: ExplorerServices, mailbox: Mailbox
    ) throws(NetworkError) {
        self.terminal = terminal
        self.mailbox = mailbox
        editor = services.editor
        drafts = services.drafts
        uses = UseStore(stateDirectory: services.stateDirectory, queue: files)
        schemas = SchemaStore(directory: services.cacheDirectory.map { "\($0)/schemas" })
        store = CollectionStore()
        importer = services.importer
        sharer = services.sharer
        queue = try RequestOperationQueue(identifier: "explorer", client: services.client)
        prompter = MailingPrompter(mailbox: mailbox)
        sends = SendOrder(mailbox)
        history = services.history
        let keeper = TrustKeeper(store: services.grants, asker: prompter, builtIn: services.builtIn)
        trust = TrustTelling(keeper, mailbox)
        runner = CollectionRunner(
            queue: queue, secrets: services.secrets, prompter: prompter, trust: keeper, mocks: services.mocks,
            history: services.history, limits: .init(program: services.program), cookies: SessionCookies())
        cookies = CookieTelling(runner, mailbox)
        runner.addObserver(MailingRunObserver(mailbox: mailbox, operations: operations))
        watcher = CollectionWatcher { [mailbox, files, loadedFiles] path in
            files.async { EffectPerformer.reload(path, known: loadedFiles, mailbox) }
        }
        observation = queue.addObserver(MailingObserver(mailbox: mailbox, operations: operations))
    }

    /// - Parameter state: what it was when it asked; only read for what an effect names.
    /// - Returns: the answers that are there at once.
    func perform(_ effect: ExplorerEffect, in state: ExplorerState) -> [ExplorerEvent] {
        switch effect {
        case .send(let definition, let path, let environment):
            return send(definition, in: path, environment: environment, of: state)
        case .sendWhatIf(let definition, let path, let environment, let whatIf):
            return send(definition, in: path, environment: environment, whatIf, of: state)
        case .startLab(let order):
            startLab(order, of: state)
            return []
        case .pauseLab(let isPaused):
            if isPaused { lab?.pacer.pause() } else { lab?.pacer.resume() }
            return []
        case .stopLab:
            lab?.stop()
            return []
        case .cancel(let id, let source):
            cancel(id, source)
            return []
        case .cancelSend(let number):
            sends.cancel(number)
            return []
        case .sendMessage(let text, let id):
            sendMessage(text, to: id)
            return []
        case .closeSession(let id):
            operations.session(of: id)?.closeSession()
            return []
        case .forgetCookies(let path):
            cookies.forget(path)
            return []
        case .retryNow(let id):
            operations[id]?.retryNow()
            return []
        case .stopRetrying(let id):
            operations[id]?.stopRetrying()
            return []
        case .setQueueSuspended(let isSuspended):
            if isSuspended { queue.suspend() } else { queue.resume() }
            return []
        case .setPriority(let id, let priority):
            operations[id]?.priority = priority
            return []
        case .peekBody(let id, let contentType, let bytes, let isWhole):
            peekBody(of: id, contentType: contentType, beyond: bytes, isWhole: isWhole)
            return []
        case .readStream(let id, let kind, let attempt, let isWhole):
            readStream(of: id, kind, attempt: attempt, isWhole: isWhole)
            return []
        case .filterStream(let id, let filter, let records):
            filterStream(of: id, by: filter, records)
            return []
        case .prepareBody(let id, let mode):
            prepareBody(of: id, mode, for: state)
            return []
        case .searchBody(let id, let search):
            searchBody(of: id, search, for: state)
            return []
        case .filterBody(let id, let filter, let mode):
            filterBody(of: id, by: filter, mode)
            return []
        case .loadPastRuns(let collection, let before):
            loadPastRuns(in: collection, before: before)
            return []
        case .loadPastRun(let number, let purpose):
            loadPastRun(number, for: purpose, of: state)
            return []
        case .compareRuns(let old, let new):
            compare(old, new, of: state)
            return []
        case .findChange(let old, let new):
            compare(old, new, of: state, isAsked: false)
            return []
        case .release(let ids):
            operations.remove(ids)
            for id in ids { (streams[id], messages[id]) = (nil, nil) }
            return []
        case .openBody(let id, let fileExtension, let isText): return openBody(of: id, fileExtension, isText: isText)
        case .saveBody(let id, let path):
            saveBody(of: id, to: path)
            return []
        case .share(let id, let isPage):
            share(id, asPage: isPage, of: state)
            return []
        case .writeText(let text, let path):
            write(Data(text.utf8), to: NewFile.freeName(like: path))
            return []
        case .loadSchema(let source):
            loadSchema(source)
            return []
        case .askSchema(let source, let definition, let path, let environment):
            return send(definition, in: path, environment: environment, schema: source, of: state)
        case .answer(let question, let answer):
            prompter.deliver(answer, to: question)
            return []
        case .loadCollection(let path):
            load(path)
            return []
        case .save(let edits, let path):
            save(edits, in: path)
            return []
        case .writeDraft(let reference, let edit):
            writeDraft(reference, edit)
            findWants(of: reference, in: state)
            return []
        case .askTrust(let path):
            askTrust(in: path, of: state)
            return []
        case .changeTree(let edit):
            changeTree(edit)
            return []
        case .revertTree(let change):
            revertTree(change)
            return []
        case .openEditor(let request):
            return open(request)
        case .openFile(let location):
            return open(location)
        case .copy(let text, let what):
            let hasArrived = terminal.copyToClipboard(text)
            // People who paste it should know why there are masks in it.
            return [.copied(what: text.contains(Redactor.mask) ? "\(what), its secrets masked" : what, hasArrived: hasArrived)]
        case .copyBody(let id):
            copyBody(of: id, for: state)
            return []
        case .copyRequest(let definition, let path, let environment, let rendering):
            return copy(definition, in: path, environment: environment, as: rendering, of: state)
        case .suspend:
            terminal.suspend()
            return [.terminal(.resize(terminal.size)), .terminal(.resumed)]
        case .redraw:
            terminal.invalidate()
            return []
        case .countUse(let key):
            var book = state.uses
            book.use(key, at: Date().timeIntervalSince1970)
            uses?.write(book)
            return [.usesCounted(book)]
        case .setTheme, .openDemo, .quit:
            // The loop's own.
            return []
        }
    }

    /// Ends what runs, and waits for what is being written.
    func stop() {
        observation.cancel()
        watcher.stop()
        searching?.cancel()
        filtering?.cancel()
        prompter.close()
        sends.cancelAll()
        lab?.end()
        runner.endPauses("the explorer was left")
        // A server may take its time to answer a close: nobody waits for long.
        if operations.closeSessions() { _ = underWay.wait(timeout: .now() + 0.5) }
        queue.cancelAll("the explorer was left")
        // What was cancelled just now is kept as well; a command that checks an answer for long is not waited for.
        _ = underWay.wait(timeout: .now() + 0.5)
        // Nobody looks any more; what can't be written now could not be a moment ago.
        try? queue.client.cookies.save()
        files.sync {}
        drafts?.leave()
    }
}

extension EffectPerformer {
    /// An operation that waits before it is sent isn't in the queue yet, so the queue won't report its end.
    private func cancel(_ id: OperationID, _ source: CancelSource) {
        guard let operation = operations[id] else { return }
        let isIdle = operation.state == .idle
        operation.cancel(source)
        guard isIdle else { return }
        let observer = MailingObserver(mailbox: mailbox, operations: operations)
        Task { for await event in operation.events { observer.observe(event, of: operation) } }
    }
}

/// Sends every event of the queue to the loop, and the response after the last one, both without secrets.
private struct MailingObserver: NetworkObserver {
    let mailbox: Mailbox
    let operations: OperationTable

    func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        mailbox.post(.network(operations.redacted(event)))
        if case .completed = event.kind, !operations.isHeldBack(operation.id), let response = operation.finalResponse {
            mailbox.post(.responseReady(operation.id, operations.redactor(of: operation.id).response(response)))
        }
    }
}
