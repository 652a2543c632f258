/// Dates as they stand in header fields (RFC 9110, section 5.6.7; REQ-11). Always GMT, always English, whatever the locale.
package enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`: whole seconds, rounded down, in the years that four digits can name.
    package static func string(from date: Date) -> String {
        let seconds = Int(min(max(date.timeIntervalSince1970, -62_167_219_200), 253_402_300_799).rounded(.down))
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let (year, month, day) = civil(days)
        let rest = seconds - days * 86_400
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0) }.joined(separator: ":")
        let weekday = weekdays[((days + 4) % 7 + 7) % 7].prefix(3)
        return "\(weekday), \(padded(day)) \(months[month - 1]) \(padded(year, 4)) \(time) GMT"
    }

    /// Reads a date as servers write them; at its end a time zone: `GMT`, `UTC` or `+0000`.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT       Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994            Sun Nov  6 08:49:37 1994 GMT
    ///
    /// - Parameter now: a year of two digits means the latest that is at most 50 years after it.
    /// - Returns: `nil` for anything else, also for a day that doesn't exist. A wrong day of the week is forgiven.
    package static func parse(_ text: String, now: Date = Date()) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        guard let first = words.first else { return nil }
        if first.utf8.last == UInt8(ascii: ",") {
            let name = String(first.dropLast())
            if words.count == 6, isWeekday(name, short: true), isZone(words[5]) {
                return date(words[3], words[2], words[1], words[4])
            }
            let day = words.count > 1 ? words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init) : []
            guard words.count == 4, day.count == 3, isWeekday(name, short: false), isZone(words[3]),
                let short = number(day[2], digits: 2...2)
            else { return nil }
            return date(String(fullYear(short, now: now)), day[1], day[0], words[2])
        }
        guard isWeekday(first, short: true), words.count == 5 || words.count == 6 && isZone(words[5]) else { return nil }
        return date(words[4], words[1], words[2], words[3])
    }

    /// `nil` for a day or time that doesn't exist; a leap second counts as the next one.
    ///
    /// - Parameter month: from 1.
    package static func date(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Date? {
        guard (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else {
            return nil
        }
        let days = days(year, month, day)
        // A day that the month doesn't have is one of the next.
        guard day >= 1, civil(days).month == month else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    // MARK: The proleptic Gregorian calendar, after Howard Hinnant's "chrono-compatible low-level date algorithms"

    /// Since 1970-01-01. Eras of 400 years begin with the March of their first year, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }

    // MARK: Words and numbers

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func isWeekday(_ name: String, short: Bool) -> Bool {
        weekdays.contains { (short ? String($0.prefix(3)) : $0).lowercased() == name.lowercased() }
    }

    private static func isZone(_ name: String) -> Bool {
        ["gmt", "utc", "ut", "z", "+0000", "-0000"].contains(name.lowercased())
    }

    private static func fullYear(_ short: Int, now: Date) -> Int {
        let latest = civil(Int((now.timeIntervalSince1970 / 86_400).rounded(.down))).year + 50
        let year = latest - latest % 100 + short
        return year > latest ? year - 100 : year
    }

    private static func date(_ year: String, _ month: String, _ day: String, _ time: String) -> Date? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2...2) }
        guard let year = number(year, digits: 4...4), let day = number(day, digits: 1...2),
            let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }),
            parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
        else { return nil }
        return date(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
