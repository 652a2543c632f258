/// Which operation waits for which, as a value (DEP-1). It knows unfinished operations only, and never holds a cycle.
struct DependencyGraph: Sendable {
    /// Never an empty set.
    private var dependencies: [OperationID: Set<OperationID>] = [:]
    private var dependents: [OperationID: Set<OperationID>] = [:]

    enum Addition: Sendable, Hashable {
        case added
        /// It was there already.
        case known
        /// It would close a circle: each of these would wait for the next, the last for the first. Nothing was changed.
        case cycle([OperationID])
    }

    /// From now on `operation` waits for `dependency`.
    mutating func add(_ dependency: OperationID, to operation: OperationID) -> Addition {
        if let path = path(from: dependency, to: operation) { return .cycle([operation] + path.dropLast()) }
        guard dependencies[operation, default: []].insert(dependency).inserted else { return .known }
        dependents[dependency, default: []].insert(operation)
        return .added
    }

    /// - Returns: whether it was there.
    mutating func remove(_ dependency: OperationID, from operation: OperationID) -> Bool {
        guard dependencies[operation]?.remove(dependency) != nil else { return false }
        dependents[dependency]?.remove(operation)
        if dependencies[operation]?.isEmpty == true { dependencies[operation] = nil }
        if dependents[dependency]?.isEmpty == true { dependents[dependency] = nil }
        return true
    }

    /// An operation ended, however it did: it waits for nothing, and nothing waits for it.
    ///
    /// - Returns: those that waited for it, in the order of their numbers.
    mutating func end(_ operation: OperationID) -> [OperationID] {
        for dependency in dependencies[operation] ?? [] { _ = remove(dependency, from: operation) }
        let released = (dependents[operation] ?? []).sorted()
        for dependent in released { _ = remove(operation, from: dependent) }
        return released
    }

    /// What `operation` still waits for, in the order of their numbers.
    func unfinished(of operation: OperationID) -> [OperationID] {
        (dependencies[operation] ?? []).sorted()
    }

    var isEmpty: Bool { dependencies.isEmpty && dependents.isEmpty }

    /// A way along dependencies, both ends included.
    private func path(from start: OperationID, to end: OperationID) -> [OperationID]? {
        var predecessors: [OperationID: OperationID] = [:]
        var pending = [start]
        while let next = pending.popLast() {
            if next == end {
                var path = [end]
                while let last = path.last, last != start, let previous = predecessors[last] { path.append(previous) }
                return path.reversed()
            }
            for dependency in (dependencies[next] ?? []).sorted() where dependency != start && predecessors[dependency] == nil {
                predecessors[dependency] = next
                pending.append(dependency)
            }
        }
        return nil
    }
}
