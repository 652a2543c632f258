import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// What a tab of the response pane has to show.
enum ResponseContent: Sendable {
    /// All lines, however many rows there are.
    case lines([StyledLine])
    /// Events, and the time from which they count. There may be many: only those in sight are laid out.
    case log([NetworkEvent], since: MonotonicTime)
    case body(BodyDocument)
    /// An image, where the terminal has colours enough.
    case picture(Picture)
    /// Records, which come one after another.
    case stream(StreamTable)
    /// Nothing can be read yet, so the progress of the operation is shown.
    case progress(OperationEntry)
    /// There is nothing to show; says why, and which key helps.
    case nothing([String])

    var lineCount: Int {
        switch self {
        case .lines(let lines): lines.count
        case .log(let events, _): events.count
        case .body, .picture, .stream, .progress, .nothing: 0
        }
    }

    /// The lines of a range; none of a body, whose rows depend on how it is looked at.
    func lines(_ range: Range<Int>) -> [StyledLine] {
        switch self {
        case .lines(let lines): return Array(lines[range.clamped(to: lines.indices)])
        case .log(let events, let start):
            return events[range.clamped(to: events.indices)].map { EventLog.line($0, since: start) }
        case .body, .picture, .stream, .progress, .nothing: return []
        }
    }
}

extension ExplorerState {
    /// What the selected tab shows in so many columns.
    func responseContent(columns: Int) -> ResponseContent {
        guard let subject = responseSubject(for: panes.response.tab) else {
            return .nothing(["No response yet.", "s or F5 sends the request."])
        }
        let metrics = subject.entry.metrics
        switch panes.response.tab {
        case .body: return bodyContent(subject)
        case .headers: return headers(subject, columns: columns)
        case .timing: return metrics.attempts.isEmpty ? notYet : .lines(timing(subject.entry, columns: columns).lines)
        case .checks: return checks(subject, columns: columns)
        case .log:
            if subject.entry.isReleased { return released }
            if subject.entry.id.pastRun != nil { return .nothing(["The events of former sessions are not kept."]) }
            guard let start = subject.entry.events.first?.time else { return notYet }
            let filter = panes.response.eventFilter
            guard filter.isOn else { return .log(subject.entry.events, since: start) }
            let events = filter.matches.filter { subject.entry.events.indices.contains($0) }.map { subject.entry.events[$0] }
            return events.isEmpty
                ? .nothing(["No event has “\(SafeText.line(filter.text))”.", "f changes the filter, Esc shows all events."])
                : .log(events, since: start)
        }
    }

    /// The text of the tab on the screen, for the clipboard, as it is shown: secrets stay masked. `nil` for the body.
    var shownTabText: (text: String, what: String)? {
        // Wide enough for everything but what is drawn to fit.
        let content = responseContent(columns: 1_000)
        guard panes.response.tab != .body, content.lineCount > 0 else { return nil }
        let drawn = panes.response.tab == .timing ? responseContent(columns: 120) : content
        let lines = drawn.lines(0..<drawn.lineCount).map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
        return (lines.joined(separator: "\n"), panes.response.tab.rawValue)
    }

    private var released: ResponseContent {
        .nothing([
            "The body and the events of this run are not kept any more:",
            "those of the newest \(Figures.count(operations.retention.runs)) runs are, up to \(Figures.bytes(Int64(operations.retention.bytes))) of bodies.",
            "r sends it again.",
        ])
    }

    private var notYet: ResponseContent { .nothing(["Nothing has happened yet."]) }

    func wrapped(_ lines: [StyledLine], _ columns: Int, _ indent: Int) -> [StyledLine] {
        lines.flatMap { line in
            // A value behind a label continues below itself, not below the label.
            let isLabelled = line.spans.first.map { $0.text.count == indent } ?? false
            return line.wrapped(columns: columns, indent: isLabelled ? indent : 2)
        }
    }

    private func bodyContent(_ subject: ResponseSubject) -> ResponseContent {
        let entry = subject.entry
        if entry.isReleased { return released }
        if let stream = entry.stream, showsStreams { return .stream(stream) }
        if let picture = entry.picture, screen.showsImages, panes.response.body.mode == .pretty, panes.response.filter.isEmpty {
            return .picture(picture)
        }
        if !panes.response.filter.isEmpty, let filtered = entry.filtered { return content(filtered) }
        switch entry.body {
        case .ready(let document), .arriving(let document): return .body(document)
        case .preparing: return .nothing(["The body is being read …"])
        case .failed(let message): return .nothing(["The body can't be shown: \(SafeText.line(message))"])
        case .none: break
        }
        guard entry.state.isFinal else { return .progress(entry) }
        if entry.metrics.error != nil { return .nothing([]) }
        if entry.lacksBody {
            return .nothing(["The body of this run is not kept: it was too long, or is too old.", "r sends it again."])
        }
        guard let response = entry.response else { return .nothing(["The body is being read …"]) }
        let received = entry.metrics.attempts.last?.bytes.decodedResponseBody ?? 0
        if response.info?.body.count ?? 0 == 0, received > 0 {
            return .nothing([
                "\(Figures.bytes(received)) were received and not kept, as the request asks.", "] shows the headers.",
            ])
        }
        return .nothing(["The response has no body.", "] shows its headers."])
    }

    /// What came, and below it what was sent.
    private func headers(_ subject: ResponseSubject, columns: Int) -> ResponseContent {
        let isFinal = subject.entry.state.isFinal
        let received = subject.attempt.map { receivedLines($0, columns: columns) } ?? []
        let sent = subject.attempt.map { sentLines($0, columns: columns) } ?? []
        let noHead = isFinal ? "No response head came." : "No response head has come yet."
        let nothingSent = isFinal ? "The request never went out." : "The request has not gone out yet."
        if received.isEmpty, sent.isEmpty { return .nothing([nothingSent]) }
        return .lines(
            [StyledLine("received", .dim)] + (received.isEmpty ? [StyledLine(noHead, .placeholder)] : received)
                + [StyledLine(), StyledLine("sent", .dim)] + (sent.isEmpty ? [StyledLine(nothingSent, .placeholder)] : sent))
    }

    /// The status and the fields of a response.
    func receivedLines(_ attempt: AttemptMetrics, columns: Int) -> [StyledLine] {
        guard let head = attempt.head else { return [] }
        var status = StyledLine(SafeText.line(head.version) + " ", .dim)
        status.spans.append(StatusText.span(head.status))
        let trailers = HeaderText.lines(HeaderText.trailers(attempt))
        let behind = trailers.isEmpty ? [] : [StyledLine(), StyledLine("trailers", .dim)] + wrapped(trailers, columns, 2)
        return [status] + wrapped(HeaderText.lines(head.headers), columns, 2) + behind
    }

    /// What went over the wire.
    func sentLines(_ attempt: AttemptMetrics, columns: Int) -> [StyledLine] {
        attempt.sentHead == nil ? [] : wrapped(SentRequestText.lines(attempt), columns, 4)
    }

    /// The columns of the pane's edge that are kept for what stands at its right end.
    private static let edgeReserve = 14

    /// The tabs, with how much is in them.
    var responseTabs: PaneTabs {
        let subject = responseSubject(for: .headers)
        let attempts = shownOperation?.metrics.attempts ?? []
        let tabs = ResponsePaneState.Tab.allCases.map { tab in
            var title = PaneTabs.Tab(name: tab.rawValue)
            switch tab {
            case .body: title.isEmpty = subject.map { $0.entry.bodySize == 0 } ?? true
            case .headers:
                title.detail = subject?.attempt?.head.map { "\($0.headers.count)" } ?? ""
                title.isEmpty = subject?.attempt?.head == nil && subject?.attempt?.sentHead == nil
            case .timing:
                title.detail = attempts.count > 1 ? "\(attempts.count)" : ""
                title.isEmpty = attempts.isEmpty
            case .checks:
                title.detail = shownOperation?.report?.tallies.last ?? ""
                title.isEmpty = shownOperation?.report == nil
            case .log: title.isEmpty = shownOperation?.events.isEmpty ?? true
            }
            return title
        }
        return PaneTabs(
            tabs, selected: ResponsePaneState.Tab.allCases.firstIndex(of: panes.response.tab) ?? 0, of: .response,
            columns: layout.panes[.response]?.columns ?? 80, reserve: Self.edgeReserve, showsName: layout.requestRail == nil)
    }
}

/// The head of a request as it went over the wire, each line against what its author wrote.
///
///       GET /orders HTTP/1.1
///     + Host: api.example.org
///       Accept: application/json
///     ~ Accept-Encoding: gzip        written: identity
///     - X-Draft: 1
enum SentRequestText {
    static func lines(_ attempt: AttemptMetrics) -> [StyledLine] {
        guard let head = attempt.sentHead else { return [] }
        let rows = head.lines.filter { !$0.isEmpty }
        var lines: [StyledLine] = []
        if let first = rows.first { lines.append(StyledLine([.init("  ", .text), .init(SafeText.line(first), .strong)])) }

        var authored = attempt.request.headers.map { ($0.name.rawName.lowercased(), $0.value) }
        var added = 0
        for row in rows.dropFirst() {
            guard let halves = row.halves(at: ":") else {
                lines.append(StyledLine([.init("  ", .text), .init(SafeText.line(row), .text)]))
                continue
            }
            let name = String(halves.before)
            let value = String(Substring(halves.behind.unicodeScalars.drop { $0 == " " }))
            if let same = authored.firstIndex(where: { $0 == (name.lowercased(), value) }) {
                authored.remove(at: same)
                lines.append(line("  ", .text, name, value))
            } else if let other = authored.firstIndex(where: { $0.0 == name.lowercased() }) {
                var changed = line("~ ", .warning, name, value)
                changed.append("  written: ", .dim)
                changed.spans += HeaderText.value(authored[other].1, of: name).spans
                authored.remove(at: other)
                lines.append(changed)
            } else {
                added += 1
                lines.append(line("+ ", .success, name, value))
            }
        }
        lines += authored.map { line("- ", .error, $0.0, $0.1) }
        lines.append(StyledLine())
        lines.append(legend(added: added, missing: authored.count))
        let body = max(attempt.bytes.requestBody, attempt.upload.bytes)
        lines.append(StyledLine(body == 0 ? "  no body" : "  then \(Figures.bytes(body)) of body", .dim))
        if attempt.resends > 0 {
            lines.append(StyledLine("  sent \(Figures.count(attempt.resends + 1, "time")): a reused connection was dead", .warning))
        }
        return lines
    }

    private static func line(_ sign: String, _ role: ThemeRole, _ name: String, _ value: String) -> StyledLine {
        var line = StyledLine(sign, role)
        line.append(SafeText.line(name), .headerName)
        line.append(": ", .syntaxPunctuation)
        line.spans += HeaderText.value(value, of: name).spans
        return line
    }

    private static func legend(added: Int, missing: Int) -> StyledLine {
        guard added + missing > 0 else { return StyledLine("  every field as it was written", .dim) }
        var parts: [String] = []
        if added > 0 { parts.append("+ added on the way out") }
        if missing > 0 { parts.append("- written, but not sent") }
        return StyledLine("  " + parts.joined(separator: "   "), .dim)
    }
}
