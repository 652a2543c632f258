import Testing

@testable import Explorer

@Suite struct `A scroll position` {
    @Test func `never leaves what there is`() {
        var scroll = ScrollPosition()
        scroll.move(.lines(-5), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 0)
        scroll.move(.pages(50), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
        #expect(scroll.firstLine(of: 20, rows: 10) == 10)
        #expect(scroll.firstLine(of: 3, rows: 10) == 0)
    }

    @Test func `leaves a line of the old page in sight`() {
        var scroll = ScrollPosition()
        scroll.move(.pages(1), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 9)
    }

    @Test func `stays at the end of a log, until it is moved away, and again from there on`() {
        var scroll = ScrollPosition(follows: true)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
        #expect(scroll.firstLine(of: 150, rows: 10) == 140)
        scroll.move(.lines(-1), count: 150, rows: 10, logs: true)
        #expect(!scroll.follows)
        #expect(scroll.firstLine(of: 200, rows: 10) == 139)
        scroll.move(.end, count: 200, rows: 10, logs: true)
        #expect(scroll.follows)
        #expect(scroll.firstLine(of: 300, rows: 10) == 290)
    }

    @Test func `moves only when a line is out of sight`() {
        var scroll = ScrollPosition()
        scroll.reveal(9, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 0)
        scroll.reveal(50, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 47)
        scroll.reveal(99, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
    }
}
