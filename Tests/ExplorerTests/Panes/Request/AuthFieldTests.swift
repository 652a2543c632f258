import RequestCollections
import Testing

@testable import Explorer

@Suite struct `Kinds of authentication` {
    private func explorer(_ auth: AuthDefinition) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.auth = auth }])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab)
        return explorer
    }

    private func fields(_ explorer: ExplorerDriver) -> [RequestField] {
        explorer.state.requestRows.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    private static let oauth2 = AuthDefinition.oauth2(
        OAuth2Definition(grant: .clientCredentials, tokenURL: "https://t/", clientID: "ada"))

    @Test func `each has its fields, and each field says what it was given`() throws {
        for kind in AuthKind.all where kind != .inherit && kind != .none {
            var definition = ShopCollection.request("a", "GET", "http://h/")
            var explorer = explorer(.none)
            let titles = AuthKind.all
            explorer.press(.activate)
            explorer.press("Home")
            for _ in 0..<(titles.firstIndex(of: kind) ?? 0) { explorer.press("Down") }
            explorer.press("Enter")
            definition.auth = explorer.request?.auth
            #expect(definition.auth?.kind == kind)
            for field in fields(explorer).dropFirst() {
                if case .auth(let auth) = field, let choices = auth.choices {
                    for choice in choices {
                        try definition.setText(choice, of: field)
                        #expect(definition.auth?.text(of: auth) == choice)
                    }
                    try definition.setText(choices[0], of: field)
                } else {
                    let text = field == .auth(Self.expires) ? "90m" : "value of \(field)"
                    try definition.setText(text, of: field)
                    #expect(definition.text(of: field) == text)
                }
            }
        }
    }

    private static let expires = AuthKind.awsSigV4.fields.first { $0.key == "expires" }!

    private static func oauth2Field(_ key: String) -> AuthField { AuthKind.oauth2.fields.first { $0.key == key }! }

    @Test func `the time that a signature of AWS holds can be set, and not to what it isn't`() throws {
        var definition = ShopCollection.request("a", "GET", "http://h/")
        definition.auth = .awsSigV4(AWSSigV4Definition(accessKey: "a", secretKey: "b"))
        try definition.setText("7d", of: .auth(Self.expires))
        #expect(definition.auth == .awsSigV4(AWSSigV4Definition(accessKey: "a", secretKey: "b", expires: .seconds(604_800))))
        #expect(throws: InvalidFieldText.self) { try definition.setText("soon", of: .auth(Self.expires)) }
    }

    @Test func `another grant of OAuth 2 has other fields`() {
        var explorer = explorer(Self.oauth2)
        #expect(!fields(explorer).contains(.auth(Self.oauth2Field("user"))))
        explorer.press(.down, .toggle)
        #expect(
            fields(explorer).contains(.auth(Self.oauth2Field("user")))
                && fields(explorer).contains(.auth(Self.oauth2Field("password"))))
        explorer.press(.toggle)
        #expect(
            fields(explorer).contains(.auth(Self.oauth2Field("authorization-url")))
                && !fields(explorer).contains(.auth(Self.oauth2Field("password"))))
    }

    @Test func `a client's secret gets into no clipboard`() {
        var explorer = explorer(Self.oauth2)
        let rows = explorer.state.requestRows
        let index = rows.firstIndex(of: .field(.auth(Self.oauth2Field("client-secret")))) ?? 0
        for _ in 0..<index { explorer.press(.down) }
        _ = explorer.takeEffects()
        explorer.press(.activate)
        explorer.type("hunter2")
        explorer.press("C-a C-x")
        #expect(!"\(explorer.takeEffects())".contains("hunter"))
    }
}
