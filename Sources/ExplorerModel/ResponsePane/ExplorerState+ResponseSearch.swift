import NetworkLayer
import Presentation
import TerminalUI

extension ExplorerState {
    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func responsePane(search text: String) -> [ExplorerEffect] {
        responsePane.searchText = text
        responsePane.found = .init()
        if responsePane.tab == .body {
            if let document = responseDocument { responsePane.body.find(text, in: document, size: responseArea) }
        } else {
            findLine(step: 1)
        }
        return []
    }

    mutating func findNextInResponse(backwards: Bool) {
        if responsePane.tab == .body {
            guard let document = responseDocument else { return }
            // The text may have been looked for in another tab, or in the body before.
            if responsePane.body.search.pattern?.text != responsePane.searchText {
                responsePane.body.find(responsePane.searchText, in: document, size: responseArea)
            } else {
                responsePane.body.findNext(backwards: backwards, in: document, size: responseArea)
            }
        } else {
            findLine(step: backwards ? -1 : 1)
        }
        if !responsePane.searchText.isEmpty, responseMatches?.count == 0 {
            notice = Notice(.info, "“\(responsePane.searchText)” isn't in here")
        }
    }

    /// Which of the matches is shown, and how many there are, in the tab on the screen; `nil` when nothing is looked for, or
    /// there is too much to count.
    package var responseMatches: (ordinal: Int?, count: Int)? {
        guard !responsePane.searchText.isEmpty else { return nil }
        if responsePane.tab == .body {
            return responseDocument.flatMap { responsePane.body.matchCount(in: $0) }
        }
        return (responsePane.found.current.map { $0 + 1 }, responsePane.found.lines.count)
    }

    /// From the line that was found last, else from the top of the screen, coming round at the ends.
    private mutating func findLine(step: Int) {
        let size = responseArea
        let content = responseContent(columns: size.columns)
        let text = responsePane.searchText.lowercased()
        let current = responsePane.found.currentLine
        let lines = text.isEmpty ? [] : content.lines(0..<content.lineCount)
        let found = lines.indices.filter { lines[$0].text.lowercased().contains(text) }
        responsePane.found = .init(lines: found)
        guard !found.isEmpty else { return }
        let next: Int?
        if let current {
            next = step > 0 ? found.firstIndex { $0 > current } ?? 0 : found.lastIndex { $0 < current } ?? found.count - 1
        } else {
            let top = responsePane.scroll(of: responsePane.tab).firstLine(of: lines.count, rows: size.rows)
            next = found.firstIndex { $0 >= top } ?? 0
        }
        responsePane.found.current = next
        if let next { responsePane.reveal(found[next], count: lines.count, rows: size.rows) }
    }
}
