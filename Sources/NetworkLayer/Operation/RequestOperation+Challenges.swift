import Base
import Synchronization

extension NetworkClient {
    /// From now on `handler` is asked about every challenge of this client's operations, after the operation's own handler (GLB-9).
    @discardableResult
    public func addChallengeHandler(_ handler: any ChallengeHandler) -> Registration {
        challengeHandlers.add(handler)
    }

    /// From now on `handler` is asked about every server's certificates, after the operation's own handler (GLB-9).
    @discardableResult
    public func addTrustHandler(_ handler: any ServerTrustHandler) -> Registration {
        trustHandlers.add(handler)
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
