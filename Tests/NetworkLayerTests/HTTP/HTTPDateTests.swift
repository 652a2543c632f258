import Base
import Testing

@Suite struct HTTPDateTests {
    /// 6 November 1994, 08:49:37 GMT, the example of RFC 9110.
    static let example = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT",
    ])
    func `REQ-11 a date is read in every format, and written in that of RFC 822`(text: String) {
        #expect(HTTPDate.parse(text) == Self.example)
        #expect(HTTPDate.string(from: Self.example.addingTimeInterval(0.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func `REQ-11 the calendar is right at its edges, both ways`(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
        #expect(HTTPDate.string(from: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        "sun, 6 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 +0000", "Mon, 06 Nov 1994 08:49:37 UTC",
        "Sun Nov 06 08:49:37 1994 UTC", "  Sun,  06 Nov 1994 08:49:37  GMT ",
    ])
    func `REQ-11 small deviations are forgiven`(text: String) {
        #expect(HTTPDate.parse(text) == Self.example)
    }

    @Test(arguments: [
        "", "Dummy", "784111777", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Abc 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    ])
    func `REQ-11 anything else is no date`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    /// RFC 9110, section 5.6.7: more than 50 years ahead means the past.
    @Test(arguments: [("26", 2026), ("76", 2076), ("77", 1977), ("94", 1994), ("00", 2000)])
    func `REQ-11 a year of two digits is at most 50 years ahead`(short: String, year: Int) throws {
        let now = try #require(HTTPDate.parse("Fri, 20 Nov 2026 00:00:00 GMT"))
        let read = try #require(HTTPDate.parse("Sunday, 06-Nov-\(short) 08:49:37 GMT", now: now))
        #expect(HTTPDate.string(from: read).split(separator: " ")[3] == "\(year)")
    }
}
