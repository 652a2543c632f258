extension RunPlan {
    /// What may be done next, as nodes end: always the first of the plan for which nothing is awaited.
    package struct Progress: Sendable {
        package enum Step: Hashable, Sendable {
            case send(Int)
            /// Nobody asked for it, and all that need it can't be sent any more.
            case leave(Int)
        }

        private let nodes: Nodes
        /// How many nodes each one still waits for.
        private var awaited: [Int32]
        /// The nodes that wait for each node of the first round.
        private let waiting: [[Waiter]]
        /// How many take something from each node of the first round.
        private let consumers: [Int32]
        /// Everything before it was begun, or is waiting.
        private var next = 0
        /// The nodes before ``next`` that nothing holds back any more, in reverse order.
        private var released: [Int] = []
        /// Those that can't be sent, since something that they need has failed.
        private var blocked: Set<Int> = []
        /// The nodes of the first round from whose answers tear-downs take something, though they don't wait for each of them.
        private let kept: Set<Int>
        /// For each round, how many nodes other than tear-downs are under way, and how many aren't over; tear-downs wait for these.
        private var underWay: [Int32] = []
        private var left: [Int32] = []
        private let mainCount: Int
        /// Nothing more is begun but tear-downs.
        private var isStopped = false
        private var gates: LoopGates
        /// How many that are no tear-down are begun and not over.
        private var running = 0

        private struct Waiter {
            var node: Int
            var isDemand: Bool
        }

        package init(_ plan: RunPlan) {
            nodes = plan.nodes
            mainCount = plan.mainCount
            gates = LoopGates(plan)
            var waiting = [[Waiter]](repeating: [], count: plan.round.count)
            var consumers = [Int32](repeating: 0, count: plan.round.count)
            var counts = [Int32](repeating: 0, count: plan.round.count)
            var kept: Set<Int> = []
            for (index, node) in plan.round.enumerated() {
                // All tear-downs of a round wait for all the rest of it.
                let isTearDown = index >= plan.mainCount
                if isTearDown { counts[index] = 1 }
                for edge in node.edges {
                    consumers[edge.node] += 1
                    if isTearDown, edge.node < plan.mainCount {
                        kept.insert(edge.node)
                    } else {
                        waiting[edge.node].append(Waiter(node: index, isDemand: edge.isDemand))
                        counts[index] += 1
                    }
                }
            }
            self.waiting = waiting
            self.consumers = consumers
            self.kept = kept
            if plan.hasTearDowns {
                underWay = [Int32](repeating: 0, count: plan.rounds)
                left = [Int32](repeating: Int32(plan.mainCount), count: plan.rounds)
            }
            awaited = []
            awaited.reserveCapacity(nodes.count)
            for _ in 0..<plan.rounds { awaited += counts }
        }

        private func waiters(for node: Int) -> [Waiter] {
            let place = node % waiting.count
            guard node > place else { return waiting[place] }
            return waiting[place].map { Waiter(node: $0.node + node - place, isDemand: $0.isDemand) }
        }

        /// `nil` while all that is left waits, and when nothing is left.
        package mutating func begin() -> Step? {
            while let first = nextReady() {
                if isTearDown(first) { return .send(first) }
                if isStopped { continue }
                if gates.begin(first) { return begin(first) }
            }
            guard running == 0, !isStopped, let first = gates.popFirst() else { return nil }
            _ = gates.begin(first, isForced: true)
            return begin(first)
        }

        private mutating func begin(_ first: Int) -> Step {
            running += 1
            if !left.isEmpty { underWay[first / waiting.count] += 1 }
            return blocked.isEmpty || isWanted(first) ? .send(first) : .leave(first)
        }

        private mutating func nextReady() -> Int? {
            if let first = released.popLast() { return first }
            while next < awaited.count {
                next += 1
                if awaited[next - 1] == 0 { return next - 1 }
            }
            return nil
        }

        /// From now on only tear-downs are begun.
        package mutating func stop() {
            guard !isStopped else { return }
            isStopped = true
            for round in left.indices where left[round] > 0 {
                left[round] = underWay[round]
                if left[round] == 0 { releaseTearDowns(of: round) }
            }
        }

        private func isTearDown(_ node: Int) -> Bool { node % waiting.count >= mainCount }

        private mutating func releaseTearDowns(of round: Int) {
            for node in round * waiting.count + mainCount..<(round + 1) * waiting.count { ceaseWaiting(node) }
        }

        /// One of those for which it waits is over.
        private mutating func ceaseWaiting(_ node: Int) {
            awaited[node] -= 1
            if awaited[node] == 0, node < next { release(node) }
        }

        private mutating func release(_ node: Int) {
            let place = released.firstIndex { $0 < node } ?? released.endIndex
            released.insert(node, at: place)
        }

        /// - Parameter isUsable: whether those that need it may go on.
        package mutating func end(_ node: Int, isUsable: Bool) {
            let waiters = self.waiters(for: node)
            if !isUsable { block(waiters) }
            for waiter in waiters { ceaseWaiting(waiter.node) }
            if !isTearDown(node) { running -= 1 }
            for next in gates.end(node) { release(next) }
            guard !left.isEmpty, !isTearDown(node) else { return }
            let round = node / waiting.count
            underWay[round] -= 1
            left[round] -= 1
            if left[round] == 0 { releaseTearDowns(of: round) }
        }

        /// How many others take something from it.
        func consumerCount(_ node: Int) -> Int { Int(consumers[node % waiting.count]) }

        private mutating func block(_ waiters: [Waiter]) {
            for waiter in waiters where waiter.isDemand && blocked.insert(waiter.node).inserted {
                block(self.waiters(for: waiter.node))
            }
        }

        private func isWanted(_ node: Int) -> Bool {
            // What is blocked says so.
            let place = node % waiting.count
            if nodes.first[place].isSelected || blocked.contains(node) || kept.contains(place) { return true }
            return waiters(for: node).contains { $0.isDemand && !blocked.contains($0.node) && isWanted($0.node) }
        }
    }
}
