/// Values by key, the most recently used first; beyond its limits the last ones go (LRU-1, TN-16).
///
/// TNL's `TNLLRUCache` with limits of its own: entries are linked from head to tail, and finding, adding and removing take constant
/// time. What goes by itself, or by ``remove(_:)`` and ``removeTail()``, is handed to `didEvict`; ``removeAll()`` is silent.
public struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var nodes: [Key: Node] = [:]
    /// The key of the most recently used entry; `nil` when the cache is empty.
    public private(set) var head: Key?
    /// The key of the entry that goes next; `nil` when the cache is empty.
    public private(set) var tail: Key?
    /// The costs of all entries together.
    public private(set) var cost = 0
    /// The most entries there may be; `nil`: no limit. Lowering it evicts at once.
    public var countLimit: Int? { didSet { trim() } }
    /// The most that all entries may cost together; `nil`: no limit. Lowering it evicts at once.
    public var costLimit: Int? { didSet { trim() } }
    /// Whether the tail may go by itself; one that may not stays, and with it everything before it.
    private let canEvict: @Sendable (Key, Value) -> Bool
    private let didEvict: @Sendable (Key, Value) -> Void

    private struct Node {
        var value: Value
        var cost: Int
        var movesToHead: Bool
        var previous: Key?
        var next: Key?
    }

    /// A cache without limits, unless they are given.
    ///
    /// - Parameters:
    ///   - canEvict: is asked before the tail goes, also by ``removeTail()``.
    ///   - didEvict: gets each entry after it was evicted or removed, but not one that was replaced.
    public init(
        countLimit: Int? = nil, costLimit: Int? = nil, canEvict: @escaping @Sendable (Key, Value) -> Bool = { _, _ in true },
        didEvict: @escaping @Sendable (Key, Value) -> Void = { _, _ in }
    ) {
        self.countLimit = countLimit
        self.costLimit = costLimit
        self.canEvict = canEvict
        self.didEvict = didEvict
    }

    /// How many entries there are.
    public var count: Int { nodes.count }

    /// From head to tail.
    public var keys: [Key] {
        var keys: [Key] = []
        var next = head
        while let key = next {
            keys.append(key)
            next = nodes[key]?.next
        }
        return keys
    }

    /// Looks without using: nothing moves.
    public func peek(_ key: Key) -> Value? { nodes[key]?.value }

    /// Finds a value and moves it to the head, unless it was added to stay where it is.
    public mutating func value(for key: Key) -> Value? {
        guard let node = nodes[key] else { return nil }
        if node.movesToHead, head != key {
            unlink(key)
            link(key, beforeHead: true)
        }
        return node.value
    }

    /// Puts a value at the head, in place of one with the same key, which isn't evicted but replaced.
    ///
    /// - Parameter movesToHead: whether using it makes it the most recently used.
    public mutating func add(_ value: Value, for key: Key, cost: Int = 1, movesToHead: Bool = true) {
        insert(value, key, cost, movesToHead, atHead: true)
    }

    /// Puts a value at the tail: the next to go.
    public mutating func append(_ value: Value, for key: Key, cost: Int = 1, movesToHead: Bool = true) {
        insert(value, key, cost, movesToHead, atHead: false)
    }

    /// Removes an entry, also one that `canEvict` would keep, and hands it to `didEvict`; `nil` when there is none.
    @discardableResult
    public mutating func remove(_ key: Key) -> Value? {
        guard let value = forget(key) else { return nil }
        didEvict(key, value)
        return value
    }

    /// - Returns: whether there was one, and it may go.
    @discardableResult
    public mutating func removeTail() -> Bool {
        guard let tail, let node = nodes[tail], canEvict(tail, node.value) else { return false }
        remove(tail)
        return true
    }

    /// Empties the cache without asking `canEvict` and without telling `didEvict`.
    public mutating func removeAll() {
        nodes = [:]
        (head, tail, cost) = (nil, nil, 0)
    }

    // MARK: Links

    private mutating func insert(_ value: Value, _ key: Key, _ cost: Int, _ movesToHead: Bool, atHead: Bool) {
        _ = forget(key)
        nodes[key] = Node(value: value, cost: cost, movesToHead: movesToHead)
        self.cost += cost
        link(key, beforeHead: atHead)
        trim()
    }

    private mutating func forget(_ key: Key) -> Value? {
        guard let node = nodes[key] else { return nil }
        unlink(key)
        nodes[key] = nil
        cost -= node.cost
        return node.value
    }

    private mutating func trim() {
        while countLimit.map({ count > $0 }) ?? false || costLimit.map({ cost > $0 }) ?? false {
            guard removeTail() else { return }
        }
    }

    private mutating func link(_ key: Key, beforeHead: Bool) {
        if beforeHead {
            nodes[key]?.next = head
            if let head { nodes[head]?.previous = key } else { tail = key }
            head = key
        } else {
            nodes[key]?.previous = tail
            if let tail { nodes[tail]?.next = key } else { head = key }
            tail = key
        }
    }

    private mutating func unlink(_ key: Key) {
        guard let node = nodes[key] else { return }
        if let previous = node.previous { nodes[previous]?.next = node.next } else { head = node.next }
        if let next = node.next { nodes[next]?.previous = node.previous } else { tail = node.previous }
        nodes[key]?.previous = nil
        nodes[key]?.next = nil
    }
}
