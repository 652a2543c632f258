import NetworkLayer
package import TerminalUI

/// What the response pane shows: the tab, and where in it.
package struct ResponsePaneState: Hashable, Sendable {
    package internal(set) var tab = Tab.body
    package internal(set) var body = BodyViewState()
    /// What is seen of a stream.
    package internal(set) var stream = StreamView()
    /// What is looked for in the tabs other than the body, and the line it was found on.
    package internal(set) var searchText = ""
    package internal(set) var found = Found()
    /// Typed into: where the body is to be saved.
    package internal(set) var savePrompt: LineEditor?
    /// A jq filter, or a command after an exclamation mark; `""`: the whole body is shown.
    package internal(set) var filter = ""
    /// The filter of the tab events.
    package internal(set) var eventFilter = EventFilter()
    /// While the filter is typed.
    package internal(set) var filterLine: FilterLine?
    /// The first column of the log in sight.
    package internal(set) var logColumn = 0
    private var scrolls: [Tab: ScrollPosition] = [:]
    /// The operation that all places belong to.
    private(set) var operation: OperationID?

    package init() {}

    package enum Tab: Int, Hashable, Sendable, CaseIterable {
        case body, headers, info, timing, redirects, tls, sent, events, checks

        /// Whether it grows at its end, and is read there.
        var isLog: Bool { self == .events }
    }

    /// The lines of a tab that a search found, as they were then.
    package struct Found: Hashable, Sendable {
        package var lines: [Int] = []
        /// An index into ``lines``.
        package var current: Int?

        package var currentLine: Int? { current.map { lines[$0] } }
    }

    /// The scroll position of a tab other than the body.
    package func scroll(of tab: Tab) -> ScrollPosition {
        scrolls[tab] ?? ScrollPosition(follows: tab.isLog)
    }

    mutating func move(_ step: ScrollPosition.Step, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.move(step, count: count, rows: rows, logs: tab.isLog)
        scrolls[tab] = scroll
    }

    mutating func reveal(_ line: Int, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.reveal(line, count: count, rows: rows)
        scrolls[tab] = scroll
    }

    mutating func show(_ tab: Tab) {
        guard tab != self.tab else { return }
        self.tab = tab
        found = Found()
    }

    /// - Parameter tabs: those that there are.
    mutating func show(_ step: Int, of tabs: [Tab]) {
        let index = tabs.firstIndex(of: tab) ?? 0
        show(tabs[(index + step + tabs.count) % tabs.count])
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
