package import NetworkLayer

/// Whether one expectation held.
package struct ExpectationResult: Hashable, Sendable {
    package var subject: ExpectationSubject
    /// As the file may write it: `> 0`.
    package var expected: String
    /// What was there instead or all the same, cut to a line; "nothing" for what wasn't.
    package var found: String
    package var isMet: Bool
    /// Where the expectation stands.
    package var location: SourceLocation

    package init(
        subject: ExpectationSubject, expected: String, found: String, isMet: Bool, location: SourceLocation
    ) {
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isMet = isMet
        self.location = location
    }

    /// Without secrets: an expectation may have one in it, and a response may send one back.
    package func redacted(by redactor: Redactor) -> ExpectationResult {
        var result = self
        result.expected = redactor.text(expected)
        result.found = redactor.text(found)
        return result
    }
}

extension ExpectationResult: CustomStringConvertible {
    /// "shop.yaml:12:9: expected body .total to be > 0, and found 0".
    package var description: String {
        isMet ? "\(location): \(subject) is \(expected)" : "\(location): expected \(subject) to be \(expected), and found \(found)"
    }
}
