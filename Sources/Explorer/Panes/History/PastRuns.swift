import NetworkLayer

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
