import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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
