import Base
import NetworkLayer
import RequestCollections
import Synchronization

extension TokenSource {
    /// The whole way to a token.
    func grant(_ question: Question) async throws(OAuth2Error) -> OAuth2Token {
        switch question.definition.grant {
        case .clientCredentials: try await exchange(.clientCredentials, question).token(at: time.date)
        case .password(let user, let password):
            try await exchange(.password(user: user, password: password), question).token(at: time.date)
        case .refreshToken(let token): try await refreshed(token, question)
        case .authorizationCode(let url, let redirect): try await signIn(at: url, redirect: redirect, question)
        case .deviceCode(let url): try await device(at: url, question)
        }
    }

    private func refreshed(_ refreshToken: String, _ question: Question) async throws(OAuth2Error) -> OAuth2Token {
        var token = try await exchange(.refresh(refreshToken), question).token(at: time.date)
        if token.refreshToken == nil { token.refreshToken = refreshToken }
        return token
    }

    // MARK: Authorization code (RFC 6749, section 4.1)

    private func signIn(at url: String, redirect: String?, _ question: Question) async throws(OAuth2Error) -> OAuth2Token {
        let prompter = try person(question)
        let listener = try LoopbackListener(RedirectAddress(redirect))
        let proof = PKCE(bytes: Self.random(32))
        let state = PKCE.base64URL(Self.random(24))
        let address = try question.definition.authorizationURL(url, redirect: listener.address.text, state: state, proof: proof)
        let notice = SignInNotice(server: address.host() ?? url, url: address.absoluteString)
        let end = WaitingEnd { listener.stop() }
        try await show(notice, prompter) { end.end(.declined) }
        let alarm = time.schedule(at: time.now + Self.patience) { end.end(.late) }
        browser.open(notice.url)
        let answer = await listener.wait(for: AuthorizationAnswer(path: listener.address.path, state: state))
        alarm.cancel()
        await prompter.hide(notice)
        guard let answer else {
            switch end.reason {
            case .declined: throw OAuth2Error("the sign-in for \(notice.server) was given up")
            case .late:
                throw OAuth2Error("nobody signed in for \(notice.server) within \(Self.patience.components.seconds / 60) minutes")
            case nil: throw OAuth2Error("the sign-in for \(notice.server) was cancelled")
            }
        }
        return try await exchange(
            .code(try answer.get(), redirect: listener.address.text, verifier: proof.verifier), question
        ).token(at: time.date)
    }

    /// How long a person may take.
    static let patience = Duration.seconds(600)

    // MARK: Device code (RFC 8628)

    private func device(at url: String, _ question: Question) async throws(OAuth2Error) -> OAuth2Token {
        let prompter = try person(question)
        let device = try await send(question.definition.deviceRequest(to: url), question).device(at: time.now)
        let server = URL(international: url)?.host() ?? url
        let notice = SignInNotice(server: server, url: device.url, code: device.userCode)
        // It begins with a wait, so that the notice is there first.
        let polling = Task { await poll(device, question) }
        do throws(OAuth2Error) {
            try await show(notice, prompter) { polling.cancel() }
        } catch {
            polling.cancel()
            throw error
        }
        browser.open(device.completeURL ?? device.url)
        let outcome = await withTaskCancellationHandler {
            await polling.value
        } onCancel: {
            polling.cancel()
        }
        await prompter.hide(notice)
        return try outcome.get()
    }

    private func poll(_ device: DeviceAuthorization, _ question: Question) async -> Result<OAuth2Token, OAuth2Error> {
        var device = device
        var wait = device.interval
        while true {
            do throws(CancellationError) {
                try await time.sleep(for: wait)
            } catch {
                return .failure(OAuth2Error("the sign-in with the code \(device.userCode) was given up"))
            }
            let failure: OAuth2Error
            var hasAnswer = false
            do throws(OAuth2Error) {
                let answer = try await exchange(.device(device.deviceCode), question)
                hasAnswer = true
                return .success(try answer.token(at: time.date))
            } catch {
                failure = error
            }
            switch device.step(after: failure, hasAnswer: hasAnswer, at: time.now) {
            case .wait(let duration): wait = duration
            case .fail(let error): return .failure(error)
            }
        }
    }

    // MARK: People

    private func person(_ question: Question) throws(OAuth2Error) -> any Prompter {
        let name = question.definition.grant.name
        guard question.asks else {
            throw OAuth2Error("the server refused the token, and a new one by \(name) needs a person; send the request again")
        }
        guard let prompter else {
            throw OAuth2Error("a token by \(name) needs a person who signs in, and nobody is here; use another grant")
        }
        return prompter
    }

    private func show(
        _ notice: SignInNotice, _ prompter: any Prompter, decline: @escaping @Sendable () -> Void
    ) async throws(OAuth2Error) {
        do throws(PromptError) {
            try await prompter.show(notice, decline: decline)
        } catch {
            throw OAuth2Error(error.message)
        }
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// Why the waiting for a browser ended without an answer: the first reason counts.
private final class WaitingEnd: Sendable {
    enum Reason: Sendable { case declined, late }

    private let first = Mutex<Reason?>(nil)
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    var reason: Reason? { first.withLock { $0 } }

    func end(_ reason: Reason) {
        first.withLock { $0 = $0 ?? reason }
        stop()
    }
}

extension TimeSource {
    /// Returns after so long on this clock.
    func sleep(for duration: Duration) async throws(CancellationError) {
        let sleeper = Sleeper()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleeper.start(continuation) else { return }
                sleeper.set(schedule(at: now + duration) { sleeper.end(true) })
            }
        } onCancel: {
            sleeper.end(false)
        }
        guard isOver else { throw CancellationError() }
    }
}

private final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        var alarm: (any Alarm)?
        var isOver = false
    }

    private let state = Mutex(State())

    /// - Returns: whether there is anything to wait for.
    func start(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: false) }
        return !isOver
    }

    func set(_ alarm: any Alarm) {
        let isOver = state.withLock { state in
            state.alarm = alarm
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    func end(_ result: Bool) {
        let (continuation, alarm) = state.withLock { state in
            defer {
                state.continuation = nil
                state.isOver = true
            }
            return (state.continuation, state.alarm)
        }
        alarm?.cancel()
        continuation?.resume(returning: result)
    }
}
