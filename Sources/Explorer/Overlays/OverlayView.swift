import TerminalUI

/// What lies over the panes, as it is drawn.
protocol DrawnOverlay: OverlayContent {
    /// Draws what is inside of its border, but for the row with its hints.
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas)
}

/// Draws what lies over the panes.
enum OverlayView {
    static func draw(_ content: any OverlayContent, of state: ExplorerState, on canvas: inout Canvas) {
        let layout = OverlayLayout(of: content, in: state.screen.size)
        canvas.fill(layout.area, .overlay)
        canvas.box(layout.area, title: content.title, isFocused: true, border: .overlayBorder)
        (content as? any DrawnOverlay)?.draw(of: state, in: layout, on: &canvas)
        if let row = layout.hints { canvas.draw(in: row) { $0.keys(content.hints(in: state)) } }
    }

    /// It has a sign, too, because not every terminal has colours.
    static func select(_ line: Int, on canvas: inout Canvas) {
        canvas.fill(canvas.bounds.line(line), .selection)
        canvas.text("›", .accent, column: 0, row: line)
    }
}
