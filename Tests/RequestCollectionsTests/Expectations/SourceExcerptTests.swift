import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct SourceExcerptTests {
    private static let text =
        "turnstone: 1\r\n  status: 201\n- \"a: b\": 1\n{ x: secret, y: { a: [1, 2], b: \"}\" }, z: 1 }\n\tk: v"

    @Test(arguments: [
        (2, 3, ["2 | status: 201", "  | ^^^^^^"]), (3, 3, ["3 | \"a: b\": 1", "  | ^^^^^^"]),
        (4, 14, ["4 | … y: { a: [1, 2], b: \"}\" } …", "  |   ^"]), (4, 40, ["4 | … z: 1  …", "  |   ^"]),
        (5, 2, ["5 | k: v", "  | ^"]),
    ])
    func `a line is shown with a mark under its key, and of a line with several that entry alone`(
        line: Int, column: Int, lines: [String]
    ) {
        let excerpt = SourceExcerpt(of: SourceLocation(path: "a", line: line, column: column), in: Array(Self.text.utf8))
        #expect(excerpt?.lines(hiding: Redactor()) == lines)
    }

    @Test(arguments: [(0, 1), (9, 1), (2, 90), (2, 0)])
    func `a place that isn't there has none`(line: Int, column: Int) {
        #expect(SourceExcerpt(of: SourceLocation(path: "a", line: line, column: column), in: Array(Self.text.utf8)) == nil)
        #expect(SourceExcerpt(of: SourceLocation(path: "/nowhere/a", line: 1, column: 1)) == nil)
    }

    /// Nothing else knows of a secret in a line that isn't understood.
    @Test(arguments: [
        ("passphrase: \"a, b\" # c", "passphrase: ••••••"), ("\"X-Api-Key\": abc", "\"X-Api-Key\": ••••••"),
        ("json: { user: ada, password: abc , n: 1 }", "json: { user: ada, password: •••••• , n: 1 }"),
        ("for-each: { token: [a, b], sku: [A] }", "for-each: { token: ••••••, sku: [A] }"),
        ("authorization: Bearer abc", "authorization: ••••••"), ("password:\thunter22", "password: ••••••"),
        (#"{"user":"ada","password":"a, b","n":1}"#, #"{"user":"ada","password":••••••,"n":1}"#),
        (#"body: '{"password":"hunter22"}'"#, #"body: '{"password":••••••}'"#), ("password:hunter22", nil),
        (#"body: "{\"password\":\"hunter22\",\"n\":1}""#, #"body: "{\"password\":••••••"#),
        ("url: http://a:b@h/?token=c&d=e", "url: http://a:••••••@h/?token=••••••&d=e"),
        ("token: { secret: { env: TOKEN } }", nil), ("token: \"{{x}}\"", nil), ("token: .access_token", nil),
        ("token: { from: header:x-token, secret: true }", nil), ("token: cookie:sid", nil), ("body: { .token: abc }", nil),
        ("sku: abc", nil), ("password:", nil), ("body: '{\"password\" : \"hunter2\"}'", "body: '{\"password\" : ••••••}'"),
        ("body: '{\"password\" :\"hunter2\"}'", "body: '{\"password\" :••••••}'"),
        ("body: user=a&password=hunter2&b=c", "body: user=a&password=••••••&b=c"), ("when: token == x", nil),
        ("x: password={{p}}", nil),
    ])
    func `what is a credential by its name is masked`(line: String, shown: String?) {
        let excerpt = SourceExcerpt(of: SourceLocation(path: "a", line: 1, column: 1), in: Array(line.utf8))
        #expect(excerpt?.lines(hiding: Redactor()).first == "1 | \(shown ?? line)")
    }

    @Test func `a secret in it is masked`() {
        let excerpt = SourceExcerpt(of: SourceLocation(path: "a", line: 1, column: 1), in: Array("token: hunter2hunter2".utf8))
        #expect(excerpt?.lines(hiding: Redactor(["hunter2hunter2"])) == ["1 | token: ••••••"])
    }
}
