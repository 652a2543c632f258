import RequestCollections
import TerminalUI

/// Where the values begin in rows of the request pane.
struct RequestColumns {
    /// In rows with a name.
    let value: Int
    /// Behind the longest name of a field of this kind of authentication.
    let auth: Int
    private let method: String

    /// - Parameter rows: those of the pane; the names in them have one width.
    init(_ definition: RequestDefinition, _ pane: RequestPaneState, rows: [RequestPaneRow]) {
        let names = rows.compactMap { row -> Int? in
            switch row {
            case .named(let rows, let index): DisplayWidth.of(definition[rows][index].name)
            case .inherited(_, let row): DisplayWidth.of(row.name)
            case .explained(let row): DisplayWidth.of(row.name)
            case .heading, .problem, .url, .preview, .empty, .field, .inheritedAuth, .note, .origin, .overridden, .want: nil
            }
        }
        // A name that is being typed is shown with more than its end.
        let least = if case .line(.name, _) = pane.editing { 20 } else { 6 }
        value = min(max(least, names.max() ?? 0), 24) + 4
        auth = max(13, 3 + (definition.auth?.kind.fields.map(\.key.count).max() ?? 0))
        method = definition.method
    }

    /// What a field has of its row.
    func place(of field: RequestField, in row: Rect) -> Rect {
        let start =
            switch field {
            case .url: 2 + DisplayWidth.of(method)
            case .name: 3
            case .value: value
            case .auth: auth
            case .method, .body, .bodyKind, .authKind, .policy, .mock, .graphql, .typed: 13
            }
        let rest = row.splitLeft(start).rest
        return if case .name = field { rest.splitLeft(value - 4).left } else { rest }
    }
}

extension ExplorerState {
    /// Stands at the end of the request's line while the request isn't as its file has it.
    var requestMark: String {
        guard let line = layout.requestLine, let selectedRequest, drafts.isUnsaved(selectedRequest) else { return "" }
        return line.columns >= 60 ? "✎ edited " : "✎"
    }

    /// The part of the request's line that the URL has.
    var urlRow: Rect? {
        layout.requestLine.map { $0.line(0).splitLeft($0.columns - DisplayWidth.of(requestMark)).left }
    }

    /// Where a field is drawn while it is edited; `nil`: it isn't seen.
    func place(of field: RequestField) -> Rect? {
        guard let definition = shownDefinition else { return nil }
        if field == .url, let urlRow { return RequestColumns(definition, panes.request, rows: []).place(of: .url, in: urlRow) }
        let (rows, window) = (requestRows, requestWindow)
        guard let area = layout.panes[.request]?.inner,
            let index = rows.firstIndex(of: field == .url ? .url : RequestPaneRow(of: field)), window.contains(index)
        else { return nil }
        return RequestColumns(definition, panes.request, rows: rows).place(of: field, in: area.line(index - window.lowerBound))
    }
}
