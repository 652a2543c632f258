import CollectionRunner
import FoundationEssentials
import NetworkLayer
import RequestCollections

/// JUnit's XML, as Jenkins, GitLab and GitHub's actions read it: a suite for each collection, a case for each request.
///
/// An unmet expectation is a `failure`; what could not be sent or got no response is an `error`.
struct JUnitReport {
    private(set) var text: String

    init(_ outcome: RunOutcome) {
        var suites: [(name: String, entries: [RunOutcome.Entry])] = []
        for entry in outcome.entries {
            let name = entry.job.collection.name
            if let index = suites.firstIndex(where: { $0.name == name }) {
                suites[index].entries.append(entry)
            } else {
                suites.append((name, [entry]))
            }
        }
        let all = Self.counts(outcome.entries)
        text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"turnstone\" \(all) time=\"\(Self.seconds(outcome.duration))\">\n"
        for (index, suite) in suites.enumerated() {
            text += "  <testsuite id=\"\(index)\" name=\"\(Self.escaped(suite.name))\" \(Self.counts(suite.entries))"
            text += " time=\"\(Self.seconds(suite.entries.reduce(.zero) { $0 + ($1.duration ?? .zero) }))\""
            text += " timestamp=\"\(Self.timestamp(outcome.started))\">\n"
            for entry in suite.entries { add(entry, suite.name) }
            text += "  </testsuite>\n"
        }
        text += "</testsuites>\n"
    }

    private mutating func add(_ entry: RunOutcome.Entry, _ suite: String) {
        let location = entry.job.definition.location
        text += "    <testcase name=\"\(Self.escaped(entry.title))\" classname=\"\(Self.escaped(suite))\""
        text +=
            " time=\"\(Self.seconds(entry.duration ?? .zero))\" file=\"\(Self.escaped(location.path))\" line=\"\(location.line)\""
        let reasons = entry.reasons
        let element: String
        switch entry.verdict {
        case .passed:
            text += "/>\n"
            return
        case .blocked, .skipped:
            text += ">\n      <skipped message=\"\(Self.escaped(reasons[0]))\"/>\n    </testcase>\n"
            return
        case .failed: element = "failure"
        case .broken, .stopped: element = "error"
        }
        let wasSent = entry.result?.response != nil
        let type =
            entry.verdict == .failed ? "expectation" : entry.result?.response?.error?.type ?? (wasSent ? "capture" : "not-sent")
        text += ">\n      <\(element) type=\"\(Self.escaped(type))\" message=\"\(Self.escaped(reasons.first ?? ""))\">"
        text += "\(Self.escaped(reasons.joined(separator: "\n")))</\(element)>\n    </testcase>\n"
    }

    private static func counts(_ entries: [RunOutcome.Entry]) -> String {
        func count(_ verdict: RunOutcome.Verdict) -> Int { entries.count { $0.verdict == verdict } }
        return
            "tests=\"\(entries.count)\" failures=\"\(count(.failed))\" errors=\"\(count(.broken) + count(.stopped))\" skipped=\"\(count(.skipped) + count(.blocked))\""
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// In UTC, and without saying so, as Jenkins wants it.
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
