/// What the response pane shows: the tab, and where in it.
package struct ResponsePaneState: Hashable, Sendable {
    package var tab = Tab.body
    package var offset = 0

    package init() {}

    package enum Tab: Int, Hashable, Sendable, CaseIterable {
        case body, headers, info, timing, redirects, tls, sent, events
    }
}
