import Base

/// What was used, how often, and when: each use counts half as much three days later.
///
/// The logarithm of the count is kept as of a fixed day, so that two counts can be compared at any time, and nothing has to be counted
/// anew while time goes by.
struct UseBook: Hashable, Sendable, Codable {
    private var entries: [String: Entry] = [:]

    private struct Entry: Hashable, Sendable, Codable {
        /// The weight, in half-lives since 1970: it grows with each use.
        var weight: Double
        /// Seconds since 1970.
        var last: Double
    }

    /// The time in which a use loses half of its weight, in seconds.
    static let halfLife = 3 * 86_400.0
    /// What was used least goes first.
    static let limit = 400

    init() {}

    var isEmpty: Bool { entries.isEmpty }

    mutating func use(_ key: String, at seconds: Double) {
        let now = seconds / Self.halfLife
        let before = entries[key]?.weight ?? -.infinity
        entries[key] = Entry(weight: max(before, now) + log2(1 + exp2(min(before, now) - max(before, now))), last: seconds)
        trim()
    }

    /// What another program has counted meanwhile; of both, the higher count.
    mutating func merge(_ other: UseBook) {
        entries.merge(other.entries) { Entry(weight: max($0.weight, $1.weight), last: max($0.last, $1.last)) }
        trim()
    }

    private mutating func trim() {
        guard entries.count > Self.limit else { return }
        let kept = entries.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }.prefix(Self.limit)
        entries = Dictionary(uniqueKeysWithValues: Array(kept))
    }

    /// The ranks; what was used least has 1.
    var ranks: [String: Int] {
        let order = entries.sorted { ($0.value.weight, $0.key) < ($1.value.weight, $1.key) }
        return Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0 + 1) })
    }

    /// The last one first.
    var recent: [String] {
        entries.sorted { ($1.value.last, $0.key) < ($0.value.last, $1.key) }.map(\.key)
    }

    init(from decoder: any Decoder) throws {
        entries = try decoder.singleValueContainer().decode([String: Entry].self).filter { $1.weight.isFinite && $1.last.isFinite }
        trim()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(entries)
    }
}
