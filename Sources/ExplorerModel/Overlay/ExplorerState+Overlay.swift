import Interchange
import RequestCollections
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

    mutating func overlay(_ overlay: Overlay, key: KeyPress) -> [ExplorerEffect] {
        switch overlay {
        case .help(var help):
            _ = help.list.handle(key)
            self.overlay = isClosing(key, .help) ? nil : .help(help)
        case .omnibox(let omnibox): return handle(omnibox, key)
        case .jump(let jump): return handle(jump, key)
        case .chooser(let chooser): return handle(chooser, key)
        case .dialog(var dialog):
            if let button = dialog.handle(key) { return press(button) }
            self.overlay = .dialog(dialog)
        case .why(let card): return handle(card, key)
        case .question(let form): return handle(form, key)
        case .entry(let form): return handle(form, key)
        case .comparison(var comparison):
            comparison.move(key)
            self.overlay = isClosing(key, .compare) ? nil : .comparison(comparison)
        case .variables(let board): return handle(board, key)
        case .lab(let board): return handle(board, key)
        case .whatIf(let board): return handle(board, key)
        case .trend(let trend): return handle(trend, key)
        case .hosts(let board): return handle(board, key)
        }
        return []
    }

    /// What moves and goes back in all panes does so over them and in texts, too: `C-n` of the emacs set is Down there, and `C-g` is Esc.
    /// Keys that type something are those of what lies over the panes.
    func overPanes(_ key: KeyPress) -> KeyPress {
        guard overlay != nil || isTyping, !key.isText else { return key }
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

    private var isTypedInto: Bool {
        switch overlay {
        case nil, .omnibox, .question, .entry: true
        case .lab(let board): board.phase == .setup
        case .help, .jump, .chooser, .dialog, .why, .comparison, .variables, .whatIf, .trend, .hosts: false
        }
    }

    /// Whether the key puts away what is only looked at: also the one that has opened it.
    private func isClosing(_ key: KeyPress, _ command: Command.ID) -> Bool {
        key.key == .escape || key.key == .enter || isKey(key, of: command) || isKey(key, of: .quit)
    }

    func isKey(_ key: KeyPress, of command: Command.ID) -> Bool {
        keymap.keys(for: command).contains(key)
    }

    private mutating func handle(_ chooser: Chooser, _ key: KeyPress) -> [ExplorerEffect] {
        var chooser = chooser
        switch key.key {
        case .escape, .character("q"):
            overlay = nil
            if case .theme(let before) = chooser.purpose, before != screen.theme { return [.setTheme(before)] }
            return []
        case .enter, .character(" "):
            overlay = nil
            return choose(chooser, item: chooser.list.selected)
        case .tab: chooser.list.move(by: key.modifiers.contains(.shift) ? -1 : 1)
        default: guard chooser.list.handle(key) else { return [] }
        }
        overlay = .chooser(chooser)
        // A theme is tried on while it is looked for.
        if case .theme = chooser.purpose, chooser.items.indices.contains(chooser.list.selected) {
            return [.setTheme(chooser.items[chooser.list.selected].title)]
        }
        return []
    }

    private mutating func press(_ button: Dialog.Button) -> [ExplorerEffect] {
        overlay = nil
        switch button.action {
        case .close: drafts.quitsWhenSaved = false
        case .discardAndQuit:
            // What was given up on purpose must not come back the next time.
            return drafts.unsaved.map { .writeDraft($0, nil) } + [.quit]
        case .saveAllAndQuit:
            drafts.quitsWhenSaved = true
            return save(drafts.unsaved)
        case .keepMine(let reference, let entries): return keepMine(reference, entries)
        case .takeTheirs(let reference, let entries): return takeTheirs(reference, entries)
        case .putBack(let reference):
            do throws(CollectionProblem) {
                return try putBack(reference)
            } catch {
                drafts.quitsWhenSaved = false
                notice = Notice(.error, error.message)
                return []
            }
        case .putBackAs(let reference): overlay = puttingBackForm(reference)
        case .giveUp(let reference): return giveUp(reference)
        case .delete(let reference): return treeChanges.write(deleting(reference))
        case .open(let location): return [.openFile(location)]
        }
        return []
    }

    mutating func overlay(_ overlay: Overlay, paste text: String) -> [ExplorerEffect] {
        switch overlay {
        case .omnibox(let omnibox): paste(text, into: omnibox)
        case .question(var form):
            form.paste(text, at: now)
            self.overlay = .question(form)
        case .entry(var form):
            if case .request = form.purpose, form.selected == 1, PastedRequest.isCommand(text) {
                apply(text, to: &form)
            } else {
                form.paste(text)
            }
            self.overlay = .entry(form)
        case .lab(var board):
            board.paste(text)
            lab.board = board
            self.overlay = .lab(board)
        case .help, .jump, .chooser, .dialog, .why, .comparison, .variables, .whatIf, .trend, .hosts: break
        }
        return []
    }

    mutating func overlay(_ overlay: Overlay, mouse event: MouseEvent) -> [ExplorerEffect] {
        let area = OverlayLayout.area(of: overlay, in: screen.size)
        if event.action == .press, !area.contains(event.point) {
            // A question isn't declined by accident.
            if case .question = overlay { return [] }
            if case .entry = overlay { return [] }
            return self.overlay(overlay, key: KeyPress(.escape))
        }
        let wheel: KeyPress? =
            switch event.action {
            case .wheelUp: KeyPress(.up)
            case .wheelDown: KeyPress(.down)
            case .press, .doubleClick, .drag, .release: nil
            }
        if let wheel { return self.overlay(overlay, key: wheel) }
        guard event.action == .press || event.action == .doubleClick else { return [] }
        let row = event.point.row - OverlayLayout.list(of: overlay, in: screen.size).row
        switch overlay {
        case .omnibox(var omnibox):
            guard let index = omnibox.list.index(atRow: row) else { return [] }
            omnibox.list.select(index)
            return handle(omnibox, KeyPress(.enter))
        case .chooser(var chooser):
            guard let index = chooser.list.index(atRow: row) else { return [] }
            chooser.list.select(index)
            return handle(chooser, KeyPress(.enter))
        case .question(var form):
            guard case .choice = form.question.form, let index = form.list.index(atRow: row) else { return [] }
            form.list.select(index)
            return handle(form, KeyPress(.enter))
        case .entry(var form):
            guard form.fields.indices.contains(row) else { return [] }
            form.selected = row
            self.overlay = .entry(form)
            return []
        case .variables(var board):
            guard let index = board.list.index(atRow: row) else { return [] }
            let isAgain = index == board.list.selected
            board.list.select(index)
            self.overlay = .variables(board)
            return isAgain ? handle(board, KeyPress(.enter)) : []
        case .why(var card):
            guard let index = card.remedy(atRow: event.point.row - area.inner.row, in: area.inner.inset(columns: 1).size) else {
                return []
            }
            card.list.select(index)
            return handle(card, KeyPress(.enter))
        case .help, .jump, .dialog, .comparison, .lab, .whatIf, .trend, .hosts: return []
        }
    }

    /// Fits lists to what the screen can show of them. Called after each event.
    mutating func settleOverlay() {
        switch overlay {
        case .help(var help):
            help.list.height = OverlayLayout.list(of: .help(help), in: screen.size).rows
            overlay = .help(help)
        case .omnibox(var omnibox):
            omnibox.list.height = OverlayLayout.list(of: .omnibox(omnibox), in: screen.size).rows
            overlay = .omnibox(omnibox)
        case .jump(let jump): settle(jump)
        case .chooser(var chooser):
            chooser.list.height = OverlayLayout.list(of: .chooser(chooser), in: screen.size).rows
            overlay = .chooser(chooser)
        case .question(var form):
            form.list.height = OverlayLayout.list(of: .question(form), in: screen.size).rows
            overlay = .question(form)
        case .comparison(var comparison):
            comparison.height = OverlayLayout.list(of: .comparison(comparison), in: screen.size).rows
            overlay = .comparison(comparison)
        case .variables(let board): overlay = .variables(settled(board))
        case .dialog, .why, .entry, .lab, .whatIf, .trend, .hosts, nil: break
        }
    }
}
