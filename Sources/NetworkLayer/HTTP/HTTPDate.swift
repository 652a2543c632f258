public import Base

/// Dates as they stand in header fields (RFC 9110, section 5.6.7; REQ-11). Always GMT, always English, whatever the locale.
public enum HTTPDate {
    /// | format           | example                              |
    /// |------------------|--------------------------------------|
    /// | rfc822           | `Sun, 06 Nov 1994 08:49:37 GMT`      |
    /// | rfc850           | `Sunday, 06-Nov-94 08:49:37 GMT`     |
    /// | asctime          | `Sun Nov  6 08:49:37 1994`           |
    /// | asctimeExtended  | `Sun Nov  6 08:49:37 1994 GMT`       |
    public enum Format: Sendable, Hashable, CaseIterable {
        /// The one to send (IMF-fixdate).
        case rfc822
        /// `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 9110, section 5.6.7).
        case rfc850
        /// `Sun Nov  6 08:49:37 1994`, as C's `asctime` has it.
        case asctime
        /// With a time zone at the end, as some servers write it: `GMT`, `UTC` or `+0000`.
        case asctimeExtended
    }

    /// Writes a date, whole seconds, rounded down.
    public static func string(from date: Date, format: Format = .rfc822) -> String {
        let moment = CivilTime(date)
        let weekday = weekdays[moment.weekday]
        let month = months[moment.month - 1].prefix(3)
        let time = "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
        let year = padded(moment.year, 4)
        return switch format {
        case .rfc822: "\(weekday.prefix(3)), \(padded(moment.day)) \(month) \(year) \(time) GMT"
        case .rfc850: "\(weekday), \(padded(moment.day))-\(month)-\(padded(moment.year % 100)) \(time) GMT"
        case .asctime: "\(weekday.prefix(3)) \(month) \(padded(moment.day, 2, with: " ")) \(time) \(year)"
        case .asctimeExtended: "\(weekday.prefix(3)) \(month) \(padded(moment.day, 2, with: " ")) \(time) \(year) GMT"
        }
    }

    /// Reads a date in any of the formats.
    ///
    /// - Parameter now: a year of two digits means the latest that is at most 50 years after it (RFC 9110, section 5.6.7).
    /// - Returns: `nil` for anything else, also for a day that doesn't exist. A wrong day of the week is forgiven.
    public static func parse(_ text: String, now: Date = Date()) -> (date: Date, format: Format)? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        guard let first = words.first else { return nil }
        if first.ends(with: ",") {
            let name = String(first.dropLast())
            if words.count == 6, isWeekday(name, short: true), isZone(words[5]) {
                return date(words[3], words[2], words[1], words[4]).map { ($0, .rfc822) }
            }
            let day = words.count > 1 ? words[1].pieces(at: "-").map(String.init) : []
            guard words.count == 4, day.count == 3, isWeekday(name, short: false), isZone(words[3]),
                let short = number(day[2], digits: 2...2)
            else { return nil }
            return date(String(fullYear(short, now: now)), day[1], day[0], words[2]).map { ($0, .rfc850) }
        }
        guard isWeekday(first, short: true), words.count == 5 || words.count == 6 && isZone(words[5]) else { return nil }
        return date(words[4], words[1], words[2], words[3]).map { ($0, words.count == 5 ? .asctime : .asctimeExtended) }
    }

    // MARK: Parts

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func isWeekday(_ name: String, short: Bool) -> Bool {
        weekdays.contains { (short ? String($0.prefix(3)) : $0).lowercased() == name.lowercased() }
    }

    private static func isZone(_ name: String) -> Bool {
        ["gmt", "utc", "ut", "z", "+0000", "-0000"].contains(name.lowercased())
    }

    private static func fullYear(_ short: Int, now: Date) -> Int {
        let latest = CivilTime(now).year + 50
        let year = latest - latest % 100 + short
        return year > latest ? year - 100 : year
    }

    private static func date(_ year: String, _ month: String, _ day: String, _ time: String) -> Date? {
        let parts = time.pieces(at: ":").map { number(String($0), digits: 2...2) }
        guard let year = number(year, digits: 4...4), let day = number(day, digits: 1...2),
            let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }),
            parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
        else { return nil }
        return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second).date
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int = 2, with filler: String = "0") -> String {
        let digits = String(number)
        return String(repeating: filler, count: max(0, width - digits.count)) + digits
    }
}

/// A moment in the proleptic Gregorian calendar, in GMT, after Howard Hinnant's "chrono-compatible low-level date algorithms".
private struct CivilTime {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    /// From Sunday, 0.
    var weekday = 0

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    init(_ date: Date) {
        // The range of four-digit years; beyond it no header can tell the date.
        let seconds = Int(min(max(date.timeIntervalSince1970, -62_167_219_200), 253_402_300_799).rounded(.down))
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let rest = seconds - days * 86_400
        // Eras of 400 years, each beginning with the March of its first year, so that the leap day is the last.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        weekday = ((days + 4) % 7 + 7) % 7
    }

    /// `nil` for a day or time that doesn't exist; a leap second counts as the next one.
    var date: Date? {
        guard (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            day >= 1, day <= daysInMonth
        else { return nil }
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
