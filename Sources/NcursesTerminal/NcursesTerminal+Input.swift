import Base
package import TerminalUI

extension NcursesTerminal {
    /// How long an ESC waits for the rest of a key's sequence. Enough for a slow line, too short for a finger.
    private static let escapeDelay: Duration = .milliseconds(25)

    /// For how long an answer may be on its way. Terminals that know none never answer.
    static let longestAnswer: Duration = .milliseconds(300)

    /// Lets the answer about the ground come before the terminal is given back: the shell would take it for what was typed.
    func awaitGround() {
        while let deadline = groundDeadline, deadline > .now {
            var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, NcursesTerminal.milliseconds(until: deadline)) > 0 else { return }
            if readInput().contains(where: { if case .terminate = $0 { true } else { false } }) { return }
        }
    }

    package func waitForEvents(timeout: Duration?) -> [TerminalEvent] {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let wake = [deadline, escapeDeadline].compactMap { $0 }.min()
            var descriptors = [input, signalDescriptor, wakerDescriptor.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let ready = poll(&descriptors, 3, wake.map(NcursesTerminal.milliseconds) ?? -1)
            if ready < 0, errno != EINTR { return [.terminate(signal: SIGHUP)] }

            var events: [TerminalEvent] = []
            if ready > 0, descriptors[0].revents != 0 { events += readInput() }
            if ready > 0, descriptors[1].revents != 0 { events += readSignals().flatMap { handle($0) } }
            if let escapeDeadline, ContinuousClock.now >= escapeDeadline {
                self.escapeDeadline = nil
                events += decoder.flush()
            }
            let isWoken = ready > 0 && descriptors[2].revents != 0
            if isWoken { wakerDescriptor.clear() }
            if !events.isEmpty || isWoken { return events }
            if let deadline, ContinuousClock.now >= deadline { return [] }
        }
    }

    /// Rounded up: waking too early would only mean to wait again.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = (deadline - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        let milliseconds = min(left.seconds, 1_000_000) * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(milliseconds)
    }

    private func readInput() -> [TerminalEvent] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(input, &bytes, bytes.count)
        guard count > 0 else {
            // The terminal is gone, even if no signal says so.
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : [.terminate(signal: SIGHUP)]
        }
        let now = ContinuousClock.now
        let events = decoder.feed(bytes[..<count]).map { event -> TerminalEvent in
            if case .ground = event { groundDeadline = nil }
            guard case .mouse(let mouse) = event else { return event }
            return .mouse(clicks.counted(mouse, at: now))
        }
        escapeDeadline = decoder.isPending ? now + NcursesTerminal.escapeDelay : nil
        return events
    }

    private func handle(_ signal: Int32) -> [TerminalEvent] {
        switch signal {
        case SIGWINCH:
            return isEntered && measureAgain() ? [.resize(size)] : []
        case SIGTSTP:
            let before = size
            suspend()
            return resumed(from: before)
        case SIGCONT:
            // Ours has been dealt with in `suspend`; this one may come from a stop that we weren't told of.
            guard isEntered else { return [] }
            let before = size
            leave()
            enter()
            return resumed(from: before)
        default:
            return [.terminate(signal: signal)]
        }
    }

    private func resumed(from before: Size) -> [TerminalEvent] {
        size == before ? [.resumed] : [.resize(size), .resumed]
    }
}

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
