import HTTPTypes
package import NetworkLayer
import OrderedCollections
package import Presentation
import TerminalUI

/// Server-sent events and lines of JSON as a table: what came when, how fast it comes, and which of it one wants to see.
extension ExplorerState {
    /// In the form of lines they are a text like any other; a command works on all of the body.
    var showsStreams: Bool { panes.response.body.mode == .pretty && !panes.response.filter.hasPrefix("!") }

    /// The table on the screen, and whose it is.
    package var shownStream: (id: OperationID, table: StreamTable)? {
        guard panes.response.tab == .body, showsStreams, let entry = responseSubject(for: .body)?.entry, let table = entry.stream,
            !entry.isReleased
        else { return nil }
        return (entry.id, table)
    }

    package func streamRows(_ table: StreamTable) -> StreamRows { StreamRows(table, opened: panes.response.stream.opened) }

    /// The rows of the table below its heads.
    package var streamHeight: Int { max(1, responseArea.rows - Self.streamHeads(rows: responseArea.rows)) }

    /// Above the records: how fast they come, and the names of the columns.
    package static func streamHeads(rows: Int) -> Int { rows >= 8 ? 2 : rows >= 4 ? 1 : 0 }

    package var recordUnderCursor: StreamRecord? {
        guard let (_, table) = shownStream, let place = panes.response.stream.place(streamRows(table)) else { return nil }
        return table[place.number]
    }

    /// What makes a table follow its end again.
    package var followKey: String { keyName(.bottom) }

    // MARK: What comes

    /// The rest, when the answer is there; all of it, of one that nobody looked at before.
    mutating func askForStream() -> [ExplorerEffect] {
        guard panes.response.tab == .body, showsStreams, layout.panes[.response] != nil,
            let entry = responseSubject(for: .body)?.entry, entry.state.isFinal, !entry.isReleased,
            entry.response?.info?.body.count ?? 0 > 0
        else { return [] }
        let known: BodyKind? = if case .ready(let document) = entry.body { document.kind } else { nil }
        guard let kind = BodyKind.stream(contentType: entry.contentType) ?? known, kind.isStream else { return [] }
        return operations.readStream(of: entry.id, kind, attempt: entry.metrics.attempts.last?.number ?? 1, isWhole: true)
    }

    // MARK: The filter

    /// Begins, goes on with, or ends the filter of the table on the screen.
    mutating func filterStream() -> [ExplorerEffect] {
        shownStream.map { operations.filterStream(of: $0.id, by: panes.response.filter) } ?? []
    }

    // MARK: Keys

    /// `nil`: not one of the table's.
    mutating func stream(perform command: Command.ID) -> [ExplorerEffect]? {
        guard let (_, table) = shownStream else { return nil }
        let rows = streamRows(table)
        func move(_ step: ScrollPosition.Step) -> [ExplorerEffect] {
            let followed = panes.response.stream.follows
            panes.response.stream.move(step, rows, height: streamHeight, total: table.count)
            if followed, !panes.response.stream.follows { sayPaused() }
            return []
        }
        switch command {
        case .up: return move(.lines(-1))
        case .down: return move(.lines(1))
        case .pageUp: return move(.pages(-1))
        case .pageDown: return move(.pages(1))
        case .top: return move(.start)
        case .bottom: return move(.end)
        case .left, .right:
            let left = panes.response.stream.left + (command == .left ? -8 : 8)
            panes.response.stream.left = min(max(0, left), Self.widestRecord)
            return []
        case .toggle:
            if panes.response.stream.follows {
                panes.response.stream.pause(rows, height: streamHeight, total: table.count)
                sayPaused()
            } else {
                panes.response.stream.follow()
            }
            return []
        case .activate:
            openRecord(table)
            return []
        case .foldAll:
            panes.response.stream.opened = [:]
            return []
        default: return nil
        }
    }

    private static let widestRecord = 2000

    private mutating func sayPaused() {
        guard shownOperation.map({ !$0.state.isFinal }) == true else { return }
        notice = Notice(.info, "paused: \(keyName(.bottom)) follows again")
    }

    /// Shows the members of the record under the cursor below it, or no more.
    private mutating func openRecord(_ table: StreamTable) {
        let rows = streamRows(table)
        guard let place = panes.response.stream.place(rows), let record = table[place.number] else { return }
        let follows = panes.response.stream.follows
        panes.response.stream.go(to: rows.row(of: .init(place.number)), rows, streamHeight, table.count)
        if panes.response.stream.opened.removeValue(forKey: place.number) == nil {
            panes.response.stream.opened[place.number] = record.document.lineCount.lines
            // What was opened last is what one wants to see.
            let opened = streamRows(table)
            let last = opened.row(of: .init(place.number)) + (panes.response.stream.opened[place.number] ?? 0)
            let row = opened.row(of: .init(place.number))
            panes.response.stream.go(to: min(last, row + streamHeight - 1), opened, streamHeight, table.count)
            panes.response.stream.go(to: row, opened, streamHeight, table.count)
        }
        if follows { sayPaused() }
    }

    /// - Returns: whether it was for the table.
    mutating func stream(mouse event: MouseEvent) -> Bool {
        guard let (_, table) = shownStream, let content = layout.content(of: .response) else { return false }
        let rows = streamRows(table)
        switch event.action {
        case .wheelUp, .wheelDown:
            panes.response.stream.scroll(
                by: event.action == .wheelUp ? -3 : 3, rows, height: streamHeight, total: table.count)
        case .press, .doubleClick:
            let row = event.point.row - (content.endRow - streamHeight)
            guard row >= 0, event.point.row < content.endRow else { return false }
            let first = panes.response.stream.topRow(rows, height: streamHeight)
            guard first + row < rows.count else { return true }
            panes.response.stream.go(to: first + row, rows, streamHeight, table.count)
            if event.action == .doubleClick { openRecord(table) }
        case .drag, .release: break
        }
        return true
    }

    var streamHints: [Hint] {
        let follows = panes.response.stream.follows
        let isLive = shownOperation.map { !$0.state.isFinal } ?? false
        let open = Hint(key: keyName(.activate), word: "open")
        return isLive || !follows ? [Hint(key: keyName(.toggle), word: follows ? "pause" : "follow"), open] : [open]
    }

    // MARK: Search

    /// To the next record that has the text, coming round at the ends.
    ///
    /// - Parameter step: 0: from the one under the cursor on, backwards: what came last is what one looks for.
    mutating func findRecord(step: Int) {
        guard let (_, table) = shownStream, let pattern = BodyPattern(panes.response.searchText) else { return }
        let rows = streamRows(table)
        let numbers = table.filter?.matches ?? Array(table.numbers)
        guard !numbers.isEmpty else { return }
        let current = panes.response.stream.place(rows).flatMap { place in numbers.lastIndex { $0 <= place.number } } ?? 0
        let distances = step == 0 ? 0..<numbers.count : 1..<numbers.count + 1
        let found = distances.lazy
            .map { numbers[(current + (step > 0 ? $0 : numbers.count - $0)) % numbers.count] }
            .first { table[$0]?.matches(pattern) == true }
        guard let found else {
            if step != 0 { notice = Notice(.info, "“\(panes.response.searchText)” isn't in here") }
            return
        }
        panes.response.stream.go(to: rows.row(of: .init(found)), rows, streamHeight, table.count)
    }
}
