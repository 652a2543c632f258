import Base
import HTTPTypes
import Synchronization

/// The result of asking the handlers about the challenges of an answer.
enum ChallengeAnswer: Sendable, Hashable {
    /// There is no handler that could be asked.
    case nobody
    case unanswered(AuthenticationChallenge)
    /// The same request once more, with an answer in it.
    indirect case reissue(Request, DigestSession?, AuthenticationChallenge)
    /// The same request once more, over TLS with this certificate.
    indirect case certificate(path: String, key: String?, AuthenticationChallenge)
    indirect case cancelled(AuthenticationChallenge, context: String?)

    /// Asks about each challenge, the strongest first, every handler in turn, until one has credentials or cancels (CHL-1).
    ///
    /// - Parameters:
    ///   - challenges: at least one.
    ///   - own: the configured credential for Digest, tried when no handler rejects the challenge.
    static func ask(
        _ handlers: [any ChallengeHandler], about challenges: [AuthenticationChallenge], own: Credential?, clientNonce: String,
        ask: (any ChallengeHandler, AuthenticationChallenge) async -> ChallengeDisposition
    ) async -> ChallengeAnswer {
        for challenge in challenges {
            var isRejected = false
            for handler in handlers {
                switch await ask(handler, challenge) {
                case .useCredential(let credential):
                    if let answer = challenge.answer(with: credential, clientNonce: clientNonce) { return answer }
                case .cancel(let context): return .cancelled(challenge, context: context)
                case .reject: isRejected = true
                case .default: break
                }
            }
            if !isRejected, let own, challenge.method == .digest, challenge.space == .server,
                let answer = challenge.answer(with: .password(own), clientNonce: clientNonce)
            {
                return answer
            }
        }
        return challenges.first.map { .unanswered($0) } ?? .nobody
    }
}

extension AuthenticationChallenge {
    /// - Returns: `nil` when the credential isn't of the kind that the challenge wants.
    func answer(with credential: ChallengeCredential, clientNonce: String) -> ChallengeAnswer? {
        switch (method, credential) {
        case (_, .authorization(let value)):
            return reissue(value)
        case (.bearer, .token(let token)):
            return reissue("Bearer \(token)")
        case (.basic, .password(let credential)):
            // The first colon ends the name (RFC 7617, section 2). UTF-8 is what `charset` may ask for, and what most servers take.
            guard !credential.user.utf8.contains(UInt8(ascii: ":")) else { return nil }
            return reissue("Basic " + Data("\(credential.user):\(credential.password)".utf8).base64EncodedString())
        case (.digest, .password(let credential)):
            guard let digest = DigestChallenge(parameters) else { return nil }
            var session = DigestSession(digest, credential, clientNonce: clientNonce, space: space, url: request.url)
            var request = request
            guard session.authorize(&request) else { return nil }
            return .reissue(request, session, self)
        case (.clientCertificate, .clientCertificate(let path, let key)):
            return .certificate(path: path, key: key, self)
        default:
            return nil
        }
    }

    /// A line end in the answer would begin another field.
    private func reissue(_ value: String) -> ChallengeAnswer? {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return nil }
        var request = request
        request.headers[space.field] = value
        return .reissue(request, nil, self)
    }
}

extension NetworkError {
    static func challengeCancelled(_ challenge: AuthenticationChallenge, context: String?) -> NetworkError {
        challengeCancelled(
            phase: challenge.head == nil ? .tls : .response, host: challenge.host, method: challenge.method.name,
            realm: challenge.realm, certificates: challenge.certificates, context: context)
    }

    package static func challengeCancelled(
        phase: Phase, host: String, method: String, realm: String? = nil, certificates: [Certificate], context: String?
    ) -> NetworkError {
        var details: [Detail: String] = [.host: host, .challengeMethod: method]
        details[.challengeRealm] = realm
        details[.challengeContext] = context
        if !certificates.isEmpty { details[.certificateChain] = certificates.map(\.subject).joined(separator: "\n") }
        let place = realm.map { " for “\($0)”" } ?? ""
        let reason = context.map { ": \($0)" } ?? "."
        return NetworkError(
            .challengeCancelled, phase: phase, type: ErrorType.abandoned,
            message: "The challenge of \(host) (\(method)\(place)) was cancelled\(reason)", details: details)
    }
}

extension RequestOperation {
    /// Who evaluates a server's certificates; `nil` when nobody does but the transport.
    func trust(on client: NetworkClient) -> (any ServerTrustHandler)? {
        var handlers = client.trustHandlers.all
        if let own = delegate.trust { handlers.insert(own, at: 0) }
        return handlers.isEmpty ? nil : ServerTrustHandlers(handlers: handlers)
    }

    /// Asks the operation's handler, then the client's.
    func askChallenges(_ challenges: [AuthenticationChallenge], attempt: Int, on client: NetworkClient?) {
        let handlers = [delegate.challenges].compactMap { $0 } + (client?.challengeHandlers.all ?? [])
        var own: Credential?
        if let request = challenges.first?.request,
            case .digest(let credential) = core.withLock({ $0.machine.options(for: request).authentication })
        {
            own = credential
        }
        guard !handlers.isEmpty || own != nil else { return handle(.challengesAnswered(.nobody, attempt: attempt)) }
        callRole { [self, own] in
            // As good as any that nobody can foresee (RFC 7616, section 5.10).
            let clientNonce = UUID().uuidString
            let answer = await ChallengeAnswer.ask(handlers, about: challenges, own: own, clientNonce: clientNonce) {
                [self] handler, challenge in
                await watched(handler, as: "ChallengeHandler", "respond") { await $0.respond(to: challenge, for: self) }
            }
            handle(.challengesAnswered(answer, attempt: attempt))
        }
    }
}
