/// Which operation waits for which, as a value (DEP-1). It knows unfinished operations only, and never holds a cycle. It is generic so
/// that tests can use identifiers that count how often they are compared.
struct DependencyGraph<ID: Hashable & Comparable & Sendable>: Sendable {
    /// Never an empty set.
    private var dependencies: [ID: Set<ID>] = [:]
    private var dependents: [ID: Set<ID>] = [:]
    /// How many dependencies each operation had when it was last told.
    private var told: [ID: Int] = [:]

    enum Addition: Sendable, Hashable {
        case added
        /// The dependency was there already.
        case known
        /// It would close a circle: each of these would wait for the next, the last for the first. Nothing was changed.
        case cycle([ID])
    }

    /// From now on `operation` waits for `dependency`.
    mutating func add(_ dependency: ID, to operation: ID) -> Addition {
        // Nothing waits for most operations: then no path can lead back.
        if dependency == operation || dependents[operation] != nil, let path = path(from: dependency, to: operation) {
            return .cycle([operation] + path.dropLast())
        }
        return insert(dependency, to: operation) ? .added : .known
    }

    /// From now on `operation` waits for all of these but those that wait for it. It takes one look at each edge that leads to
    /// `operation`, however many there are to add.
    mutating func add(_ new: [ID], to operation: ID) {
        let waiting = waiting(for: operation)
        for dependency in new where !waiting.contains(dependency) { _ = insert(dependency, to: operation) }
    }

    private mutating func insert(_ dependency: ID, to operation: ID) -> Bool {
        guard dependencies[operation, default: []].insert(dependency).inserted else { return false }
        dependents[dependency, default: []].insert(operation)
        return true
    }

    /// - Returns: whether it was there.
    mutating func remove(_ dependency: ID, from operation: ID) -> Bool {
        guard dependencies[operation]?.remove(dependency) != nil else { return false }
        dependents[dependency]?.remove(operation)
        if dependencies[operation]?.isEmpty == true { dependencies[operation] = nil }
        if dependents[dependency]?.isEmpty == true { dependents[dependency] = nil }
        return true
    }

    /// An operation ended, however it did: it waits for nothing, and nothing waits for it.
    ///
    /// - Returns: those that waited for it, in the order of their numbers.
    mutating func end(_ operation: ID) -> [ID] {
        for dependency in dependencies[operation] ?? [] { _ = remove(dependency, from: operation) }
        let released = (dependents.removeValue(forKey: operation) ?? []).sorted()
        for dependent in released {
            dependencies[dependent]?.remove(operation)
            if dependencies[dependent]?.isEmpty == true { dependencies[dependent] = nil }
        }
        told[operation] = nil
        return released
    }

    /// What `operation` still waits for, in the order of their numbers.
    func unfinished(of operation: ID) -> [ID] {
        (dependencies[operation] ?? []).sorted()
    }

    /// Whether what `operation` waits for is worth telling anew: always when little is left, else when it has halved or doubled. So
    /// the news of many dependencies, each of which may be as long as all of them, stay in proportion to their number.
    mutating func isNews(for operation: ID) -> Bool {
        let count = dependencies[operation]?.count ?? 0
        let last = told[operation] ?? 0
        guard count <= Self.fewDependencies || count <= last / 2 || count >= last * 2 else { return false }
        told[operation] = count == 0 ? nil : count
        return true
    }

    private static var fewDependencies: Int { 16 }

    var isEmpty: Bool { dependencies.isEmpty && dependents.isEmpty && told.isEmpty }

    /// A way along dependencies, both ends included.
    private func path(from start: ID, to end: ID) -> [ID]? {
        var predecessors: [ID: ID] = [:]
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

    /// The operation itself, and whoever waits for it, directly or not.
    private func waiting(for operation: ID) -> Set<ID> {
        var found: Set<ID> = [operation]
        var pending = [operation]
        while let next = pending.popLast() {
            for dependent in dependents[next] ?? [] where found.insert(dependent).inserted { pending.append(dependent) }
        }
        return found
    }
}
