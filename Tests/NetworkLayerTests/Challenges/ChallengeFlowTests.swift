import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// How the state machine carries out what came of a challenge (CHL-1).
@Suite struct ChallengeFlowTests {
    static let challenge = AuthenticationChallenge(
        host: "a.test", port: 80, method: .basic, realm: "shop", parameters: ["realm": "shop"], request: .get("http://a.test/"),
        head: head)
    static let head = ResponseHead(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"shop\""])
    static let answered = Request.get("http://a.test/", headers: [.authorization: "Basic amFuZTpwdw=="])

    /// Asked, with the answer's body on its way.
    private func asking(_ configure: (inout RequestConfiguration) -> Void = { _ in }) -> Machine {
        var machine = Machine(configure: configure)
        machine.start()
        machine.transport(.head(Self.head))
        return machine
    }

    private func reports(_ machine: Machine) -> [ChallengeReport] {
        machine.events.compactMap { if case .challenge(let report) = $0.kind { report } else { nil } }
    }

    @Test func `CHL-1 a 401 is asked about, the strongest scheme first`() {
        var machine = Machine()
        machine.start()
        let head = ResponseHead(
            status: .unauthorized,
            headers: [
                .wwwAuthenticate: "Basic realm=\"r\", NTLM, Digest realm=\"r\", nonce=\"n\", Bearer realm=\"r\","
                    + "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256, Digest realm=\"r\", nonce=\"n\", algorithm=X"
            ])
        guard case .askChallenges(let challenges, 1)? = machine.transport(.head(head)).first else {
            Issue.record("Nothing is asked")
            return
        }
        #expect(challenges.map(\.method) == [.digest, .digest, .bearer, .other("ntlm"), .other("digest"), .basic])
        #expect(challenges.first?.parameters["algorithm"] == "SHA-256")
        #expect(challenges.allSatisfy { $0.host == "a.test" && $0.port == 80 && $0.space == .server && $0.head == head })
    }

    /// For so long the end of a page that nobody reads is waited for.
    private static let patience = MonotonicTime(nanoseconds: 1_020_000_000)

    @Test func `CHL-1 an answer is another attempt, and the log says why`() {
        var machine = asking()
        machine.body(5)
        #expect(
            machine.send(.challengesAnswered(.reissue(Self.answered, nil, Self.challenge), attempt: 1)) == [
                .setAlarm(Self.patience)
            ])
        #expect(machine.finish() == [.startTransfer(Self.answered, attempt: 2)])
        machine.succeed()
        #expect(reports(machine) == [ChallengeReport(Self.challenge, .answered)])
        #expect(machine.machine.metrics.attempts.map(\.kind) == [.initial, .challenge])
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.challenged, .completing])
        #expect(machine.machine.metrics.attempts[0].challenge?.decision == .answered)
        #expect(machine.machine.metrics.retryCount == 0)
        #expect(
            machine.names == [
                "enqueued", "transition", "attemptStarted", "transition", "transition", "head", "downloadProgress", "challenge",
                "attemptEnded", "attemptStarted", "head", "attemptEnded", "transition", "completed",
            ])
        machine.expectGood()
    }

    @Test func `CHL-1 an answer after the end of the transfer goes out at once`() {
        var machine = asking()
        #expect(machine.finish() == [])
        #expect(
            machine.send(.challengesAnswered(.reissue(Self.answered, nil, Self.challenge), attempt: 1)) == [
                .startTransfer(Self.answered, attempt: 2)
            ])
        machine.succeed()
        machine.expectGood()
    }

    @Test func `CHL-1 an endless page around the 401 is cut off`() {
        var machine = asking()
        #expect(machine.body(65_537) == [.pauseReceiving])
        #expect(
            machine.send(.challengesAnswered(.reissue(Self.answered, nil, Self.challenge), attempt: 1))
                == [.setAlarm(Self.patience), .resumeReceiving])
        #expect(machine.body(1, received: 65_538) == [.cancelTransfer, .startTransfer(Self.answered, attempt: 2)])
        machine.succeed()
        machine.expectGood()
    }

    @Test func `CHL-1 without an answer the 401 is the response, with its body`() {
        var machine = asking()
        machine.body(2)
        #expect(machine.send(.challengesAnswered(.unanswered(Self.challenge), attempt: 1)) == [.write(Data("aa".utf8), attempt: 1)])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(reports(machine).map(\.decision) == [.unanswered])
        machine.expectGood()
    }

    @Test func `CHL-1 with nobody to ask there is nothing to report`() {
        var machine = asking()
        machine.send(.challengesAnswered(.nobody, attempt: 1))
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(reports(machine) == [])
        #expect(machine.state == .succeeded)
    }

    @Test func `CHL-1 a realm is answered once`() {
        var machine = asking()
        machine.finish()
        machine.send(.challengesAnswered(.reissue(Self.answered, nil, Self.challenge), attempt: 1))
        #expect(machine.transport(.head(Self.head)) == [])
        machine.finish()
        machine.send(.bodyClosed(attempt: 2))
        #expect(machine.state == .succeeded)
        #expect(reports(machine).map(\.decision) == [.answered, .repeated])
        machine.expectGood()
    }

    @Test func `CHL-1 another realm is asked about, and a nonce that ran out isn't a refusal`() {
        var machine = asking()
        machine.finish()
        machine.send(.challengesAnswered(.reissue(Self.answered, nil, Self.challenge), attempt: 1))
        let other = machine.head(.unauthorized, [.wwwAuthenticate: "Basic realm=\"vault\""])
        #expect(other.contains { if case .askChallenges = $0 { true } else { false } })

        var digest = Machine()
        digest.start()
        let field = "Digest realm=\"r\", nonce=\"n\""
        for (value, isAsked) in [(field, true), (field + ", stale=true", true), (field + ", stale=true", false)] {
            let effects = digest.head(.unauthorized, [.wwwAuthenticate: value])
            #expect(effects.isEmpty == !isAsked)
            guard case .askChallenges(let challenges, _)? = effects.first else { continue }
            digest.finish()
            digest.send(.challengesAnswered(.reissue(Self.answered, nil, challenges[0]), attempt: digest.attempt))
        }
    }

    /// Each question with the answer of a handler that always has one.
    private func answerAll(
        _ machine: inout Machine, _ values: [String], status: HTTPResponse.Status = .unauthorized,
        field: HTTPField.Name = .wwwAuthenticate, proxy: String? = nil
    ) -> Int {
        var answers = 0
        for value in values {
            if proxy != nil { machine.transport(.connectionAcquired(Self.proxied(proxy))) }
            guard case .askChallenges(let challenges, _)? = machine.head(status, [field: value]).first else { break }
            answers += 1
            machine.finish()
            var request = challenges[0].request
            request.headers[challenges[0].space.field] = value
            machine.send(.challengesAnswered(.reissue(request, nil, challenges[0]), attempt: machine.attempt))
        }
        return answers
    }

    @Test(arguments: ["Digest nonce=\"n\", qop=\"auth\",", "Basic", "Bearer"])
    func `CHL-1 a server that asks for another realm each time is answered twice`(scheme: String) {
        let values = (1...9).map { "\(scheme) realm=\"r\($0)\"" }
        var machine = Machine()
        machine.start()
        #expect(answerAll(&machine, values) == 2)
        #expect(reports(machine).map(\.decision) == [.answered, .answered, .repeated])
        machine.finish()
        machine.send(.bodyClosed(attempt: 3))
        #expect(machine.state == .succeeded)
        machine.expectGood()

        var proxied = Machine()
        proxied.start()
        let answers = answerAll(
            &proxied, values, status: .proxyAuthenticationRequired, field: .proxyAuthenticate, proxy: "http://proxy.test:3128")
        #expect(answers == 2)
    }

    @Test func `CHL-1 a server whose nonces run out at once is answered once more`() {
        let values = (1...9).map { "Digest realm=\"r\($0)\", nonce=\"n\", qop=\"auth\", stale=true" }
        var machine = Machine()
        machine.start()
        #expect(answerAll(&machine, values) == 1)
    }

    @Test func `CHL-1 a nonce may run out on every hop whose answer was accepted before`() {
        var machine = Machine()
        machine.start()
        let field = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
        for hop in 1...5 {
            let values = hop == 1 ? [field] : [field + ", stale=true"]
            #expect(answerAll(&machine, values) == 1, "hop \(hop)")
            machine.head(.found, [.location: "/\(hop)"])
            machine.finish()
        }
        // What another host says is no word of this one.
        machine.head(.found, [.location: "http://b.test/"])
        machine.finish()
        #expect(answerAll(&machine, [field, field]) == 1)
        machine.expectGood(isComplete: false)
    }

    @Test func `CHL-1 a cancelled challenge fails with 212 and what it was about`() throws {
        var machine = asking()
        #expect(
            machine.send(.challengesAnswered(.cancelled(Self.challenge, context: "no account here"), attempt: 1)) == [
                .cancelTransfer, .clearAlarm, .finish,
            ])
        let error = try #require(machine.error)
        #expect(error.code == .challengeCancelled)
        #expect(error.code.rawValue == 212)
        #expect(error.message == "The challenge of a.test (basic for “shop”) was cancelled: no account here")
        #expect(
            error.details == [
                .host: "a.test", .challengeMethod: "basic", .challengeRealm: "shop", .challengeContext: "no account here",
            ])
        #expect(error.isNetworkSecurityError)
        machine.expectGood()
    }

    @Test func `CHL-1 a body that can't be sent twice leaves the 401 as it is`() {
        let stream = RequestBodyStream(isReplayable: false) { throw CancellationError() }
        var machine = Machine(.post("http://a.test/", body: .stream(stream)))
        machine.start()
        machine.transport(.head(Self.head))
        machine.send(.challengesAnswered(.reissue(machine.machine.request, nil, Self.challenge), attempt: 1))
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(reports(machine).map(\.decision) == [.bodyNotReplayable])
        machine.expectGood()
    }

    /// On a connection to a proxy.
    private static func proxied(_ proxy: String?) -> ConnectionInfo {
        var connection = ConnectionInfo.loopback
        connection.proxy = proxy
        return connection
    }

    @Test(arguments: [
        ("http://a.test/", nil), ("http://a.test/", "socks5://proxy.test:1080"), ("https://a.test/", "http://proxy.test:3128"),
    ])
    func `CHL-1 a 407 that no proxy sent isn't answered with what is for a proxy`(url: String, proxy: String?) {
        var machine = Machine(.get(url))
        machine.start()
        machine.transport(.connectionAcquired(Self.proxied(proxy)))
        #expect(machine.head(.proxyAuthenticationRequired, [.proxyAuthenticate: "Basic realm=\"way out\""]) == [])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        machine.expectGood()
    }

    @Test func `CHL-1 the answer to a proxy isn't sent through its tunnel to a server`() throws {
        var machine = Machine()
        machine.start()
        machine.transport(.connectionAcquired(Self.proxied("http://proxy.test:3128")))
        let effects = machine.head(
            .proxyAuthenticationRequired, [.proxyAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        guard case .askChallenges(let challenges, 1)? = effects.first else {
            Issue.record("Nothing is asked")
            return
        }
        let answer = try #require(challenges[0].answer(with: .password(Credential(user: "jane", password: "pw")), clientNonce: "c"))
        machine.finish()
        machine.send(.challengesAnswered(answer, attempt: 1))
        machine.head(.found, [.location: "http://b.test/"])
        machine.finish()
        #expect(machine.machine.metrics.attempts.last?.request.headers.contains(.proxyAuthorization) == true)
        machine.head(.found, [.location: "https://b.test/"])
        machine.finish()
        #expect(machine.machine.metrics.attempts.last?.request.url.absoluteString == "https://b.test/")
        #expect(machine.machine.metrics.attempts.last?.request.headers.contains(.proxyAuthorization) == false)
        machine.expectGood(isComplete: false)
    }

    @Test func `CHL-1 a server that asks in a thousand ways is answered in a few`() {
        var machine = Machine()
        machine.start()
        let ways = (0..<1000).map { "Basic realm=\"\($0)\"" }.joined(separator: ", ")
        guard case .askChallenges(let challenges, 1)? = machine.head(.unauthorized, [.wwwAuthenticate: ways]).first else {
            Issue.record("Nothing is asked")
            return
        }
        #expect(challenges.count == 32)
    }

    @Test func `CHL-1 a proxy's 407 is a challenge of its own`() {
        var machine = Machine()
        machine.start()
        machine.transport(.connectionAcquired(Self.proxied("http://proxy.test:3128")))
        let effects = machine.head(.proxyAuthenticationRequired, [.proxyAuthenticate: "Basic realm=\"way out\""])
        guard case .askChallenges(let challenges, 1)? = effects.first else {
            Issue.record("Nothing is asked")
            return
        }
        #expect(challenges.map(\.space) == [.proxy])
        #expect(challenges[0].host == "proxy.test")
        #expect(challenges[0].port == 3128)
        guard
            case .reissue(let request, nil, _)? = challenges[0].answer(
                with: .password(Credential(user: "jane", password: "pw")), clientNonce: "c")
        else {
            Issue.record("Nothing is answered")
            return
        }
        #expect(request.headers[.proxyAuthorization] == "Basic amFuZTpwdw==")
        #expect(request.headers[.authorization] == nil)
    }

    @Test func `CHL-1 a server that wants a certificate is asked for, and gets it`() {
        var machine = Machine(.get("https://a.test/"))
        machine.start()
        let challenge = AuthenticationChallenge(
            host: "a.test", port: 443, method: .clientCertificate, request: .get("https://a.test/"))
        #expect(machine.finish(.noCertificate) == [.askChallenges([challenge], attempt: 1)])
        machine.send(.challengesAnswered(.certificate(path: "/me.pem", key: "/me.key", challenge), attempt: 1))
        #expect(machine.effects.last == .startTransfer(.get("https://a.test/"), attempt: 2))
        let tls = machine.machine.options(for: .get("https://a.test/")).tls
        #expect(tls.certificate == "/me.pem")
        #expect(tls.key == "/me.key")
        #expect(machine.machine.options(for: .get("https://b.test/")).tls == TLSOptions(), "b.test never asked")
        // The server that doesn't want this one either isn't asked for another.
        #expect(machine.finish(.noCertificate) == [.clearAlarm, .finish])
        #expect(machine.error == .noCertificate)
        machine.expectGood()
    }

    @Test func `CHL-1 without a certificate the failure stands`() {
        var machine = Machine(.get("https://a.test/"))
        machine.start()
        machine.finish(.noCertificate)
        machine.send(.challengesAnswered(.nobody, attempt: 1))
        #expect(machine.error == .noCertificate)
        machine.expectGood()
    }

    // MARK: Hops

    @Test func `CHL-1 a redirect within the origin takes a digest of its own along`() throws {
        var machine = Machine()
        machine.start()
        let effects = machine.head(.unauthorized, [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        guard case .askChallenges(let challenges, _)? = effects.first else {
            Issue.record("Nothing is asked")
            return
        }
        let credential = Credential(user: "jane", password: "pw")
        let answer = try #require(challenges[0].answer(with: .password(credential), clientNonce: "c"))
        machine.finish()
        machine.send(.challengesAnswered(answer, attempt: 1))
        machine.head(.found, [.location: "/next"])
        machine.finish()
        let second = try #require(machine.machine.metrics.attempts.last?.request)
        let parameters = AuthenticateField.parse([try #require(second.headers[.authorization])]).first?.parameters
        #expect(parameters?["uri"] == "/next")
        #expect(parameters?["nc"] == "00000002")
        let info = HTTPField.Name("Authentication-Info")!
        machine.head(.found, [.location: "/third", info: "nextnonce=\"m\", qop=auth"])
        machine.finish()
        let third = try #require(machine.machine.metrics.attempts.last?.request)
        let renewed = AuthenticateField.parse([try #require(third.headers[.authorization])]).first?.parameters
        #expect(renewed?["nonce"] == "m")
        #expect(renewed?["nc"] == "00000001")
        machine.head(.found, [.location: "http://b.test/"])
        machine.finish()
        #expect(machine.machine.metrics.attempts.last?.request.headers[.authorization] == nil)
        machine.expectGood(isComplete: false)
    }

    @Test(arguments: RedirectConfiguration.CredentialScope.allCases)
    func `CHL-1 what the transport says of us goes to another origin only if credentials do`(
        scope: RedirectConfiguration.CredentialScope
    ) {
        let credential = Credential(user: "jane", password: "pw")
        let ours: [Authentication] = [
            .digest(credential), .ntlm(credential), .negotiate, .awsSigV4(AWSSignature(accessKey: "a", secretKey: "b")),
        ]
        for authentication in ours {
            var machine = Machine {
                $0.redirects.keepCredentials = scope
                $0.transport.authentication = authentication
            }
            machine.start()
            #expect(machine.machine.options(for: .get("http://a.test/x")).authentication == authentication)
            #expect((machine.machine.options(for: .get("http://b.test/")).authentication != nil) == (scope == .always))
            #expect((machine.machine.options(for: .get("https://a.test/")).authentication != nil) == (scope != .sameOrigin))
        }
        for (scope, isShown) in [(RedirectConfiguration.CredentialScope.sameOrigin, false), (.sameHost, false), (.always, true)] {
            var machine = Machine {
                $0.redirects.keepCredentials = scope
                $0.transport.tls.certificate = "/me.pem"
                $0.transport.tls.key = "/me.key"
                $0.transport.tls.passphrase = Passphrase("sesame")
                $0.transport.tls.srp = Credential(user: "ada", password: "sesame")
            }
            machine.start()
            #expect(machine.machine.options(for: .get("https://a.test/")).tls.certificate == "/me.pem")
            let tls = machine.machine.options(for: .get("https://b.test/")).tls
            #expect([tls.certificate, tls.key] == (isShown ? ["/me.pem", "/me.key"] : [nil, nil]))
            #expect(tls.passphrase == (isShown ? Passphrase("sesame") : nil))
            #expect(tls.srp == (isShown ? Credential(user: "ada", password: "sesame") : nil))
        }
        // Each host has its own entry.
        let machine = Machine { $0.transport.authentication = .netrc(file: nil) }
        #expect(machine.machine.options(for: .get("http://b.test/")).authentication == .netrc(file: nil))
    }

    @Test(arguments: [
        ("a.test", "own"), ("b.a.test", "one any"), ("c.b.a.test", "any"), ("xa.test", ""), ("test", ""), ("all.org", "none"),
        ("deep.all.org", "none"),
    ])
    func `TN-12 pins hold for the hosts that they are for, as OkHttp spells them, hop by hop`(host: String, found: String) {
        var machine = Machine {
            $0.transport.tls.pins = ["all"]
            $0.transport.tls.pinsByHost = ["A.test": ["own"], "*.a.test": ["one"], "**.a.test": ["any"], "**.all.org": ["none"]]
            if host == "a.test" { $0.transport.tls.pinsByHost["**.a.test"] = nil }
        }
        machine.start()
        let pins = machine.machine.options(for: .get("https://\(host)/")).tls.pins
        #expect(Set(pins) == Set(["all"] + found.split(separator: " ").map(String.init)))
    }
}
