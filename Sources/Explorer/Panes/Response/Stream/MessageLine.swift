import NetworkLayer
import Presentation
import TerminalUI

/// The message that is typed for a session, at the lower end of the response. What was typed stays when the line is left.
struct MessageLine: Hashable, Sendable {
    var editor = Self.emptyEditor
    var isOpen = false
    /// Whose session it is typed for.
    private(set) var request: RequestReference?
    /// What was typed for the sessions of other requests.
    private var others: [RequestReference: TextEditor] = [:]

    private static var emptyEditor: TextEditor { TextEditor(limit: 16 << 20) }

    mutating func turn(to other: RequestReference) {
        guard other != request else { return }
        if let request, !editor.isEmpty { others[request] = editor }
        editor = others.removeValue(forKey: other) ?? Self.emptyEditor
        request = other
    }

    /// The text of a message that wasn't sent, unless another one is being typed.
    mutating func bringBack(_ text: String, of owner: RequestReference) {
        if owner != request {
            guard others[owner] == nil else { return }
            others[owner] = Self.emptyEditor
            others[owner]?.setText(text)
        } else if editor.isEmpty {
            editor.setText(text)
            editor.move(.textEnd)
        }
    }

    /// More lines are scrolled.
    private static let mostRows = 5

    var rows: Int { isOpen ? min(Self.mostRows, editor.buffer.lines.count) : 0 }
}

extension ExplorerState {
    var openSession: OperationEntry? { shownOperation.flatMap { $0.isOpenSession ? $0 : nil } }

    mutating func writeMessage() -> [ExplorerEffect] {
        guard let session = openSession else { return say("no WebSocket is open here") }
        panes.response.message.turn(to: session.request)
        panes.response.show(.body)
        screen.setFocus(.response)
        panes.response.message.isOpen = true
        return fit()
    }

    mutating func closeSession() -> [ExplorerEffect] {
        guard let entry = openSession else { return say("no WebSocket is open here") }
        return [.closeSession(entry.id)]
    }

    mutating func messageLine(key: KeyPress) -> [ExplorerEffect] {
        let editor = panes.response.message.editor
        switch key.key {
        case .enter: return sendMessage(editor.text)
        case .escape: panes.response.message.isOpen = false
        case .character("d") where key.modifiers == .control && editor.isEmpty: return closeSession()
        case .up, .down, .pageUp, .pageDown:
            // The lines of a message come first.
            guard editor.buffer.lines.count == 1, let command = keymap.command(for: key, in: .response) else { fallthrough }
            return responsePane(perform: command) ?? []
        default: _ = panes.response.message.editor.handle(key, clipboard: &clipboard)
        }
        return []
    }

    private mutating func sendMessage(_ text: String) -> [ExplorerEffect] {
        guard !text.isEmpty else { return [] }
        guard let entry = openSession, entry.request == panes.response.message.request else {
            return say("the WebSocket isn't open: the message wasn't sent", .warning)
        }
        panes.response.message.editor.setText("")
        return [.sendMessage(text, entry.id)]
    }

    mutating func messageLine(paste text: String) -> [ExplorerEffect] {
        // The end of the last line is no part of what was copied.
        let end = text.last?.isNewline == true ? 1 : 0
        _ = panes.response.message.editor.paste(String(text.dropLast(end)))
        return []
    }

    /// Its text is there again, unless another one is being typed: then undo brings it back.
    mutating func notSent(_ text: String, to id: OperationID, because reason: String) {
        guard let entry = operations[id] else { return }
        panes.response.message.bringBack(text, of: entry.request)
        let recipient = entry.request == panes.response.message.request ? "" : " to \(entry.title)"
        notice = Notice(.warning, "the message\(recipient) wasn't sent: \(reason)")
    }

    /// Where it is typed.
    var messagePlace: Rect? {
        guard let inner = layout.panes[.response]?.inner, case let rows = min(panes.response.message.rows, inner.rows), rows > 0
        else {
            return nil
        }
        return Rect(column: inner.column, row: inner.endRow - rows, columns: inner.columns, rows: rows)
    }
}

enum MessageLineView {
    /// The line stays when its session ends: the next key would be a command.
    static func draw(_ message: MessageLine, isSent: Bool, in place: Rect, on canvas: inout Canvas) {
        canvas.fill(place, .input)
        canvas.text("↑", .accent, column: place.column + 1, row: place.row)
        canvas.draw(in: place.splitLeft(3).rest) { canvas in
            if message.editor.isEmpty {
                let hint = isSent ? "a message; Enter sends it" : "the WebSocket is closed; Esc leaves this line"
                canvas.text(hint, .placeholder, column: 0, row: 0, ellipsis: true)
            }
            message.editor.draw(on: &canvas, isFocused: true, role: .input)
        }
    }
}
