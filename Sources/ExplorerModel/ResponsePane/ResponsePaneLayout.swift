package import TerminalUI

/// The parts of the response pane inside of its border: the tabs, and what they show.
package struct ResponsePaneLayout: Hashable, Sendable {
    package let tabs: Rect
    package let content: Rect

    package init(_ inner: Rect) {
        (tabs, content) = inner.splitTop(min(1, inner.rows))
    }
}
