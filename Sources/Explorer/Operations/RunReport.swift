import RequestCollections

/// What a run found out about its response: whether it was as expected, and what was taken from it. Without secrets.
struct RunReport: Hashable, Sendable {
    var expectations: [ExpectationResult]
    /// Sorted by name.
    var captured: [Captured]
    /// Why something after the response failed, with its place.
    var failure: String?
    /// The variable that the answer should have given a value; the failure says why it didn't.
    var missing: String?

    struct Captured: Hashable, Sendable {
        var name: String
        /// Masked when nobody may see it.
        var text: String

        init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    init(expectations: [ExpectationResult] = [], captured: [Captured] = [], failure: String? = nil, missing: String? = nil) {
        self.expectations = expectations
        self.captured = captured
        self.failure = failure
        self.missing = missing
    }

    /// So many expectations could not be looked at, since no answer came.
    var unseen = 0

    var isEmpty: Bool { expectations.isEmpty && captured.isEmpty && failure == nil && unseen == 0 }

    var metCount: Int { expectations.count(where: \.isMet) }

    var isPassed: Bool { failure == nil && metCount == expectations.count && unseen == 0 }

    /// `4/5 checks`, the longest form first; none when nothing was expected.
    var tallies: [String] {
        if unseen > 0 {
            return ["\(unseen) \(unseen == 1 ? "check" : "checks") not looked at", "-/\(unseen) checks", "-/\(unseen)"]
        }
        let count = "\(metCount)/\(expectations.count)"
        return expectations.isEmpty ? [] : ["\(count) checks", count]
    }
}
