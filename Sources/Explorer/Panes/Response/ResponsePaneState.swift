import NetworkLayer
import Presentation
import TerminalUI

/// What the response pane shows: the tab, and where in it.
struct ResponsePaneState: Hashable, Sendable {
    var tab = Tab.body
    var body = BodyViewState()
    /// What is seen of a stream.
    var stream = StreamView()
    /// What is looked for in the tabs other than the body, and the line it was found on.
    var searchText = ""
    var found = Found()
    /// Typed into: where the body is to be saved.
    var savePrompt: LineEditor?
    /// A jq filter, or a command after an exclamation mark; `""`: the whole body is shown.
    var filter = ""
    /// The filter of the tab events.
    var eventFilter = EventFilter()
    /// While the filter is typed.
    var filterLine: FilterLine?
    /// The first column of the log in sight.
    var logColumn = 0
    private var scrolls: [Tab: ScrollPosition] = [:]
    /// The request that was sent last: the tab was picked for its answers.
    private var tabRequest: RequestReference?
    /// The operation that all places belong to.
    private(set) var operation: OperationID?

    enum Tab: Int, Hashable, Sendable, CaseIterable {
        case body, headers, info, timing, redirects, tls, sent, events, checks

        /// Whether it grows at its end, and is read there.
        var isLog: Bool { self == .events }
    }

    /// The lines of a tab that a search found, as they were then.
    struct Found: Hashable, Sendable {
        var lines: [Int] = []
        /// An index into ``lines``.
        var current: Int?

        var currentLine: Int? { current.map { lines[$0] } }
    }

    /// The scroll position of a tab other than the body.
    func scroll(of tab: Tab) -> ScrollPosition {
        scrolls[tab] ?? ScrollPosition(follows: tab.isLog)
    }

    mutating func move(_ step: ScrollPosition.Step, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.move(step, count: count, rows: rows, logs: tab.isLog)
        scrolls[tab] = scroll
    }

    private static let widestLog = 200

    /// Bodies and the log run on beyond the edge; everything else is wrapped.
    mutating func scroll(sideways columns: Int, in document: BodyDocument?, size: Size) {
        switch tab {
        case .body: if let document { body.moveSideways(by: columns, in: document, size: size) }
        case .events: logColumn = min(max(0, logColumn + columns), Self.widestLog)
        case .headers, .info, .timing, .redirects, .tls, .sent, .checks: break
        }
    }

    /// The line that the filter of the body, or that of the events, is typed into.
    mutating func openFilterLine(ofEvents: Bool) {
        if !ofEvents { show(.body) }
        let before = ofEvents ? eventFilter.text : filter
        var line = LineEditor(before)
        line.selectAll()
        filterLine = FilterLine(line: line, before: before, isOfEvents: ofEvents)
    }

    /// A key while the path is typed.
    ///
    /// - Returns: the path, when the key ends it.
    mutating func typePath(_ key: KeyPress, clipboard: inout String) -> String? {
        guard key.key == .escape || key.key == .enter else {
            _ = savePrompt?.handle(key, clipboard: &clipboard)
            return nil
        }
        let path = savePrompt?.text ?? ""
        savePrompt = nil
        return key.key == .enter && !path.isEmpty ? path : nil
    }

    /// From the line that was found last, else from the top of the screen, coming round at the ends.
    mutating func find(step: Int, in lines: [StyledLine], rows: Int) {
        let text = searchText.lowercased()
        let current = found.currentLine
        let matches = text.isEmpty ? [] : lines.indices.filter { lines[$0].text.lowercased().contains(text) }
        found = .init(lines: matches)
        guard !matches.isEmpty else { return }
        let next: Int
        if let current {
            next =
                step > 0 ? matches.firstIndex { $0 > current } ?? 0 : matches.lastIndex { $0 < current } ?? matches.count - 1
        } else {
            let top = scroll(of: tab).firstLine(of: lines.count, rows: rows)
            next = matches.firstIndex { $0 >= top } ?? 0
        }
        found.current = next
        reveal(matches[next], count: lines.count, rows: rows)
    }

    mutating func reveal(_ line: Int, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.reveal(line, count: count, rows: rows)
        scrolls[tab] = scroll
    }

    /// A tab that was picked for another request's answer would hide what comes of this one.
    mutating func sending(_ request: RequestReference) {
        if let last = tabRequest, last != request { show(.body) }
        tabRequest = request
    }

    mutating func follow(from: RequestReference, to: RequestReference) {
        tabRequest = tabRequest.map { $0.moved(from: from, to: to) ?? $0 }
    }

    mutating func show(_ tab: Tab) {
        guard tab != self.tab else { return }
        self.tab = tab
        found = Found()
    }

    /// - Parameter tabs: those that there are.
    mutating func showTab(by step: Int, of tabs: [Tab]) {
        let index = tabs.firstIndex(of: tab) ?? 0
        show(tabs[index.stepped(by: step, of: tabs.count)])
    }

    /// Another operation is shown: from the top, with the same tab, form and search.
    ///
    /// - Returns: whether it is another one.
    mutating func show(_ operation: OperationID?) -> Bool {
        guard operation != self.operation else { return false }
        self.operation = operation
        scrolls = [:]
        logColumn = 0
        found = Found()
        body.reset()
        stream = StreamView()
        return true
    }
}
