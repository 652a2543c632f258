import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Saved requests that a server sends elsewhere: what the other server gets.
@Suite struct RunRedirectSecretTests {
    private static let collection = """
        turnstone: 1
        variables:
          token: { secret: { env: SHOP_TOKEN } }
          plain: nothing
        requests:
          header: { get: "http://a.test/x", headers: { x-shop: "v1 {{token}}", accept: text/plain } }
          key: { get: "http://a.test/x", auth: { api-key: { name: x-shop, value: literal-key } } }
          bearer: { get: "http://a.test/x", auth: { bearer: "{{token}}" } }
          basic: { get: "http://a.test/x", auth: { basic: { user: ada, password: "{{token}}" } } }
          cookie: { get: "http://a.test/x", cookies: { sid: "{{token}}" } }
          derived: { get: "http://a.test/x", headers: { x-shop: "{{sha256(token)}}" } }
          hydrated: { get: "http://a.test/x", headers: { x-a: "{{token}}" }, hydrate: [echo, '{"headers":{"x-shop":"signed-1"}}'] }
          moved: { get: "http://a.test/x", headers: { x-a: "{{token}}" }, hydrate: [echo, '{"url":"http://b.test/"}'] }
          kept: { get: "http://a.test/x", headers: { x-shop: "v1 {{token}}" }, redirects: { keep-auth: always } }
          body: { post: "http://a.test/x", body: { form: { password: "{{token}}" } } }
          open: { post: "http://a.test/x", body: { form: { note: "{{plain}}" } } }
          query: { get: "http://a.test/x", query: { t: "{{token}}" } }
          capture: { get: "http://login.test/", capture: { session: { from: .token, secret: true } } }
          captured: { get: "http://a.test/x", headers: { x-shop: "{{session}}" }, needs: capture }
          elsewhere: { get: "http://a.test/x", headers: { x-shop: "{{home}}" } }

        """
    private static let secret = "s3cret/käse+1"

    /// - Returns: the run, and what came to `b.test`.
    private func run(_ name: String, _ status: Int = 302, to location: String = "http://b.test/y", _ words: String...) async throws
        -> (
            CommandLineRun, other: [Request], all: [Request]
        )
    {
        let (directory, path) = try ShopFile.make(Self.collection)
        let transport = ScriptedTransport { transfer in
            switch transfer.request.url.host() {
            case "a.test" where transfer.request.url.path() == "/x":
                .respond(status: HTTPResponse.Status(code: status), headers: [.location: location])
            case "login.test":
                .respond(headers: [.contentType: "application/json"], body: Data(#"{"token":"c4ptured-token"}"#.utf8))
            default: .respond()
            }
        }
        let run = await CommandLineRun.run(
            ["run", path, name, "--trust", "--no-history"] + words, transport: transport,
            environment: ["SHOP_TOKEN": Self.secret, "PATH": "/usr/bin:/bin"])
        withExtendedLifetime(directory) {}
        return (run, transport.requests.filter { $0.url.host() == "b.test" }, transport.requests)
    }

    private func fields(_ request: Request?) -> [String] { (request?.headers ?? [:]).map { $0.name.canonicalName }.sorted() }

    @Test(
        arguments: ["header", "key", "bearer", "basic", "cookie", "derived", "hydrated", "query", "captured"],
        [301, 302, 303, 307, 308])
    func `another server gets nothing that is made of a secret`(name: String, status: Int) async throws {
        let (run, other, all) = try await run(name, status)
        #expect(run.status == .success, "\(run.output)")
        let request = try #require(other.first)
        #expect(fields(request).filter { ["x-shop", "x-a", "authorization", "cookie"].contains($0) } == [])
        #expect(
            Redactor([Self.secret, "literal-key", "signed-1", "c4ptured-token"]).finds(in: "\(request.url) \(request.headers)")
                == false)
        // The first one got it.
        let first = try #require(all.first { $0.url.host() == "a.test" })
        #expect(fields(first).contains { ["x-shop", "authorization", "cookie"].contains($0) } || name == "query")
    }

    @Test func `the hop names what it withheld, in events too`() async throws {
        let (run, _, _) = try await run("header", 302, to: "http://b.test/y", "--events", "jsonl")
        let line = try #require(run.output.split(separator: "\n").first { $0.contains(#""event":"redirect""#) })
        #expect(line.contains(#""withheld":[{"part":"x-shop","secrets":["token"],"for":["http://a.test"]}]"#), "\(line)")
    }

    @Test(arguments: [307, 308])
    func `a body with a secret isn't sent again elsewhere, and the run ends with 27`(status: Int) async throws {
        let (run, other, _) = try await run("body", status)
        #expect(run.status == .notAllowed)
        #expect(other == [])
        #expect(run.output.contains("token in it is not for http://b.test"), "\(run.output)")
        #expect(try await self.run("body", 303).other.first?.body == RequestBody.none)
        #expect(try await self.run("open", status).other.first?.body == .data(Data("note=nothing".utf8)))
    }

    @Test(arguments: ["s3cret%2Fk%C3%A4se%2B1", "czNjcmV0L2vDpHNlKzE=", "s3cret/k%c3%a4se+1"])
    func `an address with the secret in it isn't followed elsewhere, and isn't told`(form: String) async throws {
        let (run, other, _) = try await run("query", 302, to: "http://b.test/?t=\(form)")
        #expect(run.status == .notAllowed)
        #expect(other == [])
        #expect(!run.output.contains(form) && !run.output.contains("s3cret"))
        #expect(try await self.run("query", 302, to: "/y?t=\(form)").0.status == .success)
    }
}
