import Foundation
import NetworkLayer
import Synchronization
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(1))) struct SystemThreadTests {
    @Test func `what waits returns its value to the task`() async {
        let here = SystemThread.current
        let (value, thread) = await SystemThread.value { (42, SystemThread.current) }
        #expect(value == 42)
        #expect(thread != here)
    }

    /// More than there are threads for tasks.
    @Test func `many may wait at once`() async {
        let gate = UnderWay()
        gate.enter()
        let waiting = UnderWay()
        let count = 200
        for _ in 0..<count { waiting.enter() }
        let values = await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    await SystemThread.value {
                        waiting.leave()
                        gate.wait()
                        return number
                    }
                }
            }
            group.addTask {
                await SystemThread.value {
                    waiting.wait()
                    gate.leave()
                    return -1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(values == count * (count - 1) / 2 - 1)
    }

    @Test func `where no thread can be had, one for tasks does it`() async {
        let (ran, continuation) = AsyncStream<Void>.makeStream()
        SystemThread.run({ continuation.yield() }, start: { _ in EAGAIN })
        for await _ in ran { break }
    }

    @Test func `signals don't reach it, but for those of its own faults`() async {
        let before = Self.blocked()
        let blocked = await SystemThread.value { Self.blocked() }
        let faults: Set<Int32> = [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS]
        let others: Set<Int32> = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGWINCH, SIGTSTP, SIGALRM, SIGUSR1]
        #expect(blocked.isDisjoint(with: faults))
        #expect(blocked.isSuperset(of: others))
        // Whoever starts one keeps its own.
        #expect(SystemThread.start {} == 0)
        #expect(Self.blocked() == before)
    }

    private static func blocked() -> Set<Int32> {
        var signals = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        return Set((1..<32).filter { sigismember(&signals, $0) == 1 })
    }
}
