public import Base
import HeapModule

/// The machine's clocks: `CLOCK_MONOTONIC` for times, the wall clock for display, and one thread that rings the alarms.
///
/// All instances share the thread, which starts with the first alarm and sleeps while there is none.
public struct SystemTimeSource: TimeSource {
    /// All of them are the same clock.
    public init() {}

    /// Now on `CLOCK_MONOTONIC`, the clock of every ``MonotonicTime`` that doesn't come from a test.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    public var now: MonotonicTime { Self.now }

    public var date: Date { Date() }

    public func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm {
        AlarmThread.shared.schedule(at: deadline, action)
    }
}

/// Sleeps until the earliest deadline it knew when it fell asleep, and is woken only for an earlier one. An alarm that is taken back doesn't
/// wake it, and stays in the heap until most of the heap is such alarms: operations set and clear 40,000 alarms a second, nearly all of
/// them later than what the thread waits for.
///
/// Sendable, unchecked: its variables are only touched with the lock of `condition` held.
private final class AlarmThread: @unchecked Sendable {
    static let shared = AlarmThread()

    private let condition = MonotonicCondition()
    private var heap = Heap<Entry>()
    /// How many alarms in the heap have been taken back.
    private var vainCount = 0
    private var isStarted = false
    /// Until when the thread sleeps; `nil` while it is awake, and will look at the heap by itself.
    private var wakeTime: MonotonicTime?

    private struct Entry: Comparable {
        let deadline: MonotonicTime
        let alarm: SystemAlarm

        static func < (one: Self, other: Self) -> Bool { one.deadline < other.deadline }
        static func == (one: Self, other: Self) -> Bool { one.deadline == other.deadline }
    }

    func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm {
        let alarm = SystemAlarm(action)
        condition.lock()
        heap.insert(Entry(deadline: deadline, alarm: alarm))
        if !isStarted {
            isStarted = true
            let error = SystemThread.start { self.run() }
            precondition(error == 0, "The thread for timeouts can't be started: errno \(error)")
        }
        if let wakeTime, deadline < wakeTime { condition.signal() }
        condition.unlock()
        return alarm
    }

    func cancel(_ alarm: SystemAlarm) {
        condition.lock()
        let action = alarm.action.take()
        if action != nil { vainCount += 1 }
        if vainCount > 64, vainCount > heap.count / 2 {
            heap = Heap(heap.unordered.filter { $0.alarm.action != nil })
            vainCount = 0
        }
        condition.unlock()
        // Whatever the action owns goes away here, outside of the lock.
        _ = action
    }

    private func run() -> Never {
        condition.lock()
        while true {
            guard let first = heap.min else {
                wakeTime = MonotonicTime(nanoseconds: .max)
                condition.wait()
                wakeTime = nil
                continue
            }
            if first.deadline <= SystemTimeSource.now {
                heap.removeMin()
                if let action = first.alarm.action.take() {
                    condition.unlock()
                    action()
                    condition.lock()
                } else {
                    vainCount -= 1
                }
            } else {
                wakeTime = first.deadline
                _ = condition.wait(until: first.deadline)
                wakeTime = nil
            }
        }
    }
}

/// Sendable, unchecked: its action is only touched with the lock of ``AlarmThread`` held.
private final class SystemAlarm: Alarm, @unchecked Sendable {
    /// `nil`: it has rung, or was taken back.
    var action: (@Sendable () -> Void)?

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func cancel() { AlarmThread.shared.cancel(self) }
}
