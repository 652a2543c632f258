package import NetworkLayer
package import RequestCollections
package import TerminalUI

/// What lies over the panes and takes all keys: one at a time.
package enum Overlay: Hashable, Sendable {
    case help(Help)
    case omnibox(Omnibox)
    case jump(Jump)
    case chooser(Chooser)
    case dialog(Dialog)
    case why(WhyCard)
    case question(QuestionForm)
    case entry(EntryForm)
    case comparison(Comparison)
    case variables(VariableBoard)
    case lab(LabBoard)
    case whatIf(WhatIfBoard)
    case trend(Trend)
    case hosts(HostBoard)
}

/// What comes of asking for something over the panes. It is thrown by what another thing was asked of, which isn't to be had.
enum Opening: Error {
    case overlay(Overlay)
    /// Why there is nothing to show.
    case notice(String)
    case nothing

    static func chooser(_ chooser: Chooser) -> Self { .overlay(.chooser(chooser)) }
    static func entry(_ form: EntryForm) -> Self { .overlay(.entry(form)) }
    static func dialog(_ dialog: Dialog) -> Self { .overlay(.dialog(dialog)) }
}

/// Every command of a pane with its keys.
package struct Help: Hashable, Sendable {
    package var pane: Pane
    package var list: ListState

    package init(pane: Pane) {
        self.pane = pane
        self.list = ListState(count: Help.commands(of: pane).count)
    }

    package var commands: [Command] { Help.commands(of: pane) }

    /// The commands of this pane alone come first.
    private static func commands(of pane: Pane) -> [Command] {
        let here = Command.all.filter { $0.panes.contains(pane) }
        // A command of nearly all panes isn't this one's own.
        let isOwn = { (command: Command) in command.panes.count < Pane.allCases.count - 1 }
        return here.filter(isOwn) + here.filter { !isOwn($0) }
    }
}

/// A list to choose one from.
package struct Chooser: Hashable, Sendable {
    package var title: String
    package var items: [Item]
    package var list: ListState
    package var purpose: Purpose

    package struct Item: Hashable, Sendable {
        package var title: String
        /// Dimmed, behind the title.
        package var detail: String

        package init(_ title: String, detail: String = "") {
            self.title = title
            self.detail = detail
        }
    }

    package enum Purpose: Hashable, Sendable {
        /// The last item is "none".
        case environment(collection: String)
        /// The theme to go back to.
        case theme(before: String)
        case field(RequestField)
        case copy([CopyItem])
        /// One for each item.
        case check([CheckItem])
        /// One place for each item.
        case move(RequestReference, [TreePlace])
        case priority(OperationID)
        /// Another type or charset of a body.
        case reading(OperationID)
    }

    init(_ title: String, _ items: [Item], selected: Int = 0, purpose: Purpose) {
        self.title = title
        self.items = items
        self.list = ListState(count: items.count, selected: selected, height: max(1, items.count))
        self.purpose = purpose
    }
}

/// What can be made a check of a request, out of its response: rows of its tab `checks`.
package enum CheckItem: Hashable, Sendable {
    case expect(subject: String, matcher: String)
    case capture(name: String, source: String)
}

/// What can be copied from where the user is.
package enum CopyItem: Hashable, Sendable {
    case text(String, what: String)
    /// One that is masked on the screen, as it is in the file: only whoever asks for it gets it.
    case credential(String)
    /// The request, ready to be used elsewhere.
    case request(RequestRendering)
    /// The body of the shown response, as it is shown.
    case responseBody
}

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
    mutating func handle(_ key: KeyPress) -> Button? {
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

    init(about problem: CollectionProblem) {
        self.init(
            title: "A problem in the file", lines: [problem.location.description, "", problem.message],
            buttons: [.init("e", "Open it in $EDITOR", .open(problem.location)), .init("c", "Close", .close)])
    }
}
