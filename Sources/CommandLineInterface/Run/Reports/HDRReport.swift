import CollectionRunner
import NetworkLayer
import Presentation

/// The distribution of each request's times, as HdrHistogram writes it: `total` of what passed, counted from when it was due where there is a
/// rate. Several requests follow one another, each behind a line with its name; one alone is what HdrHistogram's plotter takes.
struct HDRReport: RunReport {
    func part(_ entry: RunOutcome.Entry, at index: Int) -> String { "" }

    func document(_ parts: [Int], of outcome: RunOutcome, _ plan: RunPlan) -> [ReportPiece] {
        outcome.figures.map { name, figures in
            let title = outcome.figures.count > 1 ? "#[\(SafeText.line(name))]\n" : ""
            return .text(title + HistogramText.text(of: figures[.total]))
        }
    }
}
