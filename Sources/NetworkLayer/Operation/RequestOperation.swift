import Base
import Synchronization

/// One run of a request, from enqueue to a final state.
///
/// A thin shell around ``StateMachine``: inputs go in under a lock, which also orders the log; the effects they have are
/// performed outside of it, one after the other, by whichever thread is there first. So events have one total order, nothing
/// that is asked of an operation waits, and no task is needed on the way of an event.
public final class RequestOperation: Sendable, Identifiable {
    /// Unique in the process.
    public let id: OperationID
    /// The request as it was given; what was sent is in the attempts of ``metrics``.
    public let originalRequest: Request
    /// A request of the caller's own type, kept for ``source``.
    private let custom: (any RequestConvertible)?
    /// As it was given; a retry may use another (``NetworkEvent/Kind/retryDecision(_:by:)``).
    public var configuration: RequestConfiguration { sharedConfiguration.wrappedValue }
    private let sharedConfiguration: Shared<RequestConfiguration>
    private let priorityValue: Atomic<Int>
    let delegate: RequestDelegate
    /// Whether the delegate has an event handler. Stored, because it is asked for every event, and most delegates have none.
    let hasEventHandler: Bool
    let core: Mutex<Core>
    /// Where the body goes with consumption `stream`.
    let stream: BodyStream?
    /// Whether it ever waited for an operation, or one for it: most never do, and need not ask.
    let isInDependencyGraph = Atomic(false)

    /// Whether it is among those that the client counts as executing. Written before the lock is taken that its reader takes later.
    let isExecuting = Atomic(false)

    private static let count = Atomic<Int>(0)

    /// An operation that isn't enqueued yet; see ``RequestOperationQueue/enqueue(_:)``.
    public convenience init(
        _ request: Request, configuration: RequestConfiguration = .init(), delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) {
        self.init(request, custom: nil, configuration: Shared(wrappedValue: configuration), delegate: delegate, priority: priority)
    }

    /// An operation of a request of the caller's own type, whose parts are read now.
    public convenience init(
        _ source: some RequestConvertible, configuration: RequestConfiguration = .init(), delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) {
        self.init(
            Request(source), custom: source, configuration: Shared(wrappedValue: configuration), delegate: delegate,
            priority: priority)
    }

    init(
        _ request: Request, custom: (any RequestConvertible)?, configuration: Shared<RequestConfiguration>,
        delegate: RequestDelegate,
        priority: Priority
    ) {
        let id = OperationID(rawValue: Self.count.add(1, ordering: .relaxed).newValue)
        self.id = id
        self.custom = custom
        self.originalRequest = request
        self.sharedConfiguration = configuration
        self.delegate = delegate
        self.hasEventHandler = delegate.events != nil
        self.priorityValue = Atomic(priority.rawValue)
        self.stream = configuration.wrappedValue.consumption == .stream ? BodyStream() : nil
        let machine = StateMachine(
            id: id, request: request, configuration: configuration, hasRedirectDecider: delegate.redirects != nil)
        self.core = Mutex(Core(machine: machine, hasHandler: hasEventHandler))
    }

    /// What the request was made of, where that was a type of the caller's own (REQ-1); else the request as it was given.
    public var source: any RequestConvertible { custom ?? originalRequest }

    /// How urgent it is (PRI-1). It may change at any time: then its place in the queue does, too, and the transfer that is under way
    /// is told. What it waits for keeps its own priority.
    public var priority: Priority {
        get { Priority(rawValue: priorityValue.load(ordering: .relaxed)) }
        set {
            guard priorityValue.exchange(newValue.rawValue, ordering: .relaxed) != newValue.rawValue else { return }
            let (queue, transfer) = core.withLock { ($0.queue, $0.transfer) }
            queue?.priorityChanged(of: self)
            transfer?.setPriority(priority)
        }
    }

    deinit {
        leaveDependencyGraph()
    }

    /// Where it stands. Never waits.
    public var state: State { core.withLock { $0.machine.state } }

    /// Whether it is over, however it ended. Never waits.
    public var isFinished: Bool { state.isFinal }

    /// Whether it ended because somebody cancelled it. Never waits.
    public var isCancelled: Bool { state == .cancelled }

    /// The fold of the events so far.
    public var metrics: OperationMetrics { core.withLock { $0.machine.metrics } }

    /// The body as it arrives, with consumption `stream`; otherwise reading it throws. One reader: what it has taken is gone.
    /// A slow reader slows the sender down.
    public var body: BodySequence { BodySequence(operation: self) }
}

extension RequestOperation {
    /// Ends it from any state, at once, also before it was enqueued (CAN-1, CAN-2). The first cancel wins; after the end it does
    /// nothing.
    public func cancel(_ source: CancelSource = "`cancel` was called, with no reason given") {
        note(core.withLock { $0.queue }?.client.conditions?.current)
        handle(.cancel(source))
    }

    /// - Parameter error: why: the cause of the error that it ends with.
    public func cancel(_ source: CancelSource, underlying error: any Error) {
        cancel(source.with(underlying: error))
    }

    /// Ends it with this very error.
    public func cancel(_ error: any Error) {
        cancel(CancelSource(error))
    }
}

extension RequestOperation {
    /// Tells of the session that the attempt under way has become (``WireOptions/upgrades``).
    package func report(_ event: NetworkEvent.Kind) { handle(.session(event)) }

    /// Ends such a session: with an error, or as a success. What has been handed out to the transport may not have been sent yet.
    package func endSession(_ error: NetworkError?) { handle(.sessionEnded(error)) }
}

/// How urgent an operation is (PRI-1). Values outside of the five named ones are legal.
public struct Priority: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    /// Higher is more urgent; 0 is normal.
    public let rawValue: Int

    /// Any number is legal.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let veryLow = Priority(rawValue: -2)
    public static let low = Priority(rawValue: -1)
    public static let normal = Priority(rawValue: 0)
    public static let high = Priority(rawValue: 1)
    public static let veryHigh = Priority(rawValue: 2)

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Counts the operations of this process, from 1.
public struct OperationID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    public let rawValue: Int

    /// An identifier that was kept, or one for a test; it registers no operation.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
