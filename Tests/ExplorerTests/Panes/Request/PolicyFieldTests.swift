import NetworkLayer
import RequestCollections
import Testing

@testable import Explorer

/// The rows of the policy tab about TLS.
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
        let rows = RequestPaneState.Tab.policy.rows(
            of: RequestDefinition(id: RequestID(rawValue: "a"), method: "GET", url: "http://h/", location: .none),
            inherited: InheritedValues(), columns: 80)
        #expect(rows.filter(\.isSelectable) == SettingField.all.map { .field(.policy($0)) })
    }
}
