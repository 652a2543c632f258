import NetworkLayer
import TerminalUI
import Testing

@testable import Explorer
@testable import RequestCollections

/// What a collection wants, as the explorer shows it and asks for it.
@Suite struct TrustMarksTests {
    private static let run = NotedWant(.run(CommandWant(["pass", "show", "shop"])), for: "token", at: ShopCollection.place(9))
    private static let send = NotedWant(.send(secret: "token", origin: "https://a.test"), for: "`x-key`", at: nil)

    private func found(_ trust: Trust = .nothing) -> ExplorerEvent {
        .trustFound(
            TrustFinding(
                ShopCollection.path, TrustStanding(trust),
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
        explorer.send(found(.never))
        #expect(explorer.state.trustWarning == "2 things never allowed: T")
        explorer.send(found(.everything))
        #expect(explorer.state.trustWarning == nil)
        #expect(!explorer.state.hasOpenWants(ShopCollection.reference("login")))
    }

    @Test func `a row below the URL says what it needs, and the settings say all of it`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.send(found(Trust([Self.send.want])))
        #expect(texts(explorer) == ["! needs: run pass show shop"])
        explorer.press(.focusRequest, .nextTab)
        #expect(texts(explorer) == [])
        explorer.press("g s")
        explorer.press(.bottom, .activate, .bottom)
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

@Suite struct TrustScreenTests {
    @Test func `what isn't allowed is marked in the tree, named below the URL and counted in the last line`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        let want = NotedWant(.run(CommandWant(["pass", "show", "\u{1B}[2J"])), for: "token", at: nil)
        let wants = Dictionary(uniqueKeysWithValues: ["login", "orders/list"].map { (RequestID(rawValue: $0), [want]) })
        explorer.send(.trustFound(TrustFinding(ShopCollection.path, TrustStanding(.nothing), .collection(wants))))
        let lines = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text.split(separator: "\n")
        let marked = lines.filter { $0.contains("!") }.map { $0.prefix(24) }
        #expect(marked.contains { $0.contains("POST !") && $0.contains("login") }, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.contains("GET  !list") || $0.contains("GET !list") })
        #expect(!lines.contains { $0.contains("!create") || $0.contains("!one") })
        let row = try #require(lines.first { $0.contains("needs: run pass show ") })
        #expect(!row.contains("\u{1B}"))
        #expect(lines.last?.contains("1 thing not allowed: T") == true)
        explorer.send(.trustFound(TrustFinding(ShopCollection.path, TrustStanding(.everything))))
        let allowed = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(!allowed.contains("needs:") && !allowed.contains("not allowed") && !allowed.contains("!"))
    }
}
