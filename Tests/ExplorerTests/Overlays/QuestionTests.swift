import Foundation
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct QuestionTests {
    private static let code = Question(id: 1, message: "Code", form: .text(proposal: "00", isSecret: false))
    private static let pin = Question(id: 2, message: "PIN", form: .text(proposal: "", isSecret: true))
    private static let region = Question(
        id: 3, message: "Region", form: .choice(options: ["eu", "us", "ap"], proposal: "us"))

    private func explorer(_ questions: Question...) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        for question in questions { explorer.send(.questionAsked(question)) }
        return explorer
    }

    private func shown(_ explorer: ExplorerDriver) -> QuestionForm? {
        guard case .question(let form) = explorer.state.overlay else { return nil }
        return form
    }

    @Test func `a question takes the keys, and Enter answers it`() {
        var explorer = explorer(Self.code)
        explorer.type("7q")
        #expect(shown(explorer)?.line.text == "007q")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.answer(1, .text("007q"))])
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.arrivals.isEmpty)
    }

    @Test func `they come one after the other, and Esc declines`() {
        var explorer = explorer(Self.code, Self.region)
        explorer.press("Esc")
        #expect(shown(explorer)?.question == Self.region)
        explorer.press("Down Enter")
        #expect(explorer.takeEffects() == [.answer(1, .declined), .answer(3, .text("ap"))])
    }

    @Test func `a secret is never on the screen, in the clipboard, or in a log`() {
        var explorer = explorer(Self.pin)
        explorer.type("hunter2")
        #expect(shown(explorer)?.shownLine.text == "•••••••")
        explorer.press("C-a C-x")
        explorer.press("C-u")
        explorer.type("hunter3")
        explorer.press("Enter")
        let effects = explorer.takeEffects()
        #expect(effects.count == 1)
        #expect(!"\(effects)".contains("hunter"))
        #expect(!String(reflecting: effects).contains("hunter"))
    }

    @Test func `one that nobody waits for any more goes away`() {
        var explorer = explorer(Self.code, Self.region)
        explorer.send(.questionWithdrawn(3))
        explorer.send(.questionWithdrawn(1))
        #expect(explorer.state.overlay == nil)
        #expect(explorer.takeEffects() == [])
    }

    @Test func `it waits until nothing else is being typed`() {
        var explorer = ExplorerDriver()
        explorer.press(.palette)
        explorer.send(.questionAsked(Self.code))
        #expect(shown(explorer) == nil)
        explorer.press("Esc")
        #expect(shown(explorer)?.question == Self.code)
    }

    @Test func `a click chooses; one beside it declines nothing`() throws {
        var explorer = explorer(Self.region)
        explorer.click(0, 0)
        let form = try #require(shown(explorer))
        let list = OverlayLayout(of: form, in: explorer.state.screen.size).list
        explorer.click(list.column + 2, list.row)
        #expect(explorer.takeEffects() == [.answer(3, .text("eu"))])
    }

    @Test func `of a sign-in the address can be copied`() {
        let signIn = Question(
            id: 4, message: "Sign in", form: .signIn(lines: ["https://auth.example/device"], url: "https://auth.example/device"))
        var explorer = explorer(signIn)
        explorer.press("c")
        #expect(explorer.takeEffects() == [.copy("https://auth.example/device", what: "address")])
        #expect(shown(explorer) != nil)
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [.answer(4, .declined)])
    }
}

@Suite struct QuestionViewTests {
    private func expect(_ question: Question, typed: String = "", _ name: String) {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("login")
        explorer.send(.questionAsked(question))
        explorer.type(typed)
        expectScreen(explorer.state, name)
    }

    @Test func `a secret is typed in dots`() {
        expect(
            Question(id: 1, message: "PIN of the shop", form: .text(proposal: "", isSecret: true)), typed: "hunter2",
            "80x24-question-secret")
    }

    @Test func `a choice is a list`() {
        expect(
            Question(id: 1, message: "Region", form: .choice(options: ["eu", "us", "ap"], proposal: "us")),
            "80x24-question-choice")
    }

    @Test func `a sign-in shows where to go, and the code`() {
        expect(
            Question(
                id: 1, message: "Sign in for auth.example in a browser:",
                form: .signIn(
                    lines: ["https://auth.example/device", "", "The code to enter there:", "WDJB-MJHT"],
                    url: "https://auth.example/device")), "80x24-question-sign-in")
    }

    @Test func `what isn't as expected is marked in the title, in the tab and in the history`() {
        var explorer = ExplorerDriver.having(.success(), of: ["auth/login"])
        explorer.send(
            .runReported(
                OperationID(rawValue: 1),
                RunReport(
                    expectations: [
                        ExpectationResult(
                            subject: .status, expected: "200", found: "200", isMet: true,
                            location: ShopCollection.place(5, "login.yaml")),
                        ExpectationResult(
                            subject: .filter(".total"), expected: "> 0", found: "0", isMet: false,
                            location: ShopCollection.place(6, "login.yaml")),
                    ], captured: [.init(name: "token", text: Redactor.mask)])))
        explorer.press(.focusResponse, .previousTab)
        expectPane(.response, of: explorer, 80, 10, "response-checks")
        explorer.press(.focusHistory)
        expectPane(.history, of: explorer, 80, 5, "history-checks")
    }
}

/// One thing has the keyboard, also when the mouse has gone elsewhere meanwhile.
@Suite struct KeyboardLayerTests {
    private static func answered() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.run(.success(), body: Data("{\"status\": \"ok\"}".utf8))
        return explorer
    }

    private func clickedTwice(after begin: (inout ExplorerDriver) -> Void) -> ExplorerDriver {
        var explorer = Self.answered()
        begin(&explorer)
        #expect(explorer.state.isTyping)
        let line = explorer.state.layout.requestLine!
        for _ in 0..<2 { explorer.click(line.column + 4, line.row) }
        return explorer
    }

    @Test func `a search ends as a click begins to edit the URL, and keeps what it has found`() {
        var explorer = clickedTwice {
            $0.press(.focusResponse, .search)
            $0.type("status")
        }
        #expect(explorer.state.searchLine == nil)
        #expect(explorer.state.searchText(in: .response) == "status")
        explorer.press("End")
        explorer.type("/x")
        explorer.press("Enter")
        #expect(explorer.request?.url == "{{host}}/orders/x")
        #expect(explorer.state.hints.map(\.word).contains("send"))
    }

    @Test func `a filter and the name of a file end as well`() {
        for command in [Command.ID.filter, .saveBody] {
            var explorer = clickedTwice { $0.press(.focusResponse, command) }
            #expect(explorer.state.panes.response.filterLine == nil && explorer.state.panes.response.savePrompt == nil)
            explorer.press("End")
            explorer.type("/x")
            explorer.press("Enter")
            #expect(explorer.request?.url == "{{host}}/orders/x", "\(command)")
        }
    }

    @Test func `a click in the pane of the filter leaves its line open`() {
        var explorer = Self.answered()
        explorer.press(.focusResponse, .filter)
        let rect = explorer.state.layout.panes[.response]!
        explorer.click(rect.column + 3, rect.row + 3)
        #expect(explorer.state.panes.response.filterLine != nil)
    }
}
