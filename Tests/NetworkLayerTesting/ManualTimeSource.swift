public import NetworkLayer
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that stands still until a test moves it: delays, timeouts and pauses of a client, and what a mock takes its time for,
/// pass as fast as the test wants.
///
///     let time = ManualTimeSource()
///     let client = NetworkClient(transport: MockTransport(time: time), time: time)
///     time.advance(by: .seconds(30))
public final class ManualTimeSource: TimeSource {
    private let state: Mutex<State>

    private struct State {
        var now: MonotonicTime
        var nextID = 0
        var alarms: [Int: (deadline: MonotonicTime, action: @Sendable () -> Void)] = [:]
    }

    /// What the wall shows when the clock shows zero.
    public let epoch: Date

    /// - Parameter now: what the clock shows until it is moved.
    public init(now: MonotonicTime = .zero, epoch: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        self.state = Mutex(State(now: now))
        self.epoch = epoch
    }

    public var now: MonotonicTime { state.withLock { $0.now } }

    public var date: Date { epoch.addingTimeInterval((now - .zero).inSeconds) }

    /// How many alarms are set.
    public var alarmCount: Int { state.withLock { $0.alarms.count } }

    /// The deadline of the next alarm.
    public var nextDeadline: MonotonicTime? { state.withLock { $0.alarms.values.map(\.deadline).min() } }

    /// One whose deadline has passed rings with the next `advance`, also with one by zero.
    public func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm {
        let id = state.withLock { state in
            state.nextID += 1
            state.alarms[state.nextID] = (deadline, action)
            return state.nextID
        }
        return ManualAlarm { [weak self] in
            _ = self?.state.withLock { $0.alarms.removeValue(forKey: id) }
        }
    }

    /// Moves the clock, and rings what comes due on the way: in order of deadlines, then of setting, each at its own time,
    /// also alarms that an alarm sets.
    public func advance(by duration: Duration) { advance(to: now + duration) }

    /// As ``advance(by:)``, to a point in time; one that has passed only rings what is due.
    public func advance(to time: MonotonicTime) {
        while let action = takeNext(until: time) { action() }
        state.withLock { $0.now = max($0.now, time) }
    }

    private func takeNext(until time: MonotonicTime) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.alarms.filter { $0.value.deadline <= time }
            guard let next = due.min(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) else { return nil }
            state.alarms[next.key] = nil
            state.now = max(state.now, next.value.deadline)
            return next.value.action
        }
    }
}

private struct ManualAlarm: Alarm {
    let remove: @Sendable () -> Void

    func cancel() { remove() }
}
