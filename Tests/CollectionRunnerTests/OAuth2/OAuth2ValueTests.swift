import Foundation
import HTTPTypes
import NetworkLayer
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct OAuth2ValueTests {
    private static func definition(
        _ grant: OAuth2Definition.Grant = .clientCredentials, secret: String? = "s c:t",
        authentication: OAuth2Definition.ClientAuthentication = .header
    ) -> OAuth2Definition {
        OAuth2Definition(
            grant: grant, tokenURL: "https://auth.example/token", clientID: "sh:op", clientSecret: secret,
            clientAuthentication: authentication, scope: "read write", audience: "api")
    }

    private func text(_ request: Request) -> String? {
        guard case .data(let data) = request.body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `RFC 7636 appendix B: the challenge is the digest of the verifier`() {
        let proof = PKCE(bytes: [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88,
            5, 88, 83, 132, 141, 121,
        ])
        #expect(proof.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `a client shows who it is in the header, form-encoded first`() throws {
        let request = try Self.definition().tokenRequest(.clientCredentials)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://auth.example/token")
        #expect(request.headers[.authorization] == "Basic " + Data("sh%3Aop:s%20c%3At".utf8).base64EncodedString())
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(text(request) == "grant_type=client_credentials&scope=read%20write&audience=api")
    }

    @Test func `or in the body, or only its name when it has no secret`() throws {
        let inBody = try Self.definition(authentication: .body).tokenRequest(.refresh("r/1"))
        #expect(inBody.headers[.authorization] == nil)
        #expect(
            text(inBody)
                == "grant_type=refresh_token&refresh_token=r%2F1&scope=read%20write&client_id=sh%3Aop&client_secret=s%20c%3At")
        let open = try Self.definition(secret: nil).tokenRequest(.code("c", redirect: "http://127.0.0.1:1/callback", verifier: "v"))
        #expect(
            text(open)
                == "grant_type=authorization_code&code=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&code_verifier=v&client_id=sh%3Aop"
        )
        let password = try Self.definition(secret: nil).tokenRequest(.password(user: "ada", password: "p&w"))
        #expect(
            text(password) == "grant_type=password&username=ada&password=p%26w&scope=read%20write&audience=api&client_id=sh%3Aop")
        let device = try Self.definition(secret: nil).tokenRequest(.device("d"))
        #expect(
            text(device)
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d&client_id=sh%3Aop")
    }

    @Test func `an address that is none is named`() {
        var definition = Self.definition()
        definition.tokenURL = "auth.example"
        #expect(throws: OAuth2Error("`token-url` of oauth2 is no http or https URL: auth.example")) {
            try definition.tokenRequest(.clientCredentials)
        }
    }

    @Test func `the browser's address keeps what it has and gets the challenge, never the verifier`() throws {
        let proof = PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        let url = try Self.definition().authorizationURL(
            "https://auth.example/sign-in?tenant=1", redirect: "http://127.0.0.1:4711/callback", state: "st", proof: proof)
        #expect(
            url.absoluteString
                == "https://auth.example/sign-in?tenant=1&response_type=code&client_id=sh%3Aop&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&scope=read%20write&audience=api&state=st&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
        )
    }

    // MARK: Answers

    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private func answer(_ body: String, status: Int = 200) -> TokenAnswer {
        TokenAnswer(status: status, body: Data(body.utf8), server: "auth.example")
    }

    @Test func `RFC 6749 5.1: a token is read, with its life as a number or a text`() throws {
        let token = try answer(
            #"{"access_token":"t","token_type":"bearer","expires_in":3600,"refresh_token":"r","scope":"read"}"#
        ).token(at: Self.date)
        #expect(
            token
                == OAuth2Token(
                    accessToken: "t", refreshToken: "r", scope: "read", issued: Self.date, expires: Self.date + 3600))
        let other = try answer(#"{"access_token":"t","expires_in":"60"}"#).token(at: Self.date)
        #expect(other.expires == Self.date + 60)
        let endless = try answer(#"{"access_token":"t"}"#).token(at: Self.date)
        #expect(endless.expires == nil)
    }

    @Test(
        arguments: [
            (
                #"{"error":"invalid_client","error_description":"no such client","error_uri":"https://e/1"}"#, 401,
                "auth.example gives no token: invalid_client: no such client (https://e/1)", "invalid_client"
            ),
            (
                #"{"error":"a","error_description":"b\u001b[2J\nc"}"#, 400, "auth.example gives no token: a: b [2J c", "a"
            ),
            (#"{"error":"bad_code"}"#, 200, "auth.example gives no token: bad_code", "bad_code"),
            ("oops", 500, "auth.example gives no token: it answered with status 500", nil),
            ("<html>", 200, "auth.example gives no token: its answer, status 200, is no JSON object", nil),
            (#"{"id":1}"#, 200, "auth.example answered without an `access_token`", nil),
            (
                #"{"access_token":"t","token_type":"mac"}"#, 200,
                "auth.example gives tokens of the type `mac`, and only `Bearer` can be sent", nil
            ),
        ] as [(String, Int, String, String?)])
    func `RFC 6749 5.2: an error is said in the server's own words`(body: String, status: Int, message: String, code: String?) {
        #expect(throws: OAuth2Error(message, code: code)) { try answer(body, status: status).token(at: Self.date) }
    }

    @Test func `a secret that a server sends back isn't said in part`() {
        let secret = String(repeating: "0123456789", count: 50)
        let answer = TokenAnswer(
            status: 400, body: Data(#"{"error":"a","error_description":"no \#(secret)"}"#.utf8), server: "h",
            redactor: Redactor([secret]))
        #expect(answer.error?.message == "h gives no token: a: no \(Redactor.mask)")
    }

    @Test func `a token counts as expired a little early`() {
        let hour = OAuth2Token(accessToken: "t", issued: Self.date, expires: Self.date + 3600)
        #expect(hour.isFresh(at: Self.date + 3569))
        #expect(!hour.isFresh(at: Self.date + 3570))
        let short = OAuth2Token(accessToken: "t", issued: Self.date, expires: Self.date + 20)
        #expect(short.isFresh(at: Self.date + 17))
        #expect(!short.isFresh(at: Self.date + 18))
        #expect(OAuth2Token(accessToken: "t", issued: Self.date).isFresh(at: .distantFuture))
    }

    @Test func `what is done for somebody who wants a token`() {
        let fresh = OAuth2Token(accessToken: "t", refreshToken: "r", issued: Self.date, expires: Self.date + 3600)
        #expect(TokenStep(having: nil, refused: nil, at: Self.date) == .grant)
        #expect(TokenStep(having: fresh, refused: nil, at: Self.date) == .use(fresh))
        #expect(TokenStep(having: fresh, refused: "other", at: Self.date) == .use(fresh))
        #expect(TokenStep(having: fresh, refused: "t", at: Self.date) == .refresh(with: "r"))
        #expect(TokenStep(having: fresh, refused: nil, at: Self.date + 4000) == .refresh(with: "r"))
        var plain = fresh
        plain.refreshToken = nil
        #expect(TokenStep(having: plain, refused: "t", at: Self.date) == .grant)
    }

    @Test func `no text of a token shows it`() {
        let token = OAuth2Token(accessToken: "t-secret", refreshToken: "r-secret", issued: Self.date)
        #expect(!"\(token) \(String(reflecting: token))".contains("secret"))
    }

    // MARK: Devices (RFC 8628)

    @Test func `RFC 8628 3.2: the code that a person enters`() throws {
        let device = try answer(
            #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://e/device","verification_uri_complete":"https://e/device?c=1","expires_in":900,"interval":7}"#
        ).device(at: .zero)
        #expect(
            device
                == DeviceAuthorization(
                    deviceCode: "d", userCode: "WDJB-MJHT", url: "https://e/device", completeURL: "https://e/device?c=1",
                    deadline: .zero + .seconds(900), interval: .seconds(7)))
        #expect(throws: OAuth2Error("auth.example answered without `device_code`, `user_code` and `verification_uri`")) {
            try answer(#"{"device_code":"d"}"#).device(at: .zero)
        }
    }

    @Test func `RFC 8628 3.5: what each answer does to the interval`() {
        var device = DeviceAuthorization(
            deviceCode: "d", userCode: "U", url: "https://e", deadline: .zero + .seconds(100), interval: .seconds(5))
        let pending = OAuth2Error("", code: "authorization_pending")
        #expect(device.step(after: pending, hasAnswer: true, at: .zero) == .wait(.seconds(5)))
        #expect(device.step(after: OAuth2Error("", code: "slow_down"), hasAnswer: true, at: .zero) == .wait(.seconds(10)))
        #expect(device.step(after: OAuth2Error(""), hasAnswer: false, at: .zero) == .wait(.seconds(20)))
        #expect(device.step(after: pending, hasAnswer: true, at: .zero) == .wait(.seconds(20)))
        let denied = OAuth2Error("no", code: "access_denied")
        #expect(device.step(after: denied, hasAnswer: true, at: .zero) == .fail(denied))
        #expect(
            device.step(after: pending, hasAnswer: true, at: .zero + .seconds(80))
                == .fail(OAuth2Error("nobody entered the code U in time; send the request again for a new one")))
    }

    // MARK: Coming back (RFC 8252)

    @Test func `an address of this machine is where a browser may come back to`() throws {
        #expect(try RedirectAddress(nil) == .standard)
        #expect(
            try RedirectAddress("http://localhost:8400/cb") == RedirectAddress(host: "localhost", port: 8400, path: "/cb"))
        #expect(try RedirectAddress("http://[::1]/cb") == RedirectAddress(host: "[::1]", port: 0, path: "/cb"))
        for text in ["https://127.0.0.1/cb", "http://app.example/cb", "http://127.0.0.1/cb?a=1", "urn:ietf:wg:oauth:2.0:oob"] {
            #expect(
                throws: OAuth2Error(
                    "`redirect` of oauth2 must be an address of this machine, such as http://127.0.0.1:8400/callback: \(text)")
            ) { try RedirectAddress(text) }
        }
    }

    @Test(
        arguments: [
            ("GET /cb?code=c%2F1&state=st HTTP/1.1", .code("c/1")),
            ("GET /cb?code=c&state=sT HTTP/1.1", .ignored(status: 400)),
            ("GET /cb?code=c HTTP/1.1", .ignored(status: 400)),
            ("GET /favicon.ico HTTP/1.1", .ignored(status: 404)),
            ("POST /cb?code=c&state=st HTTP/1.1", .ignored(status: 405)),
            ("hello", .ignored(status: 400)),
            ("GET /cb?state=st HTTP/1.1", .failed(OAuth2Error("signing in failed: the answer has no code"))),
            (
                "GET /cb?error=access_denied&error_description=not+you&state=st HTTP/1.1",
                .failed(OAuth2Error("signing in failed: access_denied: not you", code: "access_denied"))
            ),
        ] as [(String, AuthorizationAnswer.Verdict)])
    func `only what has our state ends the waiting`(line: String, verdict: AuthorizationAnswer.Verdict) {
        #expect(AuthorizationAnswer(path: "/cb", state: "st").verdict(on: line) == verdict)
    }
}
