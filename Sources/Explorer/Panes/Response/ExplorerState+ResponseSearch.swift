import NetworkLayer
import Presentation
import TerminalUI

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
