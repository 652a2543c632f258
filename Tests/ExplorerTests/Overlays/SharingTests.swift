import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import Explorer

@Suite struct `Sharing a run` {
    @Test func `S asks in which form, and has it written`() {
        var explorer = ExplorerDriver.having(.success())
        _ = explorer.takeEffects()
        explorer.press("S Enter S Down Enter")
        let id = OperationID(rawValue: 1)
        #expect(explorer.takeEffects() == [.share(id, asPage: true), .share(id, asPage: false)])
    }

    @Test func `what hasn't ended can't be shared`() {
        var explorer = ExplorerDriver.having(.downloading(at: 500))
        explorer.press("S")
        #expect(explorer.state.notice?.text == "there is no run here to share yet")
    }
}
