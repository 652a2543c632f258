import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// Server-sent events and lines of JSON as a table: what came when, how fast it comes, and which of it one wants to see.
extension ExplorerState {
    /// In the form of lines they are a text like any other, unless a session is open, whose text is made at its end; a command works on all
    /// of the body.
    var showsStreams: Bool {
        openSession != nil || panes.response.body.mode == .pretty && !panes.response.filter.hasPrefix("!")
    }

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
            let entry = responseSubject(for: .body)?.entry, entry.state.isFinal, !entry.isReleased, let response = entry.response,
            response.info?.body.count ?? 0 > 0 || entry.session != nil
        else { return [] }
        let known: BodyKind? = if case .ready(let document) = entry.body { document.kind } else { nil }
        let kind = entry.session == nil ? BodyKind.stream(contentType: entry.contentType) ?? known : .jsonLines
        guard let kind, kind.isStream else { return [] }
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
        let message = openSession == nil ? [] : [Hint(key: keyName(.edit), word: "message")]
        return message + (isLive || !follows ? [Hint(key: keyName(.toggle), word: follows ? "pause" : "follow"), open] : [open])
    }

    /// To the next record that has the text; says when there is none.
    mutating func findRecord(step: Int) {
        guard let (_, table) = shownStream, let pattern = BodyPattern(panes.response.searchText) else { return }
        let isFound = panes.response.stream.find(pattern, step: step, in: table, height: streamHeight)
        if !isFound, step != 0 { notice = Notice(.info, "“\(panes.response.searchText)” isn't in here") }
    }
}

/// What comes of a stream, whether it is on the screen or not.
extension OperationBook {
    mutating func readStream(of id: OperationID, _ kind: BodyKind, attempt: Int, isWhole: Bool) -> [ExplorerEffect] {
        if self[id]?.stream?.attempt != attempt {
            let isSession = self[id]?.session != nil
            self[id]?.stream = StreamTable(kind, attempt: attempt, isSession: isSession)
        }
        guard self[id]?.stream?.isPending == false, self[id]?.stream?.isComplete == false else { return [] }
        self[id]?.stream?.isPending = true
        self[id]?.stream?.isWholeAsked = isWhole
        return [.readStream(id, kind, attempt: attempt, isWhole: isWhole)]
    }

    /// - Returns: whether there are more records to filter.
    mutating func arrived(_ records: [StreamRecord], of id: OperationID, attempt: Int, isLast: Bool) -> Bool {
        guard self[id]?.stream?.attempt == attempt, self[id]?.isReleased == false else { return false }
        self[id]?.stream?.append(records)
        if isLast {
            self[id]?.stream?.isPending = false
            // What was asked for before the end has left out what came with it: that is asked for next.
            let isWhole = self[id]?.stream?.isWholeAsked == true
            self[id]?.stream?.isComplete = isWhole
        }
        return true
    }

    /// Begins, goes on with, or ends the filter of a table.
    mutating func filterStream(of id: OperationID, by text: String) -> [ExplorerEffect] {
        if text.isEmpty {
            if self[id]?.stream?.filter != nil { self[id]?.stream?.filter = nil }
            return []
        }
        if self[id]?.stream?.filter?.text != text { self[id]?.stream?.filter = StreamFilter(text) }
        guard let table = self[id]?.stream, let next = table.filter?.next(of: table.numbers) else { return [] }
        self[id]?.stream?.filter?.isPending = true
        let first = table.numbers.lowerBound
        // A copy of the part: who held on to the whole would make each new record copy all of them.
        return [.filterStream(id, filter: text, Array(table.records[next.lowerBound - first..<next.upperBound - first]))]
    }

    /// - Returns: whether there are more records to filter.
    mutating func filtered(
        _ id: OperationID, by text: String, _ numbers: [Int], of looked: Range<Int>, _ failure: String?
    ) -> Bool {
        guard self[id]?.stream?.filter?.text == text else { return false }
        self[id]?.stream?.filter?.merge(numbers, of: looked)
        self[id]?.stream?.filter?.failure = failure
        if let first = self[id]?.stream?.numbers.lowerBound { self[id]?.stream?.filter?.forget(before: first) }
        return true
    }
}
