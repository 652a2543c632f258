import FoundationEssentials
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct ForEachTests {
    private static func collection(_ value: String) -> RequestCollection {
        .of("turnstone: 1\nrequests:\n  a:\n    get: http://a/{{s}}\n    for-each: \(value)\n")
    }

    @Test func `items keep their types, and a range is numbers`() throws {
        let items = Self.collection("{ s: [A7, 7, \"7\", true, null, [1]] }").request(RequestID(rawValue: "a"))?.forEach?.items
        #expect(items == [.string("A7"), .number("7"), .string("7"), .boolean(true), .null, .array([.number("1")])])
        let range = Self.collection("{ s: -1..1 }").request(RequestID(rawValue: "a"))?.forEach?.items
        #expect(range == [.number("-1"), .number("0"), .number("1")])
    }

    @Test(
        arguments: [
            ("{ s: [] }", "5:20: the list is empty, so the request would never be sent"),
            (
                "{ s: 3 }",
                "5:20: `for-each` takes a list, a range such as `1..5`, a variable such as `\"{{ids}}\"`, or `pages`, not `3`"
            ),
            ("{ s: 5..1 }", "5:20: `for-each` takes a list, a range such as `1..5`, a variable"),
            ("{ s: -9223372036854775808..9223372036854775807 }", "5:20: `for-each` goes through at most 10000 items"),
            ("{ s: 0..10000 }", "5:20: `for-each` goes through at most 10000 items; `turnstone run --data FILE` takes more"),
            ("{ s: \"{{x}}{{y}}\" }", "5:20: `for-each` takes one variable that is a list, as in `\"{{ids}}\"`"),
            ("{ s: \"{{s}}\" }", "5:20: an item can't have the name of the list, `s`"),
            ("{ s: [\"{{x}}\"] }", "5:21: an item of `for-each` stands for itself, and takes no template"),
            ("{ s: [{ a: 1 }, { b: 2 }] }", "5:31: `a` is not in every item, so it would have no value for some of them"),
            ("{ s: [1], t: [2] }", "5:15: `for-each` takes one variable and what it goes through"),
            ("{}", "5:15: `for-each` takes one variable and what it goes through"),
            ("[1]", "5:15: `for-each` takes a map, not a list"),
        ]) func `what is wrong with it is said with its place`(value: String, message: String)
    {
        let problems = Self.collection(value).problems.map { "\($0.location.line):\($0.location.column): \($0.message)" }
        #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
    }

    @Test(arguments: [
        ("repeat: 0", "5:13: `repeat` takes a whole number from 1 to 10000, not `0`"),
        ("repeat: 10001", "5:13: `repeat` takes a whole number"),
        ("repeat: { }", "5:13: `repeat` takes"), ("repeat: \"{{n}}\"", "5:13: `repeat` takes"),
        ("repeat: 3\n    for-each: { s: [1] }", "5:5: `repeat` and `for-each` don't stand together; put the request into a folder"),
    ])
    func `what is wrong with a repetition is said`(source: String, message: String) {
        let collection = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n    get: http://a/{{s}}\n    \(source)\n")
        let problems = collection.problems.map { "\($0.location.line):\($0.location.column): \($0.message)" }
        #expect(problems.count == 1 && problems[0].hasPrefix(message), "\(problems)")
    }

    @Test func `without a run it is shown for the first item`() throws {
        let collection = Self.collection("{ s: [{ name: ada }, { name: bob }] }")
        var request = try #require(collection.request(RequestID(rawValue: "a")))
        request.url = "http://a/{{s.name}}"
        #expect(try collection.resolve(request, environment: nil).request.url.absoluteString == "http://a/ada")
        let bob = try collection.resolve(request, environment: nil, variables: ["s.name": "bob"])
        #expect(bob.request.url.absoluteString == "http://a/bob")
    }
}
