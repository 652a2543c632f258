import NetworkLayer
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
