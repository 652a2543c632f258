import TerminalUI

extension ExplorerState {
    mutating func open(_ opening: Opening) {
        switch opening {
        case .overlay(let overlay): self.overlay = overlay
        case .notice(let text): notice = Notice(.info, text)
        case .nothing: break
        }
    }

    // MARK: Keys

    mutating func overlay(_ content: any OverlayContent, key: KeyPress) -> [ExplorerEffect] {
        var (content, clipboard) = (content, clipboard)
        let step = content.handle(key, in: self, clipboard: &clipboard)
        self.clipboard = clipboard
        return follow(step, of: content)
    }

    mutating func overlay(_ content: any OverlayContent, paste text: String) -> [ExplorerEffect] {
        var content = content
        let step = content.paste(text, in: self)
        return follow(step, of: content)
    }

    mutating func overlay(_ content: any OverlayContent, mouse event: MouseEvent) -> [ExplorerEffect] {
        let layout = OverlayLayout(of: content, in: screen.size)
        switch event.action {
        case .wheelUp: return overlay(content, key: KeyPress(.up))
        case .wheelDown: return overlay(content, key: KeyPress(.down))
        case .drag, .release: return []
        case .press, .doubleClick: break
        }
        guard layout.area.contains(event.point) else {
            return content.closesOutside ? overlay(content, key: KeyPress(.escape)) : []
        }
        guard layout.list.contains(event.point) else { return [] }
        var content = content
        let isEnter = content.click(row: event.point.row - layout.list.row, in: layout.list, of: self)
        return isEnter ? overlay(content, key: KeyPress(.enter)) : follow(.stays(), of: content)
    }

    private mutating func follow(_ step: OverlayStep, of content: any OverlayContent) -> [ExplorerEffect] {
        if step.stays { keep(content) } else { overlay = nil }
        return step.then(&self)
    }

    /// What lies over the panes has changed, and is still the same.
    mutating func keep(_ content: any OverlayContent) {
        let openings = screen.openings
        overlay = content.overlay
        screen.openings = openings
    }

    /// Called after each event.
    mutating func settleOverlay() {
        guard var content = overlay?.content else { return }
        if content.settle(in: self) { keep(content) } else { overlay = nil }
    }

    /// What moves and goes back in all panes does so over them and in texts, too: `C-n` of the emacs set is Down there, and `C-g` is Esc.
    /// Keys that type something are those of what lies over the panes.
    func overPanes(_ key: KeyPress) -> KeyPress {
        guard overlay != nil || isTyping, !key.isText else { return key }
        let isTypedInto = overlay?.content.isTypedInto ?? true
        let known: KeyPress.Key? =
            switch keymap.command(for: key, in: screen.focus) {
            case .up: .up
            case .down: .down
            case .back: .escape
            // In a text, C-d and C-u delete.
            case .pageUp where !isTypedInto: .pageUp
            case .pageDown where !isTypedInto: .pageDown
            case .left where !isTypedInto: .left
            case .right where !isTypedInto: .right
            default: nil
            }
        return known.map { KeyPress($0) } ?? key
    }

    /// Whether the key puts away what is only looked at: also the one that has opened it.
    func isClosing(_ key: KeyPress, _ command: Command.ID) -> Bool {
        key.key == .escape || key.key == .enter || isKey(key, of: command) || isKey(key, of: .quit)
    }

    func isKey(_ key: KeyPress, of command: Command.ID) -> Bool {
        keymap.keys(for: command).contains(key)
    }
}
