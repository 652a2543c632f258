import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Ten thousand queues that get anything at any time. A model that looks at everything every time decides the same as the machine
/// that doesn't, and what must always hold is checked after every input.
@Suite struct RandomQueueTests {
    @Test(arguments: 0..<10)
    func `QUE-5 whatever comes, it decides as a plain list would, and breaks no rule`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var run = Run(seed: seed)
            for _ in 0..<60 {
                run.step()
                guard run.violations.isEmpty else { break }
            }
            run.finishAll()
            #expect(run.violations == [], "seed \(seed)")
            if !run.violations.isEmpty { return }
        }
    }
}

private struct Run {
    typealias StateMachine = RequestOperationQueue.StateMachine

    var random: SeededGenerator
    var queue: QueueMachine
    var machine: StateMachine { queue.machine }
    var model: PlainQueue
    var violations: [String] = []
    private var count = 0
    private var started: Set<OperationID> = []
    private var refused: Set<OperationID> = []
    private var ended: Set<OperationID> = []
    private var batches = 0
    private var atBackoff: Set<OperationID> = []

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(seed))
        let limits = PlainQueue.Limits(
            perHost: [nil, 1, 2, 3].randomElement(using: &random)!, total: [nil, 1, 3, 5].randomElement(using: &random)!,
            waiting: [nil, nil, 2, 8].randomElement(using: &random)!)
        let failureMode: RequestOperationQueue.FailureMode = Int.random(in: 0..<4, using: &random) == 0 ? .cancelRest : .continue
        queue = QueueMachine(
            perHost: limits.perHost, total: limits.total, waiting: limits.waiting, failureMode: failureMode, reportsBatches: true)
        model = PlainQueue(limits: limits, failureMode: failureMode)
    }

    mutating func step() {
        take(input())
    }

    /// Everything is over in the end: whatever still waits is let go, and runs, and ends.
    mutating func finishAll() {
        guard violations.isEmpty else { return }
        while machine.isSuspended { take(.resume) }
        for entry in model.entries where !entry.dependencies.isEmpty { take(.dependencies(entry.id, [])) }
        while let next = model.entries.first(where: { atBackoff.contains($0.id) && !$0.hasPassed && !$0.isCancelled }) {
            take(.backoff(next.id, .pass))
        }
        for _ in 0..<1000 {
            guard let next = model.entries.first(where: { $0.isRunning || $0.isAside || $0.isCancelled }) else { break }
            take(.finished(next.id))
            while let next = model.entries.first(where: { atBackoff.contains($0.id) && !$0.hasPassed && !$0.isCancelled }) {
                take(.backoff(next.id, .pass))
            }
        }
        if !model.entries.isEmpty { violations.append("\(model.entries.map(\.id.rawValue)) were never let go") }
        let slots = queue.slots
        if !machine.entries.isEmpty || machine.started != 0 || slots.running.total != 0 || !slots.lines.isEmpty {
            violations.append("\(machine.started) are left running, \(slots.running.total) slots, \(slots.lines.count) lines")
        }
        if batches != 0 { violations.append("A batch has no end") }
        if !atBackoff.isEmpty { violations.append("\(atBackoff) never left the backoff") }
    }

    private mutating func input() -> StateMachine.Input {
        let id = OperationID(rawValue: Int.random(in: 1...max(1, count), using: &random))
        switch Int.random(in: 0..<30, using: &random) {
        case 0: return .suspend
        case 1, 2: return .resume
        case 3: return Int.random(in: 0..<5, using: &random) == 0 ? .cancelAll("a test") : .resume
        case 4..<10:
            let isFailure = Int.random(in: 0..<8, using: &random) == 0
            return .finished(id, .init(isFailure: isFailure))
        case 10..<13: return .dependencies(id, Bool.random(using: &random) ? [] : [OperationID(rawValue: 1000)])
        case 13..<16: return .backoff(id, Bool.random(using: &random) ? .pass : .wait(key: "a", until: nil))
        case 16..<19: return .standsAside(id)
        case 19..<22:
            return .wantsSlot(id, host: ["a", "b", "c"].randomElement(using: &random)!, isUnderWay: Bool.random(using: &random))
        case 22: return .priority(id, Priority(rawValue: Int.random(in: -2...2, using: &random)))
        default:
            count += 1
            return .enqueue(
                .init(
                    operation: OperationID(rawValue: count), host: ["a", "b", "c"].randomElement(using: &random)!,
                    priority: Priority(rawValue: Int.random(in: -2...2, using: &random)), number: count,
                    dependencies: Int.random(in: 0..<4, using: &random) == 0 ? [OperationID(rawValue: 1000)] : [],
                    asksBackoff: Int.random(in: 0..<4, using: &random) == 0))
        }
    }

    private mutating func take(_ input: StateMachine.Input) {
        let effects = queue.handle(input)
        let expected = model.handle(input)
        var starts: [OperationID] = []
        for effect in effects {
            switch effect {
            case .start(let id):
                starts.append(id)
                if !started.insert(id).inserted { violations.append("\(id.rawValue) started twice") }
                if refused.contains(id) { violations.append("\(id.rawValue) started though it was refused") }
            case .proceed(let id):
                starts.append(id)
                if !started.contains(id) { violations.append("\(id.rawValue) goes on without a start") }
            case .refuse(let id, _):
                refused.insert(id)
            case .ended(let id):
                if !ended.insert(id).inserted || !started.contains(id) { violations.append("\(id.rawValue) ended wrongly") }
            case .batchStarted: batches += 1
            case .batchEnded: batches -= 1
            case .askBackoff(let id):
                if !atBackoff.insert(id).inserted { violations.append("\(id.rawValue) asked twice") }
            case .leaveBackoff(let id):
                if atBackoff.remove(id) == nil { violations.append("\(id.rawValue) left what it hadn't joined") }
            case .wait, .cancel, .askSlot, .leaveSlot, .setSlotPriority, .releaseDependents: break
            }
        }
        if starts != expected { violations.append("\(input): \(starts.map(\.rawValue)), not \(expected.map(\.rawValue))") }
        if batches != (machine.entries.isEmpty ? 0 : 1) { violations.append("\(batches) batches after \(input)") }
        let running = machine.entries.values.filter { $0.phase == .running }
        let slots = queue.slots
        if running.count != slots.running.total { violations.append("\(running.count) run, counted are \(slots.running.total)") }
        if let total = queue.total, running.count > total { violations.append("\(running.count) run") }
        for (host, entries) in Dictionary(grouping: running, by: \.host) {
            if let most = slots.limits.perHost, entries.count > most { violations.append("\(entries.count) run to \(host)") }
            if slots.running.byHost[host] != entries.count { violations.append("\(host) counts wrongly") }
        }
        let inLine = machine.entries.values.count { $0.phase == .inLine }
        if slots.lines.values.reduce(0, { $0 + $1.waiting }) != inLine { violations.append("\(inLine) wait, counted otherwise") }
        if let most = machine.maxWaiting, machine.entries.count - machine.started > most {
            // What had started may come to wait no more; what waits came within the limit.
            violations.append("\(machine.entries.count - machine.started) wait, \(most) may")
        }
    }
}

/// The rules of a queue without any cleverness.
private struct PlainQueue {
    typealias StateMachine = RequestOperationQueue.StateMachine

    struct Limits {
        var perHost: Int?
        var total: Int?
        var waiting: Int?
    }

    let limits: Limits
    let failureMode: RequestOperationQueue.FailureMode
    var suspensions = 0
    var entries: [Entry] = []

    struct Entry {
        let id: OperationID
        var host: String
        var priority: Priority
        var dependencies: [OperationID]
        let asksBackoff: Bool
        /// At the backoff: asked, and not given up since.
        var hasAsked = false
        var hasPassed = false
        var hasStarted = false
        var isRunning = false
        /// Without a slot since it started; and whether it wants one.
        var isAside = false
        var wantsSlot = false
        var isUnderWay = false
        var isCancelled = false
    }

    init(limits: Limits, failureMode: RequestOperationQueue.FailureMode) {
        self.limits = limits
        self.failureMode = failureMode
    }

    /// - Returns: what starts, in order.
    mutating func handle(_ input: StateMachine.Input) -> [OperationID] {
        switch input {
        case .enqueue(let arrival):
            let waiting = entries.count { !$0.hasStarted }
            entries.append(
                Entry(
                    id: arrival.operation, host: arrival.host, priority: arrival.priority, dependencies: arrival.dependencies,
                    asksBackoff: arrival.asksBackoff))
            let canStart = !arrival.asksBackoff && next() == entries.count - 1
            if let most = limits.waiting, waiting >= most, !canStart { entries.removeLast() }
        case .dependencies(let id, let dependencies):
            guard let index = index(id), !entries[index].hasStarted, entries[index].dependencies != dependencies else { return [] }
            entries[index].dependencies = dependencies
            entries[index].hasAsked = false
            entries[index].hasPassed = false
        case .backoff(let id, let answer):
            if answer == .pass, let index = index(id), entries[index].hasAsked { entries[index].hasPassed = true }
        case .finished(let id, let outcome):
            guard let index = index(id) else { return [] }
            entries.remove(at: index)
            if outcome.isFailure, failureMode == .cancelRest { cancelAll() }
        case .suspend:
            suspensions += 1
            for index in entries.indices where suspensions == 1 && !entries[index].hasStarted && !entries[index].isCancelled {
                entries[index].hasAsked = false
                entries[index].hasPassed = false
            }
        case .standsAside(let id):
            guard let index = index(id), entries[index].hasStarted else { return [] }
            entries[index].isRunning = false
            entries[index].isAside = true
            entries[index].wantsSlot = false
        case .wantsSlot(let id, let host, let isUnderWay):
            guard let index = index(id), entries[index].isAside, !entries[index].wantsSlot, !entries[index].isCancelled else {
                return []
            }
            entries[index].host = host
            entries[index].wantsSlot = true
            entries[index].isUnderWay = isUnderWay
        case .priority(let id, let priority):
            if let index = index(id) { entries[index].priority = priority }
        case .slot, .dependentsReleased: break
        case .resume: suspensions = max(0, suspensions - 1)
        case .cancelAll: cancelAll()
        }
        for index in entries.indices
        where suspensions == 0 && entries[index].dependencies.isEmpty && !entries[index].isCancelled {
            entries[index].hasAsked = true
        }
        var started: [OperationID] = []
        while let index = next() {
            entries[index].hasStarted = true
            entries[index].isRunning = true
            entries[index].isAside = false
            entries[index].wantsSlot = false
            started.append(entries[index].id)
        }
        return started
    }

    private mutating func cancelAll() {
        for index in entries.indices { entries[index].isCancelled = true }
    }

    private func index(_ id: OperationID) -> Int? { entries.firstIndex { $0.id == id } }

    private func next() -> Int? {
        let running = entries.filter(\.isRunning)
        if let total = limits.total, running.count >= total { return nil }
        var best: Int?
        for (index, entry) in entries.enumerated() where !entry.isRunning && !entry.isCancelled {
            guard suspensions == 0 || (entry.hasStarted && entry.isUnderWay) else { continue }
            if entry.hasStarted, !entry.wantsSlot { continue }
            if !entry.hasStarted, !entry.dependencies.isEmpty { continue }
            if entry.asksBackoff, !entry.hasPassed { continue }
            if let perHost = limits.perHost, running.count(where: { $0.host == entry.host }) >= perHost { continue }
            if best.map({ entries[$0].priority < entry.priority }) ?? true { best = index }
        }
        return best
    }
}
