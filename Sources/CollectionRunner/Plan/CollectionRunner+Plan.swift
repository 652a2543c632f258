import NetworkLayer
import RequestCollections
import Synchronization

extension CollectionRunner {
    /// Sends what a plan has, each node once, as soon as everything before it is over.
    ///
    /// - Parameters:
    ///   - jobs: how many are under way at a time, at most.
    ///   - mayBegin: asked before each node. Once it says no for what is no tear-down, only those are begun.
    ///   - ended: told of each node, and before it of each of its items.
    package func perform(
        _ plan: RunPlan, jobs: Int, mayBegin: @escaping @Sendable (RunPlan.Step?) -> Bool,
        ended: @escaping @Sendable (Int, NodeOutcome) -> Void
    ) async {
        _ = await perform(await compiled(plan), upTo: nil, jobs: jobs, neededBy: [], mayBegin: mayBegin, ended: ended)
    }

    /// One request with everything before it.
    func perform(_ plan: RunPlan, neededBy chain: [RequestID]) async -> NodeOutcome {
        let context = await fulfil(plan, neededBy: chain)
        return await perform(plan.round[plan.round.count - 1], in: context, ItemTurns()) { _ in }
    }

    /// Everything before the last node, one after the other.
    ///
    /// - Returns: what the last one may take of it.
    func fulfil(_ plan: RunPlan, neededBy chain: [RequestID]) async -> NodeContext {
        let last = plan.round.count - 1
        let plan = await compiled(plan)
        let outcomes = await perform(plan, upTo: last, jobs: 1, neededBy: chain, mayBegin: { _ in true }, ended: { _, _ in })
        return NodeContext(of: last, in: plan, neededBy: chain, before: nil) { outcomes[$0] }
    }

    /// Before anything is sent: a filter that can't be compiled ends its request.
    func compiled(_ plan: RunPlan) async -> RunPlan {
        let complaints = await worker.complaints(about: plan.round.flatMap(\.job.definition.placedFilters))
        guard !complaints.isEmpty else { return plan }
        var plan = plan
        for index in plan.round.indices where plan.round[index].failure == nil {
            let places = plan.round[index].job.definition.placedFilters.map(\.location)
            guard let complaint = complaints.first(where: { places.contains($0.location) }) else { continue }
            plan.round[index].failure = RunFailure(.resolution(.definition), complaint.message, at: complaint.location)
        }
        return plan
    }

    /// - Parameters:
    ///   - end: the node before which it ends.
    ///   - given: what was remembered before it, when it isn't the first time; `nil`: what is remembered now.
    /// - Returns: the outcomes that a node which wasn't begun takes something from.
    func perform(
        _ plan: RunPlan, upTo end: Int?, jobs: Int, neededBy chain: [RequestID], before given: RunMemory? = nil,
        mayBegin: @escaping @Sendable (RunPlan.Step?) -> Bool,
        ended: @escaping @Sendable (Int, NodeOutcome) -> Void
    ) async -> [Int: NodeOutcome] {
        let before = plan.isWhole ? given ?? memory.withLock { $0 } : nil
        let isRepeated = plan.rounds > 1 || given != nil
        let slots = JobSlots(jobs)
        return await withTaskGroup(of: (Int, NodeOutcome)?.self) { group in
            var progress = RunPlan.Progress(plan)
            var outcomes: [Int: (outcome: NodeOutcome, consumers: Int, answerConsumers: Int)] = [:]
            func release(_ edges: [RunPlan.Edge]) {
                for edge in edges {
                    outcomes[edge.node]?.consumers -= 1
                    if outcomes[edge.node]?.consumers == 0 { outcomes[edge.node] = nil }
                    guard plan.isWhole, !edge.isItem, let left = outcomes[edge.node] else { continue }
                    outcomes[edge.node]?.answerConsumers -= 1
                    if left.answerConsumers == 1 { outcomes[edge.node]?.outcome = left.outcome.withoutAnswer }
                }
            }
            let nodes = plan.nodes
            var underWay = 0
            // What goes through items that only an answer gives takes a slot for each of them, and none for itself.
            var hasSlot = false
            var isWaiting = false
            var isStopped = false
            // Kept where something is to be undone.
            var sent: Set<Int> = []
            func begin() -> RunPlan.Progress.Step? {
                if !isStopped, !mayBegin(nil) {
                    isStopped = true
                    progress.stop()
                }
                return isStopped && !mayBegin(.tearDown) ? nil : progress.begin()
            }
            while true {
                while underWay < jobs {
                    hasSlot = hasSlot || slots.tryAcquire()
                    guard hasSlot, let step = begin(), step.node != end else { break }
                    var node = nodes[step.node]
                    node.job.node = step.node
                    if node.job.turn != nil { node.job.next = nodes[(step.node + 1)...].map(\.id) }
                    switch step {
                    case .send(let index)
                    where node.step == .tearDown
                        && (!node.undoes.contains(where: sent.contains) || node.twin.map(sent.contains) ?? false),
                        .leave(let index):
                        release(node.edges)
                        progress.end(index, isUsable: true)
                        ended(index, NodeOutcome())
                    case .send(let index):
                        // What ended everything else ends at what undoes it.
                        if isStopped {
                            resume()
                            // What has been given up since it was asked must not go on by that.
                            if !mayBegin(.tearDown) { interrupt("the user") }
                        }
                        var context = NodeContext(of: index, in: plan, neededBy: chain, before: before) { outcomes[$0]?.outcome }
                        if isRepeated { context.constant = (plan.constants, index % plan.round.count) }
                        release(node.edges)
                        let part: RunPlan.Step? = node.step == .tearDown ? .tearDown : nil
                        let turns = ItemTurns(jobs: jobs, slots: slots) { mayBegin(part) }
                        let hasItems = node.hasUnknownItems
                        hasSlot = hasItems
                        group.addTask { [context, node] in
                            let outcome = await self.work.run {
                                await self.perform(node, in: context, turns) { ended(index, $0) }
                            }
                            if !hasItems { slots.release() }
                            return (index, outcome)
                        }
                        underWay += 1
                    }
                }
                if hasSlot {
                    slots.release()
                    hasSlot = false
                } else if underWay < jobs, !isWaiting {
                    isWaiting = true
                    group.addTask {
                        await slots.wait()
                        return nil
                    }
                }
                guard let next = await group.next() else { return outcomes.mapValues(\.outcome) }
                guard let (index, outcome) = next else {
                    (isWaiting, hasSlot) = (false, true)
                    continue
                }
                underWay -= 1
                if plan.hasTearDowns, outcome.wasSent { sent.insert(index) }
                let consumers = progress.consumerCount(index)
                if consumers > 0 {
                    // Ten thousand items may have ten thousand bodies.
                    let answerConsumers = plan.isWhole ? plan.answerConsumers(of: index) : consumers
                    outcomes[index] = (answerConsumers == 0 ? outcome.withoutAnswer : outcome, consumers, answerConsumers)
                }
                progress.end(index, isUsable: outcome.isOver)
                ended(index, outcome)
            }
        }
    }

    /// - Parameter ended: told of each item, when it has items that are only known now.
    private func perform(
        _ node: RunPlan.Node, in context: NodeContext, _ turns: ItemTurns, ended: @Sendable (NodeOutcome) -> Void
    ) async -> NodeOutcome {
        if node.undoesItems, context.failure == nil { return await undoItems(by: node, in: context, turns, ended: ended) }
        if let loop = node.job.definition.forEach, let source = loop.source, context.failure == nil {
            return await sendItems(of: loop, from: source, node.job, in: context, turns, ended: ended)
        }
        guard node.freshness > .within(.zero), context.failure == nil else {
            let outcome = NodeOutcome(await send(node.job, in: context), inherited: context.captured)
            keep(outcome, of: node.job, within: nil)
            return outcome
        }
        // Whoever asks for it at the same time, in this run or in another one, has the same answer.
        let key = RunKey(place: node.job.place, request: node.id)
        let isOurs = Mutex(false)
        let joined: @Sendable () -> Void = { [turn = node.job.turn, id = node.id] in turn?.waits(for: .request(id)) }
        let outcome = await fetching.run(key, joined: joined) { [self, context] in
            isOurs.withLock { $0 = true }
            if let success = success(of: node.job, within: node.freshness.age) {
                return .success(NodeOutcome(success, inherited: context.captured))
            }
            let outcome = NodeOutcome(await send(node.job, in: context), inherited: context.captured)
            keep(outcome, of: node.job, within: node.freshness.age)
            return .success(outcome)
        }
        switch outcome {
        case .success(var outcome)?:
            outcome.isShared = !isOurs.withLock { $0 }
            return outcome
        case nil:
            let failure = RunFailure(.cancelled, "the run was cancelled")
            return NodeOutcome(RunResult(node.job, failure: failure), inherited: [:])
        }
    }
}

extension RunPlan.Node {
    /// Whether it is sent for items that nobody knows before.
    fileprivate var hasUnknownItems: Bool { job.definition.forEach?.source != nil }
}

extension RunPlan.Progress.Step {
    fileprivate var node: Int {
        switch self {
        case .send(let node), .leave(let node): node
        }
    }
}

extension RunPlan.Freshness {
    /// For ``CollectionRunner/success(of:within:)``.
    fileprivate var age: Duration? {
        switch self {
        case .always: .zero
        case .within(let age): age
        case .any: nil
        }
    }
}
