package import Base
import NetworkLayer

/// Numbers as people read them. One rule for each kind, everywhere in the program.
package enum Figures {
    /// Whole bytes below 1,000, then one decimal below 100 of a unit: `999 B`, `1.2 kB`, `12.3 MB`, `123 GB`. Units of 1,000.
    package static func bytes(_ count: Int64) -> String {
        let magnitude = count.magnitude
        let sign = count < 0 ? "-" : ""
        guard magnitude >= 1000 else { return "\(sign)\(magnitude) B" }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var unit = 0
        // In tenths of the unit, rounded half up; a unit is left when rounding reaches the next.
        var divisor: UInt64 = 100
        while unit + 1 < units.count, (magnitude + divisor * 5) / (divisor * 10) >= 1000 {
            unit += 1
            divisor *= 1000
        }
        let tenths = (magnitude + divisor / 2) / divisor
        if tenths < 1000 { return "\(sign)\(tenths / 10).\(tenths % 10) \(units[unit])" }
        return "\(sign)\((magnitude + divisor * 5) / (divisor * 10)) \(units[unit])"
    }

    /// Three significant digits without trailing zeros: `310 µs`, `8 ms`, `8.12 ms`, `1.24 s`, `59.9 s`; from a minute on
    /// `1 min 5 s`, from an hour on `2 h 3 min`. Less than a microsecond is `0 µs`.
    package static func duration(_ duration: Duration) -> String {
        // Leaves room for rounding: a duration beyond 292 years, the longest that a number can express, is cut off.
        let nanoseconds = min(duration.wholeNanoseconds, .max - 500_000_000)
        if nanoseconds < 0 { return "-" + self.duration(.nanoseconds(nanoseconds == .min ? .max : -nanoseconds)) }
        let microseconds = (nanoseconds + 500) / 1000
        if microseconds < 1000 { return "\(microseconds) µs" }
        if let text = threeDigits(nanoseconds, unit: 1_000_000) { return text + " ms" }
        if nanoseconds < 59_950_000_000, let text = threeDigits(nanoseconds, unit: 1_000_000_000) { return text + " s" }
        let seconds = (nanoseconds + 500_000_000) / 1_000_000_000
        if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s") }
        let minutes = seconds / 60
        return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }

    /// `nil` when it rounds to 1,000 or more.
    private static func threeDigits(_ value: Int64, unit: Int64) -> String? {
        var scale: Int64 = 100
        for decimals in stride(from: 2, through: 0, by: -1) {
            defer { scale /= 10 }
            let step = unit / scale
            let rounded = (value + step / 2) / step
            guard rounded < 1000 else { continue }
            guard decimals > 0 else { return "\(rounded)" }
            var fraction = String(rounded % scale)
            fraction = String(repeating: "0", count: decimals - fraction.count) + fraction
            while fraction.last == "0" { fraction.removeLast() }
            return "\(rounded / scale)" + (fraction.isEmpty ? "" : "." + fraction)
        }
        return nil
    }

    /// A column of milliseconds without their unit, all with as many decimals: two below 10, one below 100, none from there
    /// on, counted by the largest, and one more when the smallest would vanish: `0.50`, `2.89`; `374.0`, `0.2`.
    package static func milliseconds(_ durations: [Duration?]) -> [String] {
        let present = durations.compactMap { $0.map { max(0, $0.wholeNanoseconds) } }
        guard let largest = present.max() else { return durations.map { _ in "-" } }
        var decimals = largest < 9_995_000 ? 2 : largest < 99_950_000 ? 1 : 0
        let step = [1_000_000, 100_000, 10_000] as [Int64]
        if decimals < 2, let least = present.filter({ $0 > 0 }).min(), least < step[decimals] / 2 { decimals += 1 }
        return durations.map { duration in
            guard let duration else { return "-" }
            let units = (max(0, duration.wholeNanoseconds) + step[decimals] / 2) / step[decimals]
            let scale = [1, 10, 100][decimals] as Int64
            guard decimals > 0 else { return count(Int(units)) }
            let fraction = String(units % scale)
            return count(Int(units / scale)) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
        }
    }

    /// `12.3 MB/s`; nothing for no time.
    package static func rate(bytes count: Int64, in duration: Duration) -> String? {
        let seconds = duration.inSeconds
        guard seconds > 0 else { return nil }
        let rate = Double(count) / seconds
        return rate < 9e18 ? bytes(Int64(rate)) + "/s" : nil
    }

    /// `38,112`
    package static func count(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var result = count < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// `1 line`, `2 lines`
    package static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(self.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// Whole percents; 100 only when there is nothing left: `99%` of 999 in 1,000.
    package static func percent(_ fraction: Double) -> String {
        guard fraction < 1 else { return "100%" }
        return "\(min(99, Int(max(0, fraction) * 100)))%"
    }

    /// `2026-11-20 22:14:07 UTC`
    package static func date(_ date: Date) -> String {
        let text = date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt))
        return (text.hasSuffix("Z") ? String(text.dropLast()) : text) + " UTC"
    }

    /// `2026-11-20`
    package static func day(_ date: Date) -> String { String(self.date(date).prefix(10)) }

    /// `text` behind spaces up to a number of columns.
    package static func right(_ text: String, _ width: Int) -> String {
        let missing = width - text.count
        return missing > 0 ? String(repeating: " ", count: missing) + text : text
    }

    /// `text` before spaces up to a number of columns.
    package static func left(_ text: String, _ width: Int) -> String {
        let missing = width - text.count
        return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }
}

/// A part of a whole, drawn.
package enum ProgressBar {
    /// `██████▌   `: exactly `width` columns.
    ///
    /// - Parameter fraction: 0 … 1.
    package static func text(_ fraction: Double, width: Int) -> String {
        guard fraction > 0 else { return String(repeating: " ", count: max(0, width)) }
        let text = Bar.text(from: 0, to: min(1, fraction), width: width)
        return text.before + text.bar + text.after
    }
}
