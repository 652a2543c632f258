import Synchronization
import Testing

@testable import NetworkLayer

/// LRU-1, TN-16.
@Suite struct LRUCacheTests {
    /// What `didEvict` was told.
    final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        func add(_ text: String) { entries.withLock { $0.append(text) } }

        var all: [String] { entries.withLock { $0 } }
    }

    let log = Log()

    func cache(
        count: Int? = nil, cost: Int? = nil, canEvict: @escaping @Sendable (String, Int) -> Bool = { _, _ in true }
    ) -> LRUCache<String, Int> {
        LRUCache(countLimit: count, costLimit: cost, canEvict: canEvict) { [log] key, value in log.add("\(key)\(value)") }
    }

    @Test func `LRU-1 adding goes to the head, appending to the tail`() {
        var cache = cache()
        cache.add(1, for: "a")
        cache.add(2, for: "b")
        cache.append(3, for: "c")
        #expect(cache.keys == ["b", "a", "c"])
        #expect(cache.head == "b" && cache.tail == "c")
    }

    @Test func `LRU-1 finding moves to the head, unless the entry stays or one only looks`() {
        var cache = cache()
        cache.add(1, for: "a", movesToHead: false)
        cache.add(2, for: "b")
        cache.add(3, for: "c")
        let found = cache.value(for: "b")
        #expect(found == 2)
        #expect(cache.keys == ["b", "c", "a"])
        let stayed = cache.value(for: "a")
        #expect(stayed == 1)
        #expect(cache.peek("c") == 3)
        let missing = cache.value(for: "none")
        #expect(missing == nil)
        #expect(cache.keys == ["b", "c", "a"])
    }

    @Test func `LRU-1 what is removed is handed on; replacing and clearing are silent`() {
        var cache = cache()
        for (index, key) in ["a", "b", "c"].enumerated() { cache.add(index, for: key) }
        cache.add(9, for: "b")
        let removed = [cache.remove("c"), cache.remove("c")]
        #expect(removed == [2, nil])
        let isRemoved = cache.removeTail()
        #expect(isRemoved)
        #expect(log.all == ["c2", "a0"])
        cache.removeAll()
        #expect(log.all == ["c2", "a0"])
        #expect(cache.keys == [] && cache.head == nil && cache.tail == nil && cache.cost == 0)
        let isEmptyRemoved = cache.removeTail()
        #expect(!isEmptyRemoved)
    }

    @Test func `LRU-1 a tail that may not go stays, one that is removed by name goes all the same`() {
        var cache = cache(count: 1) { key, _ in key != "a" }
        cache.add(1, for: "a")
        cache.add(2, for: "b")
        #expect(cache.keys == ["b", "a"])
        let isRemoved = cache.removeTail()
        #expect(!isRemoved)
        cache.remove("a")
        #expect(log.all == ["a1"])
    }

    @Test func `TN-16 beyond a count the last ones go, the first ones that were used stay`() {
        var cache = cache(count: 2)
        cache.add(1, for: "a")
        cache.add(2, for: "b")
        _ = cache.value(for: "a")
        cache.add(3, for: "c")
        #expect(cache.keys == ["c", "a"])
        #expect(log.all == ["b2"])
        cache.countLimit = 1
        #expect(cache.keys == ["c"])
    }

    @Test func `TN-16 beyond a size the last ones go, also all of them`() {
        var cache = cache(cost: 10)
        cache.add(1, for: "a", cost: 4)
        cache.add(2, for: "b", cost: 4)
        cache.add(3, for: "c", cost: 4)
        #expect(cache.keys == ["c", "b"] && cache.cost == 8)
        cache.add(4, for: "b", cost: 1)
        #expect(cache.cost == 5)
        cache.add(5, for: "large", cost: 11)
        #expect(cache.keys == [] && cache.cost == 0)
        #expect(log.all == ["a1", "c3", "b4", "large5"])
    }

    @Test func `TN-16 clearing empties it`() {
        var cache = cache(count: 10)
        for key in ["a", "b"] { cache.add(1, for: key) }
        cache.removeAll()
        #expect(cache.count == 0 && cache.peek("a") == nil)
    }

    @Test func `LRU-1 ten thousand random calls agree with a list`() {
        var state: UInt64 = 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var cache = LRUCache<Int, Int>(countLimit: 8)
        var list: [(key: Int, value: Int)] = []
        for step in 0..<10_000 {
            let key = random(12)
            switch random(5) {
            case 0, 1:
                cache.add(step, for: key)
                list.removeAll { $0.key == key }
                list.insert((key, step), at: 0)
                if list.count > 8 { list.removeLast() }
            case 2:
                let found = cache.value(for: key)
                #expect(found == list.first { $0.key == key }?.value)
                if let place = list.firstIndex(where: { $0.key == key }) { list.insert(list.remove(at: place), at: 0) }
            case 3:
                cache.remove(key)
                list.removeAll { $0.key == key }
            default:
                cache.removeTail()
                _ = list.popLast()
            }
            #expect(cache.keys == list.map(\.key))
            #expect(cache.count == list.count && cache.cost == list.count)
        }
    }
}
