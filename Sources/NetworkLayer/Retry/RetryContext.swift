public import Base
public import HTTPTypes

/// What a ``RetryPolicy`` knows of the operation it is asked about.
public struct RetryContext: Sendable {
    /// Whose attempt has ended.
    public package(set) var operation: OperationID
    /// The response with which the operation ends unless it tries again: its error, head and body are the attempt's own.
    public package(set) var response: Response
    /// The one in use; a retry before may have changed it.
    public package(set) var configuration: RequestConfiguration
    /// Retries so far.
    public package(set) var retryCount: Int
    /// Since the operation was enqueued.
    package var elapsed: Duration
    /// Whether the body of the request can be sent again; a retry is overruled when it can't.
    public package(set) var isReplayable: Bool
    /// Whether the body broke off, and a retry will ask for the rest of it only.
    package var isResumable: Bool
    /// Now, on the wall clock, for `Retry-After`.
    package var date: Date
    /// In `0..<1`, drawn anew for every question: from the client's generator, so that tests can foresee it.
    package var random: Double

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

/// A retry goes out from the start again, so what counts is every attempt since the request was last sent from there: its hops and
/// its answers to challenges.
extension Response {
    var attemptsOfTry: ArraySlice<AttemptMetrics> {
        let attempts = metrics.attempts
        // One that was to be retried belongs to the try before: this one hasn't come to an attempt.
        guard let last = attempts.last, last.disposition != .retrying else { return [] }
        let first = attempts.lastIndex { $0.kind == .initial || $0.kind == .retry }
        return attempts[(first ?? attempts.startIndex)...]
    }

    var methodsOfTry: Set<HTTPRequest.Method> {
        let attempts = attemptsOfTry
        return attempts.isEmpty ? [originalRequest.method] : Set(attempts.map(\.request.method))
    }
}

extension RetryContext {
    /// Answers by which a server says that it did nothing but ask, refuse or send us on.
    private static let withoutEffect: Set<Int> = [307, 308, 401, 407, 429, 503]

    /// Whether the request can be sent from the start again without doing anything twice.
    ///
    /// - Parameter refusals: more statuses by which a server says that it did nothing.
    package func canStartOver(refusals: Set<Int> = []) -> Bool {
        firstEffect(refusals) == nil
    }

    /// The method of the first attempt that may have had its effect; otherwise that of the last.
    var methodOfTry: HTTPRequest.Method { firstEffect([])?.request.method ?? request.method }

    private func firstEffect(_ refusals: Set<Int>) -> AttemptMetrics? {
        let attempts = response.attemptsOfTry
        return attempts.first { attempt in
            guard !attempt.request.method.isIdempotent else { return false }
            // What became of the last one isn't in its metrics yet.
            let isLast = attempt.number == attempts.last?.number
            let error = isLast ? error : attempt.error
            guard error == nil, let status = isLast ? status?.code : attempt.head?.status.code else {
                return attempt.connection != nil
            }
            return !Self.withoutEffect.union(refusals).contains(status)
        }
    }
}
