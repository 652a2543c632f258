package import NetworkLayer
package import TerminalUI

/// The phases of an attempt as text.
package enum PhaseText {
    /// A label of at most five letters.
    package static func label(_ phase: Phases.Name) -> String {
        switch phase {
        case .connect: "tcp"
        case .receive: "recv"
        default: phase.rawValue
        }
    }

    package static func role(_ phase: Phases.Name) -> ThemeRole {
        switch phase {
        case .queue: .phaseQueue
        case .dns: .phaseDns
        case .connect: .phaseConnect
        case .tls: .phaseTls
        case .send: .phaseSend
        case .wait: .phaseWait
        case .receive: .phaseReceive
        }
    }

    /// A phase with its time, as far as it has come.
    struct Part {
        var name: Phases.Name
        var start: MonotonicTime
        var end: MonotonicTime
        var isOpen: Bool
        var duration: Duration { end - start }
    }

    static func parts(_ attempt: AttemptMetrics, now: MonotonicTime) -> [Part] {
        Phases.Name.allCases.compactMap { part($0, of: attempt, now: now) }
    }

    static func part(_ name: Phases.Name, of attempt: AttemptMetrics, now: MonotonicTime) -> Part? {
        if let phase = attempt.phases[name] { return Part(name: name, start: phase.start, end: phase.end, isOpen: false) }
        guard let open = attempt.openPhase, open.name == name, attempt.end == nil else { return nil }
        return Part(name: name, start: open.start, end: max(now, open.start), isOpen: true)
    }
}
