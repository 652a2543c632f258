import Presentation

/// A search in a body: a question that can be asked beside the loop, since a large body takes longer than a key may wait.
struct BodySearch: Hashable, Sendable {
    var pattern: BodyPattern
    var start: Start
    /// What is to be counted on once the match is found; `nil`: all is counted.
    var tally: BodyTally?

    enum Start: Hashable, Sendable {
        /// The first match from a byte on, else the first of all.
        case byte(Int)
        /// The one behind or before, coming round at the ends.
        case match(BodyMatch, backwards: Bool)
    }

    init(_ pattern: BodyPattern, from start: Start, tally: BodyTally? = nil) {
        self.pattern = pattern
        self.start = start
        self.tally = tally
    }

    /// Costs a way over the body, and an index of what lies before the match.
    func match(in document: BodyDocument) -> BodyMatch? {
        switch start {
        case .byte(let offset): document.search(pattern, from: offset) ?? document.search(pattern)
        case .match(let match, let backwards): document.search(pattern, after: match, backwards: backwards)
        }
    }
}

extension BodyDocument {
    /// Whether all of it can be gone through between a key and its frame.
    var isQuick: Bool { bytes.count <= 2 << 20 }
}
