import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// The tab timing: each attempt and hop is a row with its phases on one axis, and opens to all that is known of it.
///
///                    0                            187 ms                       374 ms
///     ▸ 1 GET http://api.example.org/orders                           302    374 ms
///         wait           █████████████████████████████████████       310 ms
///         → http://other.example.org/orders
///         withheld Authorization
///     ▾ 2 GET http://other.example.org/orders                         200     74 ms
///         version      TLSv1.3
struct TimingLines {
    var lines: [StyledLine] = []
    /// The row of each attempt.
    var rows: [Int] = []

    /// The attempt that a line is about.
    func attempt(ofLine line: Int) -> Int? { rows.lastIndex { $0 <= line } }
}

extension ExplorerState {
    func timing(_ entry: OperationEntry, columns: Int) -> TimingLines {
        var timing = TimingLines()
        let attempts = entry.metrics.attempts
        let waterfall = Waterfall(entry.metrics, now: now)
        let indent = "    "
        /// What stands below the phases of the last attempt so far.
        func close() {
            guard let index = timing.rows.indices.last else { return }
            let attempt = attempts[index]
            var below = attempt.redirect.map { RedirectChain.notes($0, attempt) } ?? []
            if panes.response.attempt.isOpen(index, of: entry) { below += details(of: attempt, in: entry, columns: columns - 4) }
            timing.lines += below.map { StyledLine([.init(indent, .text)] + $0.spans) }
        }
        var isClosed = true
        for (row, line) in zip(waterfall.rows, waterfall.lines(width: columns - 2)) {
            var mark = "  "
            switch row.kind {
            case .attempt:
                if !isClosed { close() }
                isClosed = false
                mark = panes.response.attempt.isOpen(timing.rows.count, of: entry) ? "▾ " : "▸ "
                timing.rows.append(timing.lines.count)
            case .wait:
                if !isClosed { close() }
                isClosed = true
            case .scale, .phase, .serverTiming, .note: break
            }
            timing.lines.append(StyledLine([.init(mark, .dim)] + line.spans))
        }
        if !isClosed { close() }
        timing.lines.append(StyledLine())
        timing.lines += wrapped(
            InfoPanel.lines(InfoPanel.rows(entry.metrics, body: entry.response?.info?.body, now: now)), columns, 13)
        return timing
    }

    /// The certificate and its chain, the connection and its bytes, and both heads.
    private func details(of attempt: AttemptMetrics, in entry: OperationEntry, columns: Int) -> [StyledLine] {
        let parts: [(title: String, lines: [StyledLine])] = [
            ("TLS", wrapped(tlsLines(attempt, in: entry), columns, 13)),
            ("connection", wrapped(InfoPanel.lines(InfoPanel.rows(attempt)), columns, 13)),
            ("received", receivedLines(attempt, columns: columns)), ("sent", sentLines(attempt, columns: columns)),
        ]
        return parts.filter { !$0.lines.isEmpty }.flatMap { [StyledLine($0.title, .dim)] + $0.lines + [StyledLine()] }
    }

    /// Nothing where nothing was encrypted.
    private func tlsLines(_ attempt: AttemptMetrics, in entry: OperationEntry) -> [StyledLine] {
        guard let today = entry.metrics.enqueuedDate else { return [] }
        let isPinned = context?.pins(of: entry.sent.definition).isEmpty == false
        if let tls = attempt.tls { return TLSPanel.lines(tls, today: today, isPinned: isPinned) }
        guard attempt.request.url.scheme?.lowercased() == "https" else { return [] }
        // A connection shakes hands once; whoever reuses it sees what was agreed on then.
        guard let connection = attempt.connection, connection.isReused, entry.id.pastRun == nil,
            let first = handshake(of: connection.id)
        else { return [StyledLine("the handshake has not been reached", .placeholder)] }
        let note = StyledLine("connection \(connection.id) is reused: operation #\(first.operation.rawValue) opened it", .dim)
        return [note] + TLSPanel.lines(first.tls, today: today, isPinned: isPinned)
    }

    private func handshake(of connection: Int) -> (operation: OperationID, tls: TLSInfo)? {
        for entry in operations.entries.values.reversed() where entry.id.pastRun == nil {
            for attempt in entry.metrics.attempts where attempt.connection?.id == connection {
                if let tls = attempt.tls { return (entry.id, tls) }
            }
        }
        return nil
    }

    /// The row of the selected attempt, where there are several.
    var selectedResponseLine: Int? {
        guard panes.response.tab == .timing, let entry = shownOperation, entry.metrics.attempts.count > 1,
            let index = panes.response.attempt.selectedIndex(of: entry)
        else { return nil }
        return timing(entry, columns: responseArea.columns).rows[index]
    }

    mutating func revealAttempt() {
        guard let line = selectedResponseLine else { return }
        let size = responseArea
        panes.response.reveal(line, count: responseContent(columns: size.columns).lineCount, rows: size.rows)
    }

    /// A click on an attempt's row selects it, and another one opens or closes it.
    mutating func clickTiming(row: Int, again: Bool) {
        guard row >= 0, let entry = shownOperation else { return }
        let size = responseArea
        let timing = timing(entry, columns: size.columns)
        let line = panes.response.scroll(of: .timing).firstLine(of: timing.lines.count, rows: size.rows) + row
        guard let index = timing.rows.firstIndex(of: line) else { return }
        let isSelected = panes.response.attempt.selectedIndex(of: entry) == index
        panes.response.attempt.select(index, of: entry)
        if isSelected || again { panes.response.attempt.toggle(of: entry) }
    }
}
