import NetworkLayer
import Testing
import Threads

@Suite(.timeLimit(.minutes(1))) struct UnderWayTests {
    @Test func `nothing is awaited where nothing is under way`() {
        let work = UnderWay()
        work.wait()
        #expect(work.wait(until: .zero))
    }

    @Test func `a deadline that has passed ends the waiting`() {
        let work = UnderWay()
        work.enter()
        #expect(!work.wait(until: .zero))
        work.leave()
        #expect(work.wait(until: .zero))
    }

    @Test func `all that was begun is awaited`() async {
        let work = UnderWay()
        let done = UnderWay()
        for _ in 0..<3 { work.enter() }
        done.enter()
        SystemThread.run {
            work.wait()
            done.leave()
        }
        for _ in 0..<2 { work.leave() }
        #expect(!done.wait(until: .zero))
        work.leave()
        done.wait()
    }

    @Test func `whoever waits until a deadline is woken before it`() {
        let work = UnderWay()
        work.enter()
        SystemThread.run { work.leave() }
        #expect(work.wait(until: MonotonicTime(nanoseconds: .max)))
    }
}
