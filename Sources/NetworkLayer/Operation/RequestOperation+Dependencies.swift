import Synchronization

extension RequestOperation {
    /// Makes this operation wait until `other` is over, be it succeeded, failed or cancelled (DEP-1).
    ///
    /// Before it starts, it holds back the start; afterwards, the next retry. `other` may be in another queue, or in none yet; it
    /// isn't kept alive, and counts as over when it goes away without having been enqueued. When one of the two is over already,
    /// nothing happens.
    ///
    /// - Throws: code `dependencyCycle`, when both would wait for each other; the message names the circle.
    public func addDependency(_ other: RequestOperation) throws(NetworkError) {
        // This comes before the edge is added, so that an operation that ends afterwards looks for it.
        isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        other.isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        let (addition, news) = DependencyTable.shared.add(other, to: self)
        if case .cycle(let circle) = addition { throw .dependencyCycle(circle) }
        if state.isFinal { leaveDependencyGraph() }
        if other.state.isFinal { other.leaveDependencyGraph() }
        news.tell()
    }

    /// As ``addDependency(_:)`` for each, but those that wait for this operation are left out.
    func addDependencies(_ others: [RequestOperation]) {
        guard !others.isEmpty else { return }
        for operation in others + [self] { operation.isInDependencyGraph.store(true, ordering: .sequentiallyConsistent) }
        let news = DependencyTable.shared.add(others, to: self)
        for operation in others + [self] where operation.state.isFinal { operation.leaveDependencyGraph() }
        news.tell()
    }

    /// Undoes ``addDependency(_:)``. An operation that has no other dependencies left goes on.
    public func removeDependency(_ other: RequestOperation) {
        DependencyTable.shared.remove(other.id, from: id).tell()
    }

    /// The operations that it waits for and that aren't over, in the order of their numbers.
    public var dependencies: [OperationID] {
        isInDependencyGraph.load(ordering: .relaxed) ? DependencyTable.shared.unfinished(of: id) : []
    }

    /// The operation is over, and those that wait for it go on.
    func leaveDependencyGraph() {
        guard isInDependencyGraph.load(ordering: .sequentiallyConsistent) else { return }
        DependencyTable.shared.end(id).tell()
    }

    /// Tells the machine and the queue. Both look at the table under their own locks, so whichever notice comes last sees what is
    /// true, in whatever order notices come.
    func dependenciesChanged() {
        handle { .dependencies($0.dependencies) }
        core.withLock { $0.queue }?.dependenciesChanged(of: self)
    }

    // MARK: Urgency

    /// Its own priority, or a higher one of the operations that wait for it: otherwise an urgent operation would also wait for
    /// everything of a priority between its own and that of its dependency.
    var effectivePriority: Priority {
        guard isInDependencyGraph.load(ordering: .relaxed),
            let inherited = DependencyTable.shared.inheritedPriority(of: id)
        else { return priority }
        return max(priority, inherited)
    }

    /// Informs the queue, where the operation may wait for its turn, and the transfer that is under way. Each of them learns the value
    /// that holds when it is informed.
    func urgencyChanged() {
        let (queue, transfer) = core.withLock { ($0.queue, $0.transfer) }
        queue?.urgencyChanged(of: self)
        transfer?.setPriority(effectivePriority)
    }
}
