import Base

extension RequestOperation.StateMachine {
    /// Decides about a head as soon as it is there; a redirect is followed once the rest of its answer has been read.
    mutating func decide(about head: ResponseHead, at time: MonotonicTime) {
        guard RedirectRules.isRedirect(head.status), let attempt = metrics.attempts.last else {
            if !asksAboutChallenges(of: head, at: time) { beginConsuming(head, at: time) }
            return
        }
        adopt(redirectRules.verdict(on: head, to: attempt.request.before(exchange?.sanitized), hops: hops), at: time)
    }

    /// Since the operation was tried, or tried again: a retry begins with the original request.
    private var hops: Int {
        let chain = metrics.attempts.reversed().prefix { [.redirect, .challenge, .restart].contains($0.kind) }
        return chain.count { $0.kind == .redirect }
    }

    /// An address that only the transport finds invalid is the fault of the server that redirected to it.
    func blamed(_ error: NetworkError) -> NetworkError {
        guard error.code == .invalidURL, let attempt = metrics.attempts.last, attempt.kind == .redirect else { return error }
        return .redirectTargetInvalid(attempt.request.url.absoluteString)
    }

    mutating func redirectDecided(_ request: Request?, at time: MonotonicTime) {
        guard case .ask(let hop) = exchange?.plan, let attempt = metrics.attempts.last else { return }
        adopt(redirectRules.verdict(onDecision: request, about: hop, from: attempt.request.before(exchange?.sanitized)), at: time)
    }

    private mutating func adopt(_ verdict: RedirectRules.Verdict, at time: MonotonicTime) {
        guard let number = exchange?.number, let attempt = metrics.attempts.last else { return }
        switch verdict {
        case .none:
            beginConsuming(attempt.head, at: time)
        case .ask(let hop, let proposed):
            guard let head = attempt.head else { return }
            exchange?.plan = .ask(hop)
            perform(.askRedirect(proposed: proposed, after: head, from: attempt.request, attempt: number))
        case .refuse(let hop):
            emit(.redirect(hop), at: time)
            beginConsuming(attempt.head, at: time)
            releaseHeld(at: time)
        case .follow(var hop, let next):
            hop.withheld += withheldOptions(from: next, after: attempt.request)
            emit(.redirect(hop), at: time)
            exchange?.plan = .follow(next)
            exchange?.held = []
            goOnAfterBody(at: time)
        case .fail(let hop, let error):
            emit(.redirect(hop), at: time)
            abandon(error, at: time)
        }
    }

    /// The answer is final after all: its body, held back so far, goes where bodies go.
    mutating func releaseHeld(at time: MonotonicTime) {
        let held = exchange?.held ?? []
        exchange?.held = []
        for data in held {
            receive(data, at: time)
            if phase.isOver { return }
        }
        setReaderBehind(false, at: time)
        if let result = exchange?.result { conclude(result, at: time) }
    }

    /// The next hop. No new `preparing`, and the attempt timeout goes on counting (RDR-2); but the host is looked at (SAN-2).
    mutating func follow(_ request: Request, at time: MonotonicTime) {
        guard participants.contains(.hostSanitizer), !configuration.skipsHostSanitization else { return hop(to: request, at: time) }
        let number = ask(.hostSanitizer, about: request)
        exchange?.plan = .sanitize(request, number)
    }

    /// What the host sanitizer says about the host of the next hop.
    mutating func sanitizedRedirect(_ answer: PreparationAnswer, to request: Request, at time: MonotonicTime) {
        guard case .host(let decision) = answer else { return }
        do throws(NetworkError) {
            guard let (moved, sanitized) = try request.sanitized(decision) else { return hop(to: request, at: time) }
            emit(.hostSanitized(from: sanitized.url.lowercasedHost ?? "", to: moved.url.lowercasedHost ?? ""), at: time)
            hop(to: moved, sanitized: sanitized, at: time)
        } catch {
            abandon(error, at: time)
        }
    }

    private mutating func hop(to request: Request, sanitized: Sanitized? = nil, at time: MonotonicTime) {
        var request = request
        askForRestAfterHop(in: &request)
        endAttempt(.redirecting, nil, at: time)
        startAttempt(PendingAttempt(kind: .redirect, request: request, sanitized: sanitized), at: time)
    }
}
