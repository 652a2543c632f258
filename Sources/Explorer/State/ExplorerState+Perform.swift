import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// Does what the user asked for, by key, palette or mouse. The focused pane is asked first.
    mutating func perform(_ command: Command.ID) -> [ExplorerEffect] { answer(to: command) ?? [] }

    /// `nil`: nothing knows the command here.
    mutating func answer(to command: Command.ID) -> [ExplorerEffect]? {
        screen.focus.description.perform(&self, command) ?? performAnywhere(command) ?? performInItsPane(command)
    }

    /// `nil`: it isn't for all panes.
    private mutating func performAnywhere(_ command: Command.ID) -> [ExplorerEffect]? {
        switch command {
        // Requests
        case .send: return sendShownRequest()
        case .cancel: return cancelShownOperation()
        case .back: return back()
        case .interrupt: return interrupt()
        case .retryNow: return retryNow()
        case .stopRetrying: return stopRetrying()
        case .cancelAll: return cancelAll()
        case .forgetCookies: return forgetCookies()
        case .previousAttempt, .nextAttempt:
            stepAttempt(by: command == .nextAttempt ? 1 : -1)
        case .pauseQueue:
            operations.isSuspended.toggle()
            notice = Notice(.info, operations.isSuspended ? "the queue is paused: nothing new starts" : "the queue goes on")
            return [.setQueueSuspended(operations.isSuspended)]
        case .save: return save(selectedRequest.map { [$0] } ?? [])
        case .saveAll: return save(drafts.unsaved)
        case .undo: return undo({ $0.undo() }, nothing: "there is nothing to undo")
        case .redo: return undo({ $0.redo() }, nothing: "there is nothing to redo")

        // The screen
        case .search: openSearch()
        case .nextPane: screen.focusNext(1)
        case .previousPane: screen.focusNext(-1)
        case .zoom: screen.isZoomed.toggle()
        case .larger, .smaller: resize(by: command == .larger ? 2 : -2)
        case .designedSizes: screen.adjustments[layout.adjustmentKey] = .init()
        case .holdStill:
            screen.holdsStill.toggle()
            notice = Notice(
                .info, screen.holdsStill ? "the borders stay where they are" : "the screen follows what you do")
        case .askTrust: return askTrust()
        case .reload: return workspace.collections.keys.map { .loadCollection(path: $0) }
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return quit()
        case .previousTab, .nextTab:
            // A pane without tabs of its own turns those of the response: one looks at them after sending from the tree.
            guard screen.focus != .response, layout.panes[.response] != nil else { return [] }
            return responsePane(perform: command) ?? []
        case .compare: return compareWithPrevious(operations.selected)
        default: return open(by: command)
        }
        return []
    }

    private mutating func performInItsPane(_ command: Command.ID) -> [ExplorerEffect]? {
        if let pane = Pane.allCases.first(where: { $0.focusCommand == command }) {
            screen.setFocus(pane)
            return []
        }
        guard let pane = Pane.allCases.first(where: { $0 != screen.focus && $0.description.commands.contains(command) }),
            let takesFocus = pane.description.takesFocus(self)
        else { return nil }
        if takesFocus { screen.setFocus(pane) }
        return (takesFocus ? settle() : []) + (pane.description.perform(&self, command) ?? [])
    }

    // MARK: Operations

    mutating func sendShownRequest() -> [ExplorerEffect] {
        guard let reference = selectedRequest, let definition = definition(of: reference) else {
            return say("pick a request first")
        }
        screen.moment = .sent
        // The answer must be seen: where its pane has no room beside the focused one, it takes that one's place.
        var sent = layout
        sent.hasRun = true
        if sent.panes[.response] == nil { screen.setFocus(.response) }
        operations.shownAtSend[reference] = reference
        panes.response.sending(reference)
        return [.send(definition, in: reference.collection, environment: workspace.environments[reference.collection])]
    }

    private mutating func cancelShownOperation() -> [ExplorerEffect] {
        guard let entry = shownOperation, !entry.state.isFinal else {
            if let send = shownWaitingSend { return [.cancelSend(send.number)] }
            return say("nothing runs here: there is nothing to cancel")
        }
        return [.cancel(entry.id, "the user")]
    }

    private mutating func retryNow() -> [ExplorerEffect] {
        guard let entry = shownOperation, entry.state == .waitingToRetry else {
            return say("nothing waits to be tried again here")
        }
        return [.retryNow(entry.id)]
    }

    private mutating func stopRetrying() -> [ExplorerEffect] {
        guard let entry = shownOperation, !entry.state.isFinal else {
            return say("nothing runs here that could be tried again")
        }
        if entry.state != .waitingToRetry { notice = Notice(.info, "this attempt is the last one") }
        return [.stopRetrying(entry.id)]
    }

    /// Escape undoes one step of looking: the search, then the filter, then the zoom. It never cancels: pressing it once too
    /// often must not lose a running request.
    private mutating func back() -> [ExplorerEffect] {
        if !searchText(in: screen.focus).isEmpty { return look(for: "", in: screen.focus) }
        if screen.focus == .response, panes.response.tab == .events, panes.response.eventFilter.isOn {
            panes.response.eventFilter.set("")
            return []
        }
        if screen.focus == .response, !panes.response.filter.isEmpty { return filterResponse(by: "") }
        if screen.isZoomed {
            screen.isZoomed = false
        } else if screen.focus == .request, screen.moment == .editing, shownOperation != nil {
            screen.setFocus(.response)
        } else if runsHere {
            notice = Notice(.info, "\(keyName(.cancel)) cancels what runs here")
        }
        return []
    }

    /// Ctrl-C is what people press who want to leave a program that they don't know.
    private mutating func interrupt() -> [ExplorerEffect] {
        let cancels = runsHere ? "\(keyName(.cancel)) cancels what runs here, " : ""
        return say("\(cancels)\(keyName(.quit)) quits")
    }

    private var runsHere: Bool { shownWaitingSend != nil || shownOperation.map { !$0.state.isFinal } ?? false }

    private mutating func cancelAll() -> [ExplorerEffect] {
        let running = operations.entries.values.filter { !$0.state.isFinal }.map(\.id)
        if running.isEmpty, operations.waitingSends.isEmpty { notice = Notice(.info, "nothing runs") }
        return operations.waitingSends.keys.map { .cancelSend($0) } + running.map { .cancel($0, "the user") }
    }

    // MARK: Focus

    /// Moves the border of the focused pane.
    private mutating func resize(by cells: Int) {
        guard let new = layout.growing(by: cells) else {
            notice = Notice(.info, "no border of this pane can be moved here")
            return
        }
        screen.adjustments = new
    }

    // MARK: Leaving

    mutating func quit() -> [ExplorerEffect] {
        let unsaved = drafts.unsaved
        let running =
            operations.entries.values.filter { !$0.state.isFinal }.map(\.title) + operations.waitingSends.values.map(\.title)
        let lost = unsaved.isEmpty ? namesLostAtTheEnd : []
        if unsaved.isEmpty, running.isEmpty, lost.isEmpty { return [.quit] }
        var lines: [String] = []
        if !running.isEmpty {
            lines.append(
                running.count == 1
                    ? "One request is still under way, and would be cancelled:"
                    : "\(running.count) requests are still under way, and would be cancelled:")
            lines += Self.few(running)
        }
        if !lost.isEmpty {
            lines += [
                "Saved requests use what only this session knows:", "  " + lost.map { "{{\($0)}}" }.joined(separator: ", "),
                "\(keyName(.editVariables)) gives \(lost.count == 1 ? "it" : "them") a place in the collection, as a secret.",
            ]
        }
        if !unsaved.isEmpty {
            lines.append(unsaved.count == 1 ? "One request is not saved:" : "\(unsaved.count) requests are not saved:")
            lines += Self.few(unsaved.map { "\($0.id)" })
        }
        let leave: [Dialog.Button] =
            unsaved.isEmpty
            ? [.init("q", lost.isEmpty ? "Cancel and quit" : "Quit without", .discardAndQuit)]
            : [.init("s", "Save all", .saveAllAndQuit), .init("d", "Discard", .discardAndQuit)]
        overlay = .dialog(Dialog(title: "Quit", lines: lines, buttons: leave + [.init("c", "Stay", .close)]))
        return []
    }

    private static func few(_ names: [String]) -> [String] {
        names.prefix(5).map { "  \($0)" } + (names.count > 5 ? ["  and \(names.count - 5) more"] : [])
    }
}
