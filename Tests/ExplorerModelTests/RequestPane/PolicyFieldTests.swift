import ExplorerModel
import NetworkLayer
import RequestCollections
import Testing

/// The rows of the policy tab about TLS.
@Suite struct PolicyFieldTests {
    @Test(arguments: [
        (RequestField.Policy.authorities, "ca.pem", "ca.pem"), (.certificate, "me.p12", "me.p12"), (.key, "me.key", "me.key"),
        (.passphrase, "{{p12}}", "{{p12}}"), (.minimumTLS, "1.2", "1.2"), (.maximumTLS, "1.3", "1.3"),
        (.ciphers, "TLS_AES_128_GCM_SHA256 HIGH:!aNULL", "TLS_AES_128_GCM_SHA256, HIGH, !aNULL"),
    ])
    func `what is typed is what is sent, and nothing leaves it to others`(
        policy: RequestField.Policy, typed: String, shown: String
    ) throws {
        var settings = RequestSettings()
        #expect(policy.text(in: settings) == nil)
        #expect(policy.group == "tls")
        try policy.set(typed, in: &settings)
        #expect(policy.text(in: settings) == shown)
        #expect(policy.shown(shown) == shown)
        try policy.set("", in: &settings)
        #expect(settings == RequestSettings())
    }

    @Test func `a pass phrase that stands in the file as it is is masked`() {
        #expect(RequestField.Policy.passphrase.shown("sesame") == Redactor.mask)
        #expect(RequestField.Policy.certificate.shown("sesame") == "sesame")
    }
}
