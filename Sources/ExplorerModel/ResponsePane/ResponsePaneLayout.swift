package import TerminalUI

/// The parts of the response pane inside of its border: the tabs, and what they show.
package struct ResponsePaneLayout: Hashable, Sendable {
    package let tabs: Rect
    package let content: Rect

    /// - Parameters:
    ///   - inner: of the border. The tabs bring their own air.
    ///   - padded: what of it is for content.
    package init(_ inner: Rect, padded: Rect) {
        let rows = min(1, inner.rows)
        tabs = inner.splitTop(rows).top
        content = padded.splitTop(rows).rest
    }
}
