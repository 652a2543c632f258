import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// An explanation as text: what is in force, where it comes from, and what it won over.
///
///     headers
///       accept      text/csv          this request               shop.yaml:24:17
///         instead of  application/json  the collection's defaults  shop.yaml:10:14
struct ShownExplanation {
    private let explanation: Explanation

    init(_ explanation: Explanation) {
        self.explanation = explanation
    }

    /// Why something can't be filled in, each with its place.
    var problems: [String] {
        explanation.rows.compactMap { row in
            row.problem.map { SafeText.line("\(row.origin.location.map { "\($0): " } ?? "")\($0)") }
        }
    }

    /// A heading for each group, and a line for each value, in columns.
    var lines: [String] {
        var lines: [Line] = []
        var group: Explanation.Group?
        for row in explanation.rows.map(Row.init) {
            if row.group != group?.rawValue { lines.append(.heading(row.group)) }
            group = Explanation.Group(rawValue: row.group)
            lines.append(.value(["  \(row.name)", row.isRemoved ? "(removed)" : row.value, row.source, row.place]))
            for other in row.overrode { lines.append(.value(["    instead of", other.value, other.source, other.place])) }
            if let problem = row.problem { lines.append(.heading("    \(problem)")) }
        }
        let limits = [32, 60, 32]
        let widths = limits.indices.map { column in
            min(limits[column], lines.compactMap { $0.columns?[column].count }.max() ?? 0)
        }
        return lines.map { line in
            switch line {
            case .heading(let text): return text
            case .value(let columns):
                let padded = columns.enumerated().map { index, text in
                    index < widths.count ? text + String(repeating: " ", count: max(0, widths[index] - text.count)) : text
                }
                return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// For `--json`.
    var rows: [Row] { explanation.rows.map(Row.init) }

    private enum Line {
        case heading(String)
        case value([String])

        var columns: [String]? {
            if case .value(let columns) = self { columns } else { nil }
        }
    }

    struct Row: Encodable, Hashable {
        var group: String
        var name: String
        var value: String
        var source: String
        var path: String?
        var line: Int?
        var column: Int?
        /// What would hold without it, the nearest first.
        var overrode: [Overridden]
        /// Whether the row removes what an outer level gave.
        var isRemoved: Bool
        var problem: String?

        struct Overridden: Encodable, Hashable {
            var value: String
            var source: String
            var path: String?
            var line: Int?
            var column: Int?
        }

        private enum CodingKeys: String, CodingKey {
            case group, name, value, source, path, line, column, overrode, problem
            case isRemoved = "removed"
        }
    }
}

extension ShownExplanation.Row {
    init(_ row: Explanation.Row) {
        func shown(_ value: String) -> String { SafeText.line(value) }
        self.init(
            group: row.group.rawValue, name: SafeText.line(row.name), value: shown(row.value), source: Self.text(row.origin.source),
            path: row.origin.location.map { SafeText.line($0.path) }, line: row.origin.location?.line,
            column: row.origin.location?.column,
            overrode: row.overrode.map { other in
                Overridden(
                    value: shown(other.value), source: Self.text(other.origin.source),
                    path: other.origin.location.map { SafeText.line($0.path) }, line: other.origin.location?.line,
                    column: other.origin.location?.column)
            }, isRemoved: row.isRemoved, problem: row.problem.map { SafeText.line($0) })
    }

    private static func text(_ source: ValueOrigin.Source) -> String {
        source == .given ? "--var" : SafeText.line("\(source)")
    }

    fileprivate var place: String { Self.place(path, line, column) }

    fileprivate static func place(_ path: String?, _ line: Int?, _ column: Int?) -> String {
        guard let path, let line, let column else { return "" }
        return "\(path):\(line):\(column)"
    }
}

extension ShownExplanation.Row.Overridden {
    fileprivate var place: String { ShownExplanation.Row.place(path, line, column) }
}
