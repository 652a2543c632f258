/// A way to make requests. Each keeps its connections between runs, as a program would.
protocol Contestant: AnyObject {
    var name: String { get }

    /// - Parameter test: as ``Options/test`` names it.
    func takesPart(in test: String) -> Bool

    /// Requests of the small file, `concurrency` at a time, until the time is over.
    ///
    /// - Returns: how many were answered in full.
    func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int

    /// One body, `keep`: to be collected in memory; else each piece is counted and dropped.
    ///
    /// - Returns: its bytes.
    func download(_ url: String, keep: Bool) async throws -> Int
}

extension Contestant {
    func takesPart(in test: String) -> Bool { true }

    /// The same loop for all of those with `async` calls: as many tasks as requests at a time.
    func inTasks(
        _ concurrency: Int, until end: ContinuousClock.Instant, _ request: @escaping @Sendable () async throws -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        try await request()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
