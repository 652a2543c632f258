import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// `.`: the request once more, with something changed.
struct WhatIfTests {
    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/list")
        _ = explorer.takeEffects()
        return explorer
    }

    private func sent(_ explorer: inout ExplorerDriver) -> (definition: RequestDefinition, environment: String?, whatIf: WhatIf)? {
        for case .sendWhatIf(let definition, _, let environment, let whatIf) in explorer.takeEffects() {
            return (definition, environment, whatIf)
        }
        return nil
    }

    @Test func `auth off and a fresh connection, for this time alone`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("Right Down Down Right Enter")
        let sent = sent(&explorer)
        #expect(sent?.definition.auth == AuthDefinition.none)
        #expect(sent?.whatIf.usesFreshConnection == true)
        #expect(sent?.whatIf.words == "auth off, fresh connection")
        // Neither the file nor the draft has anything of it.
        #expect(explorer.request?.auth == nil)
        #expect(explorer.state.drafts.entries.isEmpty)
    }

    @Test func `the key twice sends the last one again`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("Down Right Enter")
        #expect(sent(&explorer)?.definition.settings.httpVersion == .http1)
        explorer.press(.whatIf)
        explorer.press(".")
        #expect(sent(&explorer)?.whatIf.words == "HTTP 1.1")
    }

    @Test func `with nothing changed it is a send like any other, and Esc drops it`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("Enter")
        #expect(explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
        explorer.press(.whatIf)
        explorer.press("Right Esc")
        #expect(explorer.takeEffects().isEmpty)
        #expect(explorer.state.overlay == nil)
    }

    @Test func `each choice changes what it says`() {
        var whatIf = WhatIf()
        whatIf.followsNoRedirects = true
        whatIf.triesOnce = true
        whatIf.timeout = .milliseconds(200)
        whatIf.environment = "staging"
        let definition = whatIf.applied(to: ShopCollection.request("a", "GET", "http://localhost"))
        #expect(definition.settings.followRedirects == .never)
        #expect(definition.settings.retry.isOn == false)
        #expect(definition.settings.timeouts.operation == .after(.milliseconds(200)))
        #expect(whatIf.words == "no redirects, no retry, timeout 200ms, in staging")
    }

    @Test func `another environment is chosen for it alone`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("Up Right Enter")
        #expect(sent(&explorer)?.environment == "local")
        #expect(explorer.state.workspace.environments[ShopCollection.path] == nil)
    }

    @Test func `c sends both ways in turn, twice each, and compares the last two`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("Down Down Right c")
        func next() -> String {
            explorer.takeEffects().compactMap { effect in
                switch effect {
                case .send: "as it is"
                case .sendWhatIf(_, _, _, let whatIf): whatIf.words
                case .compareRuns(let old, let new): "compare \(old.rawValue) \(new.rawValue)"
                default: nil
                }
            }.joined(separator: ", ")
        }
        var told = [next()]
        for number in 1...4 {
            explorer.run(.success(operation: number), of: "orders/list")
            told.append(next())
        }
        #expect(told == ["as it is", "fresh connection", "as it is", "fresh connection", "compare 3 4"])
        explorer.run(.success(operation: 5), of: "orders/list")
        #expect(next() == "")
    }

    @Test func `an environment that this collection doesn't have is neither offered again nor marked`() {
        var birds = RequestCollection(path: "/birds", name: "Birds")
        birds.nodes = [.request(ShopCollection.request("tern", "GET", "http://127.0.0.1/tern"))]
        var explorer = ExplorerDriver([ShopCollection.collection, birds])
        explorer.pick("orders/list")
        explorer.press(.whatIf)
        explorer.press("Right Up Right Enter")
        #expect(sent(&explorer)?.whatIf.words == "auth off, in local")
        explorer.pick("tern")
        explorer.press(.whatIf)
        guard case .whatIf(let board) = explorer.state.overlay else { return }
        #expect(board.last?.words == "auth off")
        explorer.press(".")
        #expect(sent(&explorer)?.whatIf.words == "auth off")
    }

    @Test func `c needs something to compare with, and a cancel ends it`() {
        var explorer = explorer()
        explorer.press(.whatIf)
        explorer.press("c")
        #expect(explorer.takeEffects().isEmpty)
        #expect(explorer.state.notice?.text == "choose first what is to be different")
        explorer.press("Right c")
        _ = explorer.takeEffects()
        explorer.run(.cancelled().renumbered(1), of: "orders/list")
        #expect(!explorer.takeEffects().contains { if case .sendWhatIf = $0 { true } else { false } })
    }
}
