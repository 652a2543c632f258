import DemoServer
import Foundation
import ServerTesting

/// A collection whose secrets come from everywhere and go everywhere, with the servers that it talks to.
///
/// The demo server sends back what it got, so that every secret is in responses too; another gives secrets of its own away.
final class HiddenCollection: Sendable {
    static let secrets = [
        "of the environment": #"env/S3cret+ "quoted" & <more>"#, "of a command": "c0mmand-S3cret=value~1",
        "of a file": "f1le.S3cret/with?query&parts", "of a person": "p3rson S3cret; typed", "captured": "c4ptured-S3cret-token",
        "of a header": "h3ader-S3cret-session", "of a cookie": "c00kie-S3cret-id", "an access token": "0auth-S3cret-access-token",
        "a refresh token": "0auth-S3cret-refresh-token", "a token of the environment": "t0ken S3cret of env()",
        "on the command line": "l1ne S3cret+password/1",
    ]

    static func secret(_ name: String) -> String { secrets[name]! }

    /// For the program: the state lies in it, and the outputs of commands.
    let home = Program.Home()
    /// The collection, and the files with secrets that it names.
    let sources: TemporaryDirectory
    private let demo: DemoServer
    private let giving: ScriptedServer

    var path: String { sources.file("hidden.yaml") }
    var url: String { demo.baseURL }

    var environment: [String: String] {
        [
            "HOME": home.path, "XDG_STATE_HOME": home.path("state"), "XDG_CONFIG_HOME": home.path("config"),
            "HIDDEN_KEY": Self.secret("of the environment"), "HIDDEN_TOKEN": Self.secret("a token of the environment"),
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    init() async throws {
        sources = try TemporaryDirectory()
        demo = try await DemoServer(port: 0)
        func answer(_ body: String, _ fields: String = "") -> [ScriptedServer.Step] {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)Connection: close\r\n"
            return [.readHead, .readContent, .send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"), .close]
        }
        // One for any of the two requests that ask it, however often they do.
        let both = answer(
            """
            {"token": "\(Self.secret("captured"))", "access_token": "\(Self.secret("an access token"))", \
            "refresh_token": "\(Self.secret("a refresh token"))", "token_type": "Bearer", "expires_in": 3600}
            """,
            """
            X-Session: \(Self.secret("of a header"))\r\nSet-Cookie: sid=\(Self.secret("of a cookie")); Path=/\r\n
            """)
        giving = try ScriptedServer(Array(repeating: both, count: 200))
        try sources.write("command.txt", Self.secret("of a command") + "\n")
        try sources.write("file.txt", Self.secret("of a file") + "\n")
        try sources.write("hidden.yaml", text(closed: try ListeningSocket.freePort()))
    }

    func stop() async {
        await demo.stop()
        giving.stop()
    }

    private func text(closed: UInt16) -> String {
        """
        turnstone: 1
        name: Hidden
        environments: { local: {} }
        variables:
          host: \(demo.baseURL)
          giving: http://127.0.0.1:\(giving.port)
          from-env: { secret: { env: HIDDEN_KEY } }
          from-command: { secret: { command: [cat, command.txt] } }
          from-file: { secret: { file: file.txt } }
          from-person: { secret: { prompt: What only you know } }
        requests:
          fields:
            get: "{{host}}/anything/fields"
            headers: { x-key: "{{from-command}}", x-inside: "before-{{from-command}}-after", x-token: "{{env(\\"HIDDEN_TOKEN\\")}}" }
            cookies: { sid: "{{from-command}}" }
            expect: { status: 200, body: { .url: contains anything } }
          url:
            get: "{{host}}/anything/:id"
            path: { id: "{{from-file}}" }
            query: { key: "{{from-env}}", coded: "{{base64(from-file)}}", signed: "{{hmac(from-env, from-file)}}", who: "{{from-person}}" }
          raw-url: { get: "{{host}}/anything/{{from-person}}/{{from-env}}?a={{from-person}}&b={{from-command}}#{{from-person}}" }
          redirected: { get: "{{host}}/redirect/to", query: { url: "/anything?key={{from-command}}" } }
          basic: { get: "{{host}}/anything/basic", auth: { basic: { user: ada, password: "{{from-file}}" } } }
          bearer: { get: "{{host}}/anything/bearer", auth: { bearer: "{{from-command}}" } }
          digest: { get: "{{host}}/auth/digest", auth: { digest: { user: ada, password: "{{from-person}}" } } }
          api-key: { get: "{{host}}/anything", auth: { api-key: { name: key, value: "{{from-env}}", in: query } } }
          amazon: { get: "{{host}}/anything", auth: { aws-sigv4: { access-key: AKIA1, secret-key: "{{from-env}}", region: eu-central-1, service: s3 } } }
          json: { post: "{{host}}/anything", body: { json: { a: "{{from-env}}", b: ["{{from-file}}", "{{from-person}}"] } } }
          form: { post: "{{host}}/anything", body: { form: { a: "{{from-env}}", b: "{{from-file}}" } } }
          text: { post: "{{host}}/anything", body: { text: "a {{from-env}} b {{from-person}}" } }
          multipart: { post: "{{host}}/anything", body: { multipart: { a: "{{from-env}}", b: "{{from-file}}" } } }
          graphql: { post: "{{host}}/anything", body: { graphql: { query: "{ a }", variables: { a: "{{from-env}}" } } } }
          login:
            post: "{{giving}}/login"
            capture:
              token: { from: .token, secret: true }
              access: { from: .access_token, secret: true }
              refresh: { from: .refresh_token, secret: true }
              session: { from: header:x-session, secret: true }
              sid: { from: cookie:sid, secret: true }
          captured:
            get: "{{host}}/anything/{{token}}"
            needs: login
            headers: { x-session: "{{session}}", x-sid: "{{sid}}" }
          earlier: { get: "{{host}}/anything", headers: { x-earlier: "{{token}}" }, needs: login }
          oauth:
            get: "{{host}}/anything/oauth"
            auth: { oauth2: { grant: client-credentials, token-url: "{{giving}}/token", client-id: shop, client-secret: "{{from-file}}" } }
          refused: { get: "http://127.0.0.1:\(closed)/{{from-command}}?a={{from-file}}" }
          unmet: { get: "{{host}}/anything", headers: { x-key: "{{from-command}}" }, expect: { header: { x-key: "{{from-command}}" }, body: "{{from-env}}" } }
          uncaptured: { get: "{{host}}/anything?key={{from-command}}", capture: { id: .no.such } }
          unfilled: { get: "{{host}}/{{from-command}}/{{nowhere}}" }
          unhydrated: { get: "{{host}}/anything?key={{from-command}}", headers: { x-key: "{{from-command}}" }, hydrate: [sh, -c, "cat >&2; exit 3"] }
          hydrated: { get: "{{host}}/anything?key={{from-command}}", hydrate: [sh, -c, "cat > /dev/null; echo {}"] }
          late: { get: "{{host}}/hang?key={{from-command}}", timeouts: { operation: 200ms } }
          looping: { get: "{{host}}/redirect/loop?key={{from-command}}", redirects: { max: 2 } }
          needing: { get: "{{host}}/anything", needs: refused }
          refreshed:
            get: "{{host}}/anything/refreshed"
            auth: { oauth2: { grant: refresh-token, refresh-token: "{{from-command}}", token-url: "{{giving}}/token", client-id: shop } }
          signed-in:
            get: "{{host}}/anything/signed-in"
            auth: { oauth2: { grant: password, user: ada, password: "{{from-person}}", token-url: "{{giving}}/token", client-id: shop } }

        """
    }
}
