package import Presentation
package import TerminalUI

extension BodyViewState {
    /// Bodies up to this size are counted through at every letter that is typed.
    private static let countedBytes = 16 << 20

    /// Looks for a text from the top of the screen on, and goes to the first match; an empty one ends the search.
    mutating func find(_ text: String, in document: BodyDocument, size: Size) {
        search = Search()
        guard let pattern = BodyPattern(text) else { return }
        search.pattern = pattern
        let start = document.bytes(ofLine: top.line)?.lowerBound ?? 0
        search.current = document.search(pattern, from: start) ?? document.search(pattern)
        count(in: document)
        reveal(in: document, size: size)
    }

    /// The next or the previous match, coming round at the ends.
    mutating func findNext(backwards: Bool, in document: BodyDocument, size: Size) {
        guard let pattern = search.pattern else { return }
        if let current = search.current {
            search.current = document.search(pattern, after: current, backwards: backwards)
        } else {
            search.current = document.search(pattern)
        }
        if search.tally == nil { count(in: document) }
        reveal(in: document, size: size)
    }

    /// Which of how many; `nil` without a search, or in a body that is too large to count.
    package func matchCount(in document: BodyDocument) -> (ordinal: Int?, count: Int)? {
        guard let tally = search.tally else { return nil }
        return (search.current.flatMap { tally.ordinal(of: $0, in: document) }, tally.count)
    }

    /// Another form of the same body: what was on top stays on top.
    mutating func change(to document: BodyDocument, from old: BodyDocument, size: Size) {
        let offset = old.bytes(ofLine: top.line)?.lowerBound ?? 0
        top = BodyPosition(line: top.line == 0 ? 0 : document.line(containing: offset))
        left = 0
        if let pattern = search.pattern, let current = search.current {
            search.current = document.search(pattern, from: current.bytes.lowerBound)
        }
        settle(in: document, size: size)
    }

    private mutating func count(in document: BodyDocument) {
        guard let pattern = search.pattern, document.bytes.count <= Self.countedBytes else { return }
        var tally = BodyTally(pattern)
        while tally.advance(in: document) {}
        search.tally = tally
    }

    private mutating func reveal(in document: BodyDocument, size: Size) {
        guard let match = search.current else { return }
        let columns = columns(of: document, in: size)
        let isWrapped = wraps(document)
        let start = match.columns.lowerBound
        let place = BodyPosition(line: match.line, column: isWrapped ? start - start % columns : 0)
        let seen = rows(of: document, in: size)
        if place < top || place > seen.last?.position ?? top {
            top = place
            move(.lines(-size.rows / 3), in: document, size: size)
        }
        guard !isWrapped else { return }
        if match.columns.upperBound > left + columns || start < left {
            left = match.columns.upperBound <= columns ? 0 : max(0, start - columns / 3)
        }
    }
}
