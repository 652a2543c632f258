import FoundationEssentials
import Testing

@testable import RequestCollections

/// A text that a walk passes over is one whose variable nobody asks for, whose secret stays in an import, and whose credential is kept.
@Suite struct DefinitionTextsTests {
    private static let auths: [AuthDefinition] = [
        .none, .inherit, .negotiate, .basic(user: "§1", password: "§2"), .digest(user: "§1", password: "§2"),
        .ntlm(user: "§1", password: "§2"), .bearer("§1"), .netrc(path: "§1"),
        .apiKey(APIKeyDefinition(name: "§1", value: "§2")),
        .awsSigV4(
            AWSSigV4Definition(
                accessKey: "§1", secretKey: "§2", sessionToken: "§3", region: "§4", service: "§5", provider: "§6",
                expires: .seconds(1))),
    ]

    private static let grants: [OAuth2Definition.Grant] = [
        .clientCredentials, .password(user: "§1", password: "§2"), .authorizationCode(authorizationURL: "§1", redirect: "§2"),
        .deviceCode(deviceURL: "§1"), .refreshToken("§1"),
    ]

    private static let bodies: [BodyDefinition] = [
        .none, .text("§1"), .json("§1"), .file("§1"),
        .form([.init(name: "§1", value: "§2")]),
        .multipart([
            .init(name: "§1", content: .text("§2"), fileName: "§3", contentType: "§4"), .init(name: "§5", content: .file("§6")),
        ]),
        .graphql(.init(query: .text("§1"), operation: "§2", variables: "§3")),
        .graphql(.init(query: .file("§1"))),
    ]

    private static let matchers: [Matcher] = [
        .equals(.array([.string("§1"), .object([.init(name: "§2", value: .string("§3"))])])), .contains(.string("§1")),
        .compares(.less, .init("§1")), .range(.init("§1"), .init("§2")), .matches("§1", ignoringCase: true), .startsWith("§1"),
        .endsWith("§1"), .length(.compares(.equal, .init("§1"))), .not(.startsWith("§1")),
        .any([.startsWith("§1"), .endsWith("§2")]), .all([.startsWith("§1"), .endsWith("§2")]), .each(.startsWith("§1")),
        .some(.startsWith("§1")), .schema(SchemaReference(path: "§1")), .exists, .missing, .empty, .type(.date), .statusClass(2),
    ]

    /// Every text that has the sign, wherever it stands in what is encoded.
    private func marked(_ value: some Encodable) throws -> Set<String> {
        let text = String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
        return Set(text.split(separator: "§").dropFirst().map { "§\($0.prefix(1))" })
    }

    @Test(
        arguments: auths
            + grants.map { grant in
                AuthDefinition.oauth2(
                    OAuth2Definition(grant: grant, tokenURL: "§5", clientID: "§6", clientSecret: "§7", scope: "§8", audience: "§9"))
            })
    func `every text of an auth is walked through once, and changed`(auth: AuthDefinition) throws {
        #expect(try Set(auth.texts) == marked(auth))
        #expect(auth.texts.count == Set(auth.texts).count)
        let changed = auth.mapTexts { $1 = "changed" }
        #expect(try marked(changed) == [])
    }

    @Test(arguments: bodies)
    func `every text of a body is walked through once, and changed`(body: BodyDefinition) throws {
        #expect(try Set(body.texts) == marked(body))
        #expect(body.texts.count == Set(body.texts).count)
        let changed = body.mapTexts { $1 = "changed" }
        #expect(try marked(changed) == [])
    }

    @Test(arguments: matchers)
    func `every text of a matcher is walked through once, and changed`(matcher: Matcher) throws {
        var texts: [String] = []
        let changed = matcher.mapTexts {
            texts.append($0)
            return "changed"
        }
        #expect(try Set(texts) == marked(matcher))
        #expect(texts.count == Set(texts).count)
        #expect(try marked(changed) == [])
    }

    @Test func `a row that is switched off asks for nothing`() {
        let body = BodyDefinition.form([.init(name: "a", value: "{{x}}", isEnabled: false), .init(name: "b", value: "{{y}}")])
        #expect(body.texts == ["b", "{{y}}"])
    }

    @Test func `names of members aren't filled in, and ask for nothing`() {
        #expect(Matcher.equals(.object([.init(name: "{{x}}", value: .string("{{y}}"))])).texts == ["{{y}}"])
    }

    @Test func `the provider of a signature asks for its variable`() throws {
        let collection = RequestCollection.requests(
            """
              a: { get: http://h/, auth: { aws-sigv4: { access-key: k, secret-key: "{{s}}", provider: "{{p}}" } } }
            """)
        let request = try #require(collection.request(RequestID(rawValue: "a")))
        let reads = TemplateReadsFinder(collection, environment: nil, variables: []).reads(of: request)
        #expect(reads.names.map(\.name) == ["s", "p"])
    }
}
