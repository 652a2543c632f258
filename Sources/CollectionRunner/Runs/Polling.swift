package import HTTPTypes
package import NetworkLayer
package import RequestCollections

/// How often a request with `until` was sent, and what its answers lacked. A value: it decides whether to go on.
package struct Polling: Sendable {
    package let until: UntilDefinition
    package private(set) var polls: [Poll] = []
    /// `nil` while it goes on.
    package private(set) var end: End?
    /// Whether a last time was sent, and ended before an answer was there.
    private var isLastCut = false
    /// The time from the first poll until it was clear that polling ends.
    package private(set) var elapsed = Duration.zero

    /// One time.
    package struct Poll: Sendable {
        /// From the first time on.
        package var start: Duration
        package var duration: Duration?
        package var status: HTTPResponse.Status?
        /// What wasn't as it should be, without secrets; why there was no answer.
        package var unmet: [ExpectationResult]
        package var error: String?
        /// Kept for the first ``Polling/mostMetrics`` times; `nil` for the last one, whose response is kept as a whole.
        package var metrics: OperationMetrics?

        /// What was there in place of what was wanted, in a few words.
        package var found: String { error ?? unmet.first.map { "\($0.what) \($0.found)" } ?? "all that is wanted" }
    }

    package enum End: Hashable, Sendable {
        /// All of it held.
        case met
        /// `within` is over, or the next time would come after it.
        case within
        case tries
        /// A mock answers, which answers the same each time.
        case mock
        /// An answer was as `give-up` says.
        case gaveUp
        /// The server asked for a longer pause than there is time for.
        case retryAfter(Duration)
        /// It failed in a way that waiting can't cure.
        case error
        /// A program failed on an answer that was as good as it gets: it fails on the next one, too.
        case program(String)
    }

    /// There may be tens of thousands of polls, each with all of its phases.
    static let mostMetrics = 200

    package init(_ until: UntilDefinition) { self.until = until }

    /// What the runner found out about one time.
    struct Answer {
        var isMet = false
        var givesUp = false
        /// Whether it failed in a way that waiting doesn't mend.
        var isFinal = false
        /// Whether the next answer would be the same.
        var isFixed = false
        /// What a program says that can't be evaluated, as a sentence.
        var programFailure: String?
        /// What `Retry-After` asks for.
        var retryAfter: Duration?
    }

    /// - Parameter now: since the first time began.
    /// - Returns: the pause before the next time; `nil` when it is over, and ``end`` says why.
    mutating func add(_ poll: Poll, _ answer: Answer, now: Duration) -> Duration? {
        polls.append(poll)
        // It may have been begun before anybody looked at the clock for all of them.
        polls[polls.count - 1].start = max(.zero, poll.start)
        elapsed = max(.zero, now)
        let own = until.pause.after(poll: polls.count)
        let pause = max(own, answer.retryAfter ?? .zero)
        if answer.isMet {
            end = .met
        } else if answer.givesUp {
            end = .gaveUp
        } else if answer.isFinal {
            end = .error
        } else if let failure = answer.programFailure {
            end = .program(failure)
        } else if answer.isFixed {
            end = .mock
        } else if polls.count >= until.tries ?? .max {
            end = .tries
        } else if now + pause >= until.limit {
            end = answer.retryAfter.map { $0 > own ? .retryAfter($0) : .within } ?? .within
        }
        return end == nil ? pause : nil
    }

    /// The time that is under way came to no end in time.
    mutating func cut(wasSent: Bool, now: Duration) {
        elapsed = now
        isLastCut = wasSent
        end = .within
    }

    /// The metrics of the last one are those of the response itself.
    mutating func forgetLastMetrics() {
        if !polls.isEmpty { polls[polls.count - 1].metrics = nil }
    }
}

extension Polling {
    /// Why it failed; `nil` when it didn't, or when the error itself says more.
    package var complaint: String? {
        switch end {
        case nil, .met, .error: nil
        case .program(let failure): "until: \(failure), in \(times); a program that fails isn't asked again"
        case .gaveUp: "until: gave up, as `give-up` says, after \(times): \(polls.last?.found ?? "")"
        case .within, .tries, .mock, .retryAfter: "until: \(demand), in \(times)\(reason); \(lastTime)"
        }
    }

    /// `59 polls over 60 s`
    package var times: String {
        let count = polls.count + (isLastCut ? 1 : 0)
        return "\(count) poll\(count == 1 ? "" : "s") over \(Self.text(elapsed))"
    }

    private var reason: String {
        switch end {
        case .tries: ", the most that `tries` allows"
        case .mock: "; its mock answers the same each time"
        case .retryAfter(let pause):
            "; the server asks for a pause of \(Self.text(pause)), which is longer than `within` (\(Self.text(until.limit))) leaves"
        default: ""
        }
    }

    private var lastTime: String {
        guard let last = polls.last else { return "no answer came" }
        return "the last at \(Self.text(last.start))" + (last.duration.map { " took \(Self.text($0))" } ?? "")
    }

    /// What was wanted at last, and what was there in its place, each as often as it was.
    private var demand: String {
        guard let wanted = polls.last?.unmet.first else {
            return "there was no answer to look at" + (polls.last?.error.map { ": \($0)" } ?? "")
        }
        var counts: [(found: String, count: Int)] = []
        for poll in polls {
            let result = poll.unmet.first { $0.location == wanted.location && $0.what == wanted.what }
            let found = poll.error ?? result?.found ?? poll.found
            if let index = counts.firstIndex(where: { $0.found == found }) {
                counts[index].count += 1
            } else {
                counts.append((found, 1))
            }
        }
        let shown = counts.count > Self.mostShown ? counts.prefix(1) + counts.suffix(Self.mostShown - 1) : counts[...]
        let left = counts.count - shown.count
        let list = shown.map { $0.count == 1 && counts.count == 1 ? $0.found : "\($0.found) \($0.count)×" }.joined(separator: ", ")
        return "\(wanted.futility): \(list)" + (left > 0 ? " and \(left) others" : "")
    }

    private static let mostShown = 4

    /// `210 ms`, `59.4 s`, `3 min 20 s`, `2 h 5 min`; of longer times, which servers may name, days.
    private static func text(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        if tenths < 1200 { return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") s" }
        let seconds = (milliseconds + 500) / 1000
        for (unit, size, part, name) in [(Int64(60), Int64(7_200), Int64(1), "s"), (3_600, 172_800, 60, "min")] where seconds < size
        {
            let rest = seconds % unit / part
            return "\(seconds / unit) \(unit == 60 ? "min" : "h")" + (rest == 0 ? "" : " \(rest) \(name)")
        }
        return "\((seconds + 43_200) / 86_400) days"
    }
}
