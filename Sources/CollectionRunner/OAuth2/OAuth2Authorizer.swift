import Base
import HTTPTypes
import NetworkLayer
import RequestCollections
import Synchronization

/// Gives the requests of one run their token.
///
/// The first is got before the operation is enqueued, because it may have to wait for a person, and a role may not take so long. When
/// the server refuses it with a 401 and the operation tries again, another one is got, once.
final class OAuth2Authorizer: RequestAuthorizer, DescribedRole {
    private let source: TokenSource
    private let question: TokenSource.Question
    private let location: SourceLocation?
    private let state: Mutex<State>

    private struct State {
        var outcome: Result<OAuth2Token, OAuth2Error>?
        var secrets: Set<String>
        var hasRenewed = false
    }

    init(_ definition: OAuth2Definition, for resolved: ResolvedRequest, source: TokenSource) {
        self.source = source
        question = TokenSource.Question(definition, transport: TransportOptions(toTokenServerOf: definition, beside: resolved))
        location = resolved.origins.first { $0.subject == .auth }?.location
        state = Mutex(State(secrets: definition.secretTexts))
    }

    var roleDescription: String { "the request for an access token" }

    /// Everything that nobody may see, the tokens so far included.
    var redactor: Redactor { Redactor(state.withLock { $0.secrets }) }

    /// The access token that a retry is worth: refused, and not yet a second one.
    var canRenew: Bool { state.withLock { !$0.hasRenewed && $0.outcome?.value != nil } }

    /// - Parameter turn: of the run; it is told when there is no token yet.
    /// - Returns: whether the run goes on; why there is no token the operation says itself, when it is about to need it.
    func prepare(_ turn: (any RunTurn)?) async -> Bool {
        let isAtHand = source.isAtHand(question)
        if !isAtHand { turn?.waits(for: .token(question.definition.tokenURL)) }
        guard let outcome = await ask(question) else { return false }
        if !isAtHand { turn?.goesOn() }
        keep(outcome)
        return true
    }

    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
        let last = operation.metrics.attempts.last
        // Where the token goes along on redirects is for their rules to say, which have kept the field or dropped it.
        if last?.disposition == .redirecting { return .unchanged }
        var token = try state.withLock { $0.outcome }?.get()
        if last?.head?.status.code == 401, let refused = token, claimRenewal() {
            var question = question
            question.refused = refused.accessToken
            question.asks = false
            guard let outcome = await ask(question) else { return .unchanged }
            keep(outcome)
            token = try outcome.get()
        }
        return token.map { .set("Bearer \($0.accessToken)") } ?? .unchanged
    }

    private func claimRenewal() -> Bool {
        state.withLock { state in
            defer { state.hasRenewed = true }
            return !state.hasRenewed
        }
    }

    private func ask(_ question: TokenSource.Question) async -> Result<OAuth2Token, OAuth2Error>? {
        do throws(OAuth2Error) {
            return try await source.token(for: question).map { .success($0) }
        } catch {
            var error = error
            error.location = location
            return .failure(error)
        }
    }

    private func keep(_ outcome: Result<OAuth2Token, OAuth2Error>) {
        state.withLock { state in
            state.outcome = outcome
            guard let token = outcome.value else { return }
            state.secrets.insert(token.accessToken)
            if let refreshToken = token.refreshToken { state.secrets.insert(refreshToken) }
        }
    }
}

extension Result {
    fileprivate var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}

extension TransportOptions {
    /// How the token's server is reached: on the same way and with the same trust as the request; but our certificate, pins and a
    /// Unix socket are for the request's own server.
    init(toTokenServerOf definition: OAuth2Definition, beside resolved: ResolvedRequest) {
        let own = resolved.configuration.transport
        self.init()
        httpVersion = own.httpVersion
        proxy = own.proxy
        proxyCredential = own.proxyCredential
        proxyAuthentication = own.proxyAuthentication
        resolve = own.resolve
        interface = own.interface
        tls.verifies = own.tls.verifies
        tls.authorities = own.tls.authorities
        tls.minimumVersion = own.tls.minimumVersion
        tls.maximumVersion = own.tls.maximumVersion
        tls.ciphers = own.tls.ciphers
        guard let url = URL(international: definition.tokenURL), url.host() == resolved.request.url.host(),
            url.port == resolved.request.url.port, url.scheme == resolved.request.url.scheme
        else { return }
        tls = own.tls
        unixSocket = own.unixSocket
    }
}

/// Tries once more, with another token, when the server answers 401: it may have revoked the one that we kept.
struct TokenRefusal: RetryPolicy {
    let authorizer: OAuth2Authorizer

    var identifier: String { "oauth2" }

    func decide(_ context: RetryContext) async -> RetryDecision {
        guard context.status?.code == 401, context.isReplayable, authorizer.canRenew else { return .abstain }
        guard context.canStartOver() else {
            return .stop(reason: "the server refused the token, behind a request that had its effect")
        }
        return .retry(after: RetryDecision.minimumDelay, reason: "the server refused the token")
    }

    static func == (left: Self, right: Self) -> Bool { left.authorizer === right.authorizer }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(authorizer)) }
}
