import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

/// Commands that GitHub's actions take from a log (docs.github.com, "Workflow commands"): an annotation for each request that failed, at
/// its line of the file.
///
/// A step shows ten of them, so the tenth says how many more there are.
struct GitHubReport: RunReport {
    /// Paths are said without it.
    var workspace: String?

    private static let most = 10

    func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        guard [.failed, .broken, .stopped].contains(entry.verdict), let cause = entry.causes.first else { return "" }
        let location = cause.location ?? entry.job.definition.location
        let text = FailureStory(entry).shortLines.map(SafeText.line).joined(separator: "\n")
        return command(
            [
                ("file", path(location.path)), ("line", "\(location.line)"), ("col", "\(location.column)"),
                ("title", SafeText.line(entry.title)),
            ], text)
    }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        let unread = outcome.unread.map { problem in
            command(
                [
                    ("file", path(problem.location.path)), ("line", "\(problem.location.line)"),
                    ("col", "\(problem.location.column)"), ("title", "turnstone"),
                ], SafeText.line(problem.message))
        }
        let failed = unread + parts.map(\.text).filter { !$0.isEmpty }
        guard failed.count > Self.most else { return failed }
        let rest = failed.count - Self.most + 1
        return failed.prefix(Self.most - 1)
            + [command([("title", "turnstone")], "and \(rest) more requests failed; the log has them")]
    }

    private func command(_ properties: [(String, String)], _ text: String) -> String {
        Self.command("error", properties, text) + "\n"
    }

    /// - Parameter severity: `error` or `warning`.
    private static func command(_ severity: String, _ properties: [(String, String)], _ text: String) -> String {
        let said = properties.map {
            "\($0.0)=\(escaped($0.1).replacing(scalars: ":", with: "%3A").replacing(scalars: ",", with: "%2C"))"
        }
        return "::\(severity) \(said.joined(separator: ","))::\(escaped(text))"
    }

    /// What `check` found; a step shows ten errors and ten warnings.
    func commands(for findings: [CheckFindings.Finding]) -> [String] {
        [CheckFindings.Severity.error, .warning].flatMap { severity in
            let found = findings.filter { $0.severity == severity }
            let shown = found.count > Self.most ? found.prefix(Self.most - 1) : found[...]
            let commands = shown.map { finding in
                let place = finding.path.map {
                    [("file", path($0)), ("line", "\(finding.line ?? 1)"), ("col", "\(finding.column ?? 1)")]
                }
                return Self.command(severity.rawValue, (place ?? []) + Self.checked, SafeText.line(finding.message))
            }
            guard found.count > shown.count else { return commands }
            let rest = "and \(found.count - shown.count) more; the log has them"
            return commands + [Self.command(severity.rawValue, Self.checked, rest)]
        }
    }

    private static let checked = [("title", "turnstone check")]

    private static func escaped(_ text: String) -> String {
        text.replacing(scalars: "%", with: "%25").replacing(scalars: "\r", with: "%0D").replacing(scalars: "\n", with: "%0A")
    }

    private func path(_ path: String) -> String {
        guard let workspace, path.hasPrefix(workspace + "/") else { return path }
        return String(path.dropFirst(workspace.count + 1))
    }
}
