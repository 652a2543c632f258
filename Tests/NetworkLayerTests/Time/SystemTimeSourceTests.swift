import NetworkLayer
import Synchronization
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

    @Test func `an alarm that was taken back doesn't ring, and lets go of what it holds`() async {
        final class Owned: Sendable {}
        weak var watched: Owned?
        let hasRung = Mutex(false)
        do {
            let owned = Owned()
            watched = owned
            let alarm = time.schedule(at: time.now + .milliseconds(5)) { [owned] in
                withExtendedLifetime(owned) { hasRung.withLock { $0 = true } }
            }
            alarm.cancel()
            alarm.cancel()
        }
        #expect(watched == nil)
        let (rings, ring) = AsyncStream.makeStream(of: Void.self)
        _ = time.schedule(at: time.now + .milliseconds(10)) { ring.finish() }
        for await _ in rings {}
        #expect(!hasRung.withLock { $0 })
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
