import GraphQLLanguage
import Presentation
import RequestCollections
import TerminalUI

/// Draws what stands around the text of a query: its faults, what is said about the cursor's place, and what is offered there.
enum QueryView {
    /// Marks the lines that have a fault, where the line's number stands, and the fault's words by their colour.
    ///
    /// - Parameter canvas: its window is that of the editor.
    static func mark(_ faults: [GraphQLFault], in editor: TextEditor, on canvas: inout Canvas) {
        let gutter = editor.gutterColumns
        let page = canvas.bounds.splitLeft(gutter).rest
        for fault in faults {
            let start = editor.position(at: fault.range.lowerBound)
            let row = start.line - editor.top
            guard row >= 0, row < canvas.bounds.rows else { continue }
            canvas.fill(Rect(column: 0, row: row, columns: gutter - 1, rows: 1), .text)
            canvas.text("✗", .error, endColumn: gutter - 1, row: row)
            let end = min(editor.position(at: fault.range.upperBound), editor.buffer.lineEnd(start.line))
            let columns =
                editor.buffer.column(of: start) - editor.left..<max(
                    editor.buffer.column(of: start), editor.buffer.column(of: end)) - editor.left
            let first = max(0, columns.lowerBound)
            canvas.draw(in: page) { canvas in
                canvas.restyle(Rect(column: first, row: row, columns: columns.upperBound - first, rows: 1), .error)
            }
        }
    }

    /// What the selected variable is, or is wrong with it; in the text the fault of the cursor's line, or the first one, else what stands at
    /// the cursor.
    static func line(_ analysis: QueryAnalysis, _ editor: TextEditor, row: RequestPaneRow?, isEdited: Bool) -> StyledLine {
        if !isEdited, case .field(.graphql(.variable(let name, _))) = row {
            let remark = analysis.remark(of: name)
            if remark.isFault { return StyledLine("✗ $\(name): \(SafeText.line(remark.text))", .warning) }
            let shape = analysis.shape(of: name).map { "  " + $0 } ?? ""
            return StyledLine(SafeText.line("$\(name): \(remark.text)\(shape)"), .dim)
        }
        let here = editor.cursor.line + 1
        if isEdited, let fault = analysis.faults.first(where: { $0.line == here }) {
            return StyledLine("✗ \(SafeText.line(fault.message))", .error)
        }
        if let fault = analysis.faults.first {
            return StyledLine("✗ line \(fault.line): \(SafeText.line(fault.message))", .error)
        }
        guard let note = analysis.look?.note else { return StyledLine() }
        let end = note.firstRange(of: "  ")?.lowerBound ?? note.endIndex
        var line = StyledLine(SafeText.line(String(note[..<end])), .headerName)
        line.append(SafeText.line(String(note[end...])), .dim)
        return line
    }

    static func drawCompletion(_ state: ExplorerState, on canvas: inout Canvas) {
        guard let completion = state.panes.request.completion, let area = state.completionArea else { return }
        let (list, said) = state.completionParts(of: area)
        let items = completion.offered.items
        canvas.fill(area, .overlay)
        canvas.box(area, title: "", border: .overlayBorder)
        let column = 3 + completion.nameColumns
        canvas.list(completion.list, in: list) { canvas, index, row in
            let item = items[index]
            let end = canvas.text(
                SafeText.line(item.text), item.isDeprecated ? .disabled : .text, column: 1, row: row, ellipsis: true)
            let detail = item.isDeprecated ? "deprecated" : item.detail ?? ""
            canvas.text(
                SafeText.line(detail), .dim, column: max(end + 1, min(column, canvas.bounds.columns / 2)), row: row, ellipsis: true)
        }
        guard let said else { return }
        let item = completion.selected
        let text = item.deprecation.map { "deprecated: \($0)" } ?? item.description ?? ""
        canvas.draw(in: said) { $0.text(SafeText.line(text), .keyHelp, column: 1, row: 0, ellipsis: true) }
    }
}

extension BodySyntax {
    /// A line of GraphQL. Each stands for itself, so a text of several lines between `"""` is coloured as if it were a query.
    static func graphql(_ line: String) -> StyledLine {
        var result = StyledLine()
        var rest = line[...]
        while let first = rest.first {
            var (end, role) = (rest.index(after: rest.startIndex), ThemeRole.syntaxPunctuation)
            if rest.hasPrefix("{{"), let close = rest.firstRange(of: "}}") {
                (end, role) = (close.upperBound, .template)
            } else if first == "#" {
                (end, role) = (rest.endIndex, .dim)
            } else if first == "\"" {
                (end, role) = (endOfString(rest), .syntaxString)
            } else if first == "$" || first == "@" {
                (end, role) = (endOfName(rest.dropFirst()), first == "$" ? .syntaxAttribute : .syntaxTag)
            } else if isName(first) || first == "-" {
                end = endOfName(rest.dropFirst())
                let isArgument = rest[end...].first { $0 != " " } == ":"
                let isNumber = first == "-" || first.isNumber
                role =
                    isNumber
                    ? .syntaxNumber : isArgument ? .syntaxKey : keywords.contains(String(rest[..<end])) ? .syntaxKeyword : .text
                if isNumber { end = rest.firstIndex { !(isName($0) || "-+.".contains($0)) } ?? rest.endIndex }
            }
            result.append(String(rest[..<end]), role)
            rest = rest[end...]
        }
        return result
    }

    private static let keywords: Set<String> = [
        "query", "mutation", "subscription", "fragment", "on", "true", "false", "null",
    ]

    private static func isName(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }

    private static func endOfName(_ text: Substring) -> Substring.Index { text.firstIndex { !isName($0) } ?? text.endIndex }
}
