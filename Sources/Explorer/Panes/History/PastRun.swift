import Base
import NetworkLayer
import RequestCollections

/// A run of a former session, as a row of the history: everything else of it is read when it is asked for.
struct PastRun: Hashable, Sendable, Identifiable {
    /// In the history's file; `turnstone history show` takes it.
    var number: Int64
    var date: Date
    var request: RequestReference
    var title: String
    var environment: String?
    var url: String
    var state: RequestOperation.State
    var status: Int?
    var error: String?
    /// As ``NetworkError/type``, or ``ExpectationResult/errorType``; `nil` also for runs that were kept without it.
    var errorType: String?
    var duration: Duration?
    var attempts: Int
    /// What was different then: `what if: auth off`.
    var note: String?

    init(
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

    var id: OperationID { OperationID(past: number) }
}

/// A former run with all that is kept of it.
struct PastRunContents: Sendable {
    var number: Int64
    var sent: SentRequest
    /// The response, with its body if that is kept.
    var response: Response
    /// Whether its body isn't kept because it was too long or is too old.
    var lacksBody: Bool

    init(number: Int64, sent: SentRequest, response: Response, lacksBody: Bool = false) {
        self.number = number
        self.sent = sent
        self.response = response
        self.lacksBody = lacksBody
    }
}

/// What a former run is read for.
enum PastRunPurpose: Hashable, Sendable {
    case show, replay
}

extension OperationID {
    /// Operations of this session count from 1; what was before has the negative number of its run.
    init(past number: Int64) { self.init(rawValue: -Int(number)) }

    var pastRun: Int64? { rawValue < 0 ? Int64(-rawValue) : nil }
}
