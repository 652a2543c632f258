/// Polling: a request is sent again until its answer is as it should be. `until: { body: { .state: done }, within: 60s }`
package struct UntilDefinition: Hashable, Sendable, Codable {
    /// What the answer must be; empty: what the request expects anyway.
    package var conditions: [ExpectationDefinition] = []
    /// An answer of which all of this holds ends it, and the request fails.
    package var giveUp: [ExpectationDefinition] = []
    /// From the first time on; `nil`: ``standardLimit``.
    package var within: Duration?
    /// From the end of one to the start of the next; `nil`: ``standardPause``, and no more than ``within``.
    package var every: PollPause?
    /// The most times that it is sent; `nil`: as often as there is time.
    package var tries: Int?
    package var location: SourceLocation

    package static let standardLimit = Duration.seconds(30)
    package static let standardPause = Duration.seconds(1)

    package init(within: Duration? = nil, location: SourceLocation) {
        self.within = within
        self.location = location
    }

    /// How long to go on.
    static let fields: [MapField<UntilDefinition>] = [
        MapField("within", \.within, .duration, "For how long, from the first time on; `30s` unless given."),
        MapField(
            "every", \.every, .pollPause,
            "The pause between an answer and the next time; `1s` unless given. A map makes it grow, as that of `retry.backoff` does."
        ),
        MapField("tries", \.tries, .count(1...1_000_000), "The most times that it is sent, the first included."),
    ]

    package var limit: Duration { within ?? Self.standardLimit }

    package var pause: PollPause { every ?? .fixed(min(Self.standardPause, limit)) }

    /// What must hold of an answer, of a request that expects this.
    package func conditions(of expectations: [ExpectationDefinition]) -> [ExpectationDefinition] {
        conditions.isEmpty ? expectations : conditions
    }
}

extension UntilDefinition: CustomStringConvertible {
    /// `body .state is done, within 60s, every 2s`
    package var description: String {
        let what = conditions.isEmpty ? ["what it expects holds"] : conditions.map(\.sentence)
        let times = ["within \(DurationText.format(limit))", "every \(pause)"]
        let most = tries.map { ["at most \($0) times"] } ?? []
        let end = giveUp.isEmpty ? [] : ["unless \(giveUp.map(\.sentence).joined(separator: " and "))"]
        return (what + times + most + end).joined(separator: ", ")
    }
}

extension ExpectationDefinition {
    /// `body .state is done`
    fileprivate var sentence: String {
        ([subject.description] + steps.map(\.description)).joined(separator: " → ") + " is \(matcher.description)"
    }
}
