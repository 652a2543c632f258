import Base
import CollectionRunner
import NetworkLayer

/// A format of `--report`, and what it needs to know of all requests to write its head.
///
/// It is written while the run goes on: the part about a request is put aside when that request is over, and the parts are joined at the
/// end, in the order of the plan. So a run of a hundred thousand takes no more memory than one of ten.
protocol RunReport {
    /// What it says of one request.
    mutating func part(_ entry: RunOutcome.Entry, at index: Int) throws -> String

    /// The whole.
    ///
    /// - Parameter parts: those that there are, in the order of the plan.
    func document(_ parts: [Int], of outcome: RunOutcome, _ plan: RunPlan) throws -> [ReportPiece]
}

enum ReportPiece {
    case text(String)
    /// What it says of the request at that place of the plan.
    case part(Int)
    /// The same with a number in place of ``placeOfNumber``.
    case numbered(Int, Int)

    static let placeOfNumber: Unicode.Scalar = "\u{0}"
}

/// One `--report` of a run.
final class ReportWriter {
    private var report: any RunReport
    private let parts: PartSpool
    /// Why it can't be written; the first reason.
    private var failure: (any Error)?

    init(_ report: any RunReport, places: Int) {
        self.report = report
        parts = PartSpool(count: places)
    }

    func add(_ entry: RunOutcome.Entry, at index: Int) {
        guard failure == nil else { return }
        do { try parts.put(report.part(entry, at: index), at: index) } catch { failure = error }
    }

    func write(_ outcome: RunOutcome, _ plan: RunPlan, to output: any ByteOutput) throws {
        if let failure { throw failure }
        let pieces = try report.document(parts.indices, of: outcome, plan)
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let piece): text += piece
            case .part(let index): text += try parts.text(at: index)
            case .numbered(let index, let number):
                let part = try parts.text(at: index)
                guard let (before, behind) = part.halves(at: ReportPiece.placeOfNumber) else { continue }
                text += before + "\(number)" + behind
            }
            if text.utf8.count >= 1 << 16 {
                try output.show(Data(text.utf8))
                text = ""
            }
        }
        try output.show(Data(text.utf8))
    }
}
