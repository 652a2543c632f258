import NetworkLayer

extension ExplorerState {
    /// A key and a word, for the status line.
    struct Hint: Hashable, Sendable {
        var key: String
        var word: String

        init(key: String, word: String) {
            self.key = key
            self.word = word
        }
    }

    /// The ways to everything else: they are always shown, unless a text is being typed or something lies over the panes.
    var fixedHints: [Hint] { isTyping || overlay != nil ? [] : [.palette, .help, .quit].compactMap { hint($0) } }

    /// What can be done with the shown operation now.
    var verdictHints: [Hint] {
        if shownWaitingSend != nil { return [hint(.cancel)].compactMap(\.self) }
        if asksWhy { return [hint(.why)].compactMap(\.self) }
        guard let entry = shownOperation else { return [hint(.send)].compactMap(\.self) }
        if entry.state == .waitingToRetry { return [.retryNow, .stopRetrying].compactMap { hint($0) } }
        return entry.state.isFinal ? [] : [hint(.cancel)].compactMap(\.self)
    }

    /// What is most useful now, the most useful first. As many as fit are shown.
    var hints: [Hint] {
        switch front {
        case .overlay(let content):
            OverlayLayout(of: content, in: screen.size).hints == nil ? content.hints(in: self) : []
        case .savePath: [Hint(key: "Enter", word: "save"), Hint(key: "Esc", word: "don't")]
        case .search(let line):
            [Hint(key: "Enter", word: line.pane == .collection ? "keep" : "done"), Hint(key: "Esc", word: "clear")]
        case .filter: [Hint(key: "Enter", word: "done"), Hint(key: "Esc", word: "as it was")]
        case .row(.line(.name, _)): [Hint(key: "Tab", word: "value")] + Self.lineHints
        case .row(.line(.value, _)): [Hint(key: "Tab", word: "next row"), Hint(key: "S-Tab", word: "name")] + Self.lineHints
        case .row(.line): Self.lineHints
        case .row(.body): [Hint(key: "Esc", word: "done"), hint(.send, preferring: { $0.hasPrefix("F") })].compactMap(\.self)
        case .panes: paneHints
        }
    }

    private var paneHints: [Hint] {
        var hints = hintedCommands.compactMap { hint($0) }
        if screen.focus == .collection, !panes.collection.filter.isEmpty, let key = keymap.keys(for: .back).first {
            hints.insert(Hint(key: key.name, word: "show all"), at: 0)
        }
        if screen.focus == .response, shownStream != nil {
            hints.insert(contentsOf: streamHints, at: min(1, hints.count))
        } else if screen.focus == .response, bodyWithCursor != nil, let key = keymap.keys(for: .activate).first {
            hints.insert(Hint(key: key.name, word: "fold"), at: min(2, hints.count))
        }
        if screen.focus == .response, !panes.response.filter.isEmpty, let key = keymap.keys(for: .back).first {
            // One thing at a time, as Escape takes it back.
            hints.insert(
                Hint(
                    key: key.name,
                    word: searchText(in: .response).isEmpty ? (shownStream == nil ? "whole body" : "show all") : "end search"),
                at: 0)
        }
        return hints
    }

    private static let lineHints = [Hint(key: "Enter", word: "done"), Hint(key: "Esc", word: "leave as it was")]

    private var hintedCommands: [Command.ID] {
        let isRunning = shownWaitingSend != nil || shownOperation.map { !$0.state.isFinal } ?? false
        let saves: [Command.ID] = selectedRequest.map(drafts.isUnsaved) ?? false ? [.save] : []
        let retries: [Command.ID] = shownOperation?.state == .waitingToRetry ? [.retryNow, .stopRetrying] : []
        let first: [Command.ID] = (asksWhy ? [.why] : []) + retries + (isRunning ? [.cancel] : [])
        return first + [.send] + saves + screen.focus.description.hints(self) + [.chooseEnvironment, .zoom]
    }

    private func hint(_ id: Command.ID, preferring isPreferred: (String) -> Bool = { _ in false }) -> Hint? {
        let names = keymap.keys(for: id).map(\.name)
        guard let name = names.first(where: isPreferred) ?? names.first, let command = Command[id] else { return nil }
        return Hint(key: name, word: command.hint)
    }
}

extension Command {
    static subscript(id: ID) -> Command? { all.first { $0.id == id } }
}
