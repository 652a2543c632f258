import Testing

@testable import NetworkLayer

/// A queue's machine, with operations as numbers and effects as words.
struct QueueMachine {
    typealias StateMachine = RequestOperationQueue.StateMachine

    var machine: StateMachine

    init(
        perHost: Int? = nil, total: Int? = nil, adaptive: Gradient2Limit? = nil, waiting: Int? = nil,
        failureMode: RequestOperationQueue.FailureMode = .continue, reportsBatches: Bool = false
    ) {
        machine = StateMachine(
            limits: .init(perHost: perHost, adaptive: adaptive, total: total, waiting: waiting), failureMode: failureMode,
            reportsBatches: reportsBatches)
    }

    mutating func enqueue(
        _ number: Int, host: String = "a", _ priority: Priority = .normal, after dependencies: [Int] = [], backoff: Bool = false
    ) -> [String] {
        send(
            .enqueue(
                .init(
                    operation: OperationID(rawValue: number), host: host, priority: priority,
                    dependencies: dependencies.map { OperationID(rawValue: $0) }, asksBackoff: backoff)))
    }

    mutating func finished(_ number: Int, failed: Bool = false, roundTrip: Duration? = nil) -> [String] {
        send(.finished(OperationID(rawValue: number), .init(isFailure: failed, roundTrip: roundTrip)))
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

    private mutating func send(_ input: StateMachine.Input) -> [String] { machine.handle(input).map(Self.word) }

    static func word(_ effect: StateMachine.Effect) -> String {
        switch effect {
        case .start(let id): "start \(id.rawValue)"
        case .wait(let id, .queueSuspended, _): "suspended \(id.rawValue)"
        case .wait(let id, .concurrencyLimit, _): "limit \(id.rawValue)"
        case .wait(let id, _, .operations(let ids)?):
            "\(id.rawValue) after \(ids.map { "\($0.rawValue)" }.joined(separator: " "))"
        case .wait(let id, _, .backoff(_, let end)?): end == nil ? "in turn \(id.rawValue)" : "pause \(id.rawValue)"
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
