import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// Server-sent events and lines of JSON as a table: what came when, how fast it comes, and which of it one wants to see.
extension ExplorerState {
    /// In the form of lines they are a text like any other; a command works on all of the body.
    var showsStreams: Bool { panes.response.body.mode == .pretty && !panes.response.filter.hasPrefix("!") }

    /// The table on the screen, and whose it is.
    var shownStream: (id: OperationID, table: StreamTable)? {
        guard panes.response.tab == .body, showsStreams, let entry = responseSubject(for: .body)?.entry, let table = entry.stream,
            !entry.isReleased
        else { return nil }
        return (entry.id, table)
    }

    func streamRows(_ table: StreamTable) -> StreamRows { StreamRows(table, opened: panes.response.stream.opened) }

    /// The rows of the table below its heads.
    var streamHeight: Int { max(1, responseArea.rows - Self.streamHeads(rows: responseArea.rows)) }

    /// Above the records: how fast they come, and the names of the columns.
    static func streamHeads(rows: Int) -> Int { rows >= 8 ? 2 : rows >= 4 ? 1 : 0 }

    var recordUnderCursor: StreamRecord? {
        guard let (_, table) = shownStream, let place = panes.response.stream.place(streamRows(table)) else { return nil }
        return table[place.number]
    }

    /// What makes a table follow its end again.
    var followKey: String { keyName(.bottom) }

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
        let followed = panes.response.stream.follows
        guard panes.response.stream.perform(command, table, height: streamHeight) else { return nil }
        if followed, !panes.response.stream.follows { sayPaused() }
        return []
    }

    private mutating func sayPaused() {
        guard shownOperation.map({ !$0.state.isFinal }) == true else { return }
        notice = Notice(.info, "paused: \(keyName(.bottom)) follows again")
    }

    var streamHints: [Hint] {
        let follows = panes.response.stream.follows
        let isLive = shownOperation.map { !$0.state.isFinal } ?? false
        let open = Hint(key: keyName(.activate), word: "open")
        return isLive || !follows ? [Hint(key: keyName(.toggle), word: follows ? "pause" : "follow"), open] : [open]
    }

    /// To the next record that has the text; says when there is none.
    mutating func findRecord(step: Int) {
        guard let (_, table) = shownStream, let pattern = BodyPattern(panes.response.searchText) else { return }
        let isFound = panes.response.stream.find(pattern, step: step, in: table, height: streamHeight)
        if !isFound, step != 0 { notice = Notice(.info, "“\(panes.response.searchText)” isn't in here") }
    }
}
