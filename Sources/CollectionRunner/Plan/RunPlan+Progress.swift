extension RunPlan {
    /// What may be done next, as nodes end: always the first of the plan for which nothing is awaited.
    package struct Progress: Sendable {
        package enum Step: Hashable, Sendable {
            case send(Int)
            /// Nobody asked for it, and all that need it can't be sent any more.
            case leave(Int)
        }

        private let nodes: [Node]
        /// How many nodes each one still waits for.
        private var awaited: [Int]
        /// Who waits for each; a node that nobody waits for has none.
        private var waiting: [Int: [Waiter]] = [:]
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
            awaited = plan.nodes.map(\.edges.count)
            for (index, node) in plan.nodes.enumerated() {
                for edge in node.edges { waiting[edge.node, default: []].append(Waiter(node: index, isDemand: edge.isDemand)) }
            }
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
            let waiters = waiting[node] ?? []
            if !isUsable { block(waiters) }
            for waiter in waiters {
                awaited[waiter.node] -= 1
                guard awaited[waiter.node] == 0, waiter.node < next else { continue }
                let place = released.firstIndex { $0 < waiter.node } ?? released.endIndex
                released.insert(waiter.node, at: place)
            }
        }

        /// Whether others take something from it.
        func isAwaited(_ node: Int) -> Bool { waiting[node] != nil }

        private mutating func block(_ waiters: [Waiter]) {
            for waiter in waiters where waiter.isDemand && blocked.insert(waiter.node).inserted {
                block(waiting[waiter.node] ?? [])
            }
        }

        private func isWanted(_ node: Int) -> Bool {
            // What is blocked says so.
            if nodes[node].isSelected || blocked.contains(node) { return true }
            return (waiting[node] ?? []).contains { $0.isDemand && !blocked.contains($0.node) && isWanted($0.node) }
        }
    }
}
