package import NetworkLayer
import TerminalUI

/// What an operation waits for, as text.
package enum WaitText {
    /// Operations in the order of their numbers, and how long a pause lasts:
    ///
    ///     operations 3 and 7          a pause of a.test, 1.2 s left          the requests before it to a.test
    ///     its turn at a.test:443
    package static func sentence(_ detail: WaitDetail, at time: MonotonicTime) -> String {
        switch detail {
        case .operations(let ids):
            let names = ids.prefix(3).map { "\($0.rawValue)" }
            let others = ids.count - names.count
            let list = others > 0 ? names + ["\(others) more"] : names
            let text = list.count < 2 ? list.joined() : list.dropLast().joined(separator: ", ") + " and " + (list.last ?? "")
            return "\(ids.count == 1 ? "operation" : "operations") \(text)"
        case .backoff(let key, let end?):
            return "a pause of \(SafeText.line(key)), \(Figures.duration(max(.zero, end - time))) left"
        case .backoff(let key, nil):
            return "the requests before it to \(SafeText.line(key))"
        case .concurrencyLimit(""):
            return "its turn"
        case .concurrencyLimit(let host):
            return "its turn at \(SafeText.line(host))"
        }
    }

    /// What an answer asked for: `a.test pauses for 2 s, then one after the other until 5 s are over, 100 ms apart`.
    package static func signal(_ key: String, _ behavior: BackoffBehavior) -> String {
        var text = "\(SafeText.line(key)) pauses for \(Figures.duration(behavior.pause))"
        if behavior.serialize > .zero {
            text += ", one after the other until \(Figures.duration(behavior.serialize)) are over"
        }
        if behavior.spacing > .zero { text += ", \(Figures.duration(behavior.spacing)) apart" }
        return text
    }
}
