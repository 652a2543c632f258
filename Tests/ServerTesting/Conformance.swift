import Foundation

/// Comparisons with other programs, row by row. `make conformance` asks for them, and with SAMPLE=N for each N-th row; `make test` doesn't:
/// they start a program for each row.
package enum Conformance {
    private static let step = ProcessInfo.processInfo.environment["CONFORMANCE"].flatMap { Int($0) }

    package static let isAsked = step != nil

    /// The rows to compare, at least one.
    package static func sample<Rows: Collection>(_ rows: Rows) -> [Rows.Element] {
        rows.enumerated().filter { $0.offset % max(1, step ?? 1) == 0 }.map(\.element)
    }
}
