import ArgumentParser
import Base
import History
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// `turnstone history`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Look at earlier runs, send them again, or forget them.",
        discussion: """
            Every run of a saved request is kept, also those that failed or were cancelled; secrets never are. The file is
            ~/.local/state/turnstone/history.sqlite, or below $XDG_STATE_HOME, and only you can read it.

            Examples:
              turnstone history                          the newest runs
              turnstone history login --failed           what went wrong with login
              turnstone history --status 5xx --since 2h  answers of 500 and more in the last two hours
              turnstone history show 17                  the response, its attempts and where their time went
              turnstone history body 17 > old.json       the body, as it came
              turnstone history replay 17                the same request again, as it was then
              turnstone history forget 17 18             or --all
            """,
        subcommands: [HistoryList.self, HistoryShow.self, HistoryBody.self, HistoryReplay.self, HistoryForget.self],
        defaultSubcommand: HistoryList.self)
}

extension CommandLineContext {
    /// - Parameter isNeeded: without a file there is nothing to show.
    func history() throws -> History {
        guard let path = UserDirectories(environment).history else {
            throw CommandFailure(.file, "There is no place for a history: neither HOME nor XDG_STATE_HOME is set.")
        }
        return try History(path: path)
    }

    func run(_ id: Int64, of history: History) throws -> HistoryRecord {
        guard let record = try history.record(id) else {
            throw CommandFailure(.usage, "There is no run \(id); `turnstone history` lists them.")
        }
        return record
    }
}

/// `turnstone history list`.
struct HistoryList: RunnableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List runs, the newest first.")

    @Argument(help: ArgumentHelp("A part of a request's name or URL.", valueName: "TEXT"))
    var text: String?

    @Option(help: ArgumentHelp("Only runs with this status, or of this class: 404, 5xx.", valueName: "STATUS"))
    var status: String?

    @Flag(help: "Only runs that failed.")
    var failed = false

    @Option(help: ArgumentHelp("Only runs that are no older than this: 30m, 2h, 3d.", valueName: "AGE"))
    var since: String?

    @Option(help: ArgumentHelp("Only runs of this collection.", valueName: "COLLECTION"))
    var collection: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("How many at most.", valueName: "N"))
    var number = 50

    @Flag(help: "Print JSON lines.")
    var json = false

    func validate() throws {
        guard number >= 1 else { throw ValidationError("--number takes a number of 1 or more.") }
    }

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let query = try query(now: context.time.date)
        let history = try context.history()
        let runs = try history.runs(query)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for run in runs { try context.standardOutput.print(String(decoding: encoder.encode(ListedRun(run)), as: UTF8.self)) }
            return .success
        }
        let printer = LinePrinter(context, to: context.standardOutput)
        try printer.print(HistoryLines.lines(runs, now: context.time.date, columns: context.standardOutput.columns))
        if runs.isEmpty {
            try context.note("no runs" + (query == HistoryQuery(limit: number) ? " yet" : " like that"))
        }
        return .success
    }

    private func query(now: Date) throws -> HistoryQuery {
        var query = HistoryQuery(text: text, outcome: failed ? .failed : nil, limit: number)
        query.collection = collection.map { URL(filePath: $0).standardized.path(percentEncoded: false) }
        if let status {
            let digits = status.lowercased().hasSuffix("xx") ? String(status.prefix(1)) : status
            guard let code = Int(digits), (1...5).contains(code) && digits != status || (100...599).contains(code) else {
                throw CommandFailure(.usage, "--status takes a status such as 404 or a class such as 5xx, not \(status).")
            }
            query.status = code
        }
        if let since {
            guard let age = Self.age(since) else {
                throw CommandFailure(.usage, "--since takes an age such as 30m, 2h or 3d, not \(since).")
            }
            query.since = now.addingTimeInterval(-age)
        }
        return query
    }

    /// Seconds.
    static func age(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number >= 0, number.isFinite else {
            return nil
        }
        return number * unit
    }
}

extension HistoryRun {
    /// Nothing but a WebSocket is asked for and answered with 101.
    fileprivate var opensSession: Bool { status == 101 }

    fileprivate var shownMethod: String { opensSession ? RequestDefinition.webSocketMethod : method }
}

/// What `history --json` prints of a run.
struct ListedRun: Encodable, Hashable {
    var id: Int64
    var date: String
    var collection: String
    var request: String
    var name: String?
    var environment: String?
    var method: String
    var url: String
    var outcome: String
    var status: Int?
    var error: String?
    var duration_us: Int64?
    var attempts: Int
    var body_bytes: Int64
    var note: String?

    init(_ run: HistoryRun) {
        id = run.id
        date = run.date.formatted(.iso8601)
        collection = run.collection
        request = run.request.rawValue
        name = run.name
        environment = run.environment
        method = run.shownMethod
        url = run.opensSession ? URLText.ofWebSocket(run.url) : run.url
        outcome = run.outcome.rawValue
        status = run.status
        error = run.error
        duration_us = run.duration?.wholeMicroseconds
        attempts = run.attempts
        body_bytes = run.bodyBytes
        note = run.note
    }
}

/// Runs as themed lines.
enum HistoryLines {
    /// `   17  2 min ago  POST orders/create  201  143 ms  1.2 kB`
    static func line(_ run: HistoryRun, now: Date) -> StyledLine { lines([run], now: now, columns: nil)[0] }

    /// One for each, in columns, and why a run failed at the end.
    ///
    /// - Parameter columns: of the terminal, where what is longer is cut; `nil`: nothing is.
    static func lines(_ runs: [HistoryRun], now: Date, columns: Int?) -> [StyledLine] {
        let parts = runs.map { Parts($0, now: now) }
        func width(_ part: (Parts) -> String) -> Int { parts.map { DisplayWidth.of(part($0)) }.max() ?? 0 }
        // A few long names would push everything else out of the terminal.
        let name = min(width { $0.method + $0.name }, columns.map { max(16, $0 - 60) } ?? .max)
        let (age, status, duration, size) = (width(\.age), width(\.status), width(\.duration), width(\.size))
        return parts.map { parts in
            var line = StyledLine(Figures.right("\(parts.run.id)", 6) + "  ", .accent)
            line.append(Figures.right(parts.age, age) + "  ", .dim)
            line.append(parts.method + " ", .dim)
            line.append(parts.name, .strong)
            let gap = max(0, name - DisplayWidth.of(parts.method + parts.name))
            line.append(String(repeating: " ", count: gap + 2) + Figures.right(parts.status, status), parts.role)
            if duration > 0 { line.append("  " + Figures.right(parts.duration, duration), .dim) }
            if size > 0 { line.append("  " + Figures.right(parts.size, size), .dim) }
            if let note = parts.run.note { line.append("  " + SafeText.line(note), .dim) }
            if parts.run.attempts > 1 { line.append("  \(parts.run.attempts) attempts", .dim) }
            guard !parts.reason.isEmpty else { return line }
            var reason = parts.reason
            let left = columns.map { $0 - 2 - line.spans.map { DisplayWidth.of($0.text) }.reduce(0, +) } ?? .max
            // With less room than that, the reason is left for the terminal to wrap: half a word says nothing.
            if left >= 16, DisplayWidth.of(reason) > left { reason = String(reason.prefix(left - 1)) + "…" }
            line.append("  " + reason, .error)
            return line
        }
    }

    private struct Parts {
        var run: HistoryRun
        var age: String
        var method: String
        /// The name of the request, with the environment.
        var name: String
        /// The status of the answer, also of one that wasn't as expected; empty where none came.
        var status: String
        var duration: String
        var size: String
        /// Why it failed: the first reason.
        var reason: String

        init(_ run: HistoryRun, now: Date) {
            self.run = run
            age = HistoryLines.age(of: run.date, now: now)
            method = SafeText.line(run.shownMethod)
            name = SafeText.line(run.request.rawValue + (run.environment.map { " [\($0)]" } ?? ""))
            status = run.status.map(String.init) ?? ""
            duration = run.duration.map(Figures.duration) ?? ""
            size = run.bodyBytes > 0 ? Figures.bytes(run.bodyBytes) : ""
            switch run.outcome {
            case .succeeded: reason = ""
            case .failed:
                let more = run.reasons.count > 1 ? ", and \(run.reasons.count - 1) more" : ""
                reason = "failed: \(SafeText.line(run.reasons.first ?? ""))\(more)"
            case .cancelled: reason = "cancelled"
            }
        }

        var role: ThemeRole {
            switch run.outcome {
            case .succeeded: (run.status ?? 0) >= 400 ? .warning : .success
            case .failed: .error
            case .cancelled: .warning
            }
        }
    }

    static func age(of date: Date, now: Date) -> String {
        let seconds = max(0, now.timeIntervalSince(date))
        switch seconds {
        case ..<60: return "now"
        case ..<3_600: return "\(Int(seconds / 60)) min"
        case ..<86_400: return "\(Int(seconds / 3_600)) h"
        case ..<604_800: return "\(Int(seconds / 86_400)) d"
        default: return Figures.day(date)
        }
    }
}
