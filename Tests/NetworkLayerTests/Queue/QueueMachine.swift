import Testing

@testable import NetworkLayer

/// A queue's machine with the slots of its client, operations as numbers and effects as words.
struct QueueMachine {
    typealias StateMachine = RequestOperationQueue.StateMachine

    var machine: StateMachine
    var slots: TransferSlots
    let total: Int?

    /// - Parameter total: the queue's own limit.
    init(
        perHost: Int? = nil, total: Int? = nil, waiting: Int? = nil,
        failureMode: RequestOperationQueue.FailureMode = .continue, reportsBatches: Bool = false
    ) {
        machine = StateMachine(maxWaiting: waiting, failureMode: failureMode, reportsBatches: reportsBatches)
        slots = TransferSlots(limits: .init(perHost: perHost))
        self.total = total
    }

    /// All effects of an input and of what the slots answer, but those for the slots.
    mutating func handle(_ input: StateMachine.Input) -> [StateMachine.Effect] {
        var done: [StateMachine.Effect] = []
        var effects = machine.handle(input)
        while !effects.isEmpty {
            let effect = effects.removeFirst()
            let answers: [TransferSlots.Effect]
            switch effect {
            case .askSlot(let ticket, let host, _):
                answers = slots.ask(.init(ticket: ticket, host: host, queueLimit: total))
            case .leaveSlot(let id): answers = slots.leave(id)
            case .setSlotPriority(let id, let priority):
                slots.setPriority(priority, of: id)
                answers = []
            default:
                done.append(effect)
                answers = []
            }
            for answer in answers {
                let turn = machine.entries[answer.operation]?.turn ?? 0
                effects += machine.handle(.slot(answer.operation, answer.answer, turn: turn))
            }
        }
        return done
    }

    mutating func enqueue(
        _ number: Int, host: String = "a", _ priority: Priority = .normal, after dependencies: [Int] = [], backoff: Bool = false
    ) -> [String] {
        send(
            .enqueue(
                .init(
                    operation: OperationID(rawValue: number), host: host, priority: priority, number: number,
                    dependencies: dependencies.map { OperationID(rawValue: $0) }, asksBackoff: backoff)))
    }

    mutating func finished(_ number: Int, failed: Bool = false) -> [String] {
        send(.finished(OperationID(rawValue: number), .init(isFailure: failed)))
    }

    /// Its transfer is over, but it isn't.
    mutating func aside(_ number: Int) -> [String] { send(.standsAside(OperationID(rawValue: number))) }

    mutating func wants(_ number: Int, host: String = "a", isUnderWay: Bool = false) -> [String] {
        send(.wantsSlot(OperationID(rawValue: number), host: host, isUnderWay: isUnderWay))
    }

    mutating func priority(_ number: Int, _ priority: Priority) -> [String] {
        send(.priority(OperationID(rawValue: number), priority))
    }

    mutating func dependencies(_ number: Int, _ dependencies: [Int]) -> [String] {
        send(.dependencies(OperationID(rawValue: number), dependencies.map { OperationID(rawValue: $0) }))
    }

    mutating func pass(_ number: Int) -> [String] { send(.backoff(OperationID(rawValue: number), .pass)) }

    mutating func backOff(_ number: Int, until time: MonotonicTime? = nil) -> [String] {
        send(.backoff(OperationID(rawValue: number), .wait(key: "a", until: time)))
    }

    mutating func suspend() -> [String] { send(.suspend) }
    mutating func resume() -> [String] { send(.resume) }
    mutating func cancelAll() -> [String] { send(.cancelAll("a test")) }

    private mutating func send(_ input: StateMachine.Input) -> [String] { handle(input).map(Self.word) }

    static func word(_ effect: StateMachine.Effect) -> String {
        switch effect {
        case .start(let id): "start \(id.rawValue)"
        case .proceed(let id): "proceed \(id.rawValue)"
        case .askSlot(let ticket, let host, _): "slot \(ticket.operation.rawValue) at \(host)"
        case .leaveSlot(let id): "slot of \(id.rawValue)"
        case .releaseDependents(let id): "dependents of \(id.rawValue)"
        case .setSlotPriority(let id, let priority): "\(id.rawValue) is \(priority.rawValue)"
        case .wait(let id, .queueSuspended, _): "suspended \(id.rawValue)"
        case .wait(let id, .concurrencyLimit, _): "limit \(id.rawValue)"
        case .wait(let id, _, .operations(let ids)?):
            "\(id.rawValue) after \(ids.map { "\($0.rawValue)" }.joined(separator: " "))"
        case .wait(let id, _, .backoff(_, let end)?): end == nil ? "in turn \(id.rawValue)" : "pause \(id.rawValue)"
        case .wait(let id, _, .concurrencyLimit(let host)?): "\(id.rawValue) at \(host)"
        case .wait(let id, let reason, nil): "\(reason.rawValue) \(id.rawValue)"
        case .cancel(let id, _): "cancel \(id.rawValue)"
        case .refuse(let id, let waiting): "refuse \(id.rawValue), \(waiting) wait"
        case .askBackoff(let id): "ask \(id.rawValue)"
        case .leaveBackoff(let id): "leave \(id.rawValue)"
        case .batchStarted: "batch"
        case .ended(let id): "ended \(id.rawValue)"
        case .batchEnded(let hasFailure): hasFailure ? "batch failed" : "batch done"
        }
    }
}
