import NetworkLayer

/// Durations as the format writes them: `200ms 1.5s 3s 1m 1h 14d`.
package enum DurationText {
    /// From the largest; formatting takes the first that leaves no rest.
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// `nil` when the text isn't a duration.
    package static func parse(_ text: String) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(number.count)
        guard let milliseconds = units.first(where: { $0.name == unit })?.milliseconds else { return nil }
        if let whole = Int64(number) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: milliseconds)
            return overflow ? nil : .milliseconds(product)
        }
        guard let first = number.first, first != ".", number.last != ".", let value = Double(number), value < 1e9 else {
            return nil
        }
        return .microseconds(Int64((value * Double(milliseconds) * 1000).rounded()))
    }

    /// `100ms..2s`, or one duration for both ends.
    static func parseRange(_ text: String) -> ClosedRange<Duration>? {
        if let both = parse(text) { return both...both }
        guard let dots = text.firstRange(of: ".."), let low = parse(String(text[..<dots.lowerBound])),
            let high = parse(String(text[dots.upperBound...])), low <= high
        else { return nil }
        return low...high
    }

    static func format(_ range: ClosedRange<Duration>) -> String {
        let ends = [range.lowerBound, range.upperBound].map { format($0) }
        return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "..")
    }

    /// The shortest form that is exact down to a microsecond. Seconds up to two minutes, and then only whole minutes, hours, days.
    package static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = attoseconds / 1_000_000_000_000
        if microseconds % 1000 != 0 { return "\(Double(seconds) * 1000 + Double(microseconds) / 1000)ms" }
        let milliseconds = seconds * 1000 + microseconds / 1000
        if milliseconds == 0 { return "0s" }
        for (name, size) in units where milliseconds % size == 0 && (size <= 1000 || milliseconds >= 2 * size) {
            return "\(milliseconds / size)\(name)"
        }
        return "\(milliseconds)ms"
    }
}

/// Numbers that may have a point, as the format writes them.
enum NumberText {
    static func format(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}

/// Ports to connect from: `8000`, `8000-8010`.
package enum PortsText {
    package static func parse(_ text: String) -> ClosedRange<UInt16>? {
        let parts = text.pieces(at: "-").map { UInt16($0) }
        guard parts.count <= 2, let first = parts.first ?? nil, first > 0, let last = parts.last ?? nil, first <= last else {
            return nil
        }
        return first...last
    }

    package static func format(_ ports: ClosedRange<UInt16>) -> String {
        ports.count == 1 ? "\(ports.lowerBound)" : "\(ports.lowerBound)-\(ports.upperBound)"
    }
}

/// Numbers of bytes: `4096`, `10 MB`, `1MiB`.
package enum ByteCountText {
    private static let units: [(name: String, size: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000), ("", 1),
        ("B", 1),
    ]

    package static func parse(_ text: String) -> Int? {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let value = Int(number), let size = units.first(where: { $0.name == unit })?.size else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: size)
        return overflow ? nil : product
    }

    package static func format(_ count: Int) -> String {
        for (name, size) in units where count != 0 && count % size == 0 { return "\(count / size)\(name)" }
        return "\(count)"
    }
}
