import Interchange
import Presentation
import RequestCollections
import TerminalUI

/// A few lines to fill in, for what is to be in the tree.
struct EntryForm: Hashable, Sendable {
    var title: String
    var fields: [Field]
    var selected = 0
    /// What a reader can't guess.
    var note: String
    /// Why it can't be so; in place of the note.
    var complaint: String?
    var purpose: Purpose
    /// What a command for curl in the place of the URL says.
    private(set) var pasted: PastedRequest?

    struct Field: Hashable, Sendable {
        var label: String
        var line: LineEditor
        var isSecret = false

        init(_ label: String, _ text: String = "", isSecret: Bool = false) {
            self.label = label
            self.isSecret = isSecret
            line = LineEditor(text)
        }

        /// What is drawn of it: a secret is as many dots.
        var shownLine: LineEditor { isSecret ? line.masked : line }

        var text: String {
            String(line.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    enum Purpose: Hashable, Sendable {
        case request(in: TreePlace)
        case folder(in: TreePlace)
        /// - Parameter keeping: a request of the demo, which is the first of the new collection.
        case collection(keeping: RequestReference? = nil)
        case duplicate(RequestReference)
        case rename(RequestReference)
        /// A request that is gone from its file, under a name of its own.
        case putBack(RequestReference)
        case variable(VariableWish)
        case editVariable(base: VariableDefinition?, in: String?, of: VariableBoard)
        case editEnvironment(base: EnvironmentDefinition?, of: VariableBoard)

        /// What it was opened from, and goes back to.
        var board: VariableBoard? {
            switch self {
            case .editVariable(_, _, let board), .editEnvironment(_, let board): board
            default: nil
            }
        }
    }

    init(_ title: String, _ fields: [Field], note: String, purpose: Purpose) {
        self.title = title
        self.fields = fields
        self.note = note
        self.purpose = purpose
    }

    static let hint = "Enter does it, Esc leaves all as it was"

    /// The command's method and URL stand in its place, where they can be changed; the rest goes along.
    mutating func fill(with request: PastedRequest) {
        pasted = request
        fields[1].line = LineEditor("\(request.definition.method) \(request.definition.url)")
        if fields[0].text.isEmpty { fields[0].line = LineEditor(String(request.definition.id.name)) }
        note = "With all that the command for curl says: Enter adds it"
        complaint = nil
    }
}

extension EntryForm: OverlayContent {
    var overlay: Overlay { .entry(self) }

    func area(in screen: Rect) -> Rect {
        let columns = min(72, screen.columns)
        // As high while something is wrong as it is without, unless that takes more lines.
        return screen.centered(Size(columns: columns, rows: fields.count + 4 + max(2, lines(columns: columns - 4).count)))
    }

    /// Below the fields: what is wrong, or what is good to know.
    func lines(columns: Int) -> [String] { LineWrapping.lines(of: SafeText.line(complaint ?? note), columns: columns) }

    var isTypedInto: Bool { true }
    var typedLine: LineEditor? {
        get { fields[selected].isSecret ? nil : fields[selected].line }
        set { if let newValue { fields[selected].line = newValue } }
    }
    func typedField(in inner: Rect) -> Rect? { place(ofField: selected, in: inner) }

    /// Behind the longest label.
    func place(ofField index: Int, in inner: Rect) -> Rect {
        let label = (fields.map { DisplayWidth.of($0.label) }.max() ?? 0) + 3
        return Rect(
            column: inner.column + label, row: inner.row + index, columns: max(1, inner.columns - 1 - label), rows: 1)
    }

    /// What was filled in isn't lost by accident.
    var closesOutside: Bool { false }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape:
            let board = purpose.board
            return .closes {
                $0.overlay = board?.overlay
                $0.drafts.quitsWhenSaved = false
                return []
            }
        case .enter:
            if case .request = purpose, PastedRequest.isCommand(fields[1].text) {
                state.apply(fields[1].text, to: &self)
            } else {
                let form = self
                return .stays { $0.submit(form) }
            }
        case .tab: move(by: key.modifiers.contains(.shift) ? -1 : 1)
        case .down: move(by: 1)
        case .up: move(by: -1)
        default:
            let revision = fields[selected].line.revision
            // A secret doesn't get into any clipboard.
            var none = ""
            if fields[selected].isSecret {
                _ = fields[selected].line.handle(key, clipboard: &none)
            } else {
                _ = fields[selected].line.handle(key, clipboard: &clipboard)
            }
            if fields[selected].line.revision != revision { complaint = nil }
        }
        return .stays()
    }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        if case .request = purpose, selected == 1, PastedRequest.isCommand(text) {
            state.apply(text, to: &self)
        } else {
            _ = fields[selected].line.paste(text)
            complaint = nil
        }
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool {
        if fields.indices.contains(row) { selected = row }
        return false
    }

    private mutating func move(by step: Int) { selected = selected.stepped(by: step, of: fields.count) }
}

extension LineEditor {
    /// As many dots, with the cursor where it is.
    var masked: LineEditor {
        let text = text
        var dots = LineEditor(String(repeating: "•", count: text.count))
        dots.moveCursor(behind: String(decoding: text.utf8.prefix(cursor), as: UTF8.self).count)
        return dots
    }
}

/// Draws the lines to fill in for what is to be in the tree.
extension EntryForm: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner.inset(columns: 1)
        for (row, field) in fields.enumerated() where row < inner.rows {
            let isFocused = row == selected
            canvas.text(field.label, isFocused ? .key : .dim, column: inner.column, row: inner.row + row)
            field.shownLine.draw(on: &canvas, in: place(ofField: row, in: layout.area.inner), isFocused: isFocused)
        }
        canvas.draw(in: inner) { canvas in
            let lines = lines(columns: canvas.bounds.columns)
            for (row, line) in lines.enumerated() where fields.count + row + 2 < canvas.bounds.rows {
                canvas.text(line, complaint == nil ? .dim : .error, column: 0, row: fields.count + 1 + row)
            }
            canvas.text(Self.hint, .dim, column: 0, row: canvas.bounds.rows - 1, ellipsis: true)
        }
    }
}
