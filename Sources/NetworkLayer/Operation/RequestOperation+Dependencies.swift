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
        // Before the edge is there, so that whoever ends after it was added looks for it.
        isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        other.isInDependencyGraph.store(true, ordering: .sequentiallyConsistent)
        if case .cycle(let circle) = DependencyTable.shared.add(other.id, to: self) { throw .dependencyCycle(circle) }
        if state.isFinal { leaveDependencyGraph() }
        if other.state.isFinal { other.leaveDependencyGraph() }
        dependenciesChanged()
    }

    /// Takes back ``addDependency(_:)``; what waits for nothing more goes on.
    public func removeDependency(_ other: RequestOperation) {
        if DependencyTable.shared.remove(other.id, from: id) { dependenciesChanged() }
    }

    /// The operations that it waits for and that aren't over, in the order of their numbers.
    public var dependencies: [OperationID] {
        isInDependencyGraph.load(ordering: .relaxed) ? DependencyTable.shared.unfinished(of: id) : []
    }

    /// Over: what waits for it goes on.
    func leaveDependencyGraph() {
        guard isInDependencyGraph.load(ordering: .sequentiallyConsistent) else { return }
        for dependent in DependencyTable.shared.end(id) { dependent.dependenciesChanged() }
    }

    /// Tells the machine and the queue. Both look at the table under their own locks, so whichever notice comes last sees what is
    /// true, in whatever order notices come.
    private func dependenciesChanged() {
        handle { .dependencies($0.dependencies) }
        core.withLock { $0.queue }?.dependenciesChanged(of: self)
    }
}
