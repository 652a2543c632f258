import TerminalUI

/// What the request pane shows: the tab, the row with the cursor, and what is being edited in place.
struct RequestPaneState: Hashable, Sendable {
    var tab = Tab.url
    var list = ListState()
    /// The text of a text or JSON body: scrolled, and while ``editing`` is `body`, edited.
    var body = TextEditor()
    var editing: Editing?
    /// What `/` looks for.
    var search = ""

    enum Tab: Int, Hashable, Sendable, CaseIterable {
        case url, headers, body, auth, policy, checks, explain

        var title: String {
            switch self {
            case .url: "URL"
            case .headers: "headers"
            case .body: "body"
            case .auth: "auth"
            case .policy: "policy"
            case .checks: "checks"
            case .explain: "explain"
            }
        }
    }

    /// A field that is being edited where it stands.
    enum Editing: Hashable, Sendable {
        case line(RequestField, LineEditor)
        case body
    }

    /// - Parameter columns: of the pane, border included.
    func tabs(columns: Int, showsName: Bool = true) -> PaneTabs {
        PaneTabs(Tab.allCases.map(\.title), selected: tab.rawValue, of: .request, columns: columns, showsName: showsName)
    }

    /// Shows a tab from its first row on.
    mutating func show(_ tab: Tab) {
        self.tab = tab
        list = ListState(height: list.height)
    }

    mutating func showFirstRow() {
        list.select(0)
        body = TextEditor()
    }
}
