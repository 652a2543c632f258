import Base

extension RequestDefinition {
    /// Expectations that no answer can meet, whatever the server does.
    func vainExpectations() -> [CollectionProblem] {
        let found = (expectations + (until?.conditions ?? [])).compactMap { expectation in
            (bodyless(expectation) ?? sessionless(expectation) ?? contradiction(expectation) ?? uncounted(expectation)).map {
                CollectionProblem(location: expectation.location, message: $0)
            }
        }
        guard let until, !until.giveUp.isEmpty, Self.isSame(until.giveUp, until.conditions) else { return found }
        return found + [
            CollectionProblem(
                location: until.location, message: "`give-up` names what is waited for, which wins, so it never ends anything")
        ]
    }

    /// The complaint about an expectation of what a body has, where there is no body.
    private func bodyless(_ expectation: ExpectationDefinition) -> String? {
        switch expectation.subject {
        case .filter: if expectation.matcher.holdsForNothing { return nil }
        case .body: guard expectation.matcher.wantsText else { return nil }
        default: return nil
        }
        if method == "HEAD" { return "an answer to HEAD has no body, so this is never met" }
        for other in expectations {
            guard case .status = other.subject, case .equals(.number(let status)) = other.matcher, ["204", "304"].contains(status)
            else { continue }
            return "an answer with the status \(status) has no body, so this is never met"
        }
        return nil
    }

    private func sessionless(_ expectation: ExpectationDefinition) -> String? {
        switch expectation.subject {
        case .close, .messageCount, .message:
            isWebSocket ? nil : "only a `websocket` opens a session, so this is never met"
        default: nil
        }
    }

    /// The complaint about a number of polls that `until` never reaches.
    private func uncounted(_ expectation: ExpectationDefinition) -> String? {
        let most = until.map { $0.tries ?? .max } ?? 1
        guard expectation.subject == .polls, expectation.steps.isEmpty, most <= Self.mostPollsTried,
            !expectation.matcher.texts.contains(where: Template.isIn)
        else { return nil }
        var context = MatchContext(now: Date())
        guard !(1...most).contains(where: { expectation.matcher.matches(.number("\($0)"), .number, &context) }) else { return nil }
        guard until != nil else { return "without `until` it is sent once, and `polls` is 1, so this is never met" }
        return "`tries` lets it be sent \(most == 1 ? "once" : "\(most) times"), so this is never met"
    }

    /// The largest number of polls that are tried one by one.
    private static let mostPollsTried = 1000

    private func contradiction(_ expectation: ExpectationDefinition) -> String? {
        guard expectation.steps.isEmpty, case .all(let matchers) = expectation.matcher, Matcher.contradict(matchers) else {
            return nil
        }
        return "nothing can be all of this at once, so it is never met"
    }

    private static func isSame(_ some: [ExpectationDefinition], _ others: [ExpectationDefinition]) -> Bool {
        func plain(_ expectations: [ExpectationDefinition]) -> [ExpectationDefinition] {
            expectations.map { expectation in
                var plain = expectation
                plain.location = .none
                return plain
            }
        }
        return plain(some) == plain(others)
    }
}

extension Matcher {
    /// Whether a value that isn't there meets it, or may.
    fileprivate var holdsForNothing: Bool {
        switch self {
        case .missing, .type(.null), .equals(.null): true
        case .not, .any, .all: true
        default: false
        }
    }

    /// Whether an empty text never meets it.
    fileprivate var wantsText: Bool {
        switch self {
        case .equals(.string(let text)), .startsWith(let text), .endsWith(let text), .contains(.string(let text)):
            !text.isEmpty && !Template.isIn(text)
        default: false
        }
    }

    /// Whether numbers, of which all must hold, leave nothing between them, or values differ.
    fileprivate static func contradict(_ matchers: [Matcher]) -> Bool {
        var (low, high) = (-Double.infinity, Double.infinity)
        var (excludesLow, excludesHigh) = (false, false)
        var values: Set<JSONValue> = []
        func raise(_ text: String, excluding: Bool) {
            guard let number = Double(text), number > low || number == low && excluding else { return }
            (low, excludesLow) = (number, excluding)
        }
        func lower(_ text: String, excluding: Bool) {
            guard let number = Double(text), number < high || number == high && excluding else { return }
            (high, excludesHigh) = (number, excluding)
        }
        for matcher in matchers {
            switch matcher {
            case .compares(.greater, let operand): raise(operand.text, excluding: true)
            case .compares(.atLeast, let operand): raise(operand.text, excluding: false)
            case .compares(.less, let operand): lower(operand.text, excluding: true)
            case .compares(.atMost, let operand): lower(operand.text, excluding: false)
            case .range(let first, let last):
                raise(first.text, excluding: false)
                lower(last.text, excluding: false)
            case .equals(let value):
                if case .string(let text) = value, Template.isIn(text) { continue }
                values.insert(value)
            default: break
            }
        }
        // Texts may be what a header of several fields has; numbers are one.
        let numbers = values.filter { if case .number = $0 { true } else { false } }
        return low > high || low == high && (excludesLow || excludesHigh)
            || Set(numbers.compactMap { Double($0.scalar ?? "") }).count > 1
    }
}
