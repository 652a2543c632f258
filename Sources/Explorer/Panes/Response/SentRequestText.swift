import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

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
