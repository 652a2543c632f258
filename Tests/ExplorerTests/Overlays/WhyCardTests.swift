import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// What is offered for each kind of failure, and what comes of taking it.
@Suite struct `Why a run failed` {
    /// An explorer with one run of `login`, and its card open.
    private func explorer(_ script: EventScript, _ report: RunReport? = nil, _ change: (inout RequestDefinition) -> Void = { _ in })
        -> ExplorerDriver
    {
        var explorer = ExplorerDriver([ShopCollection.changed("login", change)])
        explorer.pick("login")
        explorer.run(script, of: "login")
        if let report { explorer.send(.runReported(OperationID(rawValue: 1), report)) }
        _ = explorer.takeEffects()
        explorer.press(.why)
        return explorer
    }

    private func failed(
        _ code: NetworkError.Code, _ phase: NetworkError.Phase = .connection, type: String = "tcp.refused"
    ) -> EventScript {
        let error = NetworkError(code, phase: phase, type: type, message: "what went wrong")
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request())
        script.endAttempt(at: 2, error: error)
        script.end(at: 2, .failed, error)
        return script
    }

    private func answered(
        _ status: Int, _ headers: HTTPFields = [:], redirect: RedirectHop? = nil, authorized: Bool = false
    ) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request())
        script.send(at: 1.5, "GET / HTTP/1.1\r\nHost: h\r\n" + (authorized ? "Authorization: Bearer x\r\n\r\n" : "\r\n"))
        script.head(at: 2, status: status, headers: headers)
        script.endAttempt(at: 3, redirect: redirect)
        script.end(at: 3, .succeeded)
        return script
    }

    /// The settings that a key leaves the request with, and whether it was sent with them.
    private func press(_ keys: String, in explorer: inout ExplorerDriver) -> RequestSettings? {
        explorer.press(keys)
        for case .send(let definition, _, _) in explorer.takeEffects() { return definition.settings }
        return nil
    }

    private func keys(_ explorer: ExplorerDriver) -> String { String(explorer.card?.remedies.map(\.key) ?? []) }

    @Test func `errors of a query are told by their number, and not by a status that is good`() {
        let explorer = explorer(answered(200), RunReport(queryErrors: 2))
        #expect(
            explorer.card?.cause.first?.text == "200 OK: the answer has 2 errors, and nothing is expected of `errors` in its body.")
    }

    // MARK: What is offered

    @Test func `has what mends it and sends it again, kind by kind`() {
        let offers: [(NetworkError.Code, String, String)] = [
            (.cannotConnect, "tcp.refused", "evVs"), (.nameNotResolved, "dns.name_not_resolved", "evVs"),
            (.proxyNotResolved, "dns.name_not_resolved", "ps"), (.connectTimedOut, "tcp.timed_out", "els"),
            (.idleTimedOut, "tcp.timed_out", "+els"), (.tooManyRedirects, "http.response.redirect_loop", "+hes"),
            (.redirectFailed, "http.response.redirect.invalid", "hnes"),
            (.contentDecodingFailed, "http.response.invalid.content_decoding", "ns"), (.authorizationFailed, "unknown", "as"),
            (.protocolViolation, "http.response.invalid", "1els"), (.clientCertificateFailed, "tls.bad_client_auth_cert", "pls"),
            (.tlsFailed, "tls.protocol.error", "epls"), (.connectionLost, "tcp.reset", "ls"),
        ]
        for (code, type, expected) in offers {
            let explorer = explorer(failed(code, type: type))
            #expect(keys(explorer) == expected, "\(code)")
            #expect(explorer.card?.cause.first?.text == "what went wrong")
        }
    }

    @Test func `is said of answers by their status`() {
        let offers = [(401, "as"), (403, "as"), (404, "es"), (405, "ms"), (407, "ps"), (422, "bes"), (429, "+s"), (500, "s")]
        for (status, expected) in offers { #expect(keys(explorer(answered(status))) == expected, "\(status)") }
        #expect(explorer(answered(401)).card?.cause.first?.text.contains("nothing said it") == true)
        #expect(explorer(answered(401, authorized: true)).card?.cause.first?.text.contains("doesn't take these") == true)
    }

    @Test func `isn't asked where nothing went wrong, or nothing has happened yet`() {
        var good = explorer(.success())
        #expect(good.card == nil)
        #expect(good.state.notice == Notice(.info, "nothing went wrong here"))
        good.pick("orders/list")
        good.press(.why)
        #expect(good.state.notice == Notice(.info, "nothing was sent yet"))
        let running = explorer(.downloading(at: 100))
        #expect(running.state.notice == Notice(.info, "it isn't over yet: x cancels it"))
        #expect(running.state.verdictHints.map(\.key) == ["x"])
        #expect(explorer(.tlsFailure()).state.verdictHints.map(\.key) == ["!"])
    }

    @Test func `can be asked from every pane, and Esc goes back to it`() {
        var explorer = explorer(.tlsFailure())
        explorer.press("Esc")
        for pane in Pane.allCases {
            explorer.focus(pane)
            explorer.press(.why)
            #expect(explorer.card != nil, "\(pane)")
            explorer.press("Esc")
            #expect(explorer.state.screen.focus == pane)
        }
        #expect(explorer.takeEffects() == [])
    }

    // MARK: What comes of it

    @Test func `trusts one certificate, by its key, and nothing else`() {
        var explorer = explorer(.tlsFailure())
        #expect(keys(explorer) == "tls")
        let settings = press("t", in: &explorer)
        #expect(settings?.verifiesTLS == false)
        #expect(settings?.pins == ["sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="])
        // It is an edit like any other: seen as unsaved, and one step takes it back.
        #expect(explorer.state.drafts.unsaved.map(\.id.rawValue) == ["login"])
        #expect(explorer.state.context?.trustsAnyone(explorer.request!) == false)
        explorer.press(.undo)
        #expect(explorer.state.drafts.unsaved.isEmpty)
        #expect(explorer.request?.settings.verifiesTLS == nil)
    }

    @Test func `offers no trust where the certificate's key isn't known`() {
        #expect(keys(explorer(failed(.certificateRejected, .tls, type: "tls.cert.invalid"))) == "ls")
        #expect(keys(explorer(failed(.certificateRejected, .tls, type: "tls.cert.name_invalid"))) == "les")
        var hop = EventScript()
        hop.start()
        hop.attempt(at: 1, EventScript.request("https://elsewhere.example.org/"))
        hop.head(at: 2, status: 302)
        hop.endAttempt(at: 3, .redirecting)
        for event in EventScript.tlsFailure().events.dropFirst(2) { hop.at(40, event.kind) }
        #expect(keys(explorer(hop)) == "ls")
        #expect(keys(explorer(failed(.pinMismatch, .tls, type: "tls.cert.invalid"))) == "lps")
    }

    @Test func `raises the timeout that fired, to a longer one than holds`() {
        // The collection says 10 s.
        var idle = explorer(.idleTimeout())
        #expect(idle.card?.remedies[0].title == "raise timeouts.idle to 20s")
        #expect(press("+", in: &idle)?.timeouts.idle == .after(.seconds(20)))
        #expect(idle.state.notice?.text == "timeouts.idle is 20s now: w saves it, u takes it back")
        let own = explorer(failed(.attemptTimedOut)) { $0.settings.timeouts.attempt = .after(.milliseconds(100)) }
        #expect(own.card?.remedies[0].title == "raise timeouts.attempt to 1s")
        let long = explorer(failed(.operationTimedOut)) { $0.settings.timeouts.operation = .after(.seconds(7_200)) }
        #expect(long.card?.remedies[0].title == "raise timeouts.operation to 4h")
    }

    @Test func `lets another time be typed where it stands`() {
        var explorer = explorer(.idleTimeout())
        explorer.press("e")
        #expect(explorer.state.panes.request.tab == .settings)
        explorer.type("45s")
        explorer.press("F5")
        let sent = explorer.takeEffects().compactMap { if case .send(let definition, _, _) = $0 { definition } else { nil } }
        #expect(sent.map(\.settings.timeouts.idle) == [.after(.seconds(45))])
    }

    @Test func `follows what was not followed, and more of what was too much`() {
        let hop = RedirectHop(location: "http://api.example.org/there", decision: .refusedByPolicy)
        var stayed = explorer(answered(302, [.location: "/there"], redirect: hop)) { $0.settings.followRedirects = .never }
        #expect(keys(stayed) == "fhs")
        #expect(press("f", in: &stayed)?.followRedirects == .always)
        var loop = explorer(failed(.tooManyRedirects)) { $0.settings.maxRedirects = 3 }
        #expect(press("+", in: &loop)?.maxRedirects == 10)
    }

    @Test func `opens the tab auth after a 401, and says which hop lost the credentials`() {
        var plain = explorer(answered(401, [.wwwAuthenticate: "Bearer realm=\"shop\""]))
        #expect(plain.card?.evidence.map(\.text).first == "wants        Bearer realm=\"shop\"")
        plain.press("a")
        #expect(plain.state.screen.focus == .request)
        #expect(plain.state.panes.request.tab == .auth)

        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request(headers: [.authorization: "Bearer x"]))
        script.send(at: 2, "GET / HTTP/1.1\r\nAuthorization: Bearer x\r\n\r\n")
        script.head(at: 3, status: 302)
        script.endAttempt(
            at: 4, .redirecting,
            redirect: RedirectHop(location: "http://eu.example.org/", decision: .followed, droppedHeaders: ["Authorization"]))
        script.attempt(at: 4, EventScript.request("http://eu.example.org/"), .redirect)
        script.send(at: 5)
        script.head(at: 6, status: 401)
        script.endAttempt(at: 7)
        script.end(at: 7, .succeeded)
        var lost = explorer(script)
        #expect(lost.card?.evidence.last?.text == "dropped      by hop 2, on the way to http://eu.example.org/")
        #expect(press("k", in: &lost)?.keepAuth == .always)
    }

    private func edited(_ explorer: ExplorerDriver) -> [RequestField: String] {
        if case .line(let field, let line) = explorer.state.panes.request.editing { [field: line.text] } else { [:] }
    }

    @Test func `begins to edit the URL that leads nowhere`() {
        var explorer = explorer(failed(.cannotConnect))
        #expect(explorer.card?.evidence.map(\.text) == ["URL          {{host}}/login"])
        explorer.press("e")
        #expect(edited(explorer) == [.url: "{{host}}/login"])
        var named = ExplorerDriver([ShopCollection.changed("login") { $0.url = "http://nowhere.example/" }])
        named.pick("login")
        named.run(failed(.nameNotResolved), of: "login")
        named.press(.why)
        #expect(keys(named) == "es")
    }

    @Test func `goes to the check that didn't hold`() {
        let place = ShopCollection.place(5)
        let unmet = ExpectationResult(subject: .status, expected: "201", found: "200", isMet: false, location: place)
        let other = ExpectationResult(subject: .filter(".id"), expected: "exists", found: "nothing", isMet: false, location: place)
        var explorer = explorer(answered(200), RunReport(expectations: [unmet, other])) {
            $0.expectations = [
                ExpectationDefinition(.filter(".id"), .exists, location: place),
                ExpectationDefinition(.status, .equals(.number("201")), location: place),
            ]
        }
        #expect(keys(explorer) == "c2ks")
        #expect(explorer.card?.title == "✗ check failed, 200 OK")
        explorer.press("c")
        #expect(explorer.state.panes.request.tab == .checks)
        #expect(edited(explorer) == [.value(.expectations, 1): "201"])
    }

    @Test func `of a check about a failure mends the failure first`() {
        let unmet = ExpectationResult(
            subject: .status, expected: "200", found: "nothing", isMet: false, location: ShopCollection.place(5))
        let explorer = explorer(failed(.cannotConnect), RunReport(expectations: [unmet])) {
            $0.expectations = [ExpectationDefinition(.status, .exists, location: ShopCollection.place(5))]
        }
        #expect(keys(explorer) == "evVcks")
        #expect(explorer.card?.cause.map(\.text).last == "while connecting, tcp.refused")
    }

    @Test func `of what was stopped leads to the run that failed, which says why in its turn`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/list")
        var needed = SentRequest(explorer.state.definition(of: ShopCollection.reference("login"))!, in: ShopCollection.path)
        needed.isNeeded = true
        explorer.send(.operationEnqueued(OperationID(rawValue: 1), needed))
        for event in answered(401).events { explorer.send(.network(event)) }
        explorer.send(.responseReady(OperationID(rawValue: 1), Response(answered(401))))
        let sent = SentRequest(explorer.request!, in: ShopCollection.path)
        explorer.send(.runStopped(sent, message: "`login` is needed first, and failed", at: Date(timeIntervalSince1970: 0)))
        explorer.press(.why)
        #expect(explorer.card?.title == "× stopped")
        #expect(keys(explorer) == "gs")
        explorer.press("g")
        #expect(explorer.state.selectedRequest?.id.rawValue == "login")
        #expect(explorer.card?.title == "! 401 Unauthorized")
    }

    @Test func `leaves a request that is gone alone`() {
        var collection = ShopCollection.collection
        collection.nodes.removeAll { if case .request(let request) = $0 { request.id == "login" } else { false } }
        var explorer = explorer(.tlsFailure())
        explorer.send(.collectionLoaded(collection))
        explorer.press("t")
        #expect(!explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
        #expect(explorer.state.notice?.text == "the request isn't there any more")
    }

    // MARK: Not sent

    @Test func `stays known of a request that was not sent, until it is`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send)
        _ = explorer.takeEffects()
        let reference = ShopCollection.reference("login")
        let place = SourceLocation(path: "/shop/login.yaml", line: 3, column: 9)
        explorer.send(.sendFailed(reference, message: "`x` is no URL", code: .url, at: place))
        #expect(keys(explorer) == "eos")
        #expect(explorer.card?.remedies[1].title == "open login.yaml:3 in $EDITOR")
        explorer.press("Esc")
        #expect(explorer.state.verdictHints.map(\.key) == ["!"])
        explorer.press(.why)
        explorer.press("o")
        #expect(explorer.takeEffects() == [.openFile(place)])
        explorer.press(.why)
        explorer.press("Down Down Enter")
        #expect(explorer.takeEffects().count == 1)
        explorer.enqueue(1, "login")
        explorer.press(.why)
        #expect(explorer.card == nil)
        #expect(explorer.state.refusal == nil)
    }

    @Test func `is asked of the request that it is about, though another one is shown by now`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send)
        explorer.pick("orders/list")
        explorer.send(.sendFailed(ShopCollection.reference("login"), message: "no", code: .authentication))
        explorer.send(.tick(MonotonicTime(nanoseconds: 2_000_000_000)))
        explorer.press("a")
        #expect(explorer.state.selectedRequest?.id.rawValue == "login")
        #expect(explorer.state.panes.request.tab == .auth)
    }

    @Test func `fits every screen, and its remedies stay`() {
        for (columns, rows) in [(160, 50), (80, 24), (40, 10), (20, 5)] {
            let card = explorer(.tlsFailure()).card!
            let drawn = card.rows(in: Size(columns: columns - 4, rows: rows - 4))
            #expect(drawn.count <= rows - 4)
            let remedies = drawn.filter { if case .remedy = $0 { true } else { false } }
            #expect(rows < 10 ? remedies.count == rows - 5 || rows == 5 : remedies.count == card.remedies.count)
        }
    }
}

/// The card that says why, whole screens of it.
@Suite struct `The card why` {
    private func explorer(_ script: EventScript, _ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("login")
        explorer.press(.send)
        explorer.run(script, of: "login")
        return explorer
    }

    @Test(arguments: [(160, 50), (120, 40), (80, 24), (40, 10)])
    func `of a certificate has what it says of itself, and the key that trusts it`(columns: Int, rows: Int) {
        var explorer = explorer(.tlsFailure(), columns, rows)
        explorer.press(.why)
        expectScreen(explorer.state, "\(columns)x\(rows)-why-certificate")
    }

    @Test func `is named below what went wrong, and beside the verdict`() {
        expectScreen(explorer(.idleTimeout(), 120, 40).state, "120x40-why-hint")
    }

    @Test func `of a timeout has the setting, and who says it`() {
        var explorer = explorer(.idleTimeout(), 80, 24)
        explorer.press(.why)
        explorer.press("Down")
        expectScreen(explorer.state, "80x24-why-timeout")
    }

    @Test func `of what was not sent offers to set the variable`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("login")
        explorer.press(.send)
        explorer.send(
            .sendFailed(
                ShopCollection.reference("login"), message: "the variable `password` has no value", missing: "password",
                code: .variable, at: ShopCollection.place(3, "login.yaml")))
        expectScreen(explorer.state, "80x24-why-variable")
        explorer.press("Esc")
        expectScreen(explorer.state, "80x24-not-sent")
    }
}
