import NetworkLayerTesting
import Testing

@testable import Explorer

@Suite struct `The order of sends` {
    typealias Order = SendOrder<String>

    @Test func `is that in which they were sent, whoever is ready first`() {
        var order = Order()
        let (first, second, third) = (order.join(), order.join(), order.join())
        #expect(order.ready(third) == nil)
        #expect(order.ready(second) == nil)
        // One at a time: the next one when this one is in the queue.
        #expect(order.ready(first) == first)
        #expect(order.leave(first) == second)
        #expect(order.leave(second) == third)
        #expect(order.leave(third) == nil)
        #expect(order.isEmpty)
    }

    @Test func `lets those pass who are behind one that waits, and that one goes behind them`() {
        var order = Order()
        let (asked, plain) = (order.join(), order.join())
        #expect(order.ready(plain) == nil)
        #expect(order.wait(asked, sharing: nil) == plain)
        #expect(order.leave(plain) == nil)
        order.goOn(asked)
        #expect(order.ready(asked) == asked)
    }

    @Test func `holds nobody up for one that won't be sent`() {
        var order = Order()
        let (failed, plain) = (order.join(), order.join())
        #expect(order.ready(plain) == nil)
        #expect(order.leave(failed) == plain)
        // What was begun for it may still tell of itself.
        #expect(order.wait(failed, sharing: nil) == nil)
        order.goOn(failed)
        #expect(order.leave(plain) == nil)
        #expect(order.isEmpty)
    }

    @Test func `keeps those apart who wait for the same, also when the later one hears of it first`() {
        var order = Order()
        let (first, second, other) = (order.join(), order.join(), order.join())
        #expect(order.wait(first, sharing: "secret") == nil)
        #expect(order.wait(second, sharing: "secret") == nil)
        #expect(order.wait(other, sharing: "another") == nil)
        order.goOn(second)
        #expect(order.ready(second) == nil)
        #expect(order.ready(first) == first)
        #expect(order.leave(first) == second)
        // The other one still waits, and joins when it has what it waits for.
        #expect(order.leave(second) == nil)
        order.goOn(other)
        #expect(order.ready(other) == other)
    }

    @Test func `lets one enter alone, also when an earlier one comes back meanwhile`() {
        var order = Order()
        let (asked, plain) = (order.join(), order.join())
        _ = order.wait(asked, sharing: nil)
        #expect(order.ready(plain) == plain)
        order.goOn(asked)
        #expect(order.ready(asked) == nil)
        #expect(order.leave(plain) == asked)
    }

    /// Anything may happen in any order: each enters once, none that waits for nothing is passed by a later one, and nobody is left over.
    @Test(arguments: 0..<500 as Range<UInt64>) func `holds by any seed`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var order = Order()
        var preparing: [Int] = []
        var waiting: [Int] = []
        var ready: Set<Int> = []
        var entering: Int?
        var entered: [Int] = []
        var waited: Set<Int> = []
        var joined = 0

        func enter(_ number: Int?) {
            guard let number else { return }
            #expect(entering == nil && ready.remove(number) != nil)
            // Nobody before it is on the way without waiting.
            #expect(preparing.allSatisfy { $0 > number } && ready.allSatisfy { $0 > number })
            entering = number
        }
        while joined < 20 || !preparing.isEmpty || !waiting.isEmpty || entering != nil {
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where joined < 20:
                preparing.append(order.join())
                joined += 1
            case 1:
                guard let number = preparing.randomElement(using: &random) else { continue }
                preparing.removeAll { $0 == number }
                ready.insert(number)
                enter(order.ready(number))
            case 2:
                guard let number = preparing.randomElement(using: &random) else { continue }
                preparing.removeAll { $0 == number }
                waiting.append(number)
                waited.insert(number)
                enter(order.wait(number, sharing: nil))
            case 3:
                guard let number = waiting.randomElement(using: &random) else { continue }
                waiting.removeAll { $0 == number }
                preparing.append(number)
                order.goOn(number)
            case 4:
                guard let number = entering else { continue }
                entering = nil
                entered.append(number)
                enter(order.leave(number))
            default:
                guard let number = preparing.randomElement(using: &random), Bool.random(using: &random) else { continue }
                preparing.removeAll { $0 == number }
                enter(order.leave(number))
            }
        }
        #expect(order.isEmpty && ready.isEmpty)
        let plain = entered.filter { !waited.contains($0) }
        #expect(plain == plain.sorted())
    }
}
