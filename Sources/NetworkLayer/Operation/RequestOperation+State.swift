extension RequestOperation {
    /// TNL's states, and `waiting`, which TNL hides inside `idle`.
    ///
    ///     idle ─> preparing ─> starting ─> running ─┬─> succeeded | failed | cancelled
    ///                 ▲                             │
    ///                 └──── waitingToRetry <────────┘      (waiting(reason) before preparing)
    public enum State: Sendable, Hashable {
        /// It hasn't started: it isn't enqueued yet, or was enqueued only just now, so that nothing keeps it waiting.
        case idle
        /// A queue has it, and can't start it yet.
        case waiting(WaitReason)
        /// `preparing`: roles may still change the request. `starting`: its transfer is on its way to the server. `running`: the server gave
        /// a sign, or a byte of a body went to it. `waitingToRetry`: an attempt failed, and another follows.
        case preparing, starting, running, waitingToRetry
        /// The ends; with `succeeded` there is a complete response, whatever its status.
        case cancelled, failed, succeeded

        /// Whether nothing follows: succeeded, failed or cancelled.
        public var isFinal: Bool {
            switch self {
            case .cancelled, .failed, .succeeded: true
            default: false
            }
        }

        /// Whether ``RequestOperation/StateMachine`` may go from this state to `next` (section 2.1 of the reference).
        ///
        /// | from \\ to       | waiting | preparing | starting | running | waitingToRetry | final |
        /// |------------------|---------|-----------|----------|---------|----------------|-------|
        /// | idle             | ✔       | ✔         |          |         |                | ✔     |
        /// | waiting          | another | ✔         |          |         |                | ✔     |
        /// | preparing        |         |           | ✔        |         |                | ✔     |
        /// | starting         |         |           |          | ✔       | ✔              | ✔     |
        /// | running          |         |           |          |         | ✔              | ✔     |
        /// | waitingToRetry   |         | ✔         |          |         |                | ✔     |
        /// | any final        |         |           |          |         |                |       |
        package func canBecome(_ next: Self) -> Bool {
            switch (self, next) {
            case (.cancelled, _), (.failed, _), (.succeeded, _), (_, .idle): false
            case (_, .cancelled), (_, .failed), (_, .succeeded): true
            case (.idle, .waiting): true
            case (.waiting(let reason), .waiting(let other)): reason != other
            case (.idle, .preparing), (.waiting, .preparing), (.waitingToRetry, .preparing): true
            case (.preparing, .starting), (.starting, .running): true
            case (.starting, .waitingToRetry), (.running, .waitingToRetry): true
            default: false
            }
        }

        /// TNL's number; `waiting` is part of TNL's `idle`.
        package var number: Int {
            switch self {
            case .idle, .waiting: 0
            case .preparing: 1
            case .starting: 2
            case .running: 3
            case .waitingToRetry: 4
            case .cancelled: -1
            case .failed: -2
            case .succeeded: -100
            }
        }
    }

    /// What an enqueued operation waits for.
    public enum WaitReason: String, Sendable, Hashable, Codable, CaseIterable {
        /// That somebody lets the queue go on; that other operations end; for a slot of the queue or the host; that the pause ends that a
        /// host asked for; for the network.
        case queueSuspended, dependency, concurrencyLimit, backoff, connectivity
    }
}

extension RequestOperation.State: CustomStringConvertible {
    /// One word, and the reason behind `waiting:`.
    public var description: String {
        switch self {
        case .idle: "idle"
        case .waiting(let reason): "waiting:\(reason.rawValue)"
        case .preparing: "preparing"
        case .starting: "starting"
        case .running: "running"
        case .waitingToRetry: "waitingToRetry"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .succeeded: "succeeded"
        }
    }
}

extension RequestOperation.State: Codable {
    /// Reads what `description` writes, such as `waitingToRetry`; `nil` for anything else.
    package init?(_ description: String) {
        let named: [Self] = [.idle, .preparing, .starting, .running, .waitingToRetry, .cancelled, .failed, .succeeded]
        let all = named + RequestOperation.WaitReason.allCases.map(Self.waiting)
        guard let state = all.first(where: { $0.description == description }) else { return nil }
        self = state
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let state = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no state of an operation")
        }
        self = state
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
