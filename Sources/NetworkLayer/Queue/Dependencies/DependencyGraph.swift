/// Which operation waits for which, as a value (DEP-1), and how urgent that makes each (PRI-1). It knows unfinished operations
/// only, and never holds a cycle. It is generic so that tests can use identifiers that count how often they are compared.
struct DependencyGraph<ID: Hashable & Comparable & Sendable>: Sendable {
    /// Never an empty set.
    private var dependencies: [ID: Set<ID>] = [:]
    private var dependents: [ID: Set<ID>] = [:]
    /// Their own, `normal` where nothing is said, and the highest of those that wait for them, directly or not.
    private var priorities: [ID: Priority] = [:]
    private var inherited: [ID: Priority] = [:]
    /// Those whose urgency has changed and that haven't been informed yet.
    private var reprioritized: Set<ID> = []
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
        raise(dependency, to: effective(operation))
        return true
    }

    /// - Returns: whether it was there.
    mutating func remove(_ dependency: ID, from operation: ID) -> Bool {
        guard dependencies[operation]?.remove(dependency) != nil else { return false }
        dependents[dependency]?.remove(operation)
        if dependencies[operation]?.isEmpty == true { dependencies[operation] = nil }
        if dependents[dependency]?.isEmpty == true { dependents[dependency] = nil }
        // Another may have been as urgent.
        if inherited[dependency] == effective(operation) { refresh([dependency]) }
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
        priorities[operation] = nil
        inherited[operation] = nil
        told[operation] = nil
        reprioritized.remove(operation)
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

    var isEmpty: Bool { dependencies.isEmpty && dependents.isEmpty && inherited.isEmpty && told.isEmpty && priorities.isEmpty }

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

    // MARK: Priorities

    /// Sets the priority of an operation that is in the graph, or is about to come.
    mutating func setPriority(_ priority: Priority, of operation: ID) {
        guard priorities[operation] != priority else { return }
        let before = effective(operation)
        priorities[operation] = priority
        if effective(operation) != before { refresh(Array(dependencies[operation] ?? [])) }
    }

    /// The highest priority of those that wait for it, directly or not; `nil` when nobody does.
    func inherited(by operation: ID) -> Priority? { inherited[operation] }

    mutating func drainReprioritized() -> [ID] {
        defer { reprioritized = [] }
        return reprioritized.sorted()
    }

    private func effective(_ operation: ID) -> Priority {
        let own = priorities[operation] ?? .normal
        return inherited[operation].map { max($0, own) } ?? own
    }

    /// Somebody as urgent as that waits for it.
    private mutating func raise(_ operation: ID, to priority: Priority) {
        var pending = [(operation, priority)]
        while let (next, priority) = pending.popLast() {
            guard inherited[next].map({ $0 < priority }) ?? true else { continue }
            setInherited(priority, by: next) { pending.append(($0, $1)) }
        }
    }

    /// Computes their urgency again, and that of the operations that they wait for, as long as it changes.
    private mutating func refresh(_ operations: [ID]) {
        var pending = operations
        while let next = pending.popLast() {
            let now = dependents[next]?.map { effective($0) }.max()
            if inherited[next] != now { setInherited(now, by: next) { dependency, _ in pending.append(dependency) } }
        }
    }

    private mutating func setInherited(_ priority: Priority?, by operation: ID, then: (ID, Priority) -> Void) {
        let before = effective(operation)
        inherited[operation] = priority
        let now = effective(operation)
        guard now != before else { return }
        reprioritized.insert(operation)
        for dependency in dependencies[operation] ?? [] { then(dependency, now) }
    }
}
