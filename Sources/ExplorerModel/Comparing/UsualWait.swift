import Presentation

/// How long a request usually waits for its first byte, so that a difference that is none isn't shown as one.
package struct UsualWait: Hashable, Sendable {
    package let range: ClosedRange<Duration>
    package let runs: Int

    /// Fewer runs say nothing.
    private static let least = 5
    private static let most = 12

    /// - Parameter waits: of the request's runs, by their numbers; the last twelve count. `nil`: there are fewer than five.
    package init?(_ waits: [Int64: Duration]) {
        let last = waits.sorted { $0.key > $1.key }.prefix(Self.most).map(\.value).sorted()
        guard last.count >= Self.least, let least = last.first, let most = last.last else { return nil }
        range = least...most
        runs = last.count
    }

    /// `wait: nothing unusual, the last 12 runs took 61 to 74 ms`.
    var words: String {
        let (least, most) = (Figures.duration(range.lowerBound), Figures.duration(range.upperBound))
        return "wait: nothing unusual, the last \(runs) runs took \(least) to \(most)"
    }
}
