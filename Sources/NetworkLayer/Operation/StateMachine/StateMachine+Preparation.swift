import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        /// As far as it is.
        var request: Request
        /// `nil` until the shell has said who takes part.
        var participants: Participants?
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
        guard transition(to: .preparing, at: time) else { return }
        if isRetry {
            perform(.tellRetryPolicy(.didStart))
            emit(.retryStarted, at: time)
        }
        deadlines.attemptArmed = time
        preparation = Preparation(isRetry: isRetry, request: request)
        requests = RequestHistory()
        lookAgain(at: time)
        perform(.prepare)
    }

    mutating func participate(_ participants: Participants, transportCodings: [String], at time: MonotonicTime) {
        guard state == .preparing, preparation != nil, preparation?.participants == nil else { return }
        self.participants = participants
        preparation?.participants = participants
        self.transportCodings = configuration.transport.acceptsCompression ? transportCodings : []
        goOn(from: .validation, at: time)
    }

    /// The step in which a role is asked.
    var askedStep: PreparationStep? { preparation?.question == nil ? nil : preparation?.step }

    /// The preparation came to nothing: says where, and records no attempt (PRE-3).
    mutating func endPreparation(_ error: NetworkError, at time: MonotonicTime) {
        guard let step = preparation?.step else { return }
        preparation = nil
        emit(.preparationFailed(step, error), at: time)
    }

    private mutating func start(_ preparation: Preparation, at time: MonotonicTime) {
        self.preparation = nil
        requests.prepared = preparation.request
        startAttempt(
            PendingAttempt(
                kind: preparation.isRetry ? .retry : .initial, request: preparation.request, sanitized: preparation.sanitized,
                coding: preparation.coding),
            at: time)
    }

    // MARK: Steps

    /// Takes steps until somebody must be asked, one fails, or the last one is done.
    private mutating func goOn(from first: PreparationStep?, at time: MonotonicTime) {
        var next = first
        while let step = next {
            preparation?.step = step
            guard preparation != nil, take(step, at: time) else { return }
            next = step.next
        }
        if let preparation { start(preparation, at: time) }
    }

    /// - Returns: whether the step is done; otherwise its answer goes on, or the preparation has failed.
    private mutating func take(_ step: PreparationStep, at time: MonotonicTime) -> Bool {
        switch step {
        case .validation:
            guard let preparation else { return false }
            if preparation.request.isMadeByHydrator, preparation.participants?.contains(.hydrator) == true { return true }
            guard let error = preparation.request.missingError ?? preparation.request.validationError else { return true }
            failPreparation(error, at: time)
            return false
        case .hydration:
            return !asks(.hydrator, at: time)
        case .revalidation:
            if let error = preparation?.request.missingError {
                failPreparation(error, at: time)
                return false
            }
            if preparation?.isHydrated == true, let error = preparation?.request.validationError {
                failPreparation(.invalidHydratedRequest(error), at: time)
                return false
            }
            if configuration.redirects.keepCredentials != .always, let error = preparation?.request.secretError {
                failPreparation(error, at: time)
                return false
            }
            requests.hydrated = preparation?.request
            return true
        case .configuration:
            warn(isRetry: preparation?.isRetry == true, at: time)
            return true
        case .headers:
            return !asks(.headerProviders, at: time)
        case .acceptEncoding:
            if let preparation, preparation.isRetry, let request = askingForRest(preparation.request) {
                self.preparation?.request = request
            }
            addAcceptEncoding()
            return true
        case .contentEncoding:
            return !asksEncoder(at: time)
        case .hostSanitizer:
            return configuration.skipsHostSanitization || !asks(.hostSanitizer, at: time)
        case .authorization:
            return !asks(.authorizer, at: time)
        case .readyToEnqueue:
            return !asks(.eventHandler, at: time)
        }
    }

    private mutating func asks(_ participant: Participants, at time: MonotonicTime) -> Bool {
        guard preparation?.participants?.contains(participant) == true, let preparation else { return false }
        let number = ask(preparation.step, about: preparation.request)
        self.preparation?.question = number
        return true
    }

    /// - Returns: the number of the question.
    mutating func ask(_ step: PreparationStep, about request: Request) -> Int {
        questionCount += 1
        perform(.ask(step, about: request, number: questionCount))
        return questionCount
    }

    private mutating func failPreparation(_ error: NetworkError, at time: MonotonicTime) {
        finish(.failed, error, at: time)
    }

    // MARK: Answers

    /// Drops what comes too late (PRE-1).
    mutating func answered(_ answer: PreparationAnswer, number: Int, at time: MonotonicTime) {
        if case .sanitize(let request, number) = exchange?.plan { return sanitizedRedirect(answer, to: request, at: time) }
        guard let preparation, preparation.question == number else { return }
        self.preparation?.question = nil
        if case .failed(let error) = answer { return failPreparation(error, at: time) }
        emit(.prepared(preparation.step), at: time)
        if let error = apply(answer, at: time) { return failPreparation(error, at: time) }
        goOn(from: preparation.step.next, at: time)
    }

    private mutating func apply(_ answer: PreparationAnswer, at time: MonotonicTime) -> NetworkError? {
        guard let request = preparation?.request else { return nil }
        switch answer {
        case .done, .hydrated(nil), .failed, .authorization(.unchanged):
            break
        case .hydrated(let hydrated?):
            preparation?.request = hydrated
            preparation?.isHydrated = true
        case .headers(let defaults, let overrides):
            preparation?.request.headers.merge(defaults: defaults, overrides: overrides)
        case .encoded(let data, let latency):
            adopt(encoded: data, of: request, latency: latency)
        case .host(let decision):
            do throws(NetworkError) {
                guard let (moved, sanitized) = try request.sanitized(decision) else { break }
                preparation?.request = moved
                preparation?.sanitized = sanitized
                emit(.hostSanitized(from: sanitized.url.lowercasedHost ?? "", to: moved.url.lowercasedHost ?? ""), at: time)
            } catch {
                return error
            }
        case .authorization(.remove):
            preparation?.request.headers[.authorization] = nil
            preparation?.request.secrets.removeUses { $0 == .header("authorization") }
        case .authorization(.set(let value)):
            preparation?.request.headers[.authorization] = value
            preparation?.request.secrets.removeUses { $0 == .header("authorization") }
        }
        return nil
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
    private mutating func addAcceptEncoding() {
        let decoders = configuration.contentCoding.decoders
        guard !decoders.isEmpty, takesBody, let preparation, !preparation.request.headers.contains(.acceptEncoding) else { return }
        let names = Set(decoders.map { $0.contentEncoding.lowercased() } + transportCodings).sorted()
        self.preparation?.request.headers[.acceptEncoding] = names.joined(separator: ", ")
    }

    /// ENC-1: only a body in memory is coded.
    ///
    /// - Returns: whether the step goes on later, or has failed.
    private mutating func asksEncoder(at time: MonotonicTime) -> Bool {
        guard let encoder = configuration.contentCoding.encoder, let preparation, case .data = preparation.request.body else {
            return false
        }
        if let type = preparation.request.headers[.contentEncoding], type.lowercased() != encoder.contentEncoding.lowercased() {
            failPreparation(.encodingTypeMismatch(encoder.contentEncoding, with: type), at: time)
            return true
        }
        let number = ask(.contentEncoding, about: preparation.request)
        self.preparation?.question = number
        return true
    }

    private mutating func adopt(encoded: Data?, of request: Request, latency: Duration) {
        guard let encoded else {
            preparation?.request.headers[.contentEncoding] = nil
            return
        }
        preparation?.request.body = .data(encoded)
        let encoding = configuration.contentCoding.encoder?.contentEncoding
        preparation?.request.headers[.contentEncoding] = encoding
        // It spoke of the plain body.
        preparation?.request.headers[.contentLength] = nil
        preparation?.coding = CodingMetrics(
            requestEncodingLatency: latency, requestOriginalContentLength: request.body.length,
            requestEncodedContentLength: Int64(encoded.count))
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
