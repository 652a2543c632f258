import Base
import HTTPTypes
package import NetworkLayer
package import RequestCollections

/// Gets tokens, keeps them, and renews them.
///
///     token ─── one is there, and fresh ──────────────> it
///       │
///       └─ one flight for all who wait:  refresh ─> it
///                                          │ refused
///                                          └─> the whole grant ─> it
///
/// Its requests go through the client of the runner, so that mocks, proxies and observers have them as well; in a queue of
/// their own, because those who wait for a token fill up the other one.
package final class TokenSource: Sendable {
    let queue: RequestOperationQueue
    let store: TokenStore
    let prompter: (any Prompter)?
    let browser: Browser
    private let flights = SingleFlight<Flight, OAuth2Token, OAuth2Error>()

    /// Requests that may wait for a person and requests that may not don't share a flight.
    private struct Flight: Hashable {
        var key: TokenKey
        var asks: Bool
        var refused: String?
    }

    /// - Parameter queue: of its client a queue of our own is made.
    package init(
        beside queue: RequestOperationQueue, store: TokenStore, prompter: (any Prompter)?, environment: [String: String]
    ) {
        // The only reason for which it may fail is that the name is taken: then the queue that is there does, too.
        self.queue = (try? RequestOperationQueue(identifier: "\(queue.identifier).tokens", client: queue.client)) ?? queue
        self.store = store
        self.prompter = prompter
        browser = Browser(environment: environment)
    }

    /// What is asked for.
    package struct Question: Sendable {
        package var definition: OAuth2Definition
        /// How the token's server is reached.
        package var transport: TransportOptions
        /// An access token that a server didn't take.
        package var refused: String?
        /// Whether a person may be asked; what can't wait for one must not.
        package var asks = true

        package init(_ definition: OAuth2Definition, transport: TransportOptions = TransportOptions()) {
            self.definition = definition
            self.transport = transport
        }
    }

    var time: any TimeSource { queue.client.time }

    /// - Returns: `nil` when the waiting task was cancelled.
    package func token(for question: Question) async throws(OAuth2Error) -> OAuth2Token? {
        let key = TokenKey(question.definition)
        if case .use(let token) = step(for: key, question) { return token }
        let flight = Flight(key: key, asks: question.asks, refused: question.refused)
        let outcome = await flights.run(flight) { [self] in
            do throws(OAuth2Error) {
                return .success(try await renew(key, question))
            } catch {
                return .failure(error)
            }
        }
        return try outcome?.get()
    }

    /// Whether there is one that is good, so that nobody is asked for it.
    func isAtHand(_ question: Question) -> Bool {
        if case .use = step(for: TokenKey(question.definition), question) { true } else { false }
    }

    private func step(for key: TokenKey, _ question: Question) -> TokenStep {
        let date = time.date
        return TokenStep(having: store.token(for: key, at: date), refused: question.refused, at: date)
    }

    private func renew(_ key: TokenKey, _ question: Question) async throws(OAuth2Error) -> OAuth2Token {
        // The flight before may have brought one meanwhile.
        var token: OAuth2Token?
        switch step(for: key, question) {
        case .use(let token): return token
        case .refresh(let refreshToken): token = try await refresh(refreshToken, question)
        case .grant: break
        }
        if token == nil {
            if question.refused != nil { forget(key) }
            token = try await grant(question)
        }
        guard let token else { throw OAuth2Error("there is no token") }
        // A disk that is full is no reason to fail: the token is in memory, and only the next start asks again.
        try? store.keep(token, for: key, at: time.date)
        return token
    }

    private func forget(_ key: TokenKey) { try? store.keep(nil, for: key, at: time.date) }

    /// - Returns: `nil` when the refresh token is of no use any more.
    private func refresh(_ refreshToken: String, _ question: Question) async throws(OAuth2Error) -> OAuth2Token? {
        do throws(OAuth2Error) {
            var token = try await exchange(.refresh(refreshToken), question).token(at: time.date)
            // The old one stays good unless there is a new one (RFC 6749, section 6).
            if token.refreshToken == nil { token.refreshToken = refreshToken }
            return token
        } catch  where error.endsRefreshToken {
            return nil
        }
    }

    /// One request to the token's server.
    func exchange(_ exchange: OAuth2Definition.Exchange, _ question: Question) async throws(OAuth2Error) -> TokenAnswer {
        try await send(question.definition.tokenRequest(exchange), question)
    }

    func send(_ request: Request, _ question: Question) async throws(OAuth2Error) -> TokenAnswer {
        var configuration = RequestConfiguration()
        // Secrets are for the server that the file names, and for no other.
        configuration.redirects.policy = .never
        configuration.limits.bodyBytes = 1 << 20
        configuration.timeouts.operation = .seconds(60)
        configuration.transport = question.transport
        let operation = queue.enqueue(request, configuration: configuration)
        let response = await operation.response(orCancel: "nobody waits for the token any more")
        return try TokenAnswer(response, redactor: Redactor(question.definition.secretTexts))
    }
}
