import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

/// JUnit's XML, as Jenkins, GitLab and GitHub's actions read it: a suite for each collection, a case for each request.
///
/// Jenkins' xUnit plugin refuses a whole report with an element or an attribute that its `junit-10.xsd` doesn't have, such as `file` of a
/// case or `skipped` of all suites. Where a case stands is said in front of its first reason.
///
/// An unmet expectation is a `failure`; what could not be sent or got no response is an `error`; what nobody knows the end of, since the
/// run was stopped before, is `skipped`. A property of each suite says that the run was stopped; after an interrupt, `system-err`
/// does, too: a reader of the report alone couldn't tell such a run from one in which a `when` skipped the rest.
struct JUnitReport: RunReport {
    /// The suites, by the names of their collections.
    private var suites: [String: Suite] = [:]

    private struct Suite {
        var counts: [RunOutcome.Verdict: Int] = [:]
        var time = Duration.zero
    }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        let names = plan.round.map(\.job.collection.name)
        func name(_ part: ReportPart) -> String { names[part.index % names.count] }
        var order: [String] = []
        for part in parts where !order.contains(name(part)) { order.append(name(part)) }
        let head =
            "\(Self.tests(outcome.counts, unread: outcome.unread.count)) time=\"\(Self.seconds(outcome.duration))\""
        var pieces = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"turnstone\" \(head)>\n"]
        for (number, title) in order.enumerated() {
            let suite = suites[title] ?? Suite()
            var head = "  <testsuite id=\"\(number)\" name=\"\(Self.escaped(title))\" \(Self.counts(suite.counts))"
            head += " time=\"\(Self.seconds(suite.time))\" timestamp=\"\(Self.timestamp(outcome.started))\">\n"
            if let stop = outcome.stop {
                let property = "<property name=\"stopped\" value=\"\(Self.escaped(stop.rawValue))\"/>"
                head += "    <properties>\n      \(property)\n    </properties>\n"
            }
            pieces += [head] + parts.filter { name($0) == title }.map(\.text)
            let end =
                outcome.stop == .interrupt
                ? "    <system-err>\(Self.escaped(RunOutcome.Stop.interrupt.rawValue))</system-err>\n" : ""
            pieces.append(end + "  </testsuite>\n")
        }
        if !outcome.unread.isEmpty {
            let counts = Self.counts([:], unread: outcome.unread.count)
            let start = Self.timestamp(outcome.started)
            pieces.append("  <testsuite id=\"\(order.count)\" name=\"files\" \(counts) time=\"0.000\" timestamp=\"\(start)\">\n")
            for problem in outcome.unread {
                let message = Self.escaped(SafeText.line(problem.description))
                let name = Self.escaped(SafeText.line(problem.location.path))
                pieces.append("    <testcase name=\"\(name)\" classname=\"files\" time=\"0.000\">\n")
                pieces.append("      <error type=\"not-read\" message=\"\(message)\">\(message)</error>\n    </testcase>\n")
            }
            pieces.append("  </testsuite>\n")
        }
        return pieces + ["</testsuites>\n"]
    }

    mutating func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        let suite = entry.job.collection.name
        let verdict = entry.verdict
        suites[suite, default: Suite()].counts[verdict, default: 0] += 1
        suites[suite]?.time += entry.duration ?? .zero
        var text = "    <testcase name=\"\(Self.escaped(entry.title))\" classname=\"\(Self.escaped(suite))\""
        text += " time=\"\(Self.seconds(entry.duration ?? .zero))\""
        let reasons = entry.reasons
        let element: String
        switch verdict {
        case .passed:
            let log = Self.log(entry.pollLines)
            return text + (log.isEmpty ? "/>\n" : ">\n\(log)    </testcase>\n")
        case .blocked, .skipped, .notSent, .stopped:
            let log = verdict == .stopped ? Self.log(entry.pollLines + FailureStory(entry).lines.map(SafeText.line)) : ""
            return text + ">\n      <skipped message=\"\(Self.escaped(reasons[0]))\"/>\n\(log)    </testcase>\n"
        case .failed: element = "failure"
        case .broken: element = "error"
        }
        let wasSent = entry.result?.response != nil
        let type = verdict == .failed ? "expectation" : entry.result?.response?.error?.type ?? (wasSent ? "capture" : "not-sent")
        text += ">\n      <\(element) type=\"\(Self.escaped(type))\" message=\"\(Self.escaped(reasons.first ?? ""))\">"
        text += "\(Self.escaped(reasons.joined(separator: "\n")))</\(element)>\n"
        let story = FailureStory(entry).lines.map(SafeText.line)
        return text + Self.log(entry.pollLines + story) + "    </testcase>\n"
    }

    /// What happened on the way: each time of several, and what shows why it failed.
    private static func log(_ lines: [String]) -> String {
        lines.isEmpty ? "" : "      <system-out>\(escaped(lines.joined(separator: "\n")))</system-out>\n"
    }

    /// - Parameter unread: how many could not even be read.
    private static func tests(_ counts: [RunOutcome.Verdict: Int], unread: Int) -> String {
        let (failed, broken) = (counts[.failed] ?? 0, counts[.broken] ?? 0)
        return "tests=\"\(counts.values.reduce(unread, +))\" failures=\"\(failed)\" errors=\"\(broken + unread)\""
    }

    private static func counts(_ counts: [RunOutcome.Verdict: Int], unread: Int = 0) -> String {
        let skipped = [.skipped, .notSent, .blocked, .stopped].reduce(0) { $0 + (counts[$1] ?? 0) }
        return "\(tests(counts, unread: unread)) skipped=\"\(skipped)\""
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// The date in UTC without a time zone, as Jenkins expects it.
    private static func timestamp(_ date: Date) -> String {
        String(date.formatted(.iso8601).prefix(19))
    }

    /// Characters that XML 1.0 has no place for become a question mark.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "?"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
