public import Base
public import HTTPTypes

/// What a ``RetryPolicy`` knows of the operation it is asked about.
public struct RetryContext: Sendable {
    /// Whose attempt has ended.
    public var operation: OperationID
    /// The response with which the operation ends unless it tries again: its error, head and body are the attempt's own.
    public var response: Response
    /// The one in use; a retry before may have changed it.
    public var configuration: RequestConfiguration
    /// Retries so far.
    public var retryCount: Int
    /// Since the operation was enqueued.
    public var elapsed: Duration
    /// Whether the body of the request can be sent again; a retry is overruled when it can't.
    public var isReplayable: Bool
    /// Whether the body broke off, and a retry will ask for the rest of it only.
    public var isResumable: Bool
    /// Now, on the wall clock, for `Retry-After`.
    public var date: Date
    /// In `0..<1`, drawn anew for every question: from the client's generator, so that tests can foresee it.
    public var random: Double

    /// A question as the library asks it, for tests of a policy.
    public init(
        operation: OperationID, response: Response, configuration: RequestConfiguration = .init(), retryCount: Int = 0,
        elapsed: Duration = .zero, isReplayable: Bool = true, isResumable: Bool = false, date: Date, random: Double = 0
    ) {
        self.operation = operation
        self.response = response
        self.configuration = configuration
        self.retryCount = retryCount
        self.elapsed = elapsed
        self.isReplayable = isReplayable
        self.isResumable = isResumable
        self.date = date
        self.random = random
    }

    /// The request of the last attempt, after preparation and redirects; the original one when there was none.
    public var request: Request { response.metrics.attempts.last?.request ?? response.originalRequest }

    /// The status of the attempt's answer; `nil` without one.
    public var status: HTTPResponse.Status? { response.info?.head.status }

    /// Why the attempt failed; `nil` where an answer arrived.
    public var error: NetworkError? { response.error }

    /// `Retry-After` of the answer, where there is one.
    public var retryAfter: RetryAfter? {
        response.info?.head.headers[.retryAfter].map { RetryAfter($0, receivedAt: date) }
    }
}
