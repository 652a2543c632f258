import Foundation
import NetworkLayer
import Testing

@Suite struct RedactorTests {
    private static let redactor = Redactor(["p4ss wörd/~", "p4ss w", "k\"ey\\7"])

    @Test(
        arguments: [
            ("nothing in here", "nothing in here"),
            ("<p4ss wörd/~>", "<••••••>"),
            ("p4ss w|p4ss word", "••••••|••••••ord"),
            ("?q=p4ss%20w%C3%B6rd%2F~&r=p4ss%20w%c3%b6rd%2f~", "?q=••••••&r=••••••"),
            ("q=p4ss+w%C3%B6rd%2F%7E", "q=••••••"),
            (#"{"a": "k\"ey\\7"}"#, #"{"a": "••••••"}"#),
            (#"{"a": "p4ss wörd\/~"}"#, #"{"a": "••••••"}"#),
            // Coded in part: each place of a URL leaves other characters as they are.
            ("/p4ss%20wörd/~?q=p4ss+w%C3%B6rd/%7e&%704ss wörd/~", "/••••••?q=••••••&••••••"),
            // A backslash of its own, and then one that begins an escape.
            (#"{"a": "k\"ey\\7", "b": "\u006b\"ey\\\u0037"}"#, #"{"a": "••••••", "b": "••••••"}"#),
            // By encoders that escape more than they must.
            (#"{"a": "p4ss w\u00f6rd\u002F~"}"#, #"{"a": "••••••"}"#),
            (#"{"url": "http:\/\/h\/p4ss%20w%C3%B6rd\/~", "b": "k%22ey%5c7"}"#, #"{"url": "http:\/\/h\/••••••", "b": "••••••"}"#),
            // What only begins like one.
            ("%70", "%70"), ("%7", "%7"), (#"\u007"#, #"\u007"#), (#"p4ss w\u00f"#, #"••••••\u00f"#),
            // As XML and HTML have it, and in hexadecimal.
            ("<p>p4ss w&#xF6;rd/~ p4ss w&#246;rd&#x2f;~ k&quot;ey\\7</p>", "<p>•••••• •••••• ••••••</p>"),
            ("7034737320", "7034737320"), ("0x703473732077C3B672642f7e", "0x••••••C3B672642f7e"),
            ("", ""),
        ])
    func `a secret is masked in each form in which it travels`(text: String, redacted: String) {
        #expect(Self.redactor.text(text) == redacted)
        #expect(Self.redactor.finds(in: text) == (text != redacted))
        #expect(Self.redactor.bytes(Data(text.utf8)) == Data(redacted.utf8))
    }

    /// PHP escapes each slash of JSON, .NET each plus; forms and queries encode all three.
    @Test(arguments: [
        ["/": "\\/"], ["+": "\\u002B"], ["/": "%2F", "+": "%2b", "=": "%3D"], ["+": "&#43;", "/": "&#x2F;"],
    ])
    func `base64 hides no secret where its signs are escaped`(escapes: [Character: String]) {
        let secret = "p4ss>?word~~\u{FC}\u{FC}/+x y&z"
        let encoded = Data(secret.utf8).base64EncodedString()
        #expect(encoded.contains("+") && encoded.contains("/") && encoded.contains("="))
        let escaped = encoded.map { escapes[$0] ?? String($0) }.joined()
        #expect(Redactor([secret]).text("a: \(escaped), b") == "a: \(Redactor.mask), b")
        // One that begins with such a sign.
        let other = "\u{FB}\u{FF}\u{FE}secret"
        let begun = Data(other.utf8).base64EncodedString().map { escapes[$0] ?? String($0) }.joined()
        #expect(Redactor([other]).text("a: \(begun), b") == "a: \(Redactor.mask), b")
    }

    /// They are equal to Swift.
    @Test func `a secret hides none that is composed of other code points`() {
        let (composed, decomposed) = ("Gr\u{FC}\u{DF}e-hunter22", "Gru\u{308}\u{DF}e-hunter22")
        for secrets in [[composed, decomposed], [decomposed, composed]] {
            let both = Redactor(secrets.prefix(1)).union(Redactor(secrets.suffix(1)))
            for redactor in [Redactor(secrets), both] {
                #expect(redactor.text("a=\(composed) b=\(decomposed)") == "a=\(Redactor.mask) b=\(Redactor.mask)")
            }
            #expect(both == Redactor(secrets))
        }
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
        #expect(
            Redactor(["abcdef"]).bytes(Data([0xFF]) + Data("abcdef".utf8) + Data([0])) == Data([0xFF]) + Data("••••••".utf8)
                + Data([0]))
    }

    @Test func `what only begins like UTF-16 is looked at byte by byte`() {
        let start = Data([0, 1, 2])
        #expect(Self.redactor.bytes(start + Data("p4ss wörd/~".utf8)) == start + Data("••••••".utf8))
    }

    @Test func `two are one with the secrets of both`() {
        let both = Redactor(["first-1"]).union(Redactor(["second-2"]))
        #expect(both == Redactor(["first-1", "second-2"]))
        #expect(both.text("first-1second-2") == "••••••••••••")
        #expect(Redactor().union(both) == both)
        #expect(Redactor([""]).isEmpty)
    }

    /// A password `no` turned "nothing" into "••••••thing".
    @Test(arguments: [
        ("nothing in there, no", "nothing in there, no"), ("no", "••••••"),
        (#"{"answer":"no","note":"no thing","no":true}"#, #"{"answer":"••••••","note":"no thing","••••••":true}"#),
        (#""{\"answer\":\"no\"}""#, #""{\"answer\":\"••••••\"}""#),
        ("/nothing?a=no&b=nono&c=n%6F#no", "/nothing?a=••••••&b=nono&c=••••••#no"),
        ("a=no; b=none", "a=••••••; b=none"), ("x-pin: no\r\nx-note: no way\r\n", "x-pin: ••••••\r\nx-note: no way\r\n"),
        ("true {true} \"{\" { \"true\"", "true {true} \"••••••\" { \"••••••\""), ("bm90aGluZw== no", "bm90aGluZw== no"),
        ("GET /v1/no/nothing HTTP/1.1", "GET /v1/••••••/nothing HTTP/1.1"), ("http://h/no?no", "http://h/••••••?no"),
    ])
    func `a short secret is masked only where it is the whole of a value`(text: String, redacted: String) {
        #expect(Redactor(["no", "true", "{", ""]).text(text) == redacted)
    }

    @Test func `a secret that begins another one doesn't hide it`() {
        #expect(Redactor(["secret", "secret-and-more"]).text("secret-and-more secret") == "•••••• ••••••")
    }

    @Test func `secrets that have characters in common are masked as one`() {
        let redactor = Redactor(["hunter2fast", "fast4you"])
        #expect(redactor.text("<hunter2fast4you>") == "<••••••>")
        #expect(redactor.text("<hunter2fastfast4you>") == "<••••••••••••>")
    }

    @Test func `backslashes of a secret are found as they are, and escaped`() {
        #expect(Redactor([#"p4ss\word"#]).text(#"<p4ss\word> <p4ss\\word>"#) == "<••••••> <••••••>")
    }

    @Test func `it doesn't tell its secrets when it is printed`() {
        let redactor = Redactor(["hunter2"])
        var dumped = ""
        dump(redactor, to: &dumped)
        #expect(!"\(redactor) \(String(reflecting: redactor)) \(dumped)".contains("hunter2"))
    }
}
