package import HTTPTypes
package import NetworkLayer
package import RequestCollections

/// What became of one run.
package struct RunResult: Sendable {
    @Shared package private(set) var definition: RequestDefinition
    /// `nil` when nothing was sent.
    package internal(set) var operation: OperationID?
    @Shared package internal(set) var response: Response?
    package internal(set) var expectations: [ExpectationResult] = []
    /// What the response gave to variables, by name.
    package internal(set) var captured: [String: CapturedValue] = [:]
    /// The file that its answer's body was written to.
    package internal(set) var savedPath: String?
    /// Why nothing was sent, or why something after it failed.
    package internal(set) var failure: RunFailure?
    /// The errors in the answer to a query in GraphQL; `nil`: it has none.
    package internal(set) var queryErrors: QueryErrors?
    /// How often it was sent, when it has an `until`.
    @Shared package internal(set) var polling: Polling?
    /// One time of several, and not the last: others are to follow.
    package internal(set) var isPoll = false
    /// What was run because this one needs it, in that order.
    package internal(set) var needed: [RunResult] = []
    /// The number of it in the ``History/History``; `nil` when it isn't kept, or is written later.
    package internal(set) var historyID: Int64?
    /// Why it isn't kept, though it should be.
    package internal(set) var historyProblem: String?
    /// Everything that is printed or written of it goes through this.
    package internal(set) var redactor = Redactor()

    package init(_ job: RunJob, failure: RunFailure? = nil) {
        _definition = job.$definition
        (_response, _polling) = (Self.noResponse, Self.noPolling)
        self.failure = failure
    }

    private static let noResponse = Shared<Response?>(wrappedValue: nil)
    private static let noPolling = Shared<Polling?>(wrappedValue: nil)

    package var id: RequestID { definition.id }

    /// Whether it wasn't sent because of its `when`, which is no failure.
    package var isSkipped: Bool { failure?.reason == .condition }

    package var unmet: [ExpectationResult] { expectations.filter { !$0.isMet } }

    /// Why there is no response, or only a part of one: without secrets, and with the place of a command or an authorization that failed.
    package var errorSentence: String? {
        guard let error = response?.error else { return nil }
        switch (error.code, error.underlying?.error, definition.hydrate) {
        case (.hydrationFailed, let cause?, let hydrate?): return redactor.text("\(hydrate.location): \(cause.message)")
        // The error names the place itself.
        case (.authorizationFailed, let cause?, _): return redactor.text(cause.message)
        default:
            let sentence = redactor.text(error.message)
            return error.isBodyTooLong ? "\(sentence) In its file that is `response: { limit: 4GiB }`." : sentence
        }
    }

    /// Whether it is an expectation (`error: timeout`) that decides about an error, and not the error itself.
    package var expectsError: Bool {
        expectations.contains { $0.subject == .error } || hasWaited(for: .error)
            || response?.error?.code == .sessionClosed && (expectations.contains { $0.subject == .close } || hasWaited(for: .close))
    }

    private func hasWaited(for subject: ExpectationSubject) -> Bool {
        polling?.end == .met && polling?.until.conditions.contains { $0.subject == subject } == true
    }

    /// Sent, answered, everything that was expected there, everything captured. A status of 400 or more is no failure by itself, nor
    /// is an error that was expected.
    package var isPassed: Bool {
        guard failure == nil, let response else { return false }
        return (response.error == nil || expectsError) && unmet.isEmpty
    }

    /// A status of 400 or more about which its request says nothing.
    package var unexpectedStatus: HTTPResponse.Status? {
        guard let status = response?.info?.head.status, status.code >= 400 else { return nil }
        return expectations.contains { $0.subject == .status } || hasWaited(for: .status) ? nil : status
    }

    /// Whether others that need it may go on: a status of 400 or more that nobody expected is a failure here, and so are errors of a query.
    package var isUsable: Bool {
        isPassed && (response?.info == nil ? expectsError : unexpectedStatus == nil && unexpectedQueryErrors == nil)
    }

    /// Whether a server may have got something of it.
    package var wasSent: Bool {
        polling?.polls.isEmpty == false || response?.wasSent == true
    }
}

extension Response {
    /// Whether a server may have got something of its request.
    var wasSent: Bool {
        metrics.attempts.contains { attempt in
            attempt.head != nil || attempt.sentHead != nil || attempt.bytes.requestHead > 0 || attempt.phases.send != nil
        }
    }
}

/// Why a run wasn't sent or didn't end well, apart from its response.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// Before anything was sent.
        case resolution(ResolutionError.Code)
        /// Its `when` doesn't hold, or that of a request from which it takes something.
        case condition
        /// A request that it needs failed.
        case need(RequestID)
        /// The response lacks what a variable should get.
        case capture
        /// The answer never became what `until` waits for.
        case until
        /// Something else isn't as its file demands: how many items a loop has, or that what it needs isn't skipped.
        case demand
        /// Its answer can't be written to the file of `response: { save: … }`.
        case save
        case cancelled
    }

    package var reason: Reason
    /// Without secrets.
    package var message: String
    /// What shows why, a line each; without secrets, too.
    package var evidence: [String] = []
    package var location: SourceLocation?
    /// What has no value, when that is why nothing was sent, or got none of the answer.
    package var variable: String?

    package init(_ reason: Reason, _ message: String, at location: SourceLocation? = nil) {
        self.reason = reason
        self.message = message
        self.location = location
    }

    package init(_ error: ResolutionError) {
        self.init(error.code == .condition ? .condition : .resolution(error.code), error.message, at: error.location)
        variable = error.variable
    }

    init(_ error: CaptureError) {
        self.init(.capture, error.message, at: error.location)
        evidence = error.evidence
        variable = error.name
    }

    package var description: String { location.map { "\($0): \(message)" } ?? message }
}
