import TerminalUI
import Testing

@testable import Explorer

/// Compares one pane, border included, with the file `Expected/Panes/NAME.txt`; see `expectText`.
func expectPane(
    _ pane: Pane, of explorer: ExplorerDriver, _ columns: Int, _ rows: Int, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var explorer = explorer
    let first = explorer.zoom(pane, columns, rows)
    let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
    // The last row is the status line.
    let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(first).dropLast()
    let text = lines.joined(separator: "\n")
    expectText(text, "Panes/\(columns)x\(rows)-\(name)", sourceLocation: sourceLocation)
}
