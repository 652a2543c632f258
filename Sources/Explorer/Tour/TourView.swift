import Presentation
import TerminalUI

/// The last rows while the tour goes on: what there is to be seen, and which keys lead on.
enum TourView {
    static func draw(_ state: ExplorerState, on canvas: inout Canvas) {
        guard let tour = state.tour, tour.rows > 0 else { return }
        let columns = state.screen.size.columns
        let area = Rect(column: 0, row: state.screen.size.rows, columns: columns, rows: tour.rows)
        canvas.fill(area, .statusLine)
        canvas.draw(in: area) { canvas in
            let title = tour.cue.step.map { "\($0)/\(Tour.steps)" } ?? "Tour"
            let left = canvas.text(title, .accent, column: 1, row: 0) + 1
            if tour.rows > 1 {
                canvas.text(tour.cue.text, .strong, column: left, row: 0, limit: columns - left - 1, ellipsis: true)
            }
            let keys = Rect(column: left, row: tour.rows - 1, columns: columns - left - 1, rows: 1)
            canvas.draw(in: keys) { $0.keys(state.tourHints) }
        }
    }
}
