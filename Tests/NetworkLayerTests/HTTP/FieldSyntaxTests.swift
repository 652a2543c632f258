import Testing

@testable import NetworkLayer

@Suite struct FieldSyntaxTests {
    @Test(arguments: [
        ("a,b", ["a", "b"]), ("", [""]), ("a,,b,", ["a", "", "b", ""]), (" a , b ", [" a ", " b "]),
        (#"a="1,2",b"#, [#"a="1,2""#, "b"]), (#"a="\",",b"#, [#"a="\",""#, "b"]), (#"a="open,b"#, [#"a="open,b"#]),
        (#"a=\",b"#, [#"a=\",b"#]),
        // An accent behind it, or a sign before it that joins what follows, make a comma another character for Swift alone.
        ("a,\u{301}b", ["a", "\u{301}b"]), ("a\u{600},b", ["a\u{600}", "b"]),
        ("a=\"\u{301}1,2\"\u{301},b", ["a=\"\u{301}1,2\"\u{301}", "b"]),
    ])
    func `a separator inside of a quoted string separates nothing`(value: String, pieces: [String]) {
        #expect(FieldSyntax.pieces(of: value, separatedBy: ",").map(String.init) == pieces)
    }

    @Test(arguments: [(" \ta b\t ", "a b"), ("", ""), (" ", ""), ("\u{A0}a", "\u{A0}a"), (" \u{301}a", "\u{301}a")])
    func `spaces and tabs around a value don't count`(value: String, trimmed: String) {
        #expect(FieldSyntax.trimmed(value[...]) == trimmed)
    }

    @Test(arguments: [
        (#""a b""#, "a b"), (#""a\"b\\c""#, #"a"b\c"#), ("a", "a"), (#"""#, #"""#), (#""a"#, #""a"#), (#""""#, ""),
        ("\"\u{301}a\\\"\u{301}\"", "\u{301}a\"\u{301}"),
    ])
    func `a quoted string is taken out of its quotes`(value: String, text: String) {
        #expect(FieldSyntax.unquoted(value[...]) == text)
    }
}
