import Base

/// The dates of cookies, which servers write in every way there is (RFC 6265bis, section 5.1.1): the first token that looks like
/// a time is the time, then a day, a month, a year, in any order.
enum CookieDate {
    static func parse(_ text: String) -> Date? {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        let padded = { (number: Int, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        // HTTPDate knows the calendar.
        let written =
            "Sun, \(padded(day, 2)) \(months[month]) \(padded(year, 4)) \(padded(time.0, 2)):\(padded(time.1, 2)):\(padded(time.2, 2)) GMT"
        return time.2 < 60 ? HTTPDate.parse(written)?.date : nil
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// `8:49:37`, with anything that isn't a digit behind it.
    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count >= 3, let hour = wholeNumber(parts[0]), let minute = wholeNumber(parts[1]),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func wholeNumber(_ token: Substring.UTF8View) -> Int? {
        token.allSatisfy(isDigit) ? number(token, digits: 1...2) : nil
    }

    /// The digits that a token begins with.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: isDigit)
        return digits.contains(prefix.count) ? Int(String(prefix) ?? "") : nil
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(token.prefix(3))?.lowercased()
        return months.firstIndex { $0.lowercased() == name }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
