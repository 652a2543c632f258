extension RequestOperationQueue {
    /// The settings of one queue; what its queues share is in ``NetworkClient/Settings``.
    public struct Configuration: Sendable {
        /// What becomes of the others when one fails.
        public var failureMode: FailureMode
        /// What counts as a failure, for ``failureMode`` and for `afterAll`.
        public var failures: Failures
        /// The most operations that may wait, for whatever reason. One more fails at once, with code `queueFull`; `nil`: no limit.
        public var maxWaiting: Int?
        /// The most transfers of this queue that are under way at a time; `nil`: as many as the client's limits allow.
        public var maxConcurrent: Int?
        /// The hooks that learn of the queue's work.
        public var hooks: Hooks

        /// By default nothing is limited, and a failure leaves the others alone.
        public init(
            failureMode: FailureMode = .continue, failures: Failures = .errors, maxWaiting: Int? = nil,
            maxConcurrent: Int? = nil, hooks: Hooks = .init()
        ) {
            self.failureMode = failureMode
            self.failures = failures
            self.maxWaiting = maxWaiting
            self.maxConcurrent = maxConcurrent
            self.hooks = hooks
        }
    }

    /// What becomes of the others when an operation fails (TN-6).
    public enum FailureMode: String, Sendable, Hashable, Codable, CaseIterable {
        /// The others go on.
        case `continue`
        /// Every other operation of the queue is cancelled, also those that run; what is enqueued later isn't.
        case cancelRest
    }

    /// What counts as a failure.
    public enum Failures: String, Sendable, Hashable, Codable, CaseIterable {
        /// State `failed`. A cancelled operation is no failure.
        case errors
        /// Also answers with 400 and above.
        case errorsAndStatuses
    }

    /// What a queue tells about its work (TN-6). Called in order, one at a time, on whatever thread it happened; a hook may enqueue
    /// and cancel, but must return soon.
    ///
    ///     beforeAll  beforeEach(1)  beforeEach(2)  afterEach(2)  afterEach(1)  afterAll(false)
    ///
    /// The first operation that is enqueued into an empty queue begins a batch, and the last that leaves it ends the batch.
    /// `beforeEach` and `afterEach` are for those that start: a cancelled one that only waited has neither.
    public struct Hooks: Sendable {
        /// The queue was empty and has got its first operation.
        public var beforeAll: (@Sendable () -> Void)?
        /// An operation starts.
        public var beforeEach: (@Sendable (RequestOperation) -> Void)?
        /// An operation that had started is over.
        public var afterEach: (@Sendable (RequestOperation, Response) -> Void)?
        /// Whether any operation of the batch failed, as ``Configuration/failures`` says.
        public var afterAll: (@Sendable (Bool) -> Void)?

        /// Each hook that is `nil` is not called.
        public init(
            beforeAll: (@Sendable () -> Void)? = nil, beforeEach: (@Sendable (RequestOperation) -> Void)? = nil,
            afterEach: (@Sendable (RequestOperation, Response) -> Void)? = nil, afterAll: (@Sendable (Bool) -> Void)? = nil
        ) {
            self.beforeAll = beforeAll
            self.beforeEach = beforeEach
            self.afterEach = afterEach
            self.afterAll = afterAll
        }

        var isEmpty: Bool { beforeAll == nil && beforeEach == nil && afterEach == nil && afterAll == nil }
    }
}
