import Foundation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// What the tour says, and what it is about.
@Suite struct TourTests {
    @Test func `each of its lines fits into 80 columns`() {
        // A number, a blank at each side of it, and one at the end.
        let long = Tour.Cue.allCases.filter { DisplayWidth.of($0.text) > 80 - 6 }
        #expect(long == [])
    }

    @Test func `each step begins with a request of the demo`() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../Collections/demo").standardized.path
        let demo = try RequestCollection.load(path: path)
        let requests = Tour.Cue.allCases.compactMap(\.request)
        #expect(requests.count == Tour.steps)
        #expect(requests.filter { demo.request(RequestID(rawValue: $0)) == nil } == [])
    }

    @Test func `its rows are taken from the terminal, and given back`() {
        var state = ExplorerState(size: Size(columns: 80, rows: 24))
        state.begin(.beginning)
        #expect(state.screen.size.rows == 22 && state.terminalSize.rows == 24)
        _ = state.handle(.terminal(.resize(Size(columns: 80, rows: 10))))
        #expect(state.screen.size.rows == 10 && state.terminalSize.rows == 10)
        _ = state.handle(.terminal(.resize(Size(columns: 80, rows: 30))))
        #expect(state.screen.size.rows == 28)
        _ = state.handle(.terminal(.key(KeyPress(.character("z")))))
        #expect(state.tour == nil && state.screen.isZoomed && state.screen.size.rows == 30)
    }

    @Test func `a key pressed twice doesn't end it, and another one does`() {
        var demo = RequestCollection(path: "/demo", name: "Demo")
        demo.nodes = [.request(ShopCollection.request("redirects/across-origins", "GET", "http://h/"))]
        var explorer = ExplorerDriver([demo])
        explorer.state.begin(.beginning)
        // It goes on with what happens.
        explorer.send(.terminal(.resize(Size(columns: 120, rows: 40))))
        #expect(explorer.state.tour?.cue == .redirect)
        func sends(_ explorer: inout ExplorerDriver) -> Int {
            explorer.takeEffects().count { if case .send = $0 { true } else { false } }
        }
        explorer.press("s")
        #expect(sends(&explorer) == 1)
        explorer.state.tour?.cue = .waiting
        explorer.press("s s")
        #expect(sends(&explorer) == 0 && explorer.state.tour != nil)
        explorer.press("Down")
        #expect(explorer.state.tour == nil)
    }
}
