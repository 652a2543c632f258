/// What a list of measurements comes to.
struct Measurements {
    private var values: [Double] = []

    mutating func append(_ value: Double) {
        values.append(value)
    }

    var count: Int { values.count }
    var median: Double { percentile(50) }
    var max: Double { values.max() ?? .nan }

    /// By the nearest rank.
    func percentile(_ percent: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[Swift.min(sorted.count, Swift.max(1, rank)) - 1]
    }

    /// The median of the quotients round by round: what slows a whole round down cancels out.
    func ratio(to other: Measurements) -> Double {
        var ratios = Measurements()
        for (value, peer) in zip(values, other.values) { ratios.append(value / peer) }
        return ratios.median
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
}
