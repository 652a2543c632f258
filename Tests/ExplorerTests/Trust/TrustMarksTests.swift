import NetworkLayer
import TerminalUI
import Testing

@testable import Explorer
@testable import RequestCollections

/// What a collection wants, as the explorer shows it and asks for it.
@Suite struct TrustMarksTests {
    private static let run = NotedWant(.run(CommandWant(["pass", "show", "shop"])), for: "token", at: ShopCollection.place(9))
    private static let send = NotedWant(.send(secret: "token", origin: "https://a.test"), for: "`x-key`", at: nil)

    private func found(_ trust: Trust = .nothing, isTrusted: Bool = false) -> ExplorerEvent {
        .trustFound(
            TrustFinding(
                ShopCollection.path, TrustStanding(trust, isTrusted: isTrusted),
                .collection(["login": [Self.run, Self.send], "orders/list": [Self.run]])))
    }

    private func texts(_ explorer: ExplorerDriver) -> [String] {
        explorer.state.requestRows.compactMap { row in
            if case .want(let mark, let text, let isOpen) = row { "\(isOpen ? "!" : " ") \(mark) \(text)" } else { nil }
        }
    }

    @Test func `requests that want what isn't allowed are known, and how much that is`() {
        var explorer = ExplorerDriver()
        #expect(explorer.state.trustWarning == nil)
        explorer.send(found())
        #expect(explorer.state.hasOpenWants(ShopCollection.reference("login")))
        #expect(!explorer.state.hasOpenWants(ShopCollection.reference("orders/create")))
        #expect(explorer.state.trustWarning == "2 things not allowed: T")
        explorer.send(found(Trust([Self.send.want])))
        #expect(explorer.state.trustWarning == "1 thing not allowed: T")
        // There the key draws the trend.
        explorer.press(.focusHistory)
        #expect(explorer.state.trustWarning == "1 thing not allowed")
        explorer.press(.focusCollection)
        explorer.send(found(.never))
        #expect(explorer.state.trustWarning == "2 things never allowed: T")
        explorer.send(found(.everything))
        #expect(explorer.state.trustWarning == nil)
        #expect(!explorer.state.hasOpenWants(ShopCollection.reference("login")))
    }

    @Test func `a row below the URL says what it needs, and the tab explain says all of it`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.send(found(Trust([Self.send.want])))
        #expect(texts(explorer) == ["! needs: run pass show shop"])
        explorer.press(.focusRequest, .nextTab)
        #expect(texts(explorer) == [])
        explorer.press(.nextTab, .nextTab, .nextTab, .nextTab, .nextTab)
        #expect(
            texts(explorer) == [
                "! not allowed run pass show shop   token   \(ShopCollection.place(9).path):9",
                "  allowed send token → https://a.test   `x-key`",
            ])
        explorer.send(found(.everything))
        #expect(texts(explorer).map { $0.prefix(9) } == ["  allowed", "  allowed"])
    }

    @Test func `the cursor stays on its row when the row about wants comes and goes`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest)
        explorer.press(.down)
        let row = explorer.state.selectedRequestRow
        explorer.send(found())
        #expect(explorer.state.selectedRequestRow == row)
        explorer.send(found(.everything))
        #expect(explorer.state.selectedRequestRow == row)
    }

    @Test func `T asks for all of it, and so does Enter on the row`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.send(found())
        _ = explorer.takeEffects()
        explorer.press(.askTrust)
        #expect(explorer.takeEffects() == [.askTrust(in: ShopCollection.path)])
        explorer.press(.focusRequest)
        explorer.press(.top)
        for _ in 0..<5 {
            if case .want? = explorer.state.selectedRequestRow { break }
            explorer.press(.down)
        }
        explorer.press(.activate)
        #expect(explorer.takeEffects() == [.askTrust(in: ShopCollection.path)])
    }

    // MARK: Typing

    private func typed(_ explorer: inout ExplorerDriver) -> [TypedText] {
        explorer.takeEffects().compactMap { effect in
            if case .allowTyped(let typed, _) = effect { typed } else { nil }
        }
    }

    @Test func `what is typed into a trusted collection is to be allowed, and what isn't typed isn't`() {
        for isTrusted in [false, true] {
            var explorer = ExplorerDriver()
            explorer.pick("orders/create")
            explorer.send(found(isTrusted: isTrusted))
            explorer.press(.focusRequest, .nextTab, .addRow)
            explorer.type("x-a")
            explorer.press("Enter")
            explorer.type("{{env('HOME')}}")
            explorer.press("Enter")
            let texts = typed(&explorer)
            #expect(texts.map(\.new) == (isTrusted ? ["x-a", "{{env('HOME')}}"] : []))
            #expect(texts.last?.after.headers.contains { $0.value == "{{env('HOME')}}" } ?? !isTrusted)
            // Switched on and off, undone, reloaded: nobody has typed that.
            explorer.press(.toggle, .undo, .undo)
            explorer.press("C-r")
            explorer.send(.collectionLoaded(ShopCollection.collection))
            #expect(typed(&explorer) == [])
        }
    }

    @Test func `a text's own wants are its typist's, and what it only calls up isn't`() {
        let text = """
            turnstone: 1
            variables:
              host: https://a.test
              token: { secret: { env: TOKEN } }
              evil: { secret: { command: [sh, -c, evil] } }
            requests:
              a:
                get: "{{host}}/a"
                headers:
                  x-off: { value: "{{command('sleeper')}}", enabled: false }
                  x-broken: "{{command('hidden')}}{{nothing}}"
              b: { get: "{{host}}/b", headers: { x-a: "1" } }
            """
        let collection = RequestCollection.load(path: "/shop.yaml", bytes: Array(text.utf8))
        func wants(_ id: RequestID, _ value: String, old: String = "1") -> [String] {
            guard let before = collection.request(id) else { return ["no request"] }
            var after = before
            after.headers[0].value = value
            after.headers[0].isEnabled = true
            let typed = TypedText(value, insteadOf: old, in: .other, from: before, to: after)
            return collection.wants(of: typed, environment: nil).map { "\($0.want.kind) \($0.want.subject)" }
        }
        #expect(wants("b", "{{env('HOME')}}") == ["env HOME"])
        #expect(wants("b", "{{command('date')}}") == ["run date"])
        #expect(wants("b", "plain") == [])
        // A variable's command somebody else may have written; that the secret goes to this server was typed.
        #expect(wants("b", "{{evil}}") == ["send evil → https://a.test"])
        // It stood there before.
        #expect(wants("b", "{{command('date')}} x", old: "{{command('date')}}") == [])
        // Where something couldn't be filled in, something may be hidden.
        #expect(wants("a", "{{env('HOME')}}") == [])
    }

    // MARK: The question

    private static let question = Question(
        id: 7, message: "Shop wants what you have not allowed", details: ["new  run  pass show shop"],
        form: .choice(options: ["Refuse", "Allow these once"], proposal: "Refuse"))

    @Test func `the question takes no key in its first 300 ms`() {
        var explorer = ExplorerDriver()
        explorer.send(.tick(MonotonicTime(nanoseconds: 1_000_000_000)))
        explorer.send(.questionAsked(Self.question))
        _ = explorer.takeEffects()
        explorer.send(.tick(MonotonicTime(nanoseconds: 1_299_000_000)))
        explorer.press("Down Enter Esc")
        explorer.click(60, 20)
        #expect(explorer.takeEffects() == [])
        explorer.send(.tick(MonotonicTime(nanoseconds: 1_300_000_000)))
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.answer(7, .text("Refuse"))])
    }

    @Test func `nor a paste: a host's name is typed by who reads the question`() {
        var explorer = ExplorerDriver()
        explorer.send(.tick(MonotonicTime(nanoseconds: 1_000_000_000)))
        explorer.send(
            .questionAsked(
                Question(id: 8, message: "Type its name", details: ["CHANGED"], form: .text(proposal: "", isSecret: false))))
        explorer.paste("evil.test")
        explorer.send(.tick(MonotonicTime(nanoseconds: 1_400_000_000)))
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.answer(8, .text(""))])
    }

    @Test func `it comes up behind what has the keys`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .edit)
        explorer.send(.questionAsked(Self.question))
        explorer.type("x")
        #expect(explorer.state.overlay == nil)
        explorer.press("Esc")
        guard case .question(let form) = explorer.state.overlay else {
            Issue.record("no question")
            return
        }
        #expect(form.question == Self.question)
    }
}
