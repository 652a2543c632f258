import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

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
        case .retryNow: return retryNow()
        case .stopRetrying: return stopRetrying()
        case .cancelAll: return cancelAll()
        case .forgetCookies: return forgetCookies()
        case .askSchema: return askSchema()
        case .goToTab: awaitsTab = true
        case .focusOperation: go(toResponse: .timing)
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
        case .reload:
            let paths = workspace.collections.keys.compactMap { $0 == workspace.unwritten?.path ? workspace.unwritten?.source : $0 }
            return paths.map { .loadCollection(path: $0) }
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
            // The list opens on the run that is shown.
            if pane == .history, let shown = operations.selected, shownHistoryRows.contains(shown) {
                panes.history.selection.select(shown)
            }
            return []
        }
        guard let pane = Pane.allCases.first(where: { $0 != screen.focus && $0.description.commands.contains(command) }),
            let takesFocus = pane.description.takesFocus(self)
        else { return nil }
        if takesFocus { screen.setFocus(pane) }
        return (takesFocus ? fit() : []) + (pane.description.perform(&self, command) ?? [])
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
        return closingSessions(of: reference)
            + [.send(definition, in: reference.collection, environment: workspace.environments[reference.collection])]
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
        if screen.focus == .response, panes.response.tab == .log, panes.response.eventFilter.isOn {
            panes.response.eventFilter.set("")
            return []
        }
        if screen.focus == .response, !panes.response.filter.isEmpty { return filterResponse(by: "") }
        if screen.isZoomed {
            screen.isZoomed = false
        } else if screen.focus.isList {
            screen.setFocus(screen.focusBefore)
        } else if screen.focus == .request, screen.moment == .editing, shownOperation != nil {
            screen.setFocus(.response)
        } else if runsHere {
            notice = Notice(.info, "\(keyName(.cancel)) cancels what runs here")
        }
        return []
    }

    /// Ctrl-C is what people press who want to leave a program that they don't know.
    mutating func interrupt() -> [ExplorerEffect] {
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

    mutating func handle(_ event: MouseEvent) -> [ExplorerEffect] {
        // The second half of a double click is for nothing that the first one has opened or laid bare.
        if event.action == .doubleClick, screen.pressed != screen.openings { return [] }
        if event.action == .press { screen.pressed = screen.openings }
        if event.action == .press, let key = hintedKey(at: event.point) { return handle(.key(key)) }
        if typedLine(mouse: event) { return [] }
        if overlay == nil, completion(mouse: event) { return [] }
        if let content = overlay?.content { return overlay(content, mouse: event) }
        switch event.action {
        case .drag:
            if let divider = screen.dragged {
                screen.adjustments = layout.dragging(divider, to: event.point)
                return []
            }
        case .release:
            screen.dragged = nil
        case .press:
            if let divider = layout.divider(at: event.point) {
                screen.dragged = divider
                // Its row may also be a pane's title: that is the pane that is meant.
                guard let pane = pane(titledAt: event.point), let effects = leaveRow() else { return [] }
                return effects + focus(pane, with: event)
            }
        case .doubleClick, .wheelUp, .wheelDown: break
        }
        let isOnLine = layout.requestLine?.contains(event.point) ?? false
        let isOnOperation = layout.operationLine?.contains(event.point) ?? false
        guard let pane = isOnLine ? .request : isOnOperation ? .response : pane(at: event.point) else { return [] }
        guard event.action == .press || event.action == .doubleClick && !isOnOperation else {
            return isOnLine || isOnOperation ? [] : mouse(event, in: pane)
        }
        // What can't be taken over stays open, and nothing else is begun.
        guard var effects = isInOpenRow(event.point) ? [] : leaveRow() else { return [] }
        effects += endLines(besides: pane)
        if isOnOperation {
            go(toResponse: .timing)
            return effects + fit()
        }
        return effects + (isOnLine ? requestLine(mouse: event) : focus(pane, with: event))
    }

    /// The key of the hint that is seen at a place (`s send`): a click there presses it.
    private func hintedKey(at point: Point) -> KeyPress? {
        // A text that is typed is never lost by a click.
        guard !isTyping else { return nil }
        var places = [(layout.statusLine, hints + fixedHints)]
        if let content = overlay?.content {
            if let row = OverlayLayout(of: content, in: screen.size).hints { places.append((row, content.hints(in: self))) }
        } else if let line = layout.operationLine {
            places.append((line.line(0), verdictHints))
        }
        guard let hints = places.first(where: { $0.0.contains(point) })?.1 else { return nil }
        let frame = ExplorerView.frame(for: self, theme: Theme(name: ""))
        func isSeen(_ hint: Hint) -> Bool {
            let text = Array(hint.word.isEmpty ? hint.key : "\(hint.key) \(hint.word)")
            return (max(0, point.column - text.count + 1)...point.column).contains { start in
                start + text.count <= frame.size.columns
                    && text.indices.allSatisfy { frame[start + $0, point.row].character == text[$0] }
            }
        }
        return hints.first(where: isSeen).flatMap { KeyPress(name: $0.key) }
    }

    /// A click there is one in the text that is open, and leaves nothing.
    private func isInOpenRow(_ point: Point) -> Bool {
        switch panes.request.editing {
        case .body: requestTextArea?.contains(point) ?? false
        case .line(.url, _): layout.requestLine?.contains(point) ?? false
        case .line, nil: false
        }
    }

    private mutating func focus(_ pane: Pane, with event: MouseEvent) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        if pane != screen.focus {
            // What the pane shows must not move under the pointer.
            let moment = screen.moment
            screen.setFocus(pane)
            screen.moment = moment
            effects += fit()
        }
        return effects + mouse(event, in: pane)
    }

    /// A click on the request's line above the stage: it is the first row of the URL's tab.
    private mutating func requestLine(mouse event: MouseEvent) -> [ExplorerEffect] {
        guard selectedRequest != nil else { return [] }
        let isThere = screen.focus == .request && panes.request.tab == .params && panes.request.list.selected == 0
        if isThere, panes.request.editing != nil { return [] }
        go(toRequest: .params)
        return fit() + (isThere || event.action == .doubleClick ? editSelectedRow() : [])
    }

    private mutating func mouse(_ event: MouseEvent, in pane: Pane) -> [ExplorerEffect] {
        layout.content(of: pane).map { pane.description.mouse(&self, event, $0) } ?? []
    }

    private func pane(at point: Point) -> Pane? {
        let panes = layout.panes
        return Pane.allCases.first { panes[$0]?.inner.contains(point) ?? false } ?? pane(titledAt: point)
    }

    private func pane(titledAt point: Point) -> Pane? {
        let panes = layout.panes
        return Pane.allCases.first { pane in
            guard let rect = panes[pane] else { return false }
            return rect.row == point.row && point.column > rect.column && point.column < rect.endColumn - 1
        }
    }
}
