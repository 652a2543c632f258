import Presentation
import TerminalUI

extension BodyViewState {
    /// Looks for a text from the top of the screen on, and goes to the first match; an empty one ends the search.
    ///
    /// - Returns: what is left to be found beside the loop, since the body is large; ``found(_:for:in:size:)`` takes the answer.
    mutating func find(_ text: String, in document: BodyDocument, size: Size) -> BodySearch? {
        search = Search()
        guard let pattern = BodyPattern(text) else { return nil }
        search.pattern = pattern
        let start = document.bytes(ofLine: top.line)?.lowerBound ?? 0
        return look(for: BodySearch(pattern, from: .byte(start), tally: BodyTally(pattern)), in: document, size: size)
    }

    /// The next or the previous match, coming round at the ends. While one is being looked for, that one comes first.
    mutating func findNext(backwards: Bool, in document: BodyDocument, size: Size) -> BodySearch? {
        guard let pattern = search.pattern, search.pending == nil else { return nil }
        let start = search.current.map { BodySearch.Start.match($0, backwards: backwards) } ?? .byte(0)
        let tally = search.tally ?? BodyTally(pattern)
        return look(for: BodySearch(pattern, from: start, tally: tally.isComplete ? nil : tally), in: document, size: size)
    }

    /// The answer to a search. One to a question that was followed by another comes too late.
    mutating func found(_ match: BodyMatch?, for question: BodySearch, in document: BodyDocument, size: Size) {
        guard search.pending == question else { return }
        search.pending = nil
        search.current = match
        reveal(in: document, size: size)
    }

    /// So many matches, as far as they are counted.
    mutating func counted(_ tally: BodyTally) {
        guard search.pattern == tally.pattern else { return }
        search.tally = tally
    }

    /// Which of how many, as far as they are counted; `nil` without a search.
    func matchCount(in document: BodyDocument) -> (ordinal: Int?, count: Int)? {
        guard let tally = search.tally else { return nil }
        return (search.current.flatMap { tally.ordinal(of: $0, in: document) }, tally.count)
    }

    /// Another form of the same body: what was on top stays on top.
    mutating func change(to document: BodyDocument, from old: BodyDocument, size: Size) -> BodySearch? {
        let offset = old.bytes(ofLine: top.line)?.lowerBound ?? 0
        let place = old.bytes(ofLine: cursor)?.lowerBound ?? 0
        let isAtStart = top.line == 0
        folds.unfoldAll()
        top = BodyPosition()
        cursor = hasCursor(document) && document.isQuick ? document.line(containing: place) : 0
        left = 0
        if destination != .end { destination = nil }
        if !isAtStart { go(to: destination ?? .byte(offset), in: document, size: size) }
        settle(in: document, size: size)
        guard let pattern = search.pattern, let current = search.current else { return nil }
        search.current = nil
        let question = BodySearch(pattern, from: .byte(current.bytes.lowerBound))
        guard document.isQuick else {
            search.pending = question
            return question
        }
        search.current = question.match(in: document)
        return nil
    }

    private mutating func look(for question: BodySearch, in document: BodyDocument, size: Size) -> BodySearch? {
        search.pending = question
        guard document.isQuick else { return question }
        if var tally = question.tally {
            while tally.advance(in: document) {}
            search.tally = tally
        }
        found(question.match(in: document), for: question, in: document, size: size)
        return nil
    }

    private mutating func reveal(in document: BodyDocument, size: Size) {
        guard let match = search.current else { return }
        destination = nil
        folds.reveal(match.line)
        cursor = match.line
        let columns = columns(of: document, in: size)
        let isWrapped = wraps(document)
        let start = match.columns.lowerBound
        let place = BodyPosition(line: match.line, column: isWrapped ? start - start % columns : 0)
        let seen = rows(of: document, in: size)
        if place < top || place > seen.last?.position ?? top {
            top = place
            scroll(by: -size.rows / 3, in: document, size: size)
        }
        guard !isWrapped else { return }
        if match.columns.upperBound > left + columns || start < left {
            left = match.columns.upperBound <= columns ? 0 : max(0, start - columns / 3)
        }
    }
}
