package import Base
package import NetworkLayer
package import RequestCollections

/// One run of a saved request, as a row of a list. Runs that failed or were cancelled are kept as well.
package struct HistoryRun: Sendable, Hashable, Identifiable {
    /// Grows with time.
    package var id: Int64
    /// When it was enqueued.
    package var date: Date
    /// Absolute.
    package var collection: String
    package var request: RequestID
    package var name: String?
    package var environment: String?
    package var method: String
    /// The URL of the request as it was first sent, without its secrets.
    package var url: String
    package var outcome: Outcome
    /// The status of the last attempt.
    package var status: Int?
    /// Why it failed, or who cancelled it: a reason a line. Expectations that weren't met are reasons, too.
    package var error: String?
    /// The stable name of what went wrong: ``NetworkError/type``, or ``ExpectationResult/errorType``.
    package var errorType: String?
    package var duration: Duration?
    package var attempts: Int
    /// Bytes of the response's body, decoded.
    package var bodyBytes: Int64
    /// Whether ``History/body(of:)`` has it.
    package var isBodyKept: Bool
    /// What was different this time: `auth off, fresh connection`.
    package var note: String?

    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case succeeded, failed, cancelled
    }

    package var title: String { name ?? request.rawValue }

    /// The lines of ``error``.
    package var reasons: [Substring] { error?.lines ?? [] }
}

/// Everything that is kept of a run but its body.
package struct HistoryRecord: Sendable {
    package var run: HistoryRun
    /// As it was when it was sent, templates unfilled: enough to send the same again.
    package var definition: RequestDefinition
    /// Its body is ``ResponseBody/none``.
    package var response: Response
}

/// A run that is over, to be kept.
package struct FinishedRun: Sendable {
    /// The collection's path.
    package var collection: String
    package var definition: RequestDefinition
    package var environment: String?
    package var response: Response
    /// Takes out what nobody may read later.
    package var redactor: Redactor
    /// What is wrong with an answer that came: an expectation that it doesn't meet, or something that it doesn't give. Such a run failed.
    package var complaint: String?
    /// What was different this time.
    package var note: String?

    package init(
        of definition: RequestDefinition, in collection: String, environment: String?, response: Response, redactor: Redactor,
        complaint: String? = nil, note: String? = nil
    ) {
        self.complaint = complaint
        self.note = note
        self.collection = collection
        self.definition = definition
        self.environment = environment
        self.response = response
        self.redactor = redactor
    }

    /// Whether it went wrong, and wasn't just cancelled.
    var isFailed: Bool { complaint != nil || response.error != nil && response.metrics.state != .cancelled }
}

/// Which runs are asked for; the newest come first.
package struct HistoryQuery: Sendable, Hashable {
    /// Absolute.
    package var collection: String?
    /// A part of the request's id, its name or its URL.
    package var text: String?
    package var outcome: HistoryRun.Outcome?
    /// `404`, or a class such as `4` for all of 400 to 499.
    package var status: Int?
    package var since: Date?
    /// Only runs older than this one, for the next page.
    package var before: Int64?
    package var limit: Int

    package init(
        collection: String? = nil, text: String? = nil, outcome: HistoryRun.Outcome? = nil, status: Int? = nil, since: Date? = nil,
        before: Int64? = nil, limit: Int = 100
    ) {
        self.collection = collection
        self.text = text
        self.outcome = outcome
        self.status = status
        self.since = since
        self.before = before
        self.limit = limit
    }
}

/// How much is kept. What goes first is the oldest.
package struct HistoryRetention: Sendable, Hashable {
    package var runs: Int
    /// The bytes of all bodies together.
    package var bodyBytes: Int64
    /// A longer body isn't kept, only its length.
    package var longestBody: Int

    package init(runs: Int = 10_000, bodyBytes: Int64 = 512 << 20, longestBody: Int = 16 << 20) {
        self.runs = runs
        self.bodyBytes = bodyBytes
        self.longestBody = longestBody
    }

    /// Looking for what is too old costs more the more is kept, so not every run does it: only one whose id is a multiple of a
    /// hundredth of ``runs``, whatever process writes it, and one with a large body. So there may be a hundredth too many runs, and half of
    /// ``bodyBytes`` on top.
    func isDue(after id: Int64, body count: Int) -> Bool {
        let interval = Int64(max(1, runs / 100))
        return id % interval == 0 || Int64(count) * interval * 2 > bodyBytes
    }
}

/// Why the history can't be used: names the file, and what to do.
package struct HistoryError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
