import DemoServer
import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// What `export locust` writes, with Locust itself: a master and two workers against the demo server. `make test-locust` gets it.
@Suite struct LocustRunTests {
    private static let locust = try? ChildProcess.find("locust", package: "locust")

    private static let collection = """
        turnstone: 1
        name: Load
        variables:
          host: http://127.0.0.1:1
          password: { secret: { command: [printf, lovelace] } }
          word: fromfile
        requests:
          login:
            post: "{{host}}/auth/token"
            body: { json: { user: ada, password: "{{password}}" } }
            capture: { token: { from: .access_token, secret: true } }
            expect: { status: 200, header: { cache-control: no-store }, body: { .expires_in: "> 0" } }
          me:
            get: "{{host}}/auth/bearer"
            needs: { login: { max-age: 10m } }
            auth: { bearer: "{{token}}" }
            expect: { status: 200 }
          echo:
            post: "{{host}}/anything/:id"
            path: { id: "a b" }
            query: { q: "{{word}}" }
            body: { form: { a: "1 & 2" } }
            expect:
              status: 2xx
              header: { content-type: /json/ }
              body: { .method: POST, .url: contains fromcommandline, .headers: is object }
              time: { total: "< 60s" }
          moved:
            get: "{{host}}/redirect/2"
            expect: { status: 200, redirects: 2, attempts: 3 }
          wrong:
            get: "{{host}}/status/404"
            expect: { status: 200 }
          refused:
            get: http://127.0.0.1:1/
            expect: { error: connection }
          remembered:
            get: "{{host}}/auth/bearer"
            headers: { authorization: 'Bearer {{response("login", ".access_token", max_age: 1h)}}' }
            expect: { status: 200 }
          digest:
            get: "{{host}}/auth/digest"
            auth: { digest: { user: ada, password: "{{password}}" } }
            expect: { status: 200 }
          client:
            get: "{{host}}/auth/bearer"
            auth: { oauth2: { token-url: "{{tokens}}/token", client-id: "shop & co", client-secret: "{{password}}", scope: [read, write] } }
            expect: { status: 200 }
          person:
            get: "{{host}}/auth/bearer"
            auth:
              oauth2: { grant: password, user: ada, password: "{{password}}", token-url: "{{tokens}}/token", client-id: shop, client-secret: "s=1", client-auth: body }
            expect: { status: 200 }
          renewed:
            get: "{{host}}/auth/bearer"
            auth: { oauth2: { grant: refresh-token, refresh-token: "{{password}}", token-url: "{{tokens}}/token", client-id: shop } }
            expect: { status: 200 }
        """

    /// What the token's server must be asked, as the first line of the head that matters and the body; RFC 6749, sections 4.3.2, 4.4.2, 6.
    private static let tokenRequests: Set<String> = [
        "Basic c2hvcCUyMCUyNiUyMGNvOmxvdmVsYWNl grant_type=client_credentials&scope=read+write",
        "- grant_type=password&username=ada&password=lovelace&client_id=shop&client_secret=s%3D1",
        "- grant_type=refresh_token&refresh_token=lovelace&client_id=shop",
    ]

    /// Answers every request for a token with the one that the demo server wants; some servers write the time as a text.
    private static func tokenServer() throws -> ScriptedServer {
        let body = #"{"access_token": "turnstone-demo-token", "token_type": "Bearer", "expires_in": "3600"}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        return try ScriptedServer(
            Array(
                repeating: [.readHead, .readContent, .send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"), .close],
                count: 100))
    }

    private static func tokenRequest(_ bytes: Data) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let field = lines.first { $0.lowercased().hasPrefix("authorization: ") }?.dropFirst("authorization: ".count)
        return "\(field ?? "-") \(lines.last ?? "")"
    }

    private struct Row: Decodable {
        var name: String
        var num_requests: Int
        var num_failures: Int
    }

    @Test(.enabled(if: locust != nil, "needs Locust: make test-locust"))
    func `a master and two workers send the requests, and say which expectations failed`() async throws {
        let locust = try #require(Self.locust)
        let directory = try TemporaryDirectory()
        let collection = try directory.write("load.yaml", Self.collection)
        let file = directory.file("locustfile.py")
        let export = await CommandLineRun.run(["export", "locust", collection, "-o", file])
        #expect(export.errors == "")
        let server = try await DemoServer()
        let tokens = try Self.tokenServer()
        let port = try Self.freePort()
        let workers = try (1...2).map { number in
            try ChildProcess(
                locust, ["-f", file, "--worker", "--master-port", "\(port)"], directory: directory,
                log: directory.file("worker\(number).log"))
        }
        let log = directory.file("master.log")
        let output = try await Task.detached {
            try ChildProcess.run(
                locust,
                [
                    "-f", file, "--master", "--master-bind-port", "\(port)", "--headless", "--expect-workers", "2", "--users", "40",
                    "--spawn-rate", "40", "--run-time", "8s", "--exit-code-on-error", "0", "--json", "--logfile", log, "--var",
                    "host=\(server.baseURL)", "--var", "word=fromcommandline", "--var", "tokens=http://127.0.0.1:\(tokens.port)",
                    "--csv", directory.file("stats"),
                ])
        }.value
        for worker in workers { worker.stop() }
        await server.stop()
        let start = try #require(output.firstIndex(of: "["))
        let rows = try JSONDecoder().decode([Row].self, from: Data(output[start...].utf8))
        #expect(
            rows.map(\.name).sorted() == [
                "client", "digest", "echo", "login", "me", "moved", "person", "refused", "remembered", "renewed", "wrong",
            ])
        // Each of the two workers asks once for each grant, however many users wait for it.
        let asked = (0..<100).map { Self.tokenRequest(tokens.received(by: $0)) }.filter { $0 != "- " }
        #expect(Set(asked) == Self.tokenRequests)
        #expect(asked.count <= 2 * Self.tokenRequests.count)
        tokens.stop()
        for row in rows {
            #expect(row.num_requests > 0)
            #expect(row.num_failures == (row.name == "wrong" ? row.num_requests : 0), "\\(row.name)")
        }
        let failures = try String(contentsOfFile: directory.file("stats_failures.csv"), encoding: .utf8)
        #expect(failures.contains("expected status to be 200 (load.yaml:33), and found 404"))
        let exceptions = try String(contentsOfFile: directory.file("stats_exceptions.csv"), encoding: .utf8)
        #expect(exceptions.split(whereSeparator: \.isNewline).count == 1)
        let said = try String(contentsOfFile: log, encoding: .utf8)
        #expect(said.contains("2 workers connected"))
        // The machines that sent had the secret; nothing that was written has.
        for name in ["master.log", "worker1.log", "worker2.log", "stats_failures.csv", "locustfile.py"] {
            let text = try String(contentsOfFile: directory.file(name), encoding: .utf8)
            #expect(name == "locustfile.py" || !text.contains("lovelace"), "\\(name)")
            #expect(!text.contains("turnstone-demo-token"), "\\(name)")
            #expect(!text.contains("Traceback"), "\\(name): \\(text)")
        }
    }

    /// One that nobody has at the moment: Locust can't be told to let the kernel choose.
    private static func freePort() throws -> UInt16 {
        let socket = try ListeningSocket()
        return socket.port
    }
}
