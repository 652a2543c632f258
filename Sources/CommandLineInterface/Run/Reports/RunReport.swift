import Base
import CollectionRunner
import Interchange
import NetworkLayer
import Presentation

/// The formats of `--report`.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, tap, json, html, har, hdr, markdown, github

    func report(in context: CommandLineContext) -> any RunReport {
        switch self {
        case .junit: JUnitReport()
        case .tap: TAPReport()
        case .json: JSONReport()
        case .html: HTMLReport()
        case .har: HARReport()
        case .markdown: MarkdownReport()
        case .hdr: HDRReport()
        case .github: GitHubReport(workspace: context.environment["GITHUB_WORKSPACE"])
        }
    }
}

/// A format of `--report`. The part about a request is written when that request is over, so that no answer is kept for it; the parts are
/// joined at the end, in the order of the plan.
protocol RunReport {
    /// What the report says of one request; empty: nothing.
    mutating func part(_ entry: RunOutcome.Entry, at index: Int) throws -> String

    /// The whole, in pieces that follow one another.
    ///
    /// - Parameter parts: in the order of the plan.
    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) throws -> [String]
}

/// What a report says of one request.
struct ReportPart {
    /// The request's place in the plan. The items of a loop share a place: those behind the first have the number of all places added again and
    /// again.
    var index: Int
    var text: String
}

/// One `--report` of a run.
final class ReportWriter {
    private var report: any RunReport
    private let places: Int
    private var parts: [ReportPart] = []
    /// Why it can't be written; the first reason.
    private var failure: (any Error)?

    init(_ report: any RunReport, places: Int) {
        self.report = report
        self.places = places
    }

    func add(_ entry: RunOutcome.Entry, at index: Int) {
        guard failure == nil else { return }
        do { parts.append(ReportPart(index: index, text: try report.part(entry, at: index))) } catch { failure = error }
    }

    func write(_ outcome: RunOutcome, _ plan: RunPlan, to output: any ByteOutput) throws {
        if let failure { throw failure }
        parts.sort { ($0.index % places, $0.index) < ($1.index % places, $1.index) }
        var text = ""
        for piece in try report.document(parts, of: outcome, plan) {
            text += piece
            guard text.utf8.count >= 1 << 16 else { continue }
            try output.show(Data(text.utf8))
            text = ""
        }
        try output.show(Data(text.utf8))
    }
}

/// Every attempt of every run, those of the requests that were needed included. Answers are kept up to the end, bodies included: what one
/// request tells of a secret is masked in all.
struct HARReport: RunReport {
    private var results: [(index: Int, result: RunResult)] = []

    mutating func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        if let result = entry.result { results.append((index, result)) }
        return ""
    }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) throws -> [String] {
        var exchanges: [HARDocument.Exchange] = []
        var redactor = Redactor()
        for (_, result) in results.sorted(by: { $0.index < $1.index }) {
            redactor = redactor.union(result.redactor)
            for poll in result.polling?.polls ?? [] {
                if let metrics = poll.metrics { exchanges.append(HARDocument.Exchange(metrics, body: nil)) }
            }
            guard let response = result.response else { continue }
            exchanges.append(HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents()))
        }
        let document = HARDocument(
            exchanges, creator: .init(name: "turnstone", version: Version.text), masking: .presentation(redactor))
        return [String(decoding: try document.json(), as: UTF8.self)]
    }
}

/// The distribution of each request's times, as HdrHistogram writes it: `total` of what passed, counted from when it was due where there is a
/// rate. Several requests follow one another, each behind a line with its name; one alone is what HdrHistogram's plotter takes.
struct HDRReport: RunReport {
    func part(_ entry: RunOutcome.Entry, at index: Int) -> String { "" }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        outcome.figures.map { name, figures in
            let title = outcome.figures.count > 1 ? "#[\(SafeText.line(name))]\n" : ""
            return title + HistogramText.text(of: figures[.total])
        }
    }
}
