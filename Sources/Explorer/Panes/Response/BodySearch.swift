import NetworkLayer
import Presentation
import TerminalUI

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
        fit(in: document, size: size)
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

extension ExplorerState {
    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func responsePane(search text: String) -> [ExplorerEffect] {
        panes.response.searchText = text
        panes.response.found = .init()
        if shownStream != nil {
            findRecord(step: 0)
            return []
        }
        if panes.response.tab == .body {
            return searchBody { $0.find(text, in: $1, size: $2) }
        }
        findLine(step: 1)
        return []
    }

    mutating func findNextInResponse(backwards: Bool) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        if shownStream != nil {
            findRecord(step: backwards ? -1 : 1)
            return []
        }
        if panes.response.tab == .body {
            guard responseDocument != nil else { return [] }
            let text = panes.response.searchText
            effects = searchBody { view, document, size in
                // The text may have been looked for in another tab, or in the body before.
                view.search.pattern?.text != text
                    ? view.find(text, in: document, size: size)
                    : view.findNext(backwards: backwards, in: document, size: size)
            }
        } else {
            findLine(step: backwards ? -1 : 1)
        }
        sayWhetherFound()
        return effects
    }

    mutating func counted(_ tally: BodyTally, in id: OperationID) {
        guard responseSubject(for: .body)?.entry.id == id else { return }
        panes.response.body.counted(tally)
        sayWhetherFound()
    }

    /// Asks for what the view of the body can't find at once.
    mutating func searchBody(
        _ look: (inout BodyViewState, BodyDocument, Size) -> BodySearch?
    ) -> [ExplorerEffect] {
        guard let id = responseSubject(for: .body)?.entry.id, let document = responseDocument,
            let question = look(&panes.response.body, document, responseArea)
        else { return [] }
        return [.searchBody(id, question)]
    }

    private mutating func findLine(step: Int) {
        let size = responseArea
        let content = panes.response.searchText.isEmpty ? .nothing([]) : responseContent(columns: size.columns)
        panes.response.find(step: step, in: content.lines(0..<content.lineCount), rows: size.rows)
    }

    private mutating func sayWhetherFound() {
        guard !panes.response.searchText.isEmpty, let matches = responseMatches, matches.count == 0, !matches.isCounting,
            searchLine == nil
        else { return }
        notice = Notice(.info, "“\(panes.response.searchText)” isn't in here")
    }

    /// Which of the matches is shown, and how many there are, in the tab on the screen; `nil` when nothing is looked for.
    var responseMatches: (ordinal: Int?, count: Int, isCounting: Bool)? {
        guard !panes.response.searchText.isEmpty, shownStream == nil else { return nil }
        if panes.response.tab == .body {
            guard let document = responseDocument, let (ordinal, count) = panes.response.body.matchCount(in: document) else {
                return nil
            }
            return (ordinal, count, panes.response.body.search.tally?.isComplete == false)
        }
        return (panes.response.found.current.map { $0 + 1 }, panes.response.found.lines.count, false)
    }

    /// What is going on in a body too large to go through at once; `nil`: nothing.
    var bodyWork: String? {
        guard panes.response.tab == .body else { return nil }
        if !panes.response.filter.isEmpty, responseSubject(for: .body)?.entry.filtered?.isRunning == true { return "filtering …" }
        guard let document = responseDocument else { return nil }
        if panes.response.body.search.pending != nil { return "searching …" }
        return panes.response.body.destination == nil || document.lineCount.isExact ? nil : "indexing …"
    }
}
