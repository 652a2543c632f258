import TerminalUI
import Testing

@Suite struct ListStateTests {
    @Test func `the selection stays among the rows, and in sight`() {
        var list = ListState(count: 100, height: 10)
        list.move(by: -5)
        #expect(list.selected == 0)
        list.page(by: 2)
        #expect((list.selected, list.visible) == (18, 9..<19))
        list.select(1000)
        #expect((list.selected, list.visible) == (99, 90..<100))
        list.count = 20
        #expect((list.selected, list.visible) == (19, 10..<20))
        list.count = 0
        #expect((list.selection, list.visible) == (nil, 0..<0))
    }

    @Test func `the wheel moves what is seen, the next key what is selected`() {
        var list = ListState(count: 100, height: 10)
        list.scroll(by: 30)
        #expect((list.selected, list.visible) == (0, 30..<40))
        #expect(list.index(atRow: 2) == 32)
        #expect(list.index(atRow: 10) == nil)
        let isKey = list.handle(.character("j"))
        #expect(isKey)
        #expect((list.selected, list.visible) == (1, 1..<11))
        list.scroll(by: 1000)
        #expect(list.visible == 90..<100)
    }

    @Test func `only plain keys are the list's`() {
        var list = ListState(count: 3, height: 2)
        let presses = [KeyPress(.end), .character("j", .control), KeyPress(.enter), .character("k")]
        #expect(presses.map { list.handle($0) } == [true, false, false, true])
        #expect(list.selected == 1)
    }

    @Test func `another height shows the selection too`() {
        let list = ListState(count: 50, selected: 30, height: 20)
        #expect(list.window(height: 5).contains(30))
        #expect(list.window(height: 5).count == 5)
    }
}
