package import NetworkLayer

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
    package var sentence: String {
        ([subject.description] + steps.map(\.description)).joined(separator: " → ") + " is \(matcher.description)"
    }
}

/// How long to wait between two times of a request with `until`: `2s`, or a row of pauses that grow, `{ first: 10ms, factor: 2, max: 1s }`.
package enum PollPause: Hashable, Sendable, Codable {
    case fixed(Duration)
    case growing(Growth)

    /// The keys of `retry.backoff`; `nil` for what isn't said. Without a `jitter` nothing is left to chance: there is but one who asks.
    package struct Growth: Hashable, Sendable, Codable {
        package var first: Duration?
        package var factor: Double?
        package var longest: Duration?
        package var jitter: RetryBackoff.Jitter?

        package init(
            first: Duration? = nil, factor: Double? = nil, longest: Duration? = nil, jitter: RetryBackoff.Jitter? = nil
        ) {
            self.first = first
            self.factor = factor
            self.longest = longest
            self.jitter = jitter
        }

        static let fields: [MapField<Growth>] = [
            MapField("first", \.first, .duration, "The first pause; `200ms` unless given."),
            MapField("factor", \.factor, .number(1...100), "By how much each pause grows; `2` unless given."),
            MapField(
                "max", \.longest, .duration, "The longest pause; `5s` unless given, and no less than the first one."),
            MapField("jitter", \.jitter, .choice, "How much of it is random; `none` unless given."),
        ]

        /// The backoff, with defaults for what isn't said.
        fileprivate var backoff: RetryBackoff {
            var backoff = RetryBackoff(jitter: jitter ?? .none)
            if let first { backoff.first = first }
            if let factor { backoff.factor = factor }
            backoff.max = longest ?? max(backoff.max, backoff.first)
            return backoff
        }
    }

    /// - Parameters:
    ///   - poll: the number of the time that it comes after, from 1.
    ///   - random: in `0..<1`.
    package func after(poll: Int, random: Double = .random(in: 0..<1)) -> Duration {
        switch self {
        case .fixed(let pause): pause
        case .growing(let growth): growth.backoff.delay(before: poll, random: random)
        }
    }

    /// The first of them, with nothing left to chance.
    package var first: Duration {
        switch self {
        case .fixed(let pause): pause
        case .growing(let growth): min(growth.backoff.first, growth.backoff.max)
        }
    }

    /// The longest of them.
    package var longest: Duration {
        switch self {
        case .fixed(let pause): pause
        case .growing(let growth): growth.backoff.factor > 1 ? growth.backoff.max : first
        }
    }
}

extension PollPause: CustomStringConvertible {
    /// `2s`, `10ms, growing by 2 up to 1s`
    package var description: String {
        switch self {
        case .fixed(let pause): return DurationText.format(pause)
        case .growing(let growth):
            let backoff = growth.backoff
            let random = backoff.jitter == .none ? "" : " (jitter \(backoff.jitter.rawValue))"
            let limit = DurationText.format(backoff.max)
            return "\(DurationText.format(backoff.first)), growing by \(NumberText.format(backoff.factor)) up to \(limit)\(random)"
        }
    }
}

extension PollPause {
    init?(_ node: YAMLNode) {
        guard let pairs = node.pairs else {
            guard let pause = node.text.flatMap(DurationText.parse) else { return nil }
            self = .fixed(pause)
            return
        }
        var growth = Growth()
        for pair in pairs {
            // What has the wrong form was reported by the table's check.
            guard let field = Growth.fields.first(where: { $0.key == pair.key.text }), let text = pair.value.text,
                (try? field.set(text, in: &growth)) != nil
            else { return nil }
        }
        self = .growing(growth)
    }

    var written: FieldText {
        switch self {
        case .fixed(let pause): .text(DurationText.format(pause))
        case .growing(let growth):
            .pairs(
                Growth.fields.compactMap { field -> FieldText.Pair? in
                    let text = field.text(in: growth)
                    return text.isEmpty ? nil : .init(key: field.key, text: text, isLiteral: field.key == "factor")
                })
        }
    }

    /// Reads a line as an editor shows it: `2s`, `first 10ms, factor 2, max 1s`.
    init?(line: String) {
        if let pause = DurationText.parse(line) {
            self = .fixed(pause)
            return
        }
        var growth = Growth()
        for part in line.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let field = Growth.fields.first(where: { $0.key == words[0] }),
                (try? field.set(String(words[1]), in: &growth)) != nil
            else { return nil }
        }
        guard growth != Growth() else { return nil }
        self = .growing(growth)
    }
}

extension FormatTable {
    /// The map of `every`.
    static let pause = FormatTable("every", PollPause.Growth.fields.map { FormatKey($0) }, .notEmpty)
}

extension FieldForm<PollPause> {
    static var pollPause: FieldForm {
        FieldForm(
            shape: .either([.duration, .keys(.pause)]), read: { PollPause($0) }, write: { $0.written },
            parse: { PollPause(line: $0) })
    }
}
