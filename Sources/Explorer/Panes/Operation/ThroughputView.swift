import Presentation
import TerminalUI

/// Draws how fast a body came, as columns over time.
enum ThroughputView {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// In one row of text: `▁▃▅▇▇▆`.
    static func line(_ throughput: Throughput) -> StyledLine {
        StyledLine(String(throughput.heights(rows: 1).map { blocks[$0] }), .progress)
    }

    /// Over the whole canvas.
    static func draw(_ throughput: Throughput, on canvas: inout Canvas) {
        let rows = canvas.bounds.rows
        for (column, height) in throughput.heights(rows: rows).enumerated() {
            for row in 0..<rows {
                let part = min(8, max(0, height - (rows - 1 - row) * 8))
                if part > 0 { canvas.text(String(blocks[part]), .progress, column: column, row: row) }
            }
        }
    }
}
