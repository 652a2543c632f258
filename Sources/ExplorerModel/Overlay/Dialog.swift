package import RequestCollections
package import TerminalUI

/// Something said that must be seen, or a question.
package struct Dialog: Hashable, Sendable {
    package var title: String
    /// Wrapped when drawn.
    package var lines: [String]
    package var buttons: [Button]
    package var selected = 0

    package struct Button: Hashable, Sendable {
        package var key: Character
        package var title: String
        package var action: Action

        package init(_ key: Character, _ title: String, _ action: Action) {
            self.key = key
            self.title = title
            self.action = action
        }
    }

    package enum Action: Hashable, Sendable {
        case close, saveAllAndQuit, discardAndQuit
        /// Keeps these entries of a request.
        case keepMine(RequestReference, [String]), takeTheirs(RequestReference, [String])
        case delete(RequestReference)
        /// A file, at that line.
        case open(SourceLocation)
        /// About a request that is gone from its file.
        case putBack(RequestReference), putBackAs(RequestReference), giveUp(RequestReference)
    }

    package init(title: String, lines: [String], buttons: [Button] = [Button("o", "OK", .close)]) {
        self.title = title
        self.lines = lines
        self.buttons = buttons
    }
}

extension Dialog {
    /// - Returns: the button that the key presses.
    private mutating func press(_ key: KeyPress) -> Button? {
        switch key.key {
        case .escape: return Button("c", "", .close)
        case .enter, .character(" "): return buttons[selected]
        case .left, .right, .tab:
            let isBack = key.key == .left || key.modifiers.contains(.shift)
            selected = selected.stepped(by: isBack ? -1 : 1, of: buttons.count)
            return nil
        case .character(let character): return buttons.first { $0.key == character }
        default: return nil
        }
    }

    init(about problem: CollectionProblem, title: String = "A problem in the file") {
        self.init(
            title: title, lines: [problem.location.description, "", problem.message],
            buttons: [.init("e", "Open it in $EDITOR", .open(problem.location)), .init("c", "Close", .close)])
    }
}

extension Dialog: OverlayContent {
    package var overlay: Overlay { .dialog(self) }

    package func area(in screen: Rect) -> Rect {
        let columns = min(64, screen.columns)
        return screen.centered(Size(columns: columns, rows: wrapped(columns: columns - 4).count + 4))
    }

    /// Its lines, broken at blanks.
    package func wrapped(columns: Int) -> [String] { lines.flatMap { LineWrapping.lines(of: $0, columns: columns) } }

    package func hintRow(in inner: Rect) -> Rect? { nil }

    package func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        // As the other hints are written; the name of an environment variable stays as it is.
        let words = buttons[selected].title.split(separator: " ").map { $0.hasPrefix("$") ? String($0) : $0.lowercased() }
        return [.init(key: "Enter", word: words.joined(separator: " ")), .init(key: "Esc", word: "back")]
    }

    package mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        press(key).map { button in .closes { $0.press(button) } } ?? .stays()
    }
}

extension ExplorerState {
    fileprivate mutating func press(_ button: Dialog.Button) -> [ExplorerEffect] {
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
}
