import FoundationEssentials
import TerminalUI
import Testing

@testable import Explorer

/// Compares a whole screen with the file `Expected/Screens/NAME.txt`, but for the hints of the status line: `The hints of the status line` has
/// them all.
func expectScreen(_ state: ExplorerState, _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let frame = ExplorerView.frame(for: state, theme: Theme(name: "plain"))
    expectText(withoutHints(frame.text, of: state), "Screens/" + name, sourceLocation: sourceLocation)
}

private func withoutHints(_ screen: String, of state: ExplorerState) -> String {
    var rows = screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let last = rows.popLast() else { return screen }
    let hints = (state.hints + state.fixedHints).map { " \($0.key)" + ($0.word.isEmpty ? "" : " \($0.word)") }
    // They fill the row from the first one to its end.
    let start = hints.compactMap { (last + "  ").firstRange(of: $0 + "  ")?.lowerBound }.min()
    var kept = String(last[..<(start ?? last.endIndex)])
    while kept.last == " " { kept.removeLast() }
    return (rows + [kept]).joined(separator: "\n")
}

/// Compares a text with the file `Expected/NAME.txt`.
///
/// With `RECORD_SCREENS=1` in the environment, or when the file isn't there, it is written, and the test fails: a recording
/// proves nothing until somebody has looked at it and run the test again.
func expectText(_ text: String, _ name: String, sourceLocation: Testing.SourceLocation) {
    let text = text + "\n"
    let path = folder + name + ".txt"
    let recorded = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    if recorded == text { return }
    guard let recorded, ProcessInfo.processInfo.environment["RECORD_SCREENS"] == nil else {
        _ = try? Data(text.utf8).write(to: URL(filePath: path))
        Issue.record("recorded \(path): look at it, and run the test again", sourceLocation: sourceLocation)
        return
    }
    Issue.record("it is not \(name).txt but:\n\(difference(recorded, text))", sourceLocation: sourceLocation)
}

private let folder = #filePath.split(separator: "/").dropLast(2).reduce("/") { $0 + $1 + "/" } + "Expected/"

/// The new screen, with the lines marked that differ.
private func difference(_ old: String, _ new: String) -> String {
    let old = old.split(separator: "\n", omittingEmptySubsequences: false)
    let new = new.split(separator: "\n", omittingEmptySubsequences: false)
    return new.indices.map { row in
        let isSame = old.indices.contains(row) && old[row] == new[row]
        return (isSame ? "  " : "≠ ") + new[row]
    }.joined(separator: "\n")
}

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
