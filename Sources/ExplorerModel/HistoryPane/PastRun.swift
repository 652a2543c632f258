package import Base
package import NetworkLayer
import RequestCollections

/// A run of a former session, as a row of the history: everything else of it is read when it is asked for.
package struct PastRun: Hashable, Sendable, Identifiable {
    /// In the history's file; `turnstone history show` takes it.
    package var number: Int64
    package var date: Date
    package var request: RequestReference
    package var title: String
    package var environment: String?
    package var url: String
    package var state: RequestOperation.State
    package var status: Int?
    package var error: String?
    /// As ``NetworkError/type``, or ``ExpectationResult/errorType``; `nil` also for runs that were kept without it.
    package var errorType: String?
    package var duration: Duration?
    package var attempts: Int
    /// What was different then: `what if: auth off`.
    package var note: String?

    package init(
        number: Int64, date: Date, request: RequestReference, title: String, environment: String? = nil, url: String,
        state: RequestOperation.State, status: Int? = nil, error: String? = nil, errorType: String? = nil,
        duration: Duration? = nil,
        attempts: Int = 1, note: String? = nil
    ) {
        self.note = note
        self.number = number
        self.date = date
        self.request = request
        self.title = title
        self.environment = environment
        self.url = url
        self.state = state
        self.status = status
        self.error = error
        self.errorType = errorType
        self.duration = duration
        self.attempts = attempts
    }

    package var id: OperationID { OperationID(past: number) }
}

/// A former run with all that is kept of it.
package struct PastRunContents: Sendable {
    package var number: Int64
    package var sent: SentRequest
    /// The response, with its body if that is kept.
    package var response: Response
    /// Whether its body isn't kept because it was too long or is too old.
    package var lacksBody: Bool

    package init(number: Int64, sent: SentRequest, response: Response, lacksBody: Bool = false) {
        self.number = number
        self.sent = sent
        self.response = response
        self.lacksBody = lacksBody
    }
}

/// What a former run is read for.
package enum PastRunPurpose: Hashable, Sendable {
    case show, replay
}

extension OperationID {
    /// Operations of this session count from 1; what was before has the negative number of its run.
    package init(past number: Int64) { self.init(rawValue: -Int(number)) }

    package var pastRun: Int64? { rawValue < 0 ? Int64(-rawValue) : nil }
}
