import FoundationEssentials
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Any keys in any order` {
    @Test(arguments: [(120, 40), (80, 24), (61, 17), (40, 10), (24, 6), (9, 2), (0, 0)])
    func `can be drawn after each, in a terminal of any size`(columns: Int, rows: Int) {
        let keys =
            Command.all.flatMap(\.keys)
            + [KeyPress(.enter), KeyPress(.backspace), KeyPress(.delete), .character("é"), .character("日"), .character("{")]
        var dice = SeededGenerator(seed: UInt64(columns * 100 + rows))
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.play(EventScript.success(), "orders/list", body: Data(#"{"a":[1,2,{"b":null}]}"#.utf8))
        explorer.play(EventScript.downloading(at: 700, operation: 2), "login")
        for step in 0..<600 {
            let key = keys.randomElement(using: &dice) ?? KeyPress(.enter)
            explorer.send(.terminal(.key(key)))
            if step % 7 == 0, columns > 0, rows > 0 {
                explorer.click(
                    .random(in: 0..<columns, using: &dice), .random(in: 0..<rows, using: &dice), step % 14 == 0 ? .press : .drag)
            }
            if step % 100 == 0 {
                explorer.send(.terminal(.resize(Size(columns: max(0, columns - step / 100), rows: max(0, rows - step / 200)))))
            }
            let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            #expect(frame.size == explorer.state.screen.size, "after \(key.name)")
        }
    }
}
