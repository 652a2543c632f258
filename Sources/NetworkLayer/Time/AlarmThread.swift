/// The thread behind ``SystemTimeSource``.
///
/// It sleeps until the earliest deadline it knew when it fell asleep, and is woken only for an earlier one. An alarm that is
/// taken back leaves the heap at once but doesn't wake it: operations set and clear 40,000 alarms a second, nearly all of them
/// later than what it waits for. So after a burst it wakes up once for nothing, and then sleeps for good.
///
/// Sendable, unchecked: `heap`, `wakeTime` and `isStarted` are only touched with the lock of `condition` held.
final class AlarmThread: @unchecked Sendable {
    static let shared = AlarmThread()

    private let condition = MonotonicCondition()
    private var heap = AlarmHeap<SystemAlarm>()
    private var isStarted = false
    /// Until when the thread sleeps; `nil` while it is awake, and will look at the heap by itself.
    private var wakeTime: MonotonicTime?

    private static let never = MonotonicTime(nanoseconds: .max)

    private init() {}

    func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm {
        let alarm = SystemAlarm(deadline: deadline, thread: self, action: action)
        condition.lock()
        heap.insert(alarm)
        if !isStarted { start() }
        if let wakeTime, deadline < wakeTime { condition.signal() }
        condition.unlock()
        return alarm
    }

    fileprivate func cancel(_ alarm: SystemAlarm) {
        condition.lock()
        heap.remove(alarm)
        let action = alarm.action.take()
        condition.unlock()
        // Whatever the action owns goes away here, outside of the lock.
        _ = action
    }

    private func start() {
        isStarted = true
        let error = SystemThread.start { self.run() }
        precondition(error == 0, "The thread for timeouts can't be started: errno \(error)")
    }

    private func run() -> Never {
        condition.lock()
        while true {
            if let alarm = heap.first, alarm.deadline <= SystemTimeSource.now {
                heap.remove(alarm)
                let action = alarm.action.take()
                condition.unlock()
                action?()
                condition.lock()
            } else {
                sleep(until: heap.first?.deadline ?? Self.never)
            }
        }
    }

    /// With the lock held, which it gives up while it sleeps.
    private func sleep(until deadline: MonotonicTime) {
        wakeTime = deadline
        if deadline == Self.never {
            condition.wait()
        } else {
            _ = condition.wait(until: deadline)
        }
        wakeTime = nil
    }
}

/// Sendable, unchecked: its variables are only touched with its thread's lock held.
final class SystemAlarm: Alarm, AlarmHeapElement, @unchecked Sendable {
    let deadline: MonotonicTime
    var heapIndex: Int?
    var action: (@Sendable () -> Void)?
    private let thread: AlarmThread

    init(deadline: MonotonicTime, thread: AlarmThread, action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.thread = thread
        self.action = action
    }

    func cancel() { thread.cancel(self) }
}
