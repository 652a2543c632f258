import Base
import HTTPTypes

extension RequestOperation {
    /// Who takes part in the preparation of an attempt.
    struct Participants: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let hydrator = Participants(rawValue: 1 << 0)
        static let headerProviders = Participants(rawValue: 1 << 1)
        static let hostSanitizer = Participants(rawValue: 1 << 2)
        static let authorizer = Participants(rawValue: 1 << 3)
        static let eventHandler = Participants(rawValue: 1 << 4)
    }
}

extension RequestOperation.StateMachine {
    typealias Participants = RequestOperation.Participants

    /// The way of a request from how it was given to how it is sent, step by step (section 1.2 of the reference). It goes on by
    /// itself from one step to the next; a step in which a role takes part ends with ``Effect/ask(_:about:number:)``, and the
    /// answer begins the next. Without roles all is done at once.
    struct Preparation: Sendable {
        let isRetry: Bool
        /// The request, as far as it is prepared.
        var request: Request
        /// Whether the shell has said who takes part.
        var hasBegun = false
        var step = PreparationStep.validation
        /// The number of the question that has no answer yet.
        var question: Int?
        var isHydrated = false
        var coding: CodingMetrics?
        var sanitized: Sanitized?
    }

    /// How a request was before its host was changed. A redirect goes on from there: what a URL is relative to, and which host is
    /// the same, has nothing to do with where we connect to.
    struct Sanitized: Sendable, Hashable {
        let url: URL
        let addsHostHeader: Bool
    }

    /// The answer to ``Effect/ask(_:about:number:)``.
    enum PreparationAnswer: Sendable {
        case done
        /// `nil`: the request stays as it is.
        indirect case hydrated(Request?)
        indirect case headers(defaults: HTTPFields, overrides: HTTPFields)
        /// The coded body, `nil` to send it plain.
        indirect case encoded(Data?, latency: Duration)
        case host(HostDecision)
        case authorization(Authorization)
        indirect case failed(NetworkError)
    }

    // MARK: Begin and end

    /// The beginning of every attempt but redirect hops (PRE-2), from the original request.
    mutating func beginPreparation(isRetry: Bool, at time: MonotonicTime) {
        guard enter(.preparing(Preparation(isRetry: isRetry, request: request)), at: time) else { return }
        if isRetry { emit(.retryStarted, at: time) }
        deadlines.attemptArmed = time
        hydratedRequest = nil
        lookAgain(at: time)
        perform(.prepare)
    }

    mutating func participate(_ participants: Participants, transportCodings: [String], at time: MonotonicTime) {
        guard case .preparing(var preparation) = phase, !preparation.hasBegun else { return }
        self.participants = participants
        preparation.hasBegun = true
        self.transportCodings = configuration.transport.acceptsCompression ? transportCodings : []
        goOn(preparation, from: .validation, at: time)
    }

    /// The step in which a role is asked.
    var askedStep: PreparationStep? {
        if case .preparing(let preparation) = phase, preparation.question != nil { preparation.step } else { nil }
    }

    /// The preparation came to nothing: says where, and records no attempt (PRE-3).
    mutating func reportFailedPreparation(_ error: NetworkError, at time: MonotonicTime) {
        guard case .preparing(let preparation) = phase else { return }
        emit(.preparationFailed(preparation.step, error), at: time)
    }

    private mutating func start(_ preparation: Preparation, at time: MonotonicTime) {
        startAttempt(
            PendingAttempt(
                kind: preparation.isRetry ? .retry : .initial, request: preparation.request, sanitized: preparation.sanitized,
                coding: preparation.coding),
            at: time)
    }

    // MARK: Steps

    /// Takes steps until somebody must be asked, one fails, or the last one is done.
    private mutating func goOn(_ begun: Preparation, from first: PreparationStep?, at time: MonotonicTime) {
        var preparation = begun
        var next = first
        while let step = next {
            preparation.step = step
            do throws(NetworkError) {
                guard try execute(step, in: &preparation, at: time) else {
                    enter(.preparing(preparation), at: time)
                    return
                }
            } catch {
                return fail(preparation, error, at: time)
            }
            next = step.next
        }
        start(preparation, at: time)
    }

    private mutating func fail(_ preparation: Preparation, _ error: NetworkError, at time: MonotonicTime) {
        enter(.preparing(preparation), at: time)
        finish(.failed, error, at: time)
    }

    /// - Returns: whether the step is done; otherwise its answer goes on.
    private mutating func execute(
        _ step: PreparationStep, in preparation: inout Preparation, at time: MonotonicTime
    ) throws(NetworkError) -> Bool {
        switch step {
        case .validation:
            if preparation.request.isMadeByHydrator, participants.contains(.hydrator) { return true }
            if let error = preparation.request.missingError ?? preparation.request.validationError { throw error }
            return true
        case .hydration:
            return !asks(.hydrator, in: &preparation)
        case .revalidation:
            if let error = preparation.request.missingError { throw error }
            if preparation.isHydrated, let error = preparation.request.validationError { throw .invalidHydratedRequest(error) }
            if configuration.redirects.keepCredentials != .always, let error = preparation.request.secretError { throw error }
            hydratedRequest = preparation.request
            return true
        case .configuration:
            warn(isRetry: preparation.isRetry, at: time)
            return true
        case .headers:
            return !asks(.headerProviders, in: &preparation)
        case .acceptEncoding:
            if preparation.isRetry, let request = askingForRest(preparation.request) { preparation.request = request }
            addAcceptEncoding(to: &preparation.request)
            return true
        case .contentEncoding:
            return try !asksEncoder(in: &preparation)
        case .hostSanitizer:
            return configuration.skipsHostSanitization || !asks(.hostSanitizer, in: &preparation)
        case .authorization:
            return !asks(.authorizer, in: &preparation)
        case .readyToEnqueue:
            return !asks(.eventHandler, in: &preparation)
        }
    }

    private mutating func asks(_ participant: Participants, in preparation: inout Preparation) -> Bool {
        guard participants.contains(participant) else { return false }
        preparation.question = ask(preparation.step, about: preparation.request)
        return true
    }

    /// - Returns: the number of the question.
    mutating func ask(_ step: PreparationStep, about request: Request) -> Int {
        questionCount += 1
        perform(.ask(step, about: request, number: questionCount))
        return questionCount
    }

    // MARK: Answers

    /// Drops what comes too late (PRE-1).
    mutating func answered(_ answer: PreparationAnswer, number: Int, at time: MonotonicTime) {
        if !isAsking, case .sanitize(let request, number) = exchange?.plan {
            return sanitizedRedirect(answer, to: request, at: time)
        }
        guard case .preparing(var preparation) = phase, preparation.question == number else { return }
        preparation.question = nil
        do throws(NetworkError) {
            if case .failed(let error) = answer { throw error }
            emit(.prepared(preparation.step), at: time)
            try apply(answer, to: &preparation, at: time)
        } catch {
            return fail(preparation, error, at: time)
        }
        goOn(preparation, from: preparation.step.next, at: time)
    }

    private mutating func apply(
        _ answer: PreparationAnswer, to preparation: inout Preparation, at time: MonotonicTime
    ) throws(NetworkError) {
        switch answer {
        case .done, .hydrated(nil), .failed, .authorization(.unchanged):
            break
        case .hydrated(let hydrated?):
            preparation.request = hydrated
            preparation.isHydrated = true
        case .headers(let defaults, let overrides):
            preparation.request.headers.merge(defaults: defaults, overrides: overrides)
            if let error = preparation.request.headers.nameError { throw error }
        case .encoded(let data, let latency):
            adopt(encoded: data, in: &preparation, latency: latency)
        case .host(let decision):
            guard let (moved, sanitized) = try preparation.request.sanitized(decision) else { break }
            preparation.request = moved
            preparation.sanitized = sanitized
            emit(.hostSanitized(from: sanitized.url.lowercasedHost ?? "", to: moved.url.lowercasedHost ?? ""), at: time)
        case .authorization(.remove):
            preparation.request.headers[.authorization] = nil
            preparation.request.secrets.removeUses { $0 == .header("authorization") }
        case .authorization(.set(let value)):
            preparation.request.headers[.authorization] = value
            preparation.request.secrets.removeUses { $0 == .header("authorization") }
        }
    }

    // MARK: The steps that need nobody

    private mutating func warn(isRetry: Bool, at time: MonotonicTime) {
        let warnings = ConfigurationWarning.all(of: configuration, hasRedirectDecider: redirectRules.hasDelegate)
        // Said once, unless a retry has changed the configuration.
        guard !warnings.isEmpty, !isRetry || warnings != self.warnings else { return }
        self.warnings = warnings
        for warning in warnings { emit(.configurationWarning(warning), at: time) }
    }

    /// ENC-2: `base64, br, deflate, gzip`; a caller's own field is kept.
    private func addAcceptEncoding(to request: inout Request) {
        let decoders = configuration.contentCoding.decoders
        guard !decoders.isEmpty, takesBody, !request.headers.contains(.acceptEncoding) else { return }
        let names = Set(decoders.map { $0.contentEncoding.lowercased() } + transportCodings).sorted()
        request.headers[.acceptEncoding] = names.joined(separator: ", ")
    }

    /// ENC-1: only a body in memory is coded.
    ///
    /// - Returns: whether the step goes on later.
    private mutating func asksEncoder(in preparation: inout Preparation) throws(NetworkError) -> Bool {
        guard let encoder = configuration.contentCoding.encoder, case .data = preparation.request.body else { return false }
        if let type = preparation.request.headers[.contentEncoding], type.lowercased() != encoder.contentEncoding.lowercased() {
            throw .encodingTypeMismatch(encoder.contentEncoding, with: type)
        }
        preparation.question = ask(.contentEncoding, about: preparation.request)
        return true
    }

    private func adopt(encoded: Data?, in preparation: inout Preparation, latency: Duration) {
        guard let encoded else {
            preparation.request.headers[.contentEncoding] = nil
            return
        }
        preparation.coding = CodingMetrics(
            requestEncodingLatency: latency, requestOriginalContentLength: preparation.request.body.length,
            requestEncodedContentLength: Int64(encoded.count))
        preparation.request.body = .data(encoded)
        preparation.request.headers[.contentEncoding] = configuration.contentCoding.encoder?.contentEncoding
        // That was the length of the plain body.
        preparation.request.headers[.contentLength] = nil
    }
}

extension PreparationStep {
    /// The step behind this one.
    var next: PreparationStep? {
        switch self {
        case .validation: .hydration
        case .hydration: .revalidation
        case .revalidation: .configuration
        case .configuration: .headers
        case .headers: .acceptEncoding
        case .acceptEncoding: .contentEncoding
        case .contentEncoding: .hostSanitizer
        case .hostSanitizer: .authorization
        case .authorization: .readyToEnqueue
        case .readyToEnqueue: nil
        }
    }
}

extension HTTPFields {
    /// `defaults < self < overrides`, name by name; a name keeps all fields that it has (HDR-1).
    mutating func merge(defaults: HTTPFields, overrides: HTTPFields) {
        let names = Set(map(\.name))
        for field in defaults where !names.contains(field.name) { append(field) }
        for name in Set(overrides.map(\.name)) { self[fields: name] = overrides[fields: name] }
    }
}
