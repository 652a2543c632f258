import Testing

@testable import RequestCollections

/// What `check` warns of: expectations that no answer meets, and secrets that stand in the file.
@Suite struct RemarkTests {
    @Test(arguments: [
        ("head: http://h/, expect: { body: { .a: 1 } }", "an answer to HEAD has no body"),
        ("head: http://h/, expect: { body: x }", "an answer to HEAD has no body"),
        ("get: http://h/, expect: { status: 204, body: { .a: exists } }", "an answer with the status 204 has no body"),
        ("get: http://h/, expect: { body: { .a: { all: [\"> 5\", \"< 3\"] } } }", "nothing can be all of this at once"),
        ("get: http://h/, expect: { body: { .a: { all: [\"> 3\", \"<= 3\"] } } }", "nothing can be all of this at once"),
        ("get: http://h/, expect: { body: { .a: { all: [1..5, \"> 5\"] } } }", "nothing can be all of this at once"),
        ("get: http://h/, expect: { body: { .a: { all: [1, 2] } } }", "nothing can be all of this at once"),
        ("get: http://h/, until: { status: 200, give-up: { status: 200 } }", "`give-up` names what is waited for"),
    ])
    func `an expectation that no answer can meet is named`(line: String, message: String) {
        let remarks = Self.remarks("requests: { a: { \(line) } }")
        #expect(remarks.count == 1 && remarks[0].hasPrefix("2:") && remarks[0].contains(message), "\(remarks)")
    }

    @Test(arguments: [
        "head: http://h/, expect: { body: { .a: missing } }", "head: http://h/, expect: { body: empty }",
        "head: http://h/, expect: { size: 0 }", "get: http://h/, expect: { status: [200, 204], body: { .a: 1 } }",
        "get: http://h/, expect: { body: { .a: { all: [\"> 3\", \"< 5\"] } } }",
        "get: http://h/, expect: { body: { .a: { all: [\">= 3\", \"<= 3\"] } } }",
        "get: http://h/, expect: { body: { .a: { all: [1, 1.0] } } }",
        "get: http://h/, expect: { header: { via: { all: [contains a, contains b] } } }",
        "get: http://h/, until: { status: 200, give-up: { status: 404 } }",
    ])
    func `and one that some answer meets is not`(line: String) {
        #expect(Self.remarks("requests: { a: { \(line) } }") == [])
    }

    private static func remarks(_ text: String) -> [String] {
        let collection = RequestCollection.of("turnstone: 1\n\(text)\n")
        #expect(collection.problems == [] && collection.requests.flatMap(\.problems) == [])
        return collection.remarks(about: collection.requests, environment: nil).map {
            "\($0.location.line):\($0.location.column): \($0.message)"
        }
    }

    @Test func `a secret in clear is named with its place, and never shown`() {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { api-key: sk-123456, password: lovelace, plan: abc12345, other: { secret: { env: X } } }
            environments: { live: { token: tok-987654 } }
            defaults: { headers: { authorization: Bearer eyJ0eXAi.1 } }
            requests:
              a: { get: http://h/, auth: { basic: { user: ada12345, password: hunter2 } } }
              b: { get: http://h/, headers: { x-api-key: "{{api-key}}", x-plan: abc12345 } }
              c: { get: http://h/, auth: { bearer: abcdef7 }, variables: { secret: s3cret-s3cret } }
            """)
        #expect(collection.problems == [] && collection.requests.flatMap(\.problems) == [])
        let found = collection.clearSecrets(in: collection.requests)
        #expect(found.map(\.location.line).sorted() == [2, 3, 4, 6, 8, 8])
        for secret in ["123456", "987654", "eyJ", "hunter2", "abcdef7", "s3cret"] {
            #expect(!found.contains { $0.message.contains(secret) }, "\(found.map(\.message))")
        }
    }

    @Test func `what ships has no remarks`() throws {
        for path in ShippedCollections.paths {
            let collection = try RequestCollection.load(path: path)
            #expect(collection.clearSecrets(in: collection.requests) == [], "\(path)")
            #expect(collection.requests.flatMap { $0.vainExpectations() } == [], "\(path)")
        }
    }
}
