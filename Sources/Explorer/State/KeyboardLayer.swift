import TerminalUI

/// What can have the keyboard, the front layer first. It receives every key and paste, and passes none to the layers below it.
enum KeyboardLayer {
    case overlay(any OverlayContent)
    case search(SearchLine)
    case savePath
    case filter(FilterLine)
    case row(RequestPaneState.Editing)
    case panes
}

extension ExplorerState {
    var front: KeyboardLayer { overlay.map { .overlay($0.content) } ?? textLayer ?? .panes }

    /// The text that is being typed on the screen itself.
    private var textLayer: KeyboardLayer? {
        if let searchLine { return .search(searchLine) }
        if panes.response.savePrompt != nil { return .savePath }
        if let line = panes.response.filterLine { return .filter(line) }
        return panes.request.editing.map { .row($0) }
    }

    /// Whether a text is being typed on the screen itself, whose keys nothing that comes up by itself may take.
    var isTyping: Bool { textLayer != nil }

    mutating func handle(key pressed: KeyPress) -> [ExplorerEffect] {
        let key = overPanes(pressed)
        switch front {
        case .overlay(let content): return overlay(content, key: key)
        case .search(let line): return searchLine(line, key: key)
        case .savePath: return panes.response.typePath(key, clipboard: &clipboard).map { saving(to: $0) } ?? []
        case .filter(let line): return filterLine(line, key: key)
        case .row: return editing(key: key)
        case .panes: return keymap.command(for: key, in: screen.focus).map { perform($0) } ?? []
        }
    }

    mutating func handle(paste text: String) -> [ExplorerEffect] {
        switch front {
        case .overlay(let content): return overlay(content, paste: text)
        case .search(let line): return searchLine(line, paste: text)
        case .savePath:
            _ = panes.response.savePrompt?.paste(text)
            return []
        case .filter(let line): return filterLine(line, paste: text)
        case .row, .panes: return editing(paste: text)
        }
    }

    /// A click in a pane ends the lines that are open beside it: a search or filter as Enter does, a path as Esc does.
    mutating func endLines(besides pane: Pane?) -> [ExplorerEffect] {
        switch textLayer {
        case .search(let line): return searchLine(line, key: KeyPress(.enter))
        case .savePath where pane != .response: panes.response.savePrompt = nil
        case .filter(let line) where pane != .response: return filterLine(line, key: KeyPress(.enter))
        case .savePath, .filter, .row, .overlay, .panes, nil: break
        }
        return []
    }
}
