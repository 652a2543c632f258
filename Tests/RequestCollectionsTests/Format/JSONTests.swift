import Testing

@testable import RequestCollections

@Suite struct JSONTests {
    @Test(
        arguments: [
            "null", "true", "-0.5e+10", "12345678901234567890", "\"a\\\"b\\\\c\\nd\"", "[]", "{}", "[1,[2,{}],\"x\"]",
            "{\"b\":1,\"a\":{\"c\":null},\"b\":2}", "\"ä🐦\"",
        ])
    func `what is JSON is read and written without a loss`(text: String) {
        #expect(JSONParser.parse(text)?.text(pretty: false) == text)
        #expect(JSONParser.parse(" \n\(text)\t ")?.text(pretty: false) == text)
    }

    @Test(
        arguments: [
            "", "nul", "01", "1.", ".5", "+1", "1e", "[1,]", "[1 2]", "{a:1}", "{\"a\"}", "\"a", "\"\n\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u+123\"", "1 2",
            "'a'", "NaN", String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        ])
    func `what isn't JSON is refused`(text: String) {
        #expect(JSONParser.parse(text) == nil)
    }

    @Test(arguments: [
        (#"{"z":"\ud800"}"#, true), (#""\udC00""#, true), (#""\ud800\ud800\udc00""#, true), (#""\uD83D\uDC26""#, false),
        (#""\\ud800""#, false), (#""\\\ud800""#, true), (#""\u00e4\n""#, false), (#""\ud83d x\udc26""#, true), (#""\"#, false),
        (#""\ud8"#, false), ("", false), (#""\ud800\udc00\udc00""#, true),
    ])
    func `half of a surrogate pair is found, which no text has`(text: String, hasOne: Bool) {
        #expect(JSONParser.hasHalfPairs(text) == hasOne)
    }

    @Test func `escapes are read`() {
        #expect(JSONParser.parse(#""\u00e4\ud83d\udc26\/\b\f\r\t""#) == .string("ä🐦/\u{8}\u{C}\r\t"))
    }
}
