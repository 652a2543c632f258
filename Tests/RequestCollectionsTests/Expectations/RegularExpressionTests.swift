import Testing

@testable import RequestCollections

@Suite struct RegularExpressionTests {
    @Test(
        arguments: [
            (#"\bcom\b"#, "x.com", "com"), (#"^\d+\b"#, "3,000", "3"), (#"don\b"#, "don't", "don"),
            ("(?<=foo)bar", "foobar", "bar"),
            (#"\u00e9+"#, "caf\u{E9}\u{E9}", "\u{E9}\u{E9}"), (#"\x{e9}"#, "\u{E9}", "\u{E9}"), ("a{,2}b", "aab", "aab"),
            ("a{,2}", "a{,2}", "a"),
            ("[[:word:]]", "_", "_"), ("id: (.*)", "id: 7\r\nx", "7"), ("(?m)^b$", "a\r\nb\r\n", "b"), ("a$", "a\n", nil),
            (#"^\w+$"#, "\u{E9}t\u{E9}", "\u{E9}t\u{E9}"), (#"\d"#, "\u{663}", "\u{663}"), (#"a\sb"#, "a\u{A0}b", "a\u{A0}b"),
            ("(x)?id", "id", nil), ("^.$", "e\u{301}", nil), ("", "", ""), ("(b)|a", "ab", nil), ("a(b)?c(d)", "acd", nil),
        ] as [(String, String, String?)])
    func `it finds its first group, or all of what matches`(pattern: String, text: String, found: String?) throws {
        #expect(try RegularExpression.compiled(pattern).group(in: text) == found)
    }

    @Test func `letters are alike in either case where that is asked for`() throws {
        #expect(try RegularExpression.compiled("ID=(\\d+)", ignoringCase: true).group(in: "a id=7") == "7")
        #expect(try !RegularExpression.compiled("ID").finds(in: "id"))
    }

    @Test(arguments: ["(", "[", #"\"#, "a)b", "(?", "*", #"\y"#, #"\C"#, "(?<x>a)|(?<x>b)"])
    func `what isn't an expression says so`(pattern: String) {
        #expect(throws: RegularExpressionError.self) { try RegularExpression.compiled(pattern) }
    }

    @Test(arguments: ["(a*)*[bc]", "(a|aa)+$", "^(a+)+$", "(a+a+)+[^a!]"])
    func `one that can be tried in too many ways gives up`(pattern: String) {
        let text = String(repeating: "a", count: 60) + "!"
        #expect(throws: RegularExpressionError.late) { try RegularExpression.compiled(pattern).finds(in: text) }
    }

    @Test func `a long text is gone through in steps`() throws {
        let text = String(repeating: "caf\u{E9} ", count: 50_000) + "token=abc"
        #expect(try RegularExpression.compiled("(?<=token=)(abc)").group(in: text) == "abc")
        #expect(try RegularExpression.compiled("^token").group(in: text) == nil)
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        bytes.withUnsafeBufferPointer { text in
            _ = #expect(throws: RegularExpressionError.late) {
                try RegularExpression.compiled("a+[bc]").firstMatch(in: text, patience: .milliseconds(20))
            }
        }
    }

    /// By ECMA-262, whose results node gives.
    @Test(
        arguments: [
            ("^a.c$", "a\u{2028}c", false), ("^\\d$", "\u{663}", false), ("\\bcaf\\b", "caf\u{E9}", true), ("(?<=a)b", "ab", true),
            (#"^\cA$"#, "\u{1}", true), ("[^]", "\n", true), ("[]", "a", false), ("^[~~]$", "~", true), ("^[[]$", "[", true),
            (#"^\s$"#, "\u{FEFF}", true), (#"^\s$"#, "\u{85}", false), (#"^\S$"#, "\u{2029}", false),
            (#"^\p{Letter}+$"#, "\u{E9}", true),
            (#"^\p{Script=Greek}$"#, "\u{3B1}", true), (#"^\p{digit}+$"#, "\u{9EA}\u{9E8}", true),
            (#"^\u{1F511}$"#, "\u{1F511}", true),
            (#"^\ud83d\udd11$"#, "\u{1F511}", true), ("^abc$", "abc\n", false), (#"^\w$"#, "\u{E9}", false),
            (#"a\/b"#, "a/b", true),
            (#"^[\s]$"#, "\u{A0}", true), (#"(a)|\1b"#, "b", true), (#"^\v$"#, "\u{B}", true),
        ])
    func `expressions of JSON Schema follow ECMAScript`(pattern: String, text: String, finds: Bool) throws {
        #expect(try RegularExpression.compiled(pattern, .ecmaScript).finds(in: text) == finds)
    }
}
