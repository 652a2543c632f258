import NetworkLayer
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

/// The settings about TLS.
@Suite struct PolicyFieldTests {
    @Test(arguments: [
        ("tls.ca", "ca.pem", "ca.pem"), ("tls.certificate", "me.p12", "me.p12"), ("tls.key", "me.key", "me.key"),
        ("tls.passphrase", "{{p12}}", "{{p12}}"), ("tls.min-version", "1.2", "1.2"), ("tls.max-version", "1.3", "1.3"),
        ("tls.ciphers", "TLS_AES_128_GCM_SHA256 HIGH:!aNULL", "TLS_AES_128_GCM_SHA256, HIGH, !aNULL"),
    ])
    func `what is typed is what is sent, and nothing leaves it to others`(key: String, typed: String, shown: String) throws {
        let setting = try #require(SettingField[key])
        var settings = RequestSettings()
        #expect(setting.typed(in: settings) == nil)
        #expect(setting.heading == "tls")
        try setting.set(typed, in: &settings)
        #expect(setting.typed(in: settings) == shown)
        #expect(setting.shown(shown) == shown)
        try setting.set("", in: &settings)
        #expect(settings == RequestSettings())
    }

    @Test func `a pass phrase that stands in the file as it is is masked`() {
        #expect(SettingField["tls.passphrase"]?.shown("sesame") == Redactor.mask)
        #expect(SettingField["tls.certificate"]?.shown("sesame") == "sesame")
    }

    @Test(arguments: ["{{a}}sesame{{b}}", "{{a}}{{\"sesame\"}}", "{{a | default(\"sesame\")}}", "{{a}} sesame", "{{sesame"])
    func `what stands between the templates of a pass phrase is masked with them`(text: String) {
        #expect(SettingField["tls.passphrase"]?.shown(text) == Redactor.mask)
    }

    @Test(arguments: ["{{a}}", "{{a}}{{ b }}", "{{env(\"PASS\")}}"])
    func `a pass phrase that is made of templates alone is shown as they are`(text: String) {
        #expect(SettingField["tls.passphrase"]?.shown(text) == text)
    }

    @Test func `every setting of the format is a row`() {
        let rows = RequestPaneState.Tab.settings.rows(
            of: RequestDefinition(id: RequestID(rawValue: "a"), method: "GET", url: "http://h/", location: .none),
            inherited: InheritedValues(), query: nil, columns: 80, opened: [.defaults])
        let fields = rows.filter { if case .field = $0 { true } else { false } }
        #expect(fields == SettingField.all.map { .field(.policy($0)) })
    }
}

@Suite struct `The settings` {
    private func set(_ values: [(String, String)]) throws -> RetrySettings {
        var settings = RequestSettings()
        for (key, text) in values { try SettingField[key]?.set(text, in: &settings) }
        return settings.retry
    }

    @Test func `what is typed is what the file would say, and turns it on`() throws {
        let values: [(String, String)] = [
            ("retry.attempts", "4"), ("retry.on", "503, timeout"), ("retry.backoff.first", "200ms"),
            ("retry.backoff.factor", "1.5"), ("retry.backoff.max", "5s"),
            ("retry.backoff.jitter", "equal"), ("retry.retry-after", "ignore"),
        ]
        var settings = RequestSettings()
        settings.retry = try set(values)
        #expect(settings.retry.isOn == true)
        for (key, text) in values { #expect(SettingField[key]?.typed(in: settings) == text) }
        try SettingField["retry"]?.set("off", in: &settings)
        #expect(settings.retry.isOn == false)
        #expect(settings.retry.attempts == nil)
        try SettingField["retry"]?.set("", in: &settings)
        #expect(settings.retry == RetrySettings())
    }

    @Test(arguments: [
        ("retry.attempts", "0"), ("retry.attempts", "many"), ("retry.on", "503, sometimes"), ("retry.backoff.first", "never"),
        ("retry.backoff.factor", "0.5"), ("retry.backoff.max", "5 parrots"),
    ])
    func `what it can't be is refused with what it can`(key: String, text: String) {
        var settings = RequestSettings()
        #expect(throws: InvalidFieldText.self) { try SettingField[key]?.set(text, in: &settings) }
    }

    @Test func `that nothing sets stand behind a row, and one that is set stands before it, with the cursor`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest)
        explorer.press("g s")
        let retries = RequestPaneRow.field(.policy(try #require(SettingField["retry.attempts"])))
        func isMore(_ row: RequestPaneRow?) -> Bool { if case .more(.defaults, _) = row { true } else { false } }
        // The collection sets the idle timeout.
        #expect(explorer.state.requestRows.first == .field(.policy(try #require(SettingField["timeouts.idle"]))))
        #expect(!explorer.state.requestRows.contains(retries))
        for _ in 0..<9 where !isMore(explorer.state.selectedRequestRow) { explorer.press(.down) }
        explorer.press(.activate)
        #expect(explorer.state.requestRows.contains(.heading("retry")) && explorer.state.requestRows.contains(retries))
        for _ in 0..<60 where explorer.state.selectedRequestRow != retries { explorer.press(.down) }
        explorer.press(.edit)
        explorer.type("4")
        explorer.press("Enter")
        #expect(explorer.state.selectedRequestRow == retries)
        let rows = explorer.state.requestRows
        #expect(try #require(rows.firstIndex(of: retries)) < (try #require(rows.firstIndex(where: isMore))))
    }
}

@Suite struct `Parameters in the URL` {
    private func explorer(_ url: String) -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.url = url }])
        explorer.pick("login")
        explorer.press(.focusRequest)
        _ = explorer.takeEffects()
        return explorer
    }

    private func names(_ explorer: ExplorerDriver) -> [String] {
        explorer.request?[.inURL].map { "\($0.name)=\($0.value)" } ?? []
    }

    @Test func `are rows, and changing one leaves the rest letter by letter`() {
        var explorer = explorer(#"{{host}}/a?page=2&flag&q={{ x | default("a&b=c?") }}&e=#top"#)
        #expect(names(explorer) == ["page=2", "flag=", #"q={{ x | default("a&b=c?") }}"#, "e="])
        #expect(!explorer.state.requestRows.contains { if case .empty = $0 { true } else { false } })
        explorer.press(.down, .activate)
        explorer.press("Backspace")
        explorer.type("10")
        explorer.press("Enter")
        #expect(explorer.request?.url == #"{{host}}/a?page=10&flag&q={{ x | default("a&b=c?") }}&e=#top"#)
    }

    @Test(arguments: [
        ("http://h/?flag", "http://h/"), ("http://h/?flag&b=1#x", "http://h/?b=1#x"), ("http://h/?b=1&flag", "http://h/?b=1"),
    ])
    func `that are emptied go`(url: String, expected: String) {
        var explorer = explorer(url)
        explorer.press(url.contains("?flag") ? [.down] : [.down, .down])
        explorer.press("Enter S-Tab")
        explorer.press("Backspace Backspace Backspace Backspace Enter")
        #expect(explorer.request?.url == expected)
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `what is typed stays one parameter`() {
        var explorer = explorer("http://h/?a=1")
        explorer.press(.down, .activate)
        explorer.type("&b=2#c {{x & y}}")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?a=1%26b=2%23c {{x & y}}")
        #expect(names(explorer) == ["a=1%26b=2%23c {{x & y}}"])
        explorer.press(.undo, .activate)
        explorer.press("S-Tab")
        explorer.type("=#")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?a%3D%23=1")
    }

    @Test func `go with d, come with a into the list, and Space switches one off`() {
        var explorer = explorer("http://h/?a=1&b=2#x")
        explorer.press(.down, .deleteRow)
        #expect(explorer.request?.url == "http://h/?b=2#x")
        explorer.press(.toggle)
        #expect(explorer.request?.url == "http://h/#x")
        #expect(explorer.request?.query == [.init(name: "b", value: "2", isEnabled: false)])
        explorer.press(.undo, .addRow)
        explorer.type("c")
        explorer.press("Enter")
        explorer.type("3")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/?b=2#x")
        #expect(explorer.request?.query == [.init(name: "c", value: "3")])
    }
}
