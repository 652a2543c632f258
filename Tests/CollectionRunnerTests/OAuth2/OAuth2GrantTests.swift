import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct OAuth2GrantTests {
    @Test func `client credentials: a token is got once, and used until it expires`() async throws {
        let server = TokenServer { number, _ in TokenServer.token("t-\(number)") }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server)
        #expect(try await bench.run("orders").isPassed)
        #expect(try await bench.run("orders").isPassed)
        bench.time.advance(by: .seconds(3570))
        #expect(try await bench.run("orders").isPassed)
        #expect(bench.authorizations == ["Bearer t-1", "Bearer t-1", "Bearer t-2"])
        #expect(server.requests == 2)
    }

    @Test func `password: an expired token is refreshed, and the old refresh token stays when there is no new one`() async throws {
        let sent = Mutex<[FormParameters]>([])
        let server = TokenServer { number, form in
            sent.withLock { $0.append(form) }
            return TokenServer.token("t-\(number)", refresh: number == 1 ? "r-1" : nil)
        }
        let bench = try RunnerBench.oauth("grant: password, user: ada, password: pw-1", server: server)
        for _ in 0..<3 {
            #expect(try await bench.run("orders").isPassed)
            bench.time.advance(by: .seconds(4000))
        }
        #expect(bench.authorizations == ["Bearer t-1", "Bearer t-2", "Bearer t-3"])
        #expect(sent.withLock { $0.map { $0["grant_type"] } } == ["password", "refresh_token", "refresh_token"])
        #expect(sent.withLock { $0.map { $0["refresh_token"] } } == [nil, "r-1", "r-1"])
    }

    @Test func `a refresh token that is refused leads to the whole grant again`() async throws {
        let server = TokenServer { number, form in
            form["grant_type"] == "refresh_token"
                ? TokenServer.error("invalid_grant") : TokenServer.token("t-\(number)", refresh: "r")
        }
        let bench = try RunnerBench.oauth("grant: password, user: ada, password: pw-1", server: server)
        #expect(try await bench.run("orders").isPassed)
        bench.time.advance(by: .seconds(4000))
        #expect(try await bench.run("orders").isPassed)
        #expect(bench.authorizations == ["Bearer t-1", "Bearer t-3"])
    }

    @Test func `refresh token: the file's own is the first, and what the server gives instead the next`() async throws {
        let sent = Mutex<[String?]>([])
        let server = TokenServer { number, form in
            sent.withLock { $0.append(form["refresh_token"]) }
            return TokenServer.token("t-\(number)", refresh: "r-\(number)")
        }
        let bench = try RunnerBench.oauth("grant: refresh-token, refresh-token: r-0", server: server)
        #expect(try await bench.run("orders").isPassed)
        bench.time.advance(by: .seconds(4000))
        #expect(try await bench.run("orders").isPassed)
        #expect(sent.withLock { $0 } == ["r-0", "r-1"])
    }

    @Test func `an error of the server ends the operation, with its words and the place of auth`() async throws {
        let server = TokenServer { _, _ in TokenServer.error("invalid_client", "client hunter22 is unknown") }
        let bench = try RunnerBench.oauth("client-secret: hunter22", server: server)
        let result = try await bench.run("orders")
        let error = try #require(result.response?.error)
        #expect(error.code == .authorizationFailed)
        #expect(
            result.redactor.text(error.message).contains(
                "shop.yaml:3:3: auth.example gives no token: invalid_client: client \(Redactor.mask) is unknown"),
            "\(error.message)")
        #expect(bench.authorizations == [])
    }

    @Test func `fifty that wait make one request for a token`() async throws {
        let server = TokenServer { _, _ in .nothing }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server)
        let job = try bench.job("orders")
        let runs = (0..<50).map { _ in Task { await bench.runner.run(job) } }
        let transfer = await bench.transport.transfer(0)
        transfer.respond(body: Data(#"{"access_token":"t-1","expires_in":60}"#.utf8))
        for run in runs { #expect(await run.value.isPassed) }
        #expect(server.requests == 1)
        #expect(bench.authorizations == Array(repeating: "Bearer t-1", count: 50))
    }

    @Test func `whoever is cancelled stops waiting, and with the last one the request for the token ends`() async throws {
        let bench = try RunnerBench.oauth("client-secret: s-1", server: TokenServer { _, _ in .nothing })
        let job = try bench.job("orders")
        let first = Task { await bench.runner.run(job) }
        let transfer = await bench.transport.transfer(0)
        first.cancel()
        #expect(await first.value.failure?.reason == .cancelled)
        #expect(bench.transport.transfers.count == 1)
        _ = transfer
    }

    @Test func `what a mock answers needs no token`() async throws {
        let bench = try RunnerBench(
            """
            requests:
              mocked:
                get: http://shop/a
                auth: { oauth2: { token-url: "https://auth.example/token", client-id: shop, client-secret: s } }
                mock: { status: 204 }
            """, mocks: true)
        let result = try await bench.run("mocked")
        #expect(result.isPassed, "\(String(describing: result.failure)) \(String(describing: result.response?.error))")
        #expect(bench.sent == [])
    }

    @Test func `a token stays at home when a redirect leads elsewhere`() async throws {
        let server = TokenServer { _, _ in TokenServer.token("t-1") }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server) { request in
            switch request.url.path() {
            case "/orders" where request.url.host() == "shop": .redirect(to: "/moved")
            case "/moved": .redirect(to: "http://other/here")
            default: .json("{}")
            }
        }
        #expect(try await bench.run("orders").isPassed)
        let sent = bench.transport.requests.dropFirst().map { "\($0.url.absoluteString) \($0.headers[.authorization] ?? "-")" }
        #expect(sent == ["http://shop/orders Bearer t-1", "http://shop/moved Bearer t-1", "http://other/here -"])
    }

    // MARK: Device code

    private static let device =
        #"{"device_code":"d-1","user_code":"WDJB","verification_uri":"https://auth.example/device","expires_in":60,"interval":5}"#

    private static func deviceServer(_ polls: [Script]) -> TokenServer {
        TokenServer { number, form in
            form["device_code"] == nil ? .json(device) : polls[min(number - 2, polls.count - 1)]
        }
    }

    @Test func `device code: it asks until the person is done, at the pace that the server wants`() async throws {
        let server = Self.deviceServer([
            TokenServer.error("authorization_pending"), TokenServer.error("slow_down"), TokenServer.token("t-1"),
        ])
        let person = Person()
        let bench = try RunnerBench.oauth(
            "grant: device-code, device-url: 'https://auth.example/code'", prompter: person, server: server)
        let run = Task { try await bench.run("orders") }
        var waits: [Duration] = []
        for index in 0..<3 {
            _ = await bench.transport.transfer(index)
            // The alarm is set a moment after the answer.
            let before = bench.time.now
            while bench.time.nextDeadline.map({ $0 - before < .seconds(11) }) != true { await Task.yield() }
            waits.append(bench.time.nextDeadline! - before)
            bench.time.advance(to: bench.time.nextDeadline!)
        }
        #expect(try await run.value.isPassed)
        #expect(waits == [.seconds(5), .seconds(5), .seconds(10)])
        #expect(bench.authorizations == ["Bearer t-1"])
        #expect(person.shown == [SignInNotice(server: "auth.example", url: "https://auth.example/device", code: "WDJB")])
        #expect(person.hidden == person.shown)
    }

    @Test func `device code: a person who declines ends it, and without one nothing is asked`() async throws {
        let server = Self.deviceServer([TokenServer.error("authorization_pending")])
        let keys = "grant: device-code, device-url: 'https://auth.example/code'"
        let declining = try RunnerBench.oauth(keys, prompter: Person { _, decline in decline() }, server: server)
        let result = try await declining.run("orders")
        #expect(result.response?.error?.message.contains("the sign-in with the code WDJB was given up") == true)
        let alone = try RunnerBench.oauth(keys, server: server)
        let message = try await alone.run("orders").response?.error?.message ?? ""
        #expect(
            message.contains("a token by device-code needs a person who signs in, and nobody is here; use another grant"),
            "\(message)")
        #expect(alone.sent == [])
    }

    // MARK: Authorization code

    /// What a browser does: it goes to the address, and comes back with a code.
    private static func browser(_ path: @escaping @Sendable (String, FormParameters) -> String) -> Person {
        Person { notice, _ in
            let query = FormParameters(parsing: notice.url.split(separator: "?")[1])
            let redirect = URLComponents(string: query["redirect_uri"]!)!
            Loopback.knock(path(redirect.path, query), port: UInt16(redirect.port!))
        }
    }

    @Test func `authorization code: the browser comes back to this machine, and the code is traded in with its proof`() async throws
    {
        let traded = Mutex<FormParameters?>(nil)
        let asked = Mutex<FormParameters?>(nil)
        let server = TokenServer { _, form in
            traded.withLock { $0 = form }
            return TokenServer.token("t-1", refresh: "r-1")
        }
        let person = Self.browser { path, query in
            asked.withLock { $0 = query }
            return "\(path)?code=c-1&state=\(query["state"]!)"
        }
        let bench = try RunnerBench.oauth(
            "grant: authorization-code, authorization-url: 'https://auth.example/sign-in', scope: read", prompter: person,
            server: server)
        let result = try await bench.run("orders")
        #expect(result.isPassed, "\(String(describing: result.response?.error))")
        #expect(bench.authorizations == ["Bearer t-1"])
        let query = try #require(asked.withLock { $0 })
        let form = try #require(traded.withLock { $0 })
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "c-1")
        #expect(form["redirect_uri"] == query["redirect_uri"])
        #expect(query["code_challenge"] == PKCE(verifier: form["code_verifier"] ?? "").challenge)
        #expect(query["code_challenge_method"] == "S256")
        #expect(person.hidden == person.shown)
        #expect(["t-1", "r-1"].map(result.redactor.text) == [Redactor.mask, Redactor.mask])
    }

    @Test func `authorization code: a server that refuses, and a person who declines`() async throws {
        let keys = "grant: authorization-code, authorization-url: 'https://auth.example/sign-in'"
        let server = TokenServer { _, _ in TokenServer.token("t-1") }
        let refused = try RunnerBench.oauth(
            keys, prompter: Self.browser { path, query in "\(path)?error=access_denied&state=\(query["state"]!)" }, server: server)
        #expect(
            try await refused.run("orders").response?.error?.message.contains("signing in failed: access_denied") == true)
        let declined = try RunnerBench.oauth(keys, prompter: Person { _, decline in decline() }, server: server)
        #expect(
            try await declined.run("orders").response?.error?.message.contains("the sign-in for auth.example was given up")
                == true)
        #expect(server.requests == 0)
    }

    @Test func `authorization code: nobody who signs in is waited for ten minutes`() async throws {
        let person = Person()
        let bench = try RunnerBench.oauth(
            "grant: authorization-code, authorization-url: 'https://auth.example/sign-in'", prompter: person,
            server: TokenServer { _, _ in .nothing })
        let run = Task { try await bench.run("orders") }
        while bench.time.nextDeadline == nil { await Task.yield() }
        bench.time.advance(by: .seconds(600))
        #expect(
            try await run.value.response?.error?.message.contains("nobody signed in for auth.example within 10 minutes") == true)
    }
}
