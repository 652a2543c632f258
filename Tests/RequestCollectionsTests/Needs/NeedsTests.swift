import Testing

@testable import RequestCollections

@Suite struct NeedsTests {
    private static let tree = """
          login: { post: http://h/ }
          orders:
            requests:
              login: { post: http://h/ }
              list: { get: http://h/, needs: NEEDS }
        """

    private static func collection(_ needs: String) -> RequestCollection {
        RequestCollection.requests(tree.replacing("NEEDS", with: needs))
    }

    @Test(
        arguments: [
            (
                "login",
                [
                    ResolvedNeed(
                        request: RequestID(rawValue: "orders/login"), location: .init(path: "shop.yaml", line: 7, column: 38))
                ]
            ),
            (
                "[login, orders/login]",
                [
                    ResolvedNeed(
                        request: RequestID(rawValue: "orders/login"), location: .init(path: "shop.yaml", line: 7, column: 39)),
                    ResolvedNeed(
                        request: RequestID(rawValue: "orders/login"), location: .init(path: "shop.yaml", line: 7, column: 46)),
                ]
            ),
            (
                "{ login: { max-age: 1h } }",
                [
                    ResolvedNeed(
                        request: RequestID(rawValue: "orders/login"), maxAge: .seconds(3600),
                        location: .init(path: "shop.yaml", line: 7, column: 40))
                ]
            ),
        ])
    func `a need is found among the neighbours first`(needs: String, resolved: [ResolvedNeed]) throws {
        let collection = Self.collection(needs)
        #expect(collection.problems == [])
        let list = try #require(collection.request(RequestID(rawValue: "orders/list")))
        #expect(try collection.resolve(list, environment: nil).needs == resolved)
    }

    @Test func `a name that isn't a neighbour's is looked for in the outer folders`() {
        let collection = Self.collection("login")
        #expect(collection.find("login", from: RequestID(rawValue: "orders/list"))?.rawValue == "orders/login")
        #expect(collection.find("login", from: RequestID(rawValue: "orders"))?.rawValue == "login")
        #expect(collection.find("orders/list", from: RequestID(rawValue: "orders/login"))?.rawValue == "orders/list")
        #expect(collection.find("list", from: nil) == nil)
    }

    @Test func `a need that isn't there is a problem of its request`() throws {
        let collection = Self.collection("lgin")
        #expect(
            collection.problems.map(\.description) == [
                "shop.yaml:7:38: `needs` names the request `lgin`, which isn't there; did you mean `login`?"
            ])
        #expect(collection.request(RequestID(rawValue: "orders/list"))?.problems == collection.problems)
    }

    @Test func `a circle is named with its whole path`() {
        let collection = RequestCollection.requests(
            """
              a: { get: http://h/, needs: b }
              b: { get: http://h/, needs: [c, d] }
              c: { get: http://h/ }
              d: { get: http://h/, needs: { a: { max-age: 1m } } }
              e: { get: http://h/, needs: e }
            """)
        #expect(
            collection.problems.map(\.description) == [
                "shop.yaml:3:31: the requests need each other in a circle: a → b → d → a",
                "shop.yaml:4:32: the requests need each other in a circle: b → d → a → b",
                "shop.yaml:6:33: the requests need each other in a circle: d → a → b → d",
                "shop.yaml:7:31: the requests need each other in a circle: e → e",
            ])
    }

    /// Each of them was searched from, to the end of the row.
    @Test(.timeLimit(.minutes(2))) func `a long row that leads to a circle is gone through once`() {
        let row = (0...20_000).map { "  r\($0): { get: http://h/, needs: r\($0 < 20_000 ? $0 + 1 : 19_999) }" }
        let collection = RequestCollection.requests(row.joined(separator: "\n"))
        #expect(collection.problems.count == 2)
    }

    @Test func `needs that meet again are no circle`() {
        let collection = RequestCollection.requests(
            """
              a: { get: http://h/, needs: [b, c] }
              b: { get: http://h/, needs: d }
              c: { get: http://h/, needs: d }
              d: { get: http://h/ }
            """)
        #expect(collection.problems == [])
    }
}
