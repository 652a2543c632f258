import CollectionRunner
import FoundationEssentials
import Interchange
import NetworkLayer

/// The formats of `--report`.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, tap, json, html, har

    func render(_ outcome: RunOutcome) throws -> Data {
        switch self {
        case .junit: Data(JUnitReport(outcome).text.utf8)
        case .tap: Data(TAPReport(outcome).text.utf8)
        case .json: try JSONReport(outcome).data
        case .html: Data(HTMLReport(outcome).text.utf8)
        case .har: try outcome.har.json()
        }
    }
}
