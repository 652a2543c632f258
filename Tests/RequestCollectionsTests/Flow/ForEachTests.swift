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
            ("[1]", "5:16: `for-each` takes a map, or a list of maps, not `1`"), ("[]", "5:15: the list is empty"),
            ("[{ s: [1] }, { s: [2] }]", "5:28: `s` is the variable of two loops; each has one of its own"),
            ("[{ s: [1] }, { t: \"{{x}}\" }]", "5:28: loops in a list take items that stand in a file"),
            ("{ as: s, items: [1] }", "5:24: unknown key `items` in a loop"),
            ("{ as: s, title: x }", "5:15: the long form of `for-each` has `as`, a variable, and `in`, what it goes through"),
            ("{ as: s, in: [1], jobs: 0 }", "5:39: `jobs` takes a whole number from 1 to 10000, not `0`"),
            ("{ as: s, in: [1], at-least: 2 }", "5:28: `for-each` has 1 item, and `at-least` wants 2"),
            ("{ as: s, in: 1..3, at-most: 2 }", "5:28: `for-each` has 3 items, and `at-most` allows 2"),
            ("{ as: s, in: 1..3, at-least: 3, at-most: 2 }", "5:44: `at-least` is 3, and `at-most` 2"),
            ("{ as: s, in: { pages: .n }, jobs: 2 }", "5:49: each page leads to the next one"),
            ("{ as: s, in: [1], title: \"{{x}}\" }", "5:40: `title` takes the item itself, as in `{{s}}` or `{{s.name}}`"),
            ("{ as: s, in: [1], title: \"{{s.password}}\" }", "5:40: `s.password` is a credential by its name"),
            ("{ as: s, in: [1], title: \"{{s | base64}}\" }", "5:40: `title` takes the item itself"),
            ("{ loop: [1] }", "5:17: `loop` is what each loop says of itself"),
            ("{ s: { csv: x.csv, file: y.csv } }", "5:27: `for-each` takes one of `file` and `csv`"),
        ]) func `what is wrong with it is said with its place`(value: String, message: String)
    {
        let problems = Self.collection(value).problems.map { "\($0.location.line):\($0.location.column): \($0.message)" }
        #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
    }

    @Test(arguments: [
        ("repeat: 0", "5:13: `repeat` takes a whole number from 1 to 10000, not `0`"),
        ("repeat: 10001", "5:13: `repeat` takes a whole number"),
        ("repeat: { }", "5:13: `repeat` takes"), ("repeat: \"{{n}}\"", "5:13: `repeat` takes"),
        (
            "repeat: 3\n    for-each: { s: [1] }",
            "5:5: `repeat` and `for-each` don't stand together; a list of loops goes through both"
        ),
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

    // MARK: What it hides

    private static let hiding = """
        turnstone: 1
        variables: { a: 1 }
        environments: { test: { b: 1 } }
        requests:
          plain: { get: http://h/, capture: { c: .c } }
          f:
            for-each: { n: [1, 2] }
            variables: { d: 1 }
            requests:
              r: { get: http://h/, variables: { e: 1 }, for-each: { VARIABLE: [1, 2] } }
        """

    @Test(arguments: [
        ("a", "a variable of the collection"), ("b", "a variable of the environment `test`"), ("c", "what `plain` captures"),
        ("d", "a variable of the folder `f`"), ("e", "a variable of the request"), ("n", "the variable of a loop around it"),
        ("m", nil),
    ])
    func `a loop's variable hides no other`(name: String, owner: String?) {
        let collection = RequestCollection.of(Self.hiding.replacing(scalars: "VARIABLE", with: name))
        let messages = collection.request(RequestID(rawValue: "f/r"))?.problems.map(\.message)
        #expect(
            messages
                == (owner.map { ["`\(name)` is also \($0), which the loop would hide; give the loop's variable another name"] }
                    ?? []))
    }

    @Test(arguments: [
        ("each", 1), ("each: { max-age: 1h }", 2), ("often: { max-age: 1h }", 2), ("plain: { max-age: 1h }", 1),
        ("f/r: { max-age: 1h }", 2),
    ])
    func `the age of one answer isn't that of several`(need: String, count: Int) {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            requests:
              plain: { get: http://h/ }
              each: { get: http://h/, for-each: { n: [1, 2] } }
              often: { get: http://h/, repeat: 2 }
              f: { for-each: { k: [1, 2] }, requests: { r: { get: http://h/ }, s: { get: http://h/, needs: { r: { max-age: 1h } } } } }
              asks: { get: http://h/, needs: { \(need)\(need.contains(":") ? "" : ":") } }
            """)
        let problems = collection.problems.filter { $0.message.contains("no one answer whose age `max-age`") }
        #expect(problems.count == count - 1, "\(collection.problems)")
    }
}
