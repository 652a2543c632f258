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
        /// Who waits for each node of the first round.
        private let waiting: [[Waiter]]
        /// Everything before it was begun, or is waiting.
        private var next = 0
        /// Those before ``next`` that nothing holds back any more, the first last.
        private var released: [Int] = []
        /// Those that can't be sent, since something that they need has failed.
        private var blocked: Set<Int> = []

        private struct Waiter {
            var node: Int
            var isDemand: Bool
        }

        package init(_ plan: RunPlan) {
            nodes = plan.nodes
            var waiting = [[Waiter]](repeating: [], count: plan.round.count)
            for (index, node) in plan.round.enumerated() {
                for edge in node.edges { waiting[edge.node].append(Waiter(node: index, isDemand: edge.isDemand)) }
            }
            self.waiting = waiting
            let counts = plan.round.map { Int32($0.edges.count) }
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
            var first = released.popLast()
            while first == nil, next < awaited.count {
                next += 1
                if awaited[next - 1] == 0 { first = next - 1 }
            }
            return first.map { blocked.isEmpty || isWanted($0) ? .send($0) : .leave($0) }
        }

        /// - Parameter isUsable: whether those that need it may go on.
        package mutating func end(_ node: Int, isUsable: Bool) {
            let waiters = self.waiters(for: node)
            if !isUsable { block(waiters) }
            for waiter in waiters {
                awaited[waiter.node] -= 1
                guard awaited[waiter.node] == 0, waiter.node < next else { continue }
                let place = released.firstIndex { $0 < waiter.node } ?? released.endIndex
                released.insert(waiter.node, at: place)
            }
        }

        /// How many others take something from it.
        func waiterCount(_ node: Int) -> Int { waiting[node % waiting.count].count }

        private mutating func block(_ waiters: [Waiter]) {
            for waiter in waiters where waiter.isDemand && blocked.insert(waiter.node).inserted {
                block(self.waiters(for: waiter.node))
            }
        }

        private func isWanted(_ node: Int) -> Bool {
            // What is blocked says so.
            if nodes.first[node % waiting.count].isSelected || blocked.contains(node) { return true }
            return waiters(for: node).contains { $0.isDemand && !blocked.contains($0.node) && isWanted($0.node) }
        }
    }
}
