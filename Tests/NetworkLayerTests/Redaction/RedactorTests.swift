import Foundation
import NetworkLayer
import Testing

@Suite struct RedactorTests {
    private static let redactor = Redactor(["p4ss wörd/~", "p4", "k\"ey\\"])

    @Test(
        arguments: [
            ("nothing in here", "nothing in here"),
            ("<p4ss wörd/~>", "<••••••>"),
            ("p4|p4ss", "••••••|••••••ss"),
            ("?q=p4ss%20w%C3%B6rd%2F~&r=p4ss%20w%c3%b6rd%2f~", "?q=••••••&r=••••••"),
            ("q=p4ss+w%C3%B6rd%2F%7E", "q=••••••"),
            (#"{"a": "k\"ey\\"}"#, #"{"a": "••••••"}"#),
            (#"{"a": "p4ss wörd\/~"}"#, #"{"a": "••••••"}"#),
            // Coded in part: each place of a URL leaves other characters as they are.
            ("/p4ss%20wörd/~?q=p4ss+w%C3%B6rd/%7e&%704ss wörd/~", "/••••••?q=••••••&••••••"),
            // By encoders that escape more than they must, and JSON in a string of JSON.
            (#"{"a": "p4ss w\u00f6rd\u002F~"}"#, #"{"a": "••••••"}"#),
            (
                #"{"text": "{\"a\": \"k\\\"ey\\\\\", \"b\": \"p4ss w\\u00F6rd\\/~\"}"}"#,
                #"{"text": "{\"a\": \"••••••\", \"b\": \"••••••\"}"}"#
            ),
            (#"{"url": "http:\/\/h\/p4ss%20w%C3%B6rd\/~", "b": "k%22ey%5c"}"#, #"{"url": "http:\/\/h\/••••••", "b": "••••••"}"#),
            // What only begins like one.
            ("%70", "%70"), ("%7", "%7"), (#"\u007"#, #"\u007"#), (#"p4ss w\u00f"#, #"••••••ss w\u00f"#),
            ("", ""),
        ])
    func `a secret is masked in each form in which it travels`(text: String, redacted: String) {
        #expect(Self.redactor.text(text) == redacted)
        #expect(Self.redactor.finds(in: text) == (text != redacted))
        #expect(Self.redactor.bytes(Data(text.utf8)) == Data(redacted.utf8))
    }

    @Test(arguments: ["", "u", "me", "ann", "user"], ["", ":", "::"])
    func `base64 hides no secret, wherever in the text it stands`(before: String, after: String) throws {
        let secret = "correct-horse"
        let encoded = Data("\(before):\(secret)\(after)".utf8).base64EncodedString()
        let shown = Redactor([secret]).text("Basic \(encoded)")
        #expect(shown.contains(Redactor.mask))
        // What is left of it gives at most a letter of the secret away at each end.
        let rest = shown.dropFirst("Basic ".count).split(separator: Redactor.mask, omittingEmptySubsequences: false)
        #expect(rest.count == 2)
        #expect(rest[0].count <= (before.count + 2) * 8 / 6)
        #expect(rest[1].count <= (after.count + 1) * 8 / 6 + 3)
    }

    @Test func `bytes that are no text are kept as they are`() {
        #expect(Redactor(["ab"]).bytes(Data([0xFF, 0x61, 0x62, 0x00])) == Data([0xFF]) + Data("••••••".utf8) + Data([0]))
    }

    @Test func `two are one with the secrets of both`() {
        let both = Redactor(["a1"]).union(Redactor(["b2"]))
        #expect(both == Redactor(["a1", "b2"]))
        #expect(both.text("a1b2") == "••••••••••••")
        #expect(Redactor().union(both) == both)
        #expect(Redactor([""]).isEmpty)
    }

    @Test func `it doesn't tell its secrets when it is printed`() {
        let redactor = Redactor(["hunter2"])
        var dumped = ""
        dump(redactor, to: &dumped)
        #expect(!"\(redactor) \(String(reflecting: redactor)) \(dumped)".contains("hunter2"))
    }
}
