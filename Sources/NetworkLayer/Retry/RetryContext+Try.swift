import HTTPTypes

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
