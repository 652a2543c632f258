import FoundationEssentials
import NetworkLayer
import Testing

@Suite struct RetryAfterTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(arguments: [
        ("0", 0), ("000", 0), ("1", 1), ("0001", 1), ("64000", 64_000), ("2147483647", 2_147_483_647),
        ("00000000002147483647", 2_147_483_647), ("2147483648", 2_147_483_647), ("99999999999999999999", 2_147_483_647),
        ("5, 10", 10), ("10, 5", 10),
    ])
    func `RSP-4 decimal digits are seconds`(text: String, seconds: Double) {
        #expect(RetryAfter.date(text, receivedAt: now) == now.addingTimeInterval(seconds))
    }

    @Test(arguments: ["", "Dummy", "0.5", "-1", "+1", " 1", "1s", "٣", "5,", "5, soon"])
    func `RSP-4 anything else that is no date is invalid`(text: String) {
        #expect(RetryAfter.date(text, receivedAt: now) == nil)
        let value = RetryAfter(text, receivedAt: now)
        #expect(!value.isValid)
        #expect(value.rawValue == text)
        #expect(value.delay(from: now) == .infinity)
    }

    @Test(arguments: ["Tue, 14 Nov 2023 22:14:50 GMT", "Tuesday, 14-Nov-23 22:14:50 GMT", "Tue Nov 14 22:14:50 2023"])
    func `RSP-4 a date is taken in any format`(text: String) {
        #expect(RetryAfter.date(text, receivedAt: now) == now.addingTimeInterval(90))
    }

    @Test func `RSP-4 the date is fixed, so the delay falls below zero`() {
        let value = RetryAfter("0", receivedAt: now)
        #expect(value.isValid)
        #expect(value.delay(from: now) == 0)
        #expect(value.delay(from: now.addingTimeInterval(1)) == -1)
    }
}
