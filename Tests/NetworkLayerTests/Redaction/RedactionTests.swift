import Testing

@testable import NetworkLayer

@Suite struct RedactionTests {
    @Test(arguments: [
        ("Authorization", "justatoken", "••••••"), ("Proxy-Authorization", "Digest username=\"x\"", "Digest ••••••"),
        ("Cookie", "novalue", "••••••"), ("Cookie", "a=1;b", "a=••••••;••••••"), ("Accept", "*/*", "*/*"),
        ("set-cookie", "a=b=c", "a=••••••"),
    ])
    func `LOG-1 the scheme of credentials and the names and attributes of cookies stay readable`(
        name: String, value: String, masked: String
    ) {
        #expect(Redaction.standard.masked(value, of: name) == masked)
    }

    @Test func `LOG-1 what is masked can be told from what is not`() {
        #expect(
            Redaction.standard.parts("sid=xyz; Path=/", of: "Set-Cookie") == [
                .init(text: "sid=", isSecret: false), .init(text: Redactor.mask, isSecret: true),
                .init(text: "; Path=/", isSecret: false),
            ])
        #expect(Redaction.none.masked("Bearer abc", of: "Authorization") == "Bearer abc")
    }
}
