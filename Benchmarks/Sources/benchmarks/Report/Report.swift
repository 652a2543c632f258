import Glibc

/// Figures beside their budgets, printed as a table when a part is done.
struct Report {
    var title: String
    var rows: [Row] = []

    struct Row {
        var name: String
        var figure: String
        /// Against a peer in the same run, where there is one.
        var ratio: String = ""
        var budget: String = ""
        /// `nil` for a figure without a budget.
        var isMet: Bool?
    }

    /// A figure that has to stay below something.
    mutating func add(_ name: String, _ value: Double, _ unit: String, atMost limit: Double? = nil) {
        rows.append(
            Row(
                name: name, figure: "\(Self.text(value)) \(unit)", budget: limit.map { "≤ \(Self.text($0)) \(unit)" } ?? "",
                isMet: limit.map { value <= $0 }))
    }

    /// A ratio between two contestants.
    mutating func add(_ name: String, figure: String, ratio: Double, to peer: String, atLeast limit: Double?) {
        rows.append(
            Row(
                name: name, figure: figure, ratio: "\(Self.text(ratio)) × \(peer)",
                budget: limit.map { "≥ \(Self.text($0))" } ?? "",
                isMet: limit.map { ratio >= $0 }))
    }

    mutating func add(_ name: String, figure: String, ratio: Double, to peer: String, atMost limit: Double) {
        rows.append(
            Row(
                name: name, figure: figure, ratio: "\(Self.text(ratio)) × \(peer)", budget: "≤ \(Self.text(limit))",
                isMet: ratio <= limit))
    }

    mutating func note(_ name: String, _ figure: String) {
        rows.append(Row(name: name, figure: figure))
    }

    func printAll() {
        let cells = rows.map { row in
            [row.name, row.figure, row.ratio, row.budget, row.isMet.map { $0 ? "met" : "MISSED" } ?? ""]
        }
        let widths = (0..<5).map { column in cells.map { $0[column].count }.max() ?? 0 }
        print(title)
        for cell in cells {
            let line = zip(cell, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
            print("  " + line.replacing(#/ +$/#, with: ""))
        }
        print()
        // Into a file or pipe too: the parts take minutes.
        fflush(nil)
    }

    /// Three significant digits.
    static func text(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
        let factor = [1.0, 10, 100][digits]
        let rounded = (value * factor).rounded() / factor
        guard digits > 0 else {
            let text = String(Int(rounded))
            return String(
                text.reversed().enumerated().reduce(into: "") {
                    $0 += ($1.offset > 0 && $1.offset % 3 == 0 ? "," : "") + String($1.element)
                }.reversed())
        }
        return String(rounded)
    }
}
