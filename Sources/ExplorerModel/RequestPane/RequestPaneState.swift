/// What the request pane shows: the tab, and the row in it.
package struct RequestPaneState: Hashable, Sendable {
    package var tab = Tab.url
    package var row = 0
    package var offset = 0

    package init() {}

    package enum Tab: Int, Hashable, Sendable, CaseIterable {
        case url, headers, body, auth, policy
    }
}
