import Base
import NetworkLayer
import OrderedCollections
import RequestCollections

/// The runs of former sessions that are known so far, the newest first: read a page at a time, as far as somebody looks.
struct PastRuns: Hashable, Sendable {
    /// Runs are kept, and those of former sessions are shown.
    var isKept = false
    /// The former run that is being read to be shown, unless something else is picked meanwhile.
    var wanted: OperationID?
    private(set) var runs: [PastRun] = []
    /// For each collection: whether more runs are on their way, and up to which one they are known.
    private var pages: [String: Page] = [:]
    /// The runs of this session, which have rows already.
    private var own: Set<Int64> = []

    private struct Page: Hashable, Sendable {
        var oldest: Int64?
        var isLoading = false
        var isComplete = false
    }

    static let pageSize = 100

    subscript(id: OperationID) -> PastRun? {
        guard let number = id.pastRun else { return nil }
        return runs.first { $0.number == number }
    }

    /// There are older ones, as far as is known.
    var hasMore: Bool { pages.values.contains { !$0.isComplete && $0.oldest != nil } }

    /// A run of this session was kept.
    mutating func recorded(_ number: Int64) {
        own.insert(number)
        runs.removeAll { $0.number == number }
    }

    mutating func merge(_ new: [PastRun], of collection: String) {
        pages[collection] = Page(oldest: new.last?.number, isComplete: new.count < Self.pageSize)
        let known = Set(runs.map(\.number)).union(own)
        runs += new.filter { !known.contains($0.number) }
        runs.sort { $0.number > $1.number }
    }

    /// - Returns: the collections whose first page is to be read now.
    mutating func begin(_ collection: String) -> Bool {
        guard pages[collection] == nil else { return false }
        pages[collection] = Page(isLoading: true)
        return true
    }

    /// - Returns: what is to be read on: the collections, each with the run before which to begin.
    mutating func more() -> [(collection: String, before: Int64)] {
        let open = pages.filter { !$0.value.isLoading && !$0.value.isComplete }.sorted { $0.key < $1.key }
        return open.compactMap { path, page in
            guard let oldest = page.oldest else { return nil }
            pages[path]?.isLoading = true
            return (path, oldest)
        }
    }
}

/// A run of a former session, as a row of the history: everything else of it is read when it is asked for.
struct PastRun: Hashable, Sendable, Identifiable {
    /// In the history's file; `turnstone history show` takes it.
    var number: Int64
    var date: Date
    var request: RequestReference
    var title: String
    var environment: String?
    var url: String
    var state: RequestOperation.State
    var status: Int?
    var error: String?
    /// As ``NetworkError/type``, or ``ExpectationResult/errorType``; `nil` also for runs that were kept without it.
    var errorType: String?
    var duration: Duration?
    var attempts = 1
    /// What was different then: `what if: auth off`.
    var note: String?

    var id: OperationID { OperationID(past: number) }
}

/// A former run with all that is kept of it.
struct PastRunContents: Sendable {
    var number: Int64
    var sent: SentRequest
    /// The response, with its body if that is kept.
    var response: Response
    /// Whether its body isn't kept because it was too long or is too old.
    var lacksBody = false
}

/// What a former run is read for.
enum PastRunPurpose: Hashable, Sendable {
    case show, replay
}

extension OperationID {
    /// Operations of this session count from 1; what was before has the negative number of its run.
    init(past number: Int64) { self.init(rawValue: -Int(number)) }

    var pastRun: Int64? { rawValue < 0 ? Int64(-rawValue) : nil }
}

extension ExplorerState {
    /// The rows of the history: this session's runs that ended, and then those of former ones.
    var historyRows: [OperationID] { operations.finished + pastRuns.runs.map(\.id) }

    /// Reads on when the cursor comes near the end.
    mutating func readPastRunsOn() -> [ExplorerEffect] {
        let rows = shownHistoryRows
        let index = panes.history.selection.selected(in: rows).flatMap { rows.firstIndex(of: $0) } ?? 0
        guard rows.count - index <= 30 else { return [] }
        return pastRuns.more().map { .loadPastRuns(in: $0.collection, before: $0.before) }
    }

    /// Shows a row of the history, and goes to its response.
    mutating func open(_ id: OperationID) -> [ExplorerEffect] {
        screen.setFocus(.response)
        pastRuns.wanted = nil
        guard let number = id.pastRun, operations[id] == nil || operations[id]?.isReleased == true else {
            show(id)
            return []
        }
        pastRuns.wanted = id
        return [.loadPastRun(number, for: .show)]
    }

    mutating func pastRunLoaded(_ contents: PastRunContents, for purpose: PastRunPurpose) -> [ExplorerEffect] {
        switch purpose {
        case .replay:
            let sent = contents.sent
            let reference = RequestReference(collection: sent.collection, id: sent.definition.id)
            guard let definition = sent.definition.restoringCredentials(from: self.definition(of: reference)) else {
                notice = Notice(
                    .error, "it was sent with a credential that the history doesn't keep, and the file has none any more")
                return []
            }
            return [.send(definition, in: sent.collection, environment: sent.environment)]
        case .show:
            let id = OperationID(past: contents.number)
            var entry = OperationEntry(id: id, sent: contents.sent)
            entry.metrics = contents.response.metrics
            entry.response = contents.response
            entry.lacksBody = contents.lacksBody
            entry.pastDate = pastRuns[id]?.date
            entry.pastVerdict = pastRuns[id]?.verdict
            operations[id] = entry
            guard pastRuns.wanted == id else { return [] }
            pastRuns.wanted = nil
            guard !isTyping else { return [] }
            show(id)
            guard let body = contents.response.info?.body, body.count > 0 else { return [] }
            operations[id]?.body = .preparing
            return [.prepareBody(id, panes.response.body.mode)]
        }
    }
}
