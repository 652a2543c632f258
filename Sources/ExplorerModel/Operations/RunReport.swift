package import RequestCollections

/// What a run found out about its response: whether it was as expected, and what was taken from it. Without secrets.
package struct RunReport: Hashable, Sendable {
    package var expectations: [ExpectationResult]
    /// Sorted by name.
    package var captured: [Captured]
    /// Why something after the response failed, with its place.
    package var failure: String?
    /// The variable that the answer should have given a value; the failure says why it didn't.
    package var missing: String?

    package struct Captured: Hashable, Sendable {
        package var name: String
        /// Masked when nobody may see it.
        package var text: String

        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    package init(expectations: [ExpectationResult] = [], captured: [Captured] = [], failure: String? = nil, missing: String? = nil)
    {
        self.expectations = expectations
        self.captured = captured
        self.failure = failure
        self.missing = missing
    }

    package var isEmpty: Bool { expectations.isEmpty && captured.isEmpty && failure == nil }

    package var metCount: Int { expectations.count(where: \.isMet) }

    package var isPassed: Bool { failure == nil && metCount == expectations.count }
}
