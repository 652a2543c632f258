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

    @Test func `a secret in it is masked`() {
        let excerpt = SourceExcerpt(of: SourceLocation(path: "a", line: 1, column: 1), in: Array("token: hunter2hunter2".utf8))
        #expect(excerpt?.lines(hiding: Redactor(["hunter2hunter2"])) == ["1 | token: ••••••"])
    }
}
