import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The verdict of a run` {
    private static func report(_ isMet: Bool, _ subject: ExpectationSubject = .status) -> RunReport {
        RunReport(expectations: [
            ExpectationResult(subject: subject, expected: "201", found: "200", isMet: isMet, location: ShopCollection.place(5))
        ])
    }

    private func verdict(_ script: EventScript, _ report: RunReport? = nil) -> Verdict? {
        var explorer = ExplorerDriver()
        explorer.run(script, of: "login")
        if let report { explorer.send(.runReported(OperationID(rawValue: 1), report)) }
        return explorer.state.operations[OperationID(rawValue: 1)]?.verdict
    }

    private func answered(_ status: Int) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://h/")!))
        script.head(at: 2, status: status)
        script.endAttempt(at: 3)
        script.end(at: 3, .succeeded)
        return script
    }

    @Test(arguments: [(2, "!2"), (10, "!+")])
    func `of errors of a query nobody has expected the sign has the number`(errors: Int, sign: String) {
        var report = Self.report(true)
        report.queryErrors = errors
        let verdict = verdict(answered(200), report)
        #expect(verdict == .completed(status: 200, errors: errors) && verdict?.isGood == false)
        #expect(verdict.map { VerdictText.short($0, status: 200).text } == "\(sign) 200")
    }

    @Test func `is that of the error, then of what was expected, then of the status`() {
        #expect(verdict(answered(200)) == .completed(status: 200))
        #expect(verdict(answered(200), Self.report(true)) == .passed)
        #expect(verdict(answered(200), Self.report(false)) == .checkFailed)
        #expect(verdict(answered(200), RunReport(failure: "login.yaml:9: no token")) == .checkFailed)
        #expect(verdict(answered(503)) == .completed(status: 503))
        #expect(verdict(answered(404), Self.report(true)) == .passed)
        #expect(verdict(.tlsFailure()) == .failed(.tls))
        #expect(verdict(.idleTimeout()) == .failed(.timeout))
        #expect(verdict(.tlsFailure(), Self.report(true, .error)) == .passed)
        #expect(verdict(.tlsFailure(), Self.report(false, .error)) == .failed(.tls))
        #expect(verdict(.tlsFailure(), Self.report(false)) == .failed(.tls))
        #expect(verdict(.cancelled()) == .cancelled)
        #expect(verdict(.downloading(at: 100)) == nil)
    }

    @Test func `of a run without an answer counts the checks that nobody could look at`() {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.run(.tlsFailure(), of: "login")
        var report = RunReport()
        report.unseen = 3
        explorer.send(.runReported(OperationID(rawValue: 1), report))
        explorer.press(.focusResponse)
        let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(screen.contains("✗ failed: tls") && screen.contains("-/3 checks"))
        #expect(screen.contains("✗ tls") && !screen.contains("check failed") && !screen.contains("✗ ok"))
    }

    @Test func `waits for what is expected of the answer`() {
        var explorer = ExplorerDriver()
        let id = OperationID(rawValue: 1)
        var login = ShopCollection.request("login", "POST", "http://h/")
        login.expectations = [
            ExpectationDefinition(.status, .statusClass(2), location: ShopCollection.place(5))
        ]
        explorer.send(.operationEnqueued(id, SentRequest(login, in: ShopCollection.path)))
        for event in answered(200).events { explorer.send(.network(event)) }
        #expect(explorer.state.operations[id]?.verdict == nil)
        explorer.send(.runReported(id, Self.report(false)))
        #expect(explorer.state.operations[id]?.verdict == .checkFailed)
    }

    @Test func `has a sign of its own, and is good only where nothing is left to look at`() {
        let verdicts: [Verdict] = [
            .passed, .completed(status: 204), .completed(status: 503), .checkFailed, .failed(.dns), .stopped, .cancelled,
        ]
        #expect(verdicts.map(\.sign) == ["✓", "✓", "!", "✗", "✗", "×", "■"])
        #expect(verdicts.map(\.isGood) == [true, true, false, false, false, false, false])
    }

    @Test func `of a former run says the kind of its failure`() {
        func run(_ state: RequestOperation.State, _ type: String?, status: Int? = nil) -> Verdict {
            PastRun(
                number: 1, date: Date(timeIntervalSince1970: 0), request: ShopCollection.reference("login"), title: "login",
                url: "http://h/", state: state, status: status, errorType: type
            ).verdict
        }
        #expect(run(.failed, ErrorType.certificateDateInvalid) == .failed(.tls))
        #expect(run(.failed, ErrorType.operationTimedOut) == .failed(.timeout))
        #expect(run(.failed, ExpectationResult.errorType, status: 200) == .checkFailed)
        #expect(run(.failed, nil) == .failed(.other))
        #expect(run(.succeeded, nil, status: 503) == .completed(status: 503))
        #expect(run(.cancelled, "abandoned") == .cancelled)
    }

    @Test func `has the words of the format, and those of former runs are the same`() {
        let failures: [(NetworkError.Code, String, FailureKind)] = [
            (.cannotConnect, ErrorType.connectionRefused, .connection), (.connectionLost, ErrorType.connectionReset, .connection),
            (.connectTimedOut, ErrorType.connectTimedOut, .timeout), (.operationTimedOut, ErrorType.operationTimedOut, .timeout),
            (.nameNotResolved, ErrorType.nameNotResolved, .dns), (.certificateRejected, ErrorType.certificateDateInvalid, .tls),
            (.connectionLost, ErrorType.httpProtocolError, .protocol),
            (.tooManyRedirects, "http.response.redirect_loop", .protocol),
            (.contentDecodingFailed, "http.response.invalid.content_decoding", .protocol),
            (.limitExceeded, "http.response.body.too_long", .limit), (.hydrationFailed, "hydration.failed", .other),
            (.cancelled, ErrorType.abandoned, .cancelled), (.authorizationFailed, ErrorType.authorizationFailed, .authentication),
        ]
        for (code, type, kind) in failures {
            #expect(FailureKind(NetworkError(code, phase: .body, type: type, message: "")) == kind, "\(type)")
            #expect(FailureKind(type: type) == kind, "\(type)")
        }
    }

    @Test func `of a run that something stopped is a row in the tree's and the history's state`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/list")
        let sent = SentRequest(ShopCollection.request("orders/list", "GET", "{{host}}/orders"), in: ShopCollection.path)
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        explorer.send(.runStopped(sent, message: "`login` is needed first, and failed: its status was 429", at: date))
        explorer.send(.runStopped(sent, message: "again", at: date))
        let rows = explorer.state.historyRows.compactMap { explorer.state.operations[$0] }
        #expect(rows.map(\.verdict) == [.stopped, .stopped])
        #expect(rows.map(\.metrics.enqueuedDate) == [date, date])
        #expect(explorer.state.latestOperation(of: sent.reference)?.metrics.error?.message == "again")
        #expect(explorer.state.shownOperation?.isStopped == true)
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.nextTick == nil)
        explorer.press(.focusHistory)
        explorer.press(.down, .replay)
        #expect(explorer.takeEffects().last == .send(sent.definition, in: ShopCollection.path, environment: nil))
    }
}

@Suite struct `Old operations` {
    private static let ids = (1...4).map { OperationID(rawValue: $0) }

    /// Ends an operation with a body.
    private func end(_ number: Int, bytes: Int, in explorer: inout ExplorerDriver) {
        explorer.enqueue(number, "orders/list")
        let script = EventScript.success(operation: number)
        for event in script.events { explorer.send(.network(event)) }
        explorer.send(.responseReady(OperationID(rawValue: number), Response(script, body: Data(count: bytes))))
    }

    private func released(_ explorer: inout ExplorerDriver) -> [ExplorerEffect] {
        explorer.takeEffects().filter { if case .release = $0 { true } else { false } }
    }

    @Test func `keep their bodies up to a number of runs, the newest first`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.runs = 2
        for number in 1...2 { end(number, bytes: 1, in: &explorer) }
        #expect(released(&explorer) == [])
        end(3, bytes: 1, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[0]])])
        let entries = Self.ids.prefix(3).compactMap { explorer.state.operations[$0] }
        #expect(entries.map(\.isReleased) == [true, false, false])
        #expect(entries.map { $0.response?.info?.body.count } == [0, 1, 1])
        #expect(entries.map(\.events.isEmpty) == [true, false, false])
        #expect(entries[0].metrics.attempts.count == 1)
    }

    @Test func `keep so many bytes of bodies, and the one that is looked at whatever its size`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.bytes = 100
        end(1, bytes: 60, in: &explorer)
        end(2, bytes: 60, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[0]])])
        end(3, bytes: 600, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[1]])])
        #expect(explorer.state.operations[Self.ids[2]]?.response?.info?.body.count == 600)
    }

    @Test func `say that they are not kept`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.runs = 1
        for number in 1...2 { end(number, bytes: 1, in: &explorer) }
        explorer.state.show(Self.ids[0])
        guard case .nothing(let lines) = explorer.state.responseContent(columns: 80) else { return #expect(Bool(false)) }
        #expect(lines.first == "The body and the events of this run are not kept any more:")
        #expect(lines.last == "r sends it again.")
    }
}

@Suite struct `The selection in a list of operations` {
    private func ids(_ numbers: ClosedRange<Int>) -> [OperationID] { numbers.reversed().map(OperationID.init(rawValue:)) }

    @Test func `is the first row until one is chosen`() {
        let selection = OperationSelection()
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 3))
        #expect(selection.selected(in: ids(1...4)) == OperationID(rawValue: 4))
        #expect(selection.selected(in: []) == nil)
    }

    @Test func `stays with its operation when rows are added`() {
        var selection = OperationSelection()
        selection.move(.rows(1), in: ids(1...3), rows: 5)
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 2))
        #expect(selection.selected(in: ids(1...9)) == OperationID(rawValue: 2))
        #expect(selection.list(of: ids(1...9), rows: 5).selected == 7)
    }

    @Test func `goes to the first row when its operation is gone`() {
        var selection = OperationSelection()
        selection.select(OperationID(rawValue: 1))
        #expect(selection.selected(in: ids(4...6)) == OperationID(rawValue: 6))
    }

    @Test func `moves by rows and pages, and to the ends`() {
        var selection = OperationSelection()
        let all = ids(1...20)
        selection.move(.pages(1), in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).selected == 4)
        selection.move(.last, in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 15..<20)
        selection.move(.rows(-2), in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 15..<20)
        selection.move(.first, in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 0..<5)
    }

    @Test func `follows a click, but not one below the list`() {
        var selection = OperationSelection()
        let hit = selection.click(row: 2, in: ids(1...3), rows: 9)
        #expect(hit)
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 1))
        let miss = selection.click(row: 3, in: ids(1...3), rows: 9)
        #expect(!miss)
    }
}
