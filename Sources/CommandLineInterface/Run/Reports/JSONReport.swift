import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Everything that `run` knows, for other programs. Times are integer microseconds, absent where they did not happen.
struct JSONReport: RunReport {
    struct Entry: Encodable {
        var collection: String
        var request: String
        var name: String?
        /// Which row of `--data`, and which items of `for-each`, it was sent for.
        var iteration: String?
        var environment: String?
        var path: String
        var line: Int
        /// `false`: nobody asked for it, and others need it.
        var selected: Bool
        var verdict: String
        var method: String?
        var url: String?
        var status: Int?
        /// `true`: passed, with a status of 400 or more of which nothing was said.
        var unexpected_status: Bool?
        /// How many errors the answer to a query in GraphQL has.
        var query_errors: Int?
        var duration_us: Int64?
        var attempts: [Attempt]
        /// Only for a request that is sent until its answer is as it should be: each time, the last one included.
        var polls: [Poll]?
        var error: Failure?
        var reasons: [String]
        var expectations: [Expectation]
        var captured: [String]
        /// The file that `response.save` wrote.
        var saved: String?
        var needed: [String]
    }

    struct Attempt: Encodable {
        var kind: String
        var status: Int?
        var phases: [String: Int64]
    }

    struct Poll: Encodable {
        /// From the first one on.
        var start_us: Int64
        var duration_us: Int64?
        var status: Int?
        /// What was there in place of what was wanted.
        var found: String
    }

    struct Failure: Encodable {
        /// Only for what wasn't sent because it isn't allowed: `not-trusted`.
        var code: String?
        var type: String
        var message: String
    }

    struct Expectation: Encodable {
        var what: String
        var expected: String
        var found: String
        var met: Bool
        var path: String
        var line: Int
        var column: Int
    }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) throws -> [String] {
        let counts = outcome.counts.reduce(into: [String: Int]()) { $0[$1.key.rawValue] = $1.value }
        let load = outcome.load.map { plan in outcome.figures.map { LoadReport($0.name, $0.figures, plan) } } ?? []
        let loadText = load.isEmpty ? "" : "  \"load\" : \(try Self.text(load, indent: "  ")),\n"
        let head = """
            {
              "counts" : \(try Self.text(counts, indent: "  ")),
              "date" : \(try Self.text(outcome.started.formatted(.iso8601), indent: "")),
              "duration_us" : \(outcome.duration.wholeMicroseconds),
            \(loadText)  "problems" : \(try Self.text(outcome.unread.map(\.description), indent: "  ")),
              "runs" : [

            """
        return [head, parts.first?.text ?? ""] + parts.dropFirst().map { ",\n" + $0.text } + ["\n  ],\n  \"version\" : 1\n}\n"]
    }

    func part(_ entry: RunOutcome.Entry, at index: Int) throws -> String {
        "    " + (try Self.text(Self.entry(entry), indent: "    "))
    }

    /// - Parameter indent: stands before each line but the first.
    private static func text(_ value: some Encodable, indent: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoded JSON has no line feed in it, since a line feed in a text is escaped.
        return String(decoding: try encoder.encode(value), as: UTF8.self).replacing(scalars: "\n", with: "\n" + indent)
    }

    private static func refusal(_ failure: RunFailure?) -> String? {
        failure.flatMap { $0.reason == .resolution(.notAllowed) ? $0.message : nil }
    }

    private static func entry(_ entry: RunOutcome.Entry) -> Entry {
        let definition = entry.job.definition
        let result = entry.result
        let redactor = result?.redactor ?? Redactor()
        let metrics = result?.response?.metrics
        let first = entry.firstRequest
        return Entry(
            collection: entry.job.collection.name, request: definition.id.rawValue, name: definition.name,
            iteration: entry.iterationName, environment: entry.job.environment, path: definition.location.path,
            line: definition.location.line,
            selected: !entry.isNeeded, verdict: entry.verdict.rawValue, method: first?.method,
            url: first?.url, status: entry.status?.code,
            unexpected_status: entry.isDoubtful && result?.unexpectedStatus != nil ? true : nil,
            query_errors: result?.queryErrors?.count, duration_us: entry.duration?.wholeMicroseconds,
            attempts: (metrics?.attempts ?? []).map { attempt in
                var phases: [String: Int64] = [:]
                for name in Phases.Name.allCases {
                    if let interval = attempt.phases[name] { phases["\(name.rawValue)_us"] = interval.duration.wholeMicroseconds }
                }
                return Attempt(kind: attempt.kind.rawValue, status: attempt.head?.status.code, phases: phases)
            },
            polls: result?.polling?.polls.map { poll in
                Poll(
                    start_us: poll.start.wholeMicroseconds, duration_us: poll.duration?.wholeMicroseconds,
                    status: poll.status?.code, found: redactor.text(poll.found))
            },
            error: result?.response?.error.map { Failure(type: $0.type, message: redactor.text($0.message)) }
                ?? refusal(result?.failure).map { Failure(code: "not-trusted", type: "trust", message: redactor.text($0)) },
            reasons: entry.verdict == .passed ? [] : entry.reasons,
            expectations: (result?.expectations ?? []).map {
                Expectation(
                    what: $0.what, expected: $0.expected, found: $0.found, met: $0.isMet, path: $0.location.path,
                    line: $0.location.line, column: $0.location.column)
            },
            captured: (result?.captured ?? [:]).keys.sorted(), saved: result?.savedPath,
            needed: (result?.needed ?? []).map(\.id.rawValue))
    }
}
