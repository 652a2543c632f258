/// Durations as collections write them: `200ms 1.5s 3s 1m 1h`.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]

    static func parse(_ text: String) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) }), let value = Double(number), value < 1e9
        else { return nil }
        return .microseconds(Int64((value * Double(unit.milliseconds) * 1000).rounded()))
    }

    /// In the largest unit that leaves no rest; seconds up to two minutes.
    static func format(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        for (name, size) in units where milliseconds % size == 0 && (size <= 1000 || milliseconds >= 2 * size) {
            return "\(milliseconds / size)\(name)"
        }
        return "\(milliseconds)ms"
    }
}
