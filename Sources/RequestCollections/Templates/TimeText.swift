import Base

/// Times as templates write them, all in UTC.
///
/// | format | gives |
/// |---|---|
/// | `iso8601`, also without a format | `2026-11-21T01:20:27Z` (RFC 3339) |
/// | `iso8601-ms` | `2026-11-21T01:20:27.042Z` |
/// | `http` | `Sat, 21 Nov 2026 01:20:27 GMT` (RFC 9110, section 5.6.7) |
/// | `date`, `time` | `2026-11-21`, `01:20:27` |
/// | a pattern with `%` | as of `strftime`: `Y m d H M S j y a A b B e z Z F T s %`, and `L` for milliseconds |
struct TimeText {
    static let names = ["iso8601", "iso8601-ms", "http", "date", "time"]

    private let year: Int
    private let month: Int
    private let day: Int
    private let dayOfYear: Int
    /// From Sunday, 0.
    private let weekday: Int
    private let hour: Int
    private let minute: Int
    private let second: Int
    private let millisecond: Int
    private let seconds: Int

    init(_ date: Date) {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
        millisecond = Self.modulo(milliseconds, 1000)
        seconds = (milliseconds - millisecond) / 1000
        let ofDay = Self.modulo(seconds, 86_400)
        let days = (seconds - ofDay) / 86_400
        hour = ofDay / 3600
        minute = ofDay / 60 % 60
        second = ofDay % 60
        weekday = Self.modulo(days + 4, 7)
        // Howard Hinnant's days-to-civil: years begin in March, so that the leap day is their last.
        let shifted = days + 719_468
        let era = (shifted - Self.modulo(shifted, 146_097)) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let fromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * fromMarch + 2) / 153
        day = fromMarch - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        dayOfYear = month > 2 ? fromMarch + 60 + (isLeap ? 1 : 0) : fromMarch - 305
    }

    private static func modulo(_ number: Int, _ divisor: Int) -> Int {
        let rest = number % divisor
        return rest < 0 ? rest + divisor : rest
    }

    /// `nil` for a format that isn't known.
    func text(_ format: String) -> String? {
        switch format {
        case "iso8601": return filled("%Y-%m-%dT%H:%M:%SZ")
        case "iso8601-ms": return filled("%Y-%m-%dT%H:%M:%S.%LZ")
        case "http": return filled("%a, %d %b %Y %H:%M:%S GMT")
        case "date": return filled("%F")
        case "time": return filled("%T")
        default: return format.contains("%") ? filled(format) : nil
        }
    }

    private func filled(_ pattern: String) -> String? {
        var text = ""
        var isField = false
        for character in pattern {
            if isField {
                guard let field = field(character) else { return nil }
                text += field
                isField = false
            } else if character == "%" {
                isField = true
            } else {
                text.append(character)
            }
        }
        return isField ? nil : text
    }

    private func field(_ letter: Character) -> String? {
        switch letter {
        case "Y": padded(year, 4)
        case "y": padded(Self.modulo(year, 100), 2)
        case "m": padded(month, 2)
        case "d": padded(day, 2)
        case "e": "\(day)"
        case "H": padded(hour, 2)
        case "M": padded(minute, 2)
        case "S": padded(second, 2)
        case "L": padded(millisecond, 3)
        case "j": padded(dayOfYear, 3)
        case "a": String(Self.weekdays[weekday].prefix(3))
        case "A": Self.weekdays[weekday]
        case "b": String(Self.months[month - 1].prefix(3))
        case "B": Self.months[month - 1]
        case "F": "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        case "T": "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
        case "s": "\(seconds)"
        case "z": "+0000"
        case "Z": "UTC"
        case "%": "%"
        default: nil
        }
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
}
