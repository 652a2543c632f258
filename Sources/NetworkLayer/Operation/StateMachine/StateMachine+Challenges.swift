import Base
import HTTPTypes

extension RequestOperation.StateMachine {
    /// The credentials that an operation has sent to servers and proxies.
    struct Credentials: Sendable {
        /// Since the request was sent from its start, and as long as nobody has accepted the answers.
        var answered: Set<AuthenticationChallenge.Realm> = []
        /// Answers Digest in advance, on the next hop.
        var digest: DigestSession?
        var certificate: (path: String, key: String?, origin: Origin?)?

        /// Whether one more answer may help. A server that names another realm each time could ask for ever: two realms are
        /// answered, and one nonce that ran out.
        func mayAnswer(_ realm: AuthenticationChallenge.Realm) -> Bool {
            guard !answered.contains(realm) else { return false }
            return answered.count { $0.isBeside(realm) } < (realm.isStale ? 1 : 2)
        }

        /// A server that answers with anything but a challenge has accepted the credentials, and may ask again on the next hop.
        mutating func note(_ head: ResponseHead, to url: URL) {
            guard !answered.isEmpty, head.status.code != 407 else { return }
            answered = answered.filter { realm in
                guard !realm.isForCertificate, realm.space == .server else { return realm.isForCertificate }
                return head.status.code == 401 || realm.host != url.lowercasedHost || realm.port != url.effectivePort
            }
        }
    }

    /// Asks about the challenges of a head (CHL-1); its body is held back meanwhile.
    ///
    /// - Returns: whether there is something to ask.
    mutating func asksAboutChallenges(of head: ResponseHead, at time: MonotonicTime) -> Bool {
        guard [401, 407].contains(head.status.code), let attempt = metrics.attempts.last else { return false }
        return ask(
            AuthenticationChallenge.all(in: head, to: attempt.request, tls: attempt.tls, proxy: attempt.connection?.proxy), at: time
        )
    }

    /// TLS failed because it lacked a client certificate: a handler may have one.
    ///
    /// - Returns: whether there is a handler to ask.
    mutating func asksAboutCertificate(after error: NetworkError, at time: MonotonicTime) -> Bool {
        guard error.code == .clientCertificateFailed, let attempt = metrics.attempts.last,
            case let options = options(for: attempt.request), options.tls.certificate == nil
        else { return false }
        let challenge = AuthenticationChallenge(
            host: attempt.request.url.lowercasedHost ?? "", port: attempt.request.url.effectivePort, method: .clientCertificate,
            request: attempt.request, certificates: attempt.tls?.chain ?? [])
        return ask([challenge], at: time)
    }

    private mutating func ask(_ challenges: [AuthenticationChallenge], at time: MonotonicTime) -> Bool {
        guard let first = challenges.first, let number = exchange?.number else { return false }
        let new = challenges.filter { credentials.mayAnswer($0.answeredOnce) }
        guard !new.isEmpty else {
            emit(.challenge(ChallengeReport(first, .repeated)), at: time)
            return false
        }
        exchange?.plan = .challenge
        perform(.askChallenges(new, attempt: number))
        return true
    }

    mutating func challengesAnswered(_ answer: ChallengeAnswer, at time: MonotonicTime) {
        guard case .challenge = exchange?.plan else { return }
        switch answer {
        case .nobody:
            letStand(at: time)
        case .unanswered(let challenge):
            emit(.challenge(ChallengeReport(challenge, .unanswered)), at: time)
            letStand(at: time)
        case .cancelled(let challenge, let context):
            emit(.challenge(ChallengeReport(challenge, .cancelled)), at: time)
            abandon(.challengeCancelled(challenge, context: context), at: time)
        case .reissue(let request, let session, let challenge):
            guard isReplayable(request, challenge, at: time) else { return }
            credentials.digest = session ?? credentials.digest
            reissue(request, at: time)
        case .certificate(let path, let key, let challenge):
            guard isReplayable(challenge.request, challenge, at: time) else { return }
            credentials.certificate = (path, key, Origin(challenge.request.url))
            reissue(challenge.request, at: time)
        }
    }

    private mutating func isReplayable(_ request: Request, _ challenge: AuthenticationChallenge, at time: MonotonicTime) -> Bool {
        guard request.body.isReplayable else {
            emit(.challenge(ChallengeReport(challenge, .bodyNotReplayable)), at: time)
            letStand(at: time)
            return false
        }
        emit(.challenge(ChallengeReport(challenge, .answered)), at: time)
        credentials.answered.insert(challenge.answeredOnce)
        return true
    }

    /// The 401 or 407 is the response.
    private mutating func letStand(at time: MonotonicTime) {
        if let head = metrics.attempts.last?.head { beginConsuming(head, at: time) } else { exchange?.plan = .undecided }
        releaseHeld(at: time)
    }

    private mutating func reissue(_ request: Request, at time: MonotonicTime) {
        exchange?.plan = .reissue(request, as: .challenge)
        exchange?.held = []
        goOnAfterBody(at: time)
    }

    /// The request again, with its answer to the challenge, or for the whole body instead of the rest, as another attempt. As with a
    /// redirect there is no new `preparing`, and the attempt timeout goes on counting.
    mutating func sendAgain(_ request: Request, as kind: AttemptKind, at time: MonotonicTime) {
        let sanitized = kind == .restart ? exchange?.sanitized : nil
        endAttempt(kind == .restart ? .restarting : .challenged, nil, at: time)
        startAttempt(PendingAttempt(kind: kind, request: request, sanitized: sanitized), at: time)
    }

    // MARK: The next requests

    /// All that the transport gets to work with.
    func transferRequest(for request: Request, priority: Priority, trust: (any ServerTrustHandler)?) -> TransferRequest {
        var transfer = TransferRequest(
            request: request, options: sharedOptions(for: request), limits: configuration.limits, resend: configuration.resend,
            connectTimeout: configuration.timeouts.connectLimit, priority: priority, trust: trust)
        transfer.cookies = configuration.cookies
        transfer.cachePolicy = configuration.cachePolicy
        transfer.firstURL = (self.request.isMadeByHydrator ? hydratedRequest ?? request : self.request).url
        return transfer
    }

    /// What the transport gets to know for a request: the configuration's options, our certificate when one was asked for, and no
    /// word of who we are for another origin than the one that the operation was made for, nor behind such a hop.
    func options(for request: Request) -> TransportOptions { sharedOptions(for: request).wrappedValue }

    private func sharedOptions(for request: Request) -> Shared<TransportOptions> {
        let given = configuration.sharedTransport
        // Most requests have nothing to withhold, and then nothing is copied.
        guard
            given.wrappedValue.tls.certificate != nil || given.wrappedValue.tls.srp != nil
                || given.wrappedValue.authentication != nil
                || credentials.certificate != nil || !given.wrappedValue.tls.pinsByHost.isEmpty
        else { return given }
        return Shared(wrappedValue: withholding(given.wrappedValue, from: request))
    }

    private func withholding(_ given: TransportOptions, from request: Request) -> TransportOptions {
        var options = given
        options.tls.pins = options.tls.pins(of: request.url.lowercasedHost ?? "")
        if options.tls.certificate != nil, !showsCertificate(to: request) {
            options.tls.certificate = nil
            options.tls.key = nil
            options.tls.passphrase = nil
        }
        if options.tls.srp != nil, !showsCertificate(to: request) { options.tls.srp = nil }
        if let certificate = credentials.certificate, certificate.origin == Origin(request.url) {
            options.tls.certificate = certificate.path
            options.tls.key = certificate.key
            options.tls.passphrase = nil
        }
        if options.authentication != nil, !isForOurOrigin(request), !isKeptElsewhere(options.authentication, for: request) {
            options.authentication = nil
        }
        return options
    }

    /// Which of our options a hop doesn't get, although the one before it did.
    func withheldOptions(from next: Request, after request: Request) -> [RedirectHop.Withheld] {
        let (before, after) = (options(for: request), options(for: next))
        var withheld: [RedirectHop.Withheld] = []
        if let authentication = before.authentication, after.authentication == nil { withheld.append(.init(authentication.name)) }
        if before.tls.certificate != nil, after.tls.certificate == nil, next.url.lowercasedScheme == "https" {
            withheld.append(.init("client certificate"))
        }
        if before.tls.srp != nil, after.tls.srp == nil, next.url.lowercasedScheme == "https" {
            withheld.append(.init("TLS-SRP"))
        }
        return withheld
    }

    /// Whether a netrc file's names and passwords are meant for the host of a hop too: each of them belongs to a host, and to the one
    /// that the operation was made for on the way that it was made for.
    private func isKeptElsewhere(_ authentication: Authentication?, for request: Request) -> Bool {
        guard case .netrc = authentication else { return false }
        let isOtherHost = request.url.lowercasedHost != madeURL.lowercasedHost
        return isOtherHost && (request.url.lowercasedScheme == "https" || madeURL.lowercasedScheme == "http")
    }

    /// To the origin that the operation was made for, or where plain HTTP on that host sends everybody: a certificate can only have
    /// been meant for the latter then.
    private func showsCertificate(to request: Request) -> Bool {
        if isForOurOrigin(request) { return true }
        guard let made = Origin(madeURL), let origin = Origin(request.url) else { return false }
        return made.host == origin.host && [made.port, origin.port] == [80, 443] && origin.scheme == "https"
    }

    /// Also whether it was all the way since the operation was tried: once a server has sent us elsewhere, it may not choose what we
    /// say there, nor what we say when we come back (as for the fields, see ``RedirectRules``).
    private func isForOurOrigin(_ request: Request) -> Bool {
        let madeURL = madeURL
        let chain = metrics.attempts.reversed().prefix { $0.kind != .initial && $0.kind != .retry }
        return ([request.url] + chain.map(\.request.url)).allSatisfy {
            redirectRules.keepsCredentials(from: madeURL, to: $0)
        }
    }

    /// Where the redirects began.
    private var madeURL: URL {
        metrics.attempts.last { $0.kind == .initial || $0.kind == .retry }?.request.url ?? request.url
    }

    /// Answers Digest before it is asked: each answer is for one method and target, so that of the hop before doesn't fit.
    mutating func authorize(_ request: inout Request) {
        guard var session = credentials.digest else { return }
        let isAnswered =
            switch session.space {
            case .server: RedirectRules.isSameOrigin(session.url, request.url) && isForOurOrigin(request)
            // The server reads what goes through a tunnel.
            case .proxy: request.url.lowercasedScheme == "http"
            }
        guard isAnswered else {
            request.headers[session.space.field] = nil
            return
        }
        if session.authorize(&request) { credentials.digest = session }
    }
}
