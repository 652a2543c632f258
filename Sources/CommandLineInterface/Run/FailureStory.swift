import Base
import CollectionRunner
import HTTPTypes
import Interchange
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// All that shows why a request ended as it did. Nothing of it is secret: what was sent and answered is masked as a HAR is.
struct FailureStory: Sendable {
    var causes: [RunOutcome.Cause]
    /// Its first line, fields and body; empty for what wasn't sent.
    var request: [String] = []
    var response: [String] = []
    /// How the answer's body begins, on one line, where that says more than the causes: a status, or a type, isn't what was expected.
    private var bodyStart: String?
    /// What came before the last attempt: redirects and retries.
    var hops: [String] = []
    /// Where its time went: a bar for each phase of each attempt.
    var times: [String] = []
    /// Commands that send it again.
    var again: [String] = []

    private static let mostLines = 20
    private static let mostCharacters = 200

    init(_ entry: RunOutcome.Entry) {
        causes = entry.verdict == .passed ? [] : entry.causes
        let redactor = entry.result?.redactor ?? Redactor()
        if let response = entry.result?.response {
            let exchange = HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents())
            let document = HARDocument(
                [exchange], creator: .init(name: "turnstone", version: Version.text), masking: .presentation(redactor))
            if let last = document.log.entries.last {
                request = Self.lines(of: last.request)
                self.response = Self.lines(of: last.response)
                if Self.bodyTells(about: entry) { bodyStart = Self.start(of: last.response.content) }
            }
            hops = document.log.entries.dropLast().map { hop in
                let status =
                    hop.response.status == 0 ? hop._error ?? "no response" : "\(hop.response.status) \(hop.response.statusText)"
                return "\(hop.request.method) \(hop.request.url): \(status)"
            }
            times = Self.times(of: response.metrics)
        }
        again = Self.commands(entry, redactor)
    }

    private static let barWidth = 76

    /// Without URLs, and without what the server says of its own time: both stand elsewhere, masked.
    static func times(of metrics: OperationMetrics) -> [String] {
        guard let end = metrics.attempts.last?.end else { return [] }
        var waterfall = Waterfall(metrics, now: end)
        waterfall.rows.removeAll { $0.kind == .serverTiming || $0.kind == .note }
        for index in waterfall.rows.indices where waterfall.rows[index].kind == .attempt {
            waterfall.rows[index].label = StyledLine("attempt \(waterfall.rows[index].attempt)")
        }
        return waterfall.lines(width: barWidth).map { line in
            String(String.UnicodeScalarView(line.text.unicodeScalars.reversed().drop { $0 == " " }.reversed()))
        }
    }

    /// A request as it was sent: its first line, its fields, and the first lines of its body.
    static func lines(of request: HARDocument.Request) -> [String] {
        let opens = request.headers.contains { $0.name.lowercased() == "upgrade" && $0.value.lowercased() == "websocket" }
        let line =
            opens
            ? "\(RequestDefinition.webSocketMethod) \(URLText.ofWebSocket(request.url))" : "\(request.method) \(request.url)"
        var lines = [line] + request.headers.map { "\($0.name): \($0.value)" }
        if let data = request.postData, !opens { lines += [""] + body(data.text.isEmpty ? data.comment : data.text) }
        return lines.map(cut)
    }

    static func lines(of response: HARDocument.Response) -> [String] {
        guard response.status > 0 else { return [] }
        var lines = ["\(response.httpVersion) \(response.status)" + (response.statusText.isEmpty ? "" : " \(response.statusText)")]
        lines += response.headers.map { "\($0.name): \($0.value)" }
        let content = response.content
        if content.encoding != nil {
            lines += ["", "\(content.size) bytes that aren't text"]
        } else if let text = content.text, !text.isEmpty {
            lines += [""] + body(text)
        }
        return lines.map(cut)
    }

    /// Whether the body may say what the status or the type of the answer comes from.
    private static func bodyTells(about entry: RunOutcome.Entry) -> Bool {
        guard entry.verdict == .failed, let result = entry.result else { return false }
        return result.unexpectedStatus != nil
            || result.unmet.contains { $0.subject == .status || $0.subject == .header("content-type") && $0.evidence.isEmpty }
    }

    private static func start(of content: HARDocument.Content) -> String? {
        guard content.encoding == nil, let text = content.text else { return nil }
        let words = text.unicodeScalars.prefix(4 * mostCharacters).split { $0.properties.isWhitespace }
        let line = words.map { String($0) }.joined(separator: " ")
        return line.isEmpty ? nil : cut(line)
    }

    /// Its first lines.
    private static func body(_ text: String?) -> [String] {
        guard let text else { return [] }
        let lines = text.pieces(at: "\n").map { line in
            line.unicodeScalars.last == "\r" ? String(line.unicodeScalars.dropLast()) : String(line)
        }
        guard lines.count > mostLines else { return lines }
        return lines.prefix(mostLines) + ["… and \(lines.count - mostLines) more lines"]
    }

    private static func cut(_ line: String) -> String {
        line.unicodeScalars.count > mostCharacters ? "\(String(line.unicodeScalars.prefix(mostCharacters - 1)))…" : line
    }

    /// The commands hold nothing that only this run knew: secrets are asked for again.
    private static func commands(_ entry: RunOutcome.Entry, _ redactor: Redactor) -> [String] {
        let job = entry.job
        var commands: [String] = []
        if let id = entry.result?.historyID { commands.append("turnstone history replay \(id)") }
        var words = ["turnstone", "run", job.collection.path, job.name ?? job.definition.id.rawValue]
        if let environment = job.environment { words += ["--env", environment] }
        // For one row of several, the variables that the row gave.
        let row = job.iterations.first { $0.scope == .data }?.variables ?? [:]
        for (name, value) in job.given.merging(row, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key })
        // Members of a map are given with the map.
        where !name.contains(".") || row[name] == nil {
            let names = [name] + value.members.map(\.name)
            if names.contains(where: Redaction.standard.redacts(variable:)) || job.collection.secretNames.contains(name) {
                words += ["--var-text", "\(name)=\(Redactor.mask)"]
            } else if case .string(let text) = value {
                words += ["--var-text", "\(name)=\(text)"]
            } else {
                words += ["--var", "\(name)=\(value.text(pretty: false))"]
            }
        }
        // What undoes an item of another request's loop can't be named.
        if job.name != nil {
            commands.append(redactor.text(words.map(CurlCommand.quoted).joined(separator: " ")))
        }
        // What can't be resolved has no redactor that knows the credentials in the file.
        let export = try? CurlExport(
            job.definition.maskingCredentials, in: job.collection, environment: job.environment, variables: job.variables,
            runsCommands: false)
        // A URL has the mask percent-encoded; to be read, it stands there as anywhere else.
        if let export { commands.append(redactor.union(Redactor([Redactor.mask])).text(export.command)) }
        return commands
    }

    // MARK: Showing

    /// Everything, for a terminal and for reports in plain text.
    var lines: [String] {
        var lines: [String] = []
        for cause in causes { lines += [cause.text] + cause.excerpt.map { "  " + $0 } + cause.evidence.map { "  " + $0 } }
        func add(_ title: String, _ content: [String]) {
            if !content.isEmpty { lines += ["", title] + content.map { $0.isEmpty ? "" : "  " + $0 } }
        }
        add("before it", hops)
        add("request", request)
        add("response", response)
        add("times", times)
        add("again", again.flatMap { $0.lines.map(String.init) })
        return lines
    }

    private static func short(_ evidence: [String]) -> [String] {
        let left = evidence.count - 3
        return left > 0 ? evidence.prefix(3) + ["… and \(left) more; -v shows \(left == 1 ? "it" : "them")"] : evidence
    }

    /// What fits below a line of a run.
    var shortLines: [String] {
        var lines: [String] = []
        for cause in causes { lines += [cause.text] + Self.short(cause.evidence).map { "  " + $0 } }
        if let bodyStart { lines.append("  body: \(bodyStart)") }
        for command in again where command.hasPrefix("turnstone history") { lines.append("again: \(command)") }
        return lines
    }
}

/// Why there is no whole answer to a request, as a reason of its failure: `shop.yaml:41:3: expected a response, and found none: …`.
struct MissingAnswer {
    /// As the result has it: without secrets.
    let sentence: String
    let response: Response
    /// Where the request stands.
    let location: SourceLocation
    let redactor: Redactor

    var cause: RunOutcome.Cause {
        // The sentence begins with a place of its own: that of a command, or of an authorization.
        if [.hydrationFailed, .authorizationFailed].contains(response.error?.code) { return RunOutcome.Cause(sentence) }
        // One that redirects was there as a whole.
        let isPart = response.info.map { !(300..<400).contains($0.head.status.code) } ?? false
        let found = isPart ? "expected a whole response, and found a part of one" : "expected a response, and found none"
        guard let timeout else { return RunOutcome.Cause("\(location): \(found): \(sentence)", at: location, hiding: redactor) }
        return RunOutcome.Cause("\(location): \(found): \(timeout)", at: location, evidence: [sentence], hiding: redactor)
    }

    /// `timeouts.operation, 10 s, passed in the phase wait (connected in 12 ms, sent 214 B, 0 B came)`
    private var timeout: String? {
        let metrics = response.metrics
        let (name, limit): (String, Duration?)
        switch response.error?.code {
        case .operationTimedOut?: (name, limit) = ("operation", metrics.timeouts.operation)
        case .attemptTimedOut?: (name, limit) = ("attempt", metrics.timeouts.attempt)
        // A peer that answers no close and no ping has limits of its own, and the error names them.
        case .idleTimedOut? where response.error?.details[.closeCode] == nil: (name, limit) = ("idle", metrics.timeouts.idle)
        case .connectTimedOut?: (name, limit) = ("connect", metrics.timeouts.connect)
        default: return nil
        }
        let start = "timeouts.\(name)" + (limit.map { ", \(Figures.duration($0))," } ?? "") + " passed"
        guard let attempt = metrics.attempts.last, let phase = Phases.Name.allCases.last(where: { attempt.phases[$0] != nil })
        else { return "\(start) before anything was sent" }
        return "\(start) in the phase \(phase.rawValue) (\(Self.progress(of: attempt)))"
    }

    private static func progress(of attempt: AttemptMetrics) -> String {
        let opening = [Phases.Name.dns, .quic, .connect, .tls].compactMap { attempt.phases[$0]?.duration }
        let isConnected = attempt.phases.send != nil || attempt.phases.wait != nil
        let connection =
            !isConnected
            ? "not connected"
            : opening.isEmpty ? "on an open connection" : "connected in \(Figures.duration(opening.reduce(.zero, +)))"
        let bytes = attempt.bytes
        return "\(connection), sent \(Figures.bytes(bytes.requestHead + bytes.requestBody)), "
            + "\(Figures.bytes(bytes.responseHead + bytes.responseBody)) came"
    }
}

extension RunOutcome.Entry {
    /// What was sent first, without secrets: of a WebSocket, as its request says it.
    var firstRequest: (method: String, url: String)? {
        guard let first = result?.response?.metrics.attempts.first?.request else { return nil }
        let opens = job.definition.isWebSocket
        let url = opens ? first.url.writtenForWebSocket : first.url.absoluteString
        return (
            opens ? RequestDefinition.webSocketMethod : first.method.rawValue,
            (result?.redactor ?? Redactor()).text(URLText.line(url).text)
        )
    }
}
