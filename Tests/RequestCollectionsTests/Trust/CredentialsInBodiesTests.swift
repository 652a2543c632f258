import Testing

@testable import RequestCollections

/// Passwords that stand in a body of the file as they are aren't kept of a run, and come back when it is sent again.
@Suite struct CredentialsInBodiesTests {
    @Test(
        arguments: [
            "{ json: { user: ada, password: hunter2, pin: { secret: 1234, token: \"{{token}}\" } } }",
            "{ multipart: { user: ada, password: hunter2, secret: { value: \"1234\" } } }",
            "{ graphql: { query: \"{ a }\", variables: { password: hunter2, secret: 1234, token: \"{{token}}\" } } }",
        ])
    func `a literal password in a body isn't kept`(body: String) throws {
        let text = "turnstone: 1\nrequests:\n  x: { post: http://h.test/, body: \(body) }\n"
        let collection = RequestCollection.load(path: "/shop.yaml", bytes: Array(text.utf8))
        let definition = try #require(collection.requests.first)
        let kept = definition.withoutCredentials
        let shown = "\(String(describing: kept.body))"
        #expect(!shown.contains("hunter2") && !shown.contains("1234"), "\(shown)")
        #expect(shown.contains("ada") || body.contains("graphql"))
        #expect(shown.contains("{{token}}") == body.contains("{{token}}"))
        #expect(kept.restoringCredentials(from: definition)?.body == definition.body)
        #expect(kept.restoringCredentials(from: nil) == nil)
    }
}
