import HTTPTypes
import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct HTTPTextTests {
    @Test(arguments: [
        (HTTPResponse.Status(code: 201, reasonPhrase: "Created"), "201 Created", ThemeRole.status2xx),
        (.init(code: 201, reasonPhrase: ""), "201 Created", .status2xx),
        (.init(code: 404, reasonPhrase: "Gone Fishing"), "404 Gone Fishing", .status4xx),
        (.init(code: 299, reasonPhrase: ""), "299", .status2xx),
        (.init(code: 103, reasonPhrase: ""), "103 Early Hints", .status1xx),
        (.init(code: 308, reasonPhrase: ""), "308 Permanent Redirect", .status3xx),
        (.init(code: 503, reasonPhrase: "x\u{202E}y"), "503 x‹U+202E›y", .status5xx),
        (.init(code: 999, reasonPhrase: ""), "999", .statusError),
    ])
    func `a status shows the phrase that was sent, else the registered one`(
        status: HTTPResponse.Status, text: String, role: ThemeRole
    ) {
        #expect(StatusText.span(status) == StyledLine.Span(text, role))
    }

    @Test(arguments: [
        ("GET", ThemeRole.methodGet), ("POST", .methodPost), ("PUT", .methodPut), ("PATCH", .methodPatch),
        ("DELETE", .methodDelete), ("HEAD", .methodOther), ("get", .methodOther),
    ])
    func `a method has its colour, in capitals only`(method: String, role: ThemeRole) {
        #expect(MethodText.span(method) == StyledLine.Span(method, role))
    }

    @Test(arguments: [
        ("https://api.example.org:8443/a?b=c#d", ["url:https://", "urlHost:api.example.org", "url::8443/a?b=c#d"]),
        ("http://[::1]:80/", ["url:http://", "urlHost:[::1]", "url::80/"]),
        ("http://h?x=http://y", ["url:http://", "urlHost:h", "url:?x=http://y"]),
        ("http://me:secret@h/", ["url:http://me:", "secret:••••••", "url:@", "urlHost:h", "url:/"]),
        ("http://me@h/", ["url:http://me@", "urlHost:h", "url:/"]),
        ("/relative", ["url:/relative"]),
        ("http://a\u{1B}b/", ["url:http://", "urlHost:a␛b", "url:/"]),
        ("http://", ["url:http://"]),
    ])
    func `the host of a URL stands out`(url: String, spans: [String]) {
        #expect(URLText.line(url).spans.map { "\($0.role):\($0.text)" } == spans)
    }

    @Test func `a password in a URL shows when asked for`() {
        #expect(URLText.line("http://me:secret@h/", reveals: true).text == "http://me:secret@h/")
    }

    @Test func `headers are shown in order, secrets masked`() {
        let fields: HTTPFields = [
            .contentType: "text/plain", .authorization: "Bearer abc", .cookie: "a=1; b=2", .setCookie: "sid=xyz; Path=/; HttpOnly",
            .setCookie: "t=1", HTTPField.Name("X-Api-Key")!: "k",
        ]
        #expect(
            HeaderText.lines(fields).map(\.text) == [
                "Content-Type: text/plain", "Authorization: Bearer ••••••", "Cookie: a=••••••; b=••••••",
                "Set-Cookie: sid=••••••; Path=/; HttpOnly", "Set-Cookie: t=••••••", "X-Api-Key: ••••••",
            ])
        #expect(
            HeaderText.lines(fields, reveals: true).map(\.text) == [
                "Content-Type: text/plain", "Authorization: Bearer abc", "Cookie: a=1; b=2",
                "Set-Cookie: sid=xyz; Path=/; HttpOnly", "Set-Cookie: t=1", "X-Api-Key: k",
            ])
    }

    @Test func `parts of a header have roles`() {
        let row = HeaderText.rows([.authorization: "Basic dTpw"])[0]
        #expect(
            row
                == HeaderText.Row(
                    name: "Authorization", value: StyledLine([.init("Basic ", .headerValue), .init("••••••", .secret)]),
                    isSecret: true))
    }

    @Test func `text from a server is made harmless`() {
        #expect(SafeText.line("a\u{1B}]0;x\u{07}\r\n\tb\u{202E}c\u{85}") == "a␛]0;x␇␍␊␉b‹U+202E›c‹U+0085›")
    }
}
