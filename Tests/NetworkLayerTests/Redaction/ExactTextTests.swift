import Testing

@testable import NetworkLayer

@Suite struct ExactTextTests {
    @Test(
        arguments: [
            ("", "", true), ("", "a", false), ("a", "a", true), ("a", "b", false), ("caf\u{E9}", "caf\u{E9}", true),
            ("caf\u{E9}", "cafe\u{301}", false), (";", "\u{37E}", false), ("a\0b", "a\0c", false), ("a\0b", "a\0b", true),
            // As many bytes, in another order, and the same to Swift.
            ("q\u{323}\u{307}", "q\u{307}\u{323}", false),
            ("/a/path/that/is/longer/than/a/small/text", "/a/path/that/is/longer/than/a/small/texT", false),
        ])
    func `texts are the same when their bytes are`(one: String, other: String, isSame: Bool) {
        #expect(one.hasBytes(of: other) == isSame)
        #expect((ExactText(one) == ExactText(other)) == isSame)
        #expect(Set([ExactText(one), ExactText(other)]).count == (isSame ? 1 : 2))
    }

    @Test func `a part of a text is compared by its bytes, too`() {
        let text = "xcaf\u{E9}x"
        #expect(String(text.dropFirst().dropLast()).hasBytes(of: "caf\u{E9}"))
    }
}
