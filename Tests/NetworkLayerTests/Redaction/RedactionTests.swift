import Foundation
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct RedactionTests {
    @Test(arguments: [
        ("Authorization", "justatoken", "••••••"), ("Proxy-Authorization", "Digest username=\"x\"", "Digest ••••••"),
        ("Cookie", "novalue", "••••••"), ("Cookie", "a=1;b", "a=••••••;••••••"), ("Accept", "*/*", "*/*"),
        ("set-cookie", "a=b=c", "a=••••••"), ("X-Api-Key", "sk_live_123 456", "••••••"),
        // The first word is a scheme only when it is one.
        ("Authorization", "sk_live_123 456", "••••••"), ("Authorization", "bEARER 456", "bEARER ••••••"),
        ("Location", "/a?token=b&c=d#e", "/a?token=••••••&c=d#e"), ("Referer", "http://a:b@h/?c", "http://a:••••••@h/?c"),
        // An accent behind what ends the name is the first character of the secret.
        ("Authorization", "Bearer \u{301}a secret", "Bearer ••••••"), ("Cookie", "a=\u{301}secret==", "a=••••••"),
        ("Set-Cookie", "a=secret;\u{301}x=1;Path=/", "a=••••••;\u{301}x=1;Path=/"),
        ("Location", "/a?\u{301}=1&token=\u{301}b&\u{301}c=d", "/a?\u{301}=1&token=••••••&\u{301}c=d"),
    ])
    func `LOG-1 the scheme of credentials and the names and attributes of cookies stay readable`(
        name: String, value: String, masked: String
    ) {
        #expect(Redaction.standard.masked(value, of: name) == masked)
    }

    @Test(arguments: [
        ("http://h/?token=a&x=token", "http://h/?token=••••••&x=token"),
        ("/p?API_KEY=a&api-key=b&ApiKey=c", "/p?API_KEY=••••••&api-key=••••••&ApiKey=••••••"),
        (
            "http://h/?X-Amz-Signature=a&X-Amz-Security-Token=b&X-Amz-Date=c",
            "http://h/?X-Amz-Signature=••••••&X-Amz-Security-Token=••••••&X-Amz-Date=c"
        ),
        ("http://h/?client%5Fsecret=a;b&&=x&token&token=#token=c", "http://h/?client%5Fsecret=••••••&&=x&token&token=#token=c"),
        ("http://me:p@q@h/a:b@c?d=http://e:f@g", "http://me:••••••@h/a:b@c?d=http://e:f@g"), ("http://me@h:80/", "http://me@h:80/"),
        ("GET /?password=a%20b HTTP/1.1", "GET /?password=•••••• HTTP/1.1"), ("", ""),
    ])
    func `an address shows neither its password nor parameters that are secret by their names`(url: String, masked: String) {
        #expect(Redaction.standard.url(url).map(\.text).joined() == masked)
        #expect(Redaction.none.url(url).map(\.text).joined() == url)
    }

    @Test func `LOG-1 what is masked can be told from what is not`() {
        #expect(
            Redaction.standard.parts("sid=xyz; Path=/", of: "Set-Cookie") == [
                .init(text: "sid=", isSecret: false), .init(text: Redactor.mask, isSecret: true),
                .init(text: "; Path=/", isSecret: false),
            ])
        #expect(Redaction.none.masked("Bearer abc", of: "Authorization") == "Bearer abc")
    }

    @Test(arguments: ["PRIVATE-TOKEN", "X-Vault-Token", "apikey", "X-Goog-Api-Key", "x-access-token", "Ocp-Apim-Subscription-Key"])
    func `fields that are credentials by their names are redacted`(name: String) {
        #expect(Redaction.standard.masked("abc", of: name) == "••••••")
    }

    @Test func `of basic credentials the password is a credential by itself`() throws {
        let fields = ["Basic \(Data("ada:hunter2:x".utf8).base64EncodedString())", "Basic hunter2hunter2", "Bearer abc.def:ghi"]
        let found = try fields.map { field in
            var request = Request(url: try #require(URL(string: "http://h/")))
            request.headers[.authorization] = field
            return Redaction.standard.credentials(of: request).sorted()
        }
        #expect(found == [["YWRhOmh1bnRlcjI6eA==", "hunter2:x"], ["hunter2hunter2"], ["abc.def:ghi"]])
    }

    @Test func `a session's cookies are found in a head as it was sent, and settings aren't`() {
        let head = "GET /me HTTP/1.1\r\nHost: a.test\r\nCOOKIE: theme=darkest; sid=c00kie-S3cret-id; sess=x\r\nAccept: */*\r\n\r\n"
        #expect(Redaction.standard.sessions(inSentHead: head) == ["c00kie-S3cret-id"])
        let coded = "GET / HTTP/1.1\r\nCookie: connect.sid=s%3Ac00kie-S3cret.id%2B; session=\"c00kie S3cret\"\r\n\r\n"
        #expect(
            Redaction.standard.sessions(inSentHead: coded) == ["s%3Ac00kie-S3cret.id%2B", "s:c00kie-S3cret.id+", "c00kie S3cret"])
        #expect(Redaction.standard.sessions(inSentHead: "GET /?cookie:%20sid=c00kie-S3cret-id HTTP/1.1\r\n\r\n") == [])
    }
}
