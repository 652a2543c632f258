import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

/// Values that are secret by their names, in each kind of body.
@Suite struct RedactedBodiesTests {
    private func masked(_ text: String, _ type: String) -> String {
        String(decoding: Redaction.standard.bytes(Data(text.utf8), type: type), as: UTF8.self)
    }

    @Test(
        arguments: [
            (#"{"user":"ada","password":"hunter2"}"#, #"{"user":"ada","password":"••••••"}"#),
            (#"{ "a": [ { "client_secret" : "x\"y", "n": 1 } ] }"#, #"{ "a": [ { "client_secret" : "••••••", "n": 1 } ] }"#),
            (
                #"{"pwd":1234,"token":null,"secret":true,"access-token":""}"#,
                #"{"pwd":"••••••","token":null,"secret":true,"access-token":""}"#
            ),
            // What is nested has names of its own, and what isn't whole is read as far as it goes.
            (#"{"token":{"value":"x","password":"y"}}"#, #"{"token":{"value":"x","password":"••••••"}}"#),
            (#"{"password":"hunter2"#, #"{"password":"••••••"#), (#"["password","hunter2"]"#, #"["password","hunter2"]"#),
            (#"{"text":"password\": \"x","k":"password"}"#, #"{"text":"password\": \"x","k":"password"}"#), ("", ""), ("\"", "\""),
        ])
    func `of JSON the values of such names are masked, and nothing else`(text: String, expected: String) {
        #expect(masked(text, "application/json") == expected)
        #expect(masked(text, "application/problem+json; charset=utf-8") == expected)
        #expect(masked(text, "text/plain") == text)
    }

    @Test func `of a form in parts those that are no files`() {
        func form(_ secret: String, _ file: String) -> String {
            [
                "--b", "Content-Disposition: form-data; name=\"user\"", "", "ada", "--b",
                "Content-Disposition: form-data; name=\"password\"", "", secret, "--b",
                "Content-Disposition: form-data; name=\"secret\"; filename=\"a.txt\"", "Content-Type: text/plain", "", file,
                "--b--", "",
            ].joined(separator: "\r\n")
        }
        #expect(masked(form("hunter2", "file"), "multipart/form-data; boundary=b") == form("••••••", "file"))
        // A line that begins with two hyphens isn't the end of a part, nor does the last one need its end.
        #expect(masked(form("hun\r\n--ter2", "file"), "multipart/form-data; boundary=b") == form("••••••", "file"))
        let cut = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
        #expect(masked(cut + "hunt", "multipart/form-data; boundary=b") == cut + "••••••")
        #expect(masked("no parts", "multipart/form-data; boundary=b") == "no parts")
    }

    @Test func `what is kept of a request has none of them`() {
        for (type, text) in [
            ("application/json", #"{"password":"hunter2"}"#), ("application/x-www-form-urlencoded", "a=1&password=hunter2"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b--\r\n"
            ),
        ] {
            let request = Request(
                url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: type], body: .data(Data(text.utf8)))
            let kept = Redaction.standard.kept(Response(originalRequest: request, info: nil, metrics: OperationMetrics()))
                .originalRequest
            guard case .data(let data) = kept.body else {
                Issue.record("no body")
                return
            }
            #expect(String(decoding: data, as: UTF8.self) == text.replacing("hunter2", with: "******"))
            #expect(Redaction.standard.credentials(of: request) == ["hunter2"])
        }
    }
}
