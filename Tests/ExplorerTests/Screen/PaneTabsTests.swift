import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The tabs in a pane's edge` {
    private let titles = ["body", "headers", "info", "timing", "hops 12", "tls", "sent", "events", "checks"]

    private func tabs(_ columns: Int, selected: Int = 0, reserve: Int = 14) -> PaneTabs {
        PaneTabs(titles, selected: selected, of: .response, columns: columns, reserve: reserve, showsName: false)
    }

    @Test func `stand closer before one of them is left out`() {
        let lines = [100, 82, 70, 66, 60, 54, 40].map { tabs($0, selected: 1).line.text }
        #expect(
            lines == [
                " body [headers] info  timing  hops 12  tls  sent  events  checks ",
                "body [headers] info timing hops 12 tls sent events checks ",
                "body [headers] info timing hops 12 tls sent …", "body [headers] info timing hops 12 tls …",
                "body [headers] info timing hops 12 …", "body [headers] info timing …", "[headers] 2/9 ",
            ])
    }

    @Test func `are hit where they are drawn, and leave the pane's corner free, at each width`() {
        for reserve in [0, 14] {
            for columns in 20...140 {
                for selected in titles.indices {
                    let tabs = tabs(columns, selected: selected, reserve: reserve)
                    let text = Array(tabs.line.text)
                    let lead = tabs.shown.lowerBound > 0 && tabs.shown.count > 1 ? 2 : 0
                    let origin = tabs.start - lead
                    #expect(tabs.shown.contains(selected))
                    if tabs.shown.count > 1 { #expect(origin + text.count <= columns - 1) }
                    for index in tabs.shown {
                        guard let column = tabs.column(of: index) else {
                            Issue.record("\(titles[index]) is nowhere at \(columns)")
                            continue
                        }
                        #expect(String(text[(column - origin)...].prefix(titles[index].count)) == titles[index])
                        if tabs.shown.count > 1 { #expect(tabs.index(atColumn: column) == index) }
                    }
                }
            }
        }
    }
}
