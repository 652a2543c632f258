import Presentation

/// How long something of a request usually takes, so that a difference that is none isn't shown as one.
struct UsualTime: Hashable, Sendable {
    let range: ClosedRange<Duration>
    let runs: Int

    /// Fewer runs say nothing.
    private static let least = 5
    private static let most = 12

    /// - Parameter times: of the request's runs, by their numbers; the last twelve count. `nil`: there are fewer than five.
    init?(_ times: [Int64: Duration]) {
        let last = times.sorted { $0.key > $1.key }.prefix(Self.most).map(\.value).sorted()
        guard last.count >= Self.least, let least = last.first, let most = last.last else { return nil }
        range = least...most
        runs = last.count
    }

    /// `wait: nothing unusual, the last 12 runs took 61 to 74 ms`.
    func words(about name: String) -> String {
        let (least, most) = (Figures.duration(range.lowerBound), Figures.duration(range.upperBound))
        return "\(name): nothing unusual, the last \(runs) runs took \(least) to \(most)"
    }
}
