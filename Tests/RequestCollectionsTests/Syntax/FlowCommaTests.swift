import Testing

@testable import RequestCollections

/// A comma within braces ends a value: what stood behind it and a blank was lost in silence.
@Suite struct FlowCommaTests {
    private static func problems(_ headers: String) -> [String] {
        RequestCollection.of("turnstone: 1\nrequests:\n  a:\n    get: http://h/\n    headers: \(headers)\n").problems
            .map { "\($0.location.column) \($0.message)" }
    }

    @Test(arguments: [
        ("{ Cache-Control: no-cache, no-store }", 31, "no-cache, no-store", "Cache-Control"), ("{ é: ö, x }", 19, "ö, x", "é"),
        ("{ a: b:c, x, d: e }", 19, "b:c, x", "a"), ("{ a: b,x   }", 19, "b,x", "a"),
        ("{ a: , b: c,   x\n      }", 24, "c, x", "b"),
    ])
    func `a text that a comma cuts off is told`(headers: String, column: Int, text: String, name: String) {
        #expect(
            Self.problems(headers) == [
                "\(column) between braces `,` is a sign of YAML's own, and `\(text)` has one: put it in quotes, or write "
                    + "`\(name): \(text)` on a line of its own, without braces around it"
            ])
    }

    @Test(arguments: [
        "{ a: b, c: }", "{ a: b, c : , d: }", "{ a: b, ? c : , \"d\": }", "{ a: b,c: ~ }", "{ a: b, c: \"\" }",
        "{ a: b, \"c\":\n      }",
    ])
    func `an empty value with a colon is one`(headers: String) {
        #expect(Self.problems(headers) == [])
    }
}
