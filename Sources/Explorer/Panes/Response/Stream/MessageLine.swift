import NetworkLayer
import Presentation
import TerminalUI

/// The message that is typed for a session, at the lower end of the response. What was typed stays when the line is left.
struct MessageLine: Hashable, Sendable {
    var editor = TextEditor(limit: 16 << 20)
    var isOpen = false

    /// More lines are scrolled.
    private static let mostRows = 5

    var rows: Int { isOpen ? min(Self.mostRows, editor.buffer.lines.count) : 0 }
}

extension ExplorerState {
    var openSession: OperationEntry? { shownOperation.flatMap { $0.isOpenSession ? $0 : nil } }

    mutating func writeMessage() -> [ExplorerEffect] {
        guard openSession != nil else { return say("no WebSocket is open here") }
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
        guard let entry = openSession else { return say("the WebSocket isn't open: the message wasn't sent", .warning) }
        panes.response.message.editor.setText("")
        return [.sendMessage(text, entry.id)]
    }

    mutating func messageLine(paste text: String) -> [ExplorerEffect] {
        // The end of the last line is no part of what was copied.
        let end = text.last?.isNewline == true ? 1 : 0
        _ = panes.response.message.editor.paste(String(text.dropLast(end)))
        return []
    }

    /// It is there again, unless another one is being typed: then undo brings it back.
    mutating func notSent(_ text: String, because reason: String) {
        if panes.response.message.editor.isEmpty {
            panes.response.message.editor.setText(text)
            panes.response.message.editor.move(.textEnd)
        }
        notice = Notice(.warning, "the message wasn't sent: \(reason)")
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
