import Base
import NetworkLayer

/// Times as servers write them: `2026-11-22`, RFC 3339, and the forms of HTTP (RFC 9110, section 5.6.7).
enum DateText {
    /// `now`, `now + 1d`, `now - 5m` as well; a time without a zone is in UTC.
    ///
    /// - Returns: `nil` for what isn't a date.
    static func parse(_ text: String, now: Date?) -> Date? {
        let text = Substring(text).trimmed
        guard let now, text.hasPrefix("now") else { return parse(String(text)) }
        let rest = text.dropFirst(3).trimmed
        guard let sign = rest.first else { return now }
        guard sign == "+" || sign == "-", let duration = DurationText.parse(String(rest.dropFirst().trimmed)) else { return nil }
        return now.addingTimeInterval((sign == "-" ? -1 : 1) * (duration / .seconds(1)))
    }

    static func parse(_ text: String) -> Date? {
        var scanner = Scanner(rest: Substring(text).utf8)
        if let date = scanner.date() { return date }
        // Only with its zone: otherwise nearly any text with digits would be a date.
        return text.hasSuffix("GMT") ? HTTPDate.parse(text) : nil
    }

    /// In UTC, to the second, or to the millisecond where there are some.
    static func format(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        return TimeText(date).text(isWhole ? "iso8601" : "iso8601-ms") ?? ""
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func date() -> Date? {
            guard let year = digits(4), consume("-"), let month = digits(2), consume("-"), let day = digits(2),
                (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day)
            else { return nil }
            let days = Double(Self.days(before: year, month, day))
            guard !rest.isEmpty else { return Date(timeIntervalSince1970: days * 86_400) }
            guard consume("T") || consume("t") || consume(" "), let hour = digits(2), hour < 24, consume(":"),
                let minute = digits(2), minute < 60
            else { return nil }
            var second = 0.0
            if consume(":") {
                // A leap second counts as the last second of its minute, since POSIX time has none.
                guard let whole = digits(2), whole <= 60 else { return nil }
                second = Double(min(whole, 59))
                if consume(".") {
                    let fraction = rest.prefix { (0x30...0x39).contains($0) }
                    guard !fraction.isEmpty, let part = Double("0." + String(decoding: fraction, as: UTF8.self)) else { return nil }
                    second += part
                    rest = rest.dropFirst(fraction.count)
                }
            }
            guard let offset = offset(), rest.isEmpty else { return nil }
            return Date(timeIntervalSince1970: days * 86_400 + Double(hour * 3600 + minute * 60 - offset) + second)
        }

        /// Seconds east of UTC.
        private mutating func offset() -> Int? {
            if rest.isEmpty || consume("Z") || consume("z") { return 0 }
            let isWest = rest.first == UInt8(ascii: "-")
            guard consume("+") || consume("-"), let hours = digits(2), hours < 24 else { return nil }
            _ = consume(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }

        private mutating func digits(_ count: Int) -> Int? {
            let text = rest.prefix(count)
            guard text.count == count, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(String(decoding: text, as: UTF8.self))
        }

        private mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        private static func days(of month: Int, in year: Int) -> Int {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        }

        /// Since 1970. Years begin in March, so that the leap day is their last.
        private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
            let shifted = month <= 2 ? year - 1 : year
            let era = (shifted >= 0 ? shifted : shifted - 399) / 400
            let ofEra = shifted - era * 400
            let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
            return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
        }
    }
}
