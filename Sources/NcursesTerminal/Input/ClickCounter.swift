import TerminalUI

/// Makes two presses on one cell, soon after each other, a double click.
struct ClickCounter {
    private var last: (point: Point, time: ContinuousClock.Instant)?
    static let interval: Duration = .milliseconds(400)

    mutating func counted(_ event: MouseEvent, at time: ContinuousClock.Instant) -> MouseEvent {
        guard event.action == .press else { return event }
        if let last, last.point == event.point, time - last.time <= ClickCounter.interval {
            self.last = nil
            return MouseEvent(.doubleClick, at: event.point)
        }
        last = (event.point, time)
        return event
    }
}
