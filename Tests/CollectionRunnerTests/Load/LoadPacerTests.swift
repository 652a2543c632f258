import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

@testable import CollectionRunner

/// Turns that end when a test says so, on a clock that stands still.
private final class Turns: Sendable {
    private struct State {
        var begun: [LoadPacer.Turn] = []
        var ends: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let (changes, change) = AsyncStream.makeStream(of: Int.self)

    func turn(_ turn: LoadPacer.Turn) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.begun.append(turn)
                state.ends[turn.number] = continuation
            }
            change.yield(turn.number)
        }
    }

    func end(_ number: Int) { state.withLock { $0.ends.removeValue(forKey: number) }?.resume() }

    /// Waits until so many have begun.
    func begun(_ count: Int) async -> [LoadPacer.Turn] {
        if let begun = enough(count) { return begun }
        for await _ in changes { if let begun = enough(count) { return begun } }
        return []
    }

    private func enough(_ count: Int) -> [LoadPacer.Turn]? {
        state.withLock { $0.begun.count >= count ? $0.begun : nil }
    }

    var count: Int { state.withLock { $0.begun.count } }
}

struct LoadPacerTests {
    private let time = ManualTimeSource()
    private let turns = Turns()

    private func start(_ pacer: LoadPacer) -> Task<Int, Never> { Task { [turns] in await pacer.run { await turns.turn($0) } } }

    /// Waits until the pacer waits for this time.
    private func isDue(at deadline: MonotonicTime) async { while time.nextDeadline != deadline { await Task.yield() } }

    @Test func `closed: the next one begins when one is over, and there is no due time`() async {
        let run = start(LoadPacer(time: time, places: 2, rounds: 3, duration: nil, interval: nil))
        #expect(await turns.begun(2).map(\.due) == [nil, nil])
        turns.end(1)
        #expect(Set(await turns.begun(3).map(\.number)) == [0, 1, 2])
        turns.end(0)
        turns.end(2)
        #expect(await run.value == 0)
    }

    @Test func `open: each has its due time, whatever became of those before it`() async {
        let run = start(LoadPacer(time: time, places: 8, rounds: 3, duration: nil, interval: .milliseconds(20)))
        _ = await turns.begun(1)
        await isDue(at: .zero + .milliseconds(20))
        time.advance(by: .milliseconds(20))
        _ = await turns.begun(2)
        await isDue(at: .zero + .milliseconds(40))
        time.advance(by: .milliseconds(20))
        let begun = await turns.begun(3).sorted { $0.number < $1.number }
        #expect(begun.map(\.due) == [.zero, .zero + .milliseconds(20), .zero + .milliseconds(40)])
        #expect(!begun.contains { $0.hasWaited })
        for number in 0..<3 { turns.end(number) }
        #expect(await run.value == 0)
    }

    @Test func `when all places are taken the next begins late, with the due time that it had`() async {
        let run = start(LoadPacer(time: time, places: 1, rounds: 2, duration: nil, interval: .milliseconds(10)))
        _ = await turns.begun(1)
        await isDue(at: .zero + .milliseconds(10))
        time.advance(by: .milliseconds(10))
        // The alarm has rung; only then the answer comes.
        while time.alarmCount > 0 { await Task.yield() }
        time.advance(by: .milliseconds(500))
        turns.end(0)
        let late = await turns.begun(2)[1]
        #expect(late.number == 1 && late.due == .zero + .milliseconds(10))
        turns.end(1)
        #expect(await run.value == 0)
    }

    @Test func `after the duration nothing begins, and what was due is counted`() async {
        let run = start(LoadPacer(time: time, places: 1, rounds: nil, duration: .milliseconds(50), interval: .milliseconds(10)))
        _ = await turns.begun(1)
        await isDue(at: .zero + .milliseconds(10))
        time.advance(by: .milliseconds(70))
        turns.end(0)
        // Due at 10, 20, 30 and 40.
        #expect(await run.value == 4)
        #expect(turns.count == 1)
    }

    @Test func `a pause moves the due times, and stopping ends it at once`() async {
        let pacer = LoadPacer(time: time, places: 4, rounds: 3, duration: nil, interval: .seconds(1))
        let run = start(pacer)
        _ = await turns.begun(1)
        await isDue(at: .zero + .seconds(1))
        pacer.pause()
        time.advance(by: .seconds(10))
        pacer.resume()
        await isDue(at: .zero + .seconds(11))
        time.advance(by: .seconds(1))
        #expect(await turns.begun(2)[1].due == .zero + .seconds(11))
        await isDue(at: .zero + .seconds(12))
        pacer.stop()
        turns.end(0)
        turns.end(1)
        #expect(await run.value == 0)
        #expect(turns.count == 2)
    }
}
