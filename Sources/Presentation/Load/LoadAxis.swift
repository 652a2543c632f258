import Base
package import NetworkLayer

/// The logarithmic axis of a table's histograms, in octaves of microseconds: from 2^`low` to 2^`high`.
package struct LoadAxis: Sendable, Hashable {
    package private(set) var low: Int
    package private(set) var high: Int
    private var grown: MonotonicTime?

    /// Samples before it is fixed.
    private static let settling = 20

    package init?(_ figures: LoadFigures) {
        guard let range = Self.range(of: figures) else { return nil }
        (low, high) = (range.lowerBound, range.upperBound)
    }

    private static func range(of figures: LoadFigures) -> ClosedRange<Int>? {
        let histograms = LoadFigures.Row.allCases.map { figures[$0] }.filter { !$0.isEmpty }
        guard let least = histograms.compactMap(\.minimum).min(), let most = histograms.compactMap(\.maximum).max() else {
            return nil
        }
        let low = octave(least)
        return low...max(low + 4, octave(most) + 1)
    }

    private static func octave(_ duration: Duration) -> Int {
        let microseconds = max(1, duration.wholeMicroseconds)
        return 63 - microseconds.leadingZeroBitCount
    }

    /// Outwards only, once there are some samples, and an octave a second at each end: one that took long doesn't flatten the rest.
    package mutating func fit(_ figures: LoadFigures, at now: MonotonicTime) {
        guard let range = Self.range(of: figures) else { return }
        guard figures.count > Self.settling else {
            (low, high) = (range.lowerBound, range.upperBound)
            return
        }
        guard range.lowerBound < low || range.upperBound > high, grown.map({ now - $0 >= .seconds(1) }) ?? true else { return }
        if range.lowerBound < low { low -= 1 }
        if range.upperBound > high { high += 1 }
        grown = now
    }

    /// The bounds of so many columns, in microseconds.
    func bounds(_ columns: Int) -> [Double] {
        (0...columns).map { exp2(Double(low) + Double(high - low) * Double($0) / Double(columns)) }
    }

    /// The labels of the axis, at least ten columns apart.
    func labels(_ columns: Int) -> String {
        let width = Double(columns) / Double(high - low)
        let step = max(1, Int((10 / width).rounded(.up)))
        var text = ""
        for octave in stride(from: low, to: high, by: step) {
            let column = Int((Double(octave - low) * width).rounded())
            let label = Figures.duration(.microseconds(Int64(1) << Int64(octave)))
            guard column >= text.count, column + label.count <= columns else { continue }
            text += String(repeating: " ", count: column - text.count) + label
        }
        return Figures.left(text, columns)
    }
}
