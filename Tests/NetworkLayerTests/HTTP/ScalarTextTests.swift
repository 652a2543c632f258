import Testing

@testable import NetworkLayer

/// Quotes, slashes and their like are found whatever stands behind or before them.
@Suite struct ScalarTextTests {
    /// Each of them makes one character with what stands before it.
    private static let joiners = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{1F3FB}"]

    @Test(arguments: joiners) func `a delimiter is found that something joins`(joiner: String) {
        let text = "a'\(joiner)b"
        #expect(text.count == 3, "Swift takes the quote and what follows for one character")
        #expect(text.replacing(scalars: "'", with: "''") == "a''\(joiner)b")
        #expect(text.escaping("'") == "a\\'\(joiner)b")
        #expect(text.pieces(at: "'") == ["a", "\(joiner)b"])
        #expect(text.halves(at: "'").map { [$0.before, $0.behind] } == ["a", "\(joiner)b"])
        #expect("/\(joiner)b".begins(with: "/"))
    }

    @Test func `a delimiter is found that a sign before it takes in`() {
        #expect("\u{600}'".count == 1)
        #expect("\u{600}'".replacing(scalars: "'", with: "") == "\u{600}")
        #expect("\u{600}/".ends(with: "/"))
        #expect(!"\u{600}".ends(with: "/"))
    }

    @Test func `a line feed is found behind a carriage return`() {
        #expect("a\r\nb\n\r\n".lines == ["a", "b", "", ""])
        #expect("a\r\nb\nc".pieces(at: "\n") == ["a\r", "b", "c"])
        #expect("a\r\nb".replacing(scalars: "\n", with: "\\n") == "a\r\\nb")
    }

    @Test func `all of several in a row, and only whole ones`() {
        #expect("{{{{a{".replacing(scalars: "{{", with: "x") == "xxa{")
        #expect("a".halves(at: "=") == nil)
        #expect("".pieces(at: ",") == [""])
    }

    @Test func `credentials and pairs are parted as a server parts them`() {
        #expect(Credential("me:\u{301}pw") == Credential(user: "me", password: "\u{301}pw"))
        #expect(
            URLCoding.pairs(in: "a=\u{301}1&\u{301}b=2").map { [$0.key, $0.value] } == [["a", "\u{301}1"], ["\u{301}b", "2"]])
    }
}
