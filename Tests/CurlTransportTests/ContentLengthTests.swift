import Testing

@testable import CurlTransport

struct `Content-Length` {
    @Test(arguments: [
        ("0", ContentLength.bytes(0)), ("5", .bytes(5)), ("5,5", .bytes(5)), ("5 ,\t5, 5", .bytes(5)), ("005", .bytes(5)),
        ("9223372036854775807", .bytes(.max)), ("9223372036854775808", .invalid), ("", .invalid), ("5,", .invalid),
        (",5", .invalid), ("5, 6", .invalid), ("-5", .invalid), ("+5", .invalid), ("5 5", .invalid), ("0x5", .invalid),
        ("٥", .invalid),
    ])
    func `is digits, or the same digits several times`(value: String, length: ContentLength) {
        #expect(ContentLength(value) == length)
    }

    @Test func `of several fields all say the same`() {
        #expect(ContentLength("5", after: .bytes(5)) == .bytes(5))
        #expect(ContentLength("5", after: .bytes(6)) == .invalid)
        #expect(ContentLength("5", after: .invalid) == .invalid)
    }
}
