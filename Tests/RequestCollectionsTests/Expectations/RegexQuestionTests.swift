import Testing

@testable import RequestCollections

@Suite struct RegexQuestionTests {
    @Test(arguments: [
        "json", "^ok$", "[0-9]+", "^[a-z]+-[0-9]{4}$", #"\d+\.\d+"#, "(cat|dog)s?", "[a+]*b", "a{3}b", "(?:ab)c+", #"\(a+\)"#,
        "[]a*]b",
    ])
    func `what nobody would think twice about is asked here`(pattern: String) {
        #expect(RegexQuestion(pattern, ignoringCase: false, in: String(repeating: "a", count: 100)).isCheap)
    }

    @Test(arguments: [
        "^(a+)+$", "(a*)*b", "(a|aa)+$", "(?:a+|b)*c", "([a-z]+)*!", #"(a)\1"#, #"(?<x>a)\k<x>"#, "((a?)b)*", "(a{1,9})*",
        "(x+x+)+y",
        String(repeating: "a?", count: 30), "a+a+a+a+a+b", "(a|b|ab)(c|bcd)(a+)*",
    ])
    func `what can be tried in very many ways is asked elsewhere`(pattern: String) {
        #expect(!RegexQuestion(pattern, ignoringCase: false, in: String(repeating: "a", count: 100)).isCheap)
    }

    @Test func `the longer the text, the less is cheap`() {
        #expect(RegexQuestion("a+b", ignoringCase: false, in: String(repeating: "a", count: 1_000)).isCheap)
        #expect(!RegexQuestion("a+b", ignoringCase: false, in: String(repeating: "a", count: 10_000)).isCheap)
        #expect(RegexQuestion("ab", ignoringCase: false, in: String(repeating: "a", count: 1_000_000)).isCheap)
    }

    @Test(arguments: ["(", "a{", "[", "\\", "a)b", "(?", "{,}", "[^]"])
    func `a pattern of any form has a cost`(pattern: String) {
        _ = RegexQuestion(pattern, ignoringCase: false, in: "x").isCheap
    }
}
