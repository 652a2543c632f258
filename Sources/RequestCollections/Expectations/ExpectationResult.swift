package import NetworkLayer

/// Whether one expectation held.
package struct ExpectationResult: Hashable, Sendable {
    /// Stands where an error has its type when what failed is an expectation, and not the transfer.
    package static let errorType = "expectation.failed"

    package var subject: ExpectationSubject
    /// What was done to its value first.
    package var steps: [ValueStep]
    /// As the file may write it: `> 0`.
    package var expected: String
    /// The same as the end of a sentence: `to be > 0`, `to exist`.
    package var demand: String
    /// What was there instead or all the same, cut to a line; "nothing" for what wasn't.
    package var found: String
    /// What shows why it isn't met: types that differ, the items at fault, where two structures differ. A line each.
    package var evidence: [String]
    package var isMet: Bool
    /// Where the expectation stands.
    package var location: SourceLocation

    package init(
        subject: ExpectationSubject, then steps: [ValueStep] = [], expected: String, demand: String? = nil, found: String,
        evidence: [String] = [], isMet: Bool, location: SourceLocation
    ) {
        self.subject = subject
        self.steps = steps
        self.expected = expected
        self.demand = demand ?? "to be \(expected)"
        self.found = found
        self.evidence = evidence
        self.isMet = isMet
        self.location = location
    }

    /// Without secrets: an expectation may have one in it, and a response may send one back.
    package func redacted(by redactor: Redactor) -> ExpectationResult {
        var result = self
        result.expected = redactor.phrase(expected)
        result.demand = redactor.phrase(demand)
        result.found = redactor.text(found)
        result.evidence = evidence.map(redactor.text)
        return result
    }
}

extension ExpectationResult: CustomStringConvertible {
    /// "shop.yaml:12:9: expected body .total to be > 0, and found 0".
    package var description: String {
        "\(location): " + (isMet ? "\(what) is \(expected)" : complaint)
    }

    /// "expected body .total to be > 0, and found 0".
    package var complaint: String {
        subject == .contract
            ? "expected the \(what) \(demand), and found \(found)" : "expected \(what) \(demand), and found \(found)"
    }

    /// The demand alone, as a table has it: `"done"`, `> 0`, `to exist`.
    package var wanted: String { demand.hasPrefix("to be ") ? String(demand.dropFirst("to be ".count)) : demand }

    /// What never came true while it was asked for again and again: `body .state was never "done"`.
    package var futility: String {
        if subject == .contract { return "the \(what) \(demand) was never kept" }
        if demand.hasPrefix("to be ") { return "\(what) was never \(wanted)" }
        if demand.hasPrefix("not to ") { return "\(what) never ceased \(demand.dropFirst("not ".count))" }
        return "\(what) never came \(demand)"
    }

    /// What it is about: `body .token, base64, json,`.
    package var what: String { ([subject.description] + steps.map(\.description)).joined(separator: " → ") }
}
