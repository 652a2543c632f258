import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite struct DependencyGraphTests {
    private func id(_ number: Int) -> OperationID { OperationID(rawValue: number) }
    private func ids(_ numbers: Int...) -> [OperationID] { numbers.map(id) }

    @Test func `DEP-1 the end of an operation releases those that wait for it`() {
        var graph = DependencyGraph<OperationID>()
        #expect(graph.add(id(1), to: id(3)) == .added)
        #expect(graph.add(id(2), to: id(3)) == .added)
        #expect(graph.add(id(1), to: id(4)) == .added)
        #expect(graph.add(id(1), to: id(4)) == .known)
        #expect(graph.unfinished(of: id(3)) == ids(1, 2))
        #expect(graph.end(id(1)) == ids(3, 4))
        #expect(graph.unfinished(of: id(3)) == ids(2))
        #expect(graph.unfinished(of: id(4)) == [])
        #expect(graph.end(id(3)) == [])
        #expect(graph.isEmpty)
    }

    @Test func `DEP-1 a circle is refused and named`() {
        var graph = DependencyGraph<OperationID>()
        #expect(graph.add(id(1), to: id(1)) == .cycle(ids(1)))
        _ = graph.add(id(2), to: id(1))
        _ = graph.add(id(3), to: id(2))
        #expect(graph.add(id(1), to: id(3)) == .cycle(ids(3, 1, 2)))
        #expect(graph.unfinished(of: id(3)) == [])
    }

    @Test func `DEP-1 what was taken back holds nothing up`() {
        var graph = DependencyGraph<OperationID>()
        _ = graph.add(id(1), to: id(2))
        let wasThere = [graph.remove(id(1), from: id(2)), graph.remove(id(1), from: id(2))]
        #expect(wasThere == [true, false])
        #expect(graph.isEmpty)
    }

    @Test(arguments: 0..<10)
    func `DEP-1 whatever is added, there is never a circle, and nothing is left in the end`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            var graph = DependencyGraph<OperationID>()
            var edges: [OperationID: Set<OperationID>] = [:]
            var isGood = true
            for _ in 0..<80 where isGood {
                let first = id(Int.random(in: 1...9, using: &random))
                let second = id(Int.random(in: 1...9, using: &random))
                if Int.random(in: 0..<10, using: &random) == 0 {
                    isGood = graph.end(first) == edges.filter { $0.value.contains(first) }.keys.sorted()
                    edges[first] = nil
                    for key in edges.keys { edges[key]?.remove(first) }
                } else {
                    let closes = reaches(first, from: second, edges)
                    switch graph.add(second, to: first) {
                    case .cycle(let circle):
                        isGood = closes && circle.first == first && Set(circle).count == circle.count
                    case .added, .known:
                        isGood = !closes
                        edges[first, default: []].insert(second)
                    }
                }
            }
            for number in 1...9 { _ = graph.end(id(number)) }
            guard isGood, graph.isEmpty else {
                Issue.record("A circle, a wrong release or a rest, seed \(seed)")
                return
            }
        }
    }

    @Test func `DEP-2 of many that are added at once, those that wait for it are left out`() {
        var graph = DependencyGraph<OperationID>()
        _ = graph.add(id(1), to: id(2))
        _ = graph.add(id(2), to: id(3))
        graph.add(ids(1, 2, 3, 4, 5), to: id(1))
        #expect(graph.unfinished(of: id(1)) == ids(4, 5))
        for number in 1...5 { _ = graph.end(id(number)) }
        #expect(graph.isEmpty)
    }

    @Test func `DEP-2 in a crowd where each waits for all before it, an edge costs the same however many there are`() {
        func looksAtAnEdge(in count: Int) -> Int {
            let looks = Looks()
            var graph = DependencyGraph<CountedID>()
            for number in 2...count { graph.add((1..<number).map(looks.id), to: looks.id(number)) }
            for number in 1...count { _ = graph.end(looks.id(number)) }
            #expect(graph.isEmpty)
            return looks.count / (count * (count - 1) / 2)
        }
        #expect(looksAtAnEdge(in: 600) <= looksAtAnEdge(in: 150))
        #expect(looksAtAnEdge(in: 600) < 20)
    }

    @Test func `DEP-2 whoever is waited for and gets many dependencies that are tangled costs a look at each of them`() {
        func looks(_ add: (inout DependencyGraph<CountedID>, _ dependencies: [CountedID], _ operation: CountedID) -> Void) -> Int {
            let looks = Looks()
            var graph = DependencyGraph<CountedID>()
            for number in 2...100 { graph.add((1..<number).map(looks.id), to: looks.id(number)) }
            _ = graph.add(looks.id(1000), to: looks.id(2000))
            let before = looks.count
            add(&graph, (1...100).map(looks.id), looks.id(1000))
            defer { #expect(graph.unfinished(of: looks.id(1000)).count == 100) }
            return looks.count - before
        }
        #expect(looks { $0.add($1, to: $2) } < 20 * 100)
        // One by one each of them would be searched for a way back.
        #expect(looks { for dependency in $1 { _ = $0.add(dependency, to: $2) } } > 1000 * 100)
    }

    private func reaches(_ goal: OperationID, from start: OperationID, _ edges: [OperationID: Set<OperationID>]) -> Bool {
        start == goal || (edges[start] ?? []).contains { reaches(goal, from: $0, edges) }
    }
}

/// An identifier that notes when it is looked up or put down: what a graph costs, by no clock.
private struct CountedID: Hashable, Comparable {
    let number: Int
    let looks: Looks

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    func hash(into hasher: inout Hasher) {
        looks.note()
        hasher.combine(number)
    }
}

private final class Looks: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }
    func note() { value.add(1, ordering: .relaxed) }
    func id(_ number: Int) -> CountedID { CountedID(number: number, looks: self) }
}
