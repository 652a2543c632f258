import NetworkLayer
import Testing

@Suite struct SystemTimeSourceTests {
    let time = SystemTimeSource()

    @Test func `alarms ring in the order of their deadlines, not before them`() async {
        let now = time.now
        let (rings, ring) = AsyncStream.makeStream(of: (Int, MonotonicTime).self)
        for delay in [30, 10, 20] {
            _ = time.schedule(at: now + .milliseconds(delay)) { ring.yield((delay, SystemTimeSource.now)) }
        }
        var order: [Int] = []
        for await (delay, rang) in rings {
            #expect(rang >= now + .milliseconds(delay))
            order.append(delay)
            if order.count == 3 { break }
        }
        #expect(order == [10, 20, 30])
    }

    @Test func `a deadline that has passed rings at once`() async {
        let (rings, ring) = AsyncStream.makeStream(of: Void.self)
        _ = time.schedule(at: time.now - .seconds(1)) { ring.finish() }
        for await _ in rings {}
    }

    @Test func `an alarm that was taken back doesn't ring`() async {
        let (rings, ring) = AsyncStream.makeStream(of: String.self)
        let time = time
        // On the thread of the alarms nothing rings in between.
        _ = time.schedule(at: time.now) {
            let alarm = time.schedule(at: time.now) { ring.yield("taken back") }
            alarm.cancel()
            alarm.cancel()
            _ = time.schedule(at: time.now) {
                ring.yield("the next")
                ring.finish()
            }
        }
        #expect(await rings.reduce(into: []) { $0.append($1) } == ["the next"])
    }

    @Test func `an alarm that was taken back lets go of what it holds`() {
        final class Owned: Sendable {}
        weak var watched: Owned?
        do {
            let owned = Owned()
            watched = owned
            let alarm = time.schedule(at: time.now + .seconds(3600)) { [owned] in withExtendedLifetime(owned) {} }
            alarm.cancel()
        }
        #expect(watched == nil)
    }

    @Test func `an alarm may set the next one`() async {
        let (rings, ring) = AsyncStream.makeStream(of: Void.self)
        let time = time
        _ = time.schedule(at: time.now + .milliseconds(1)) {
            _ = time.schedule(at: time.now + .milliseconds(1)) { ring.finish() }
        }
        for await _ in rings {}
    }
}
