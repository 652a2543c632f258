import DemoServer
import Foundation
import ServerTesting

/// A collection with a secret of its own in every kind of place, and the servers that it talks to, which send back what they get.
final class SecretPlaces: Sendable {
    /// Where in a request it stands.
    enum Part {
        case url, head, body
        /// Made by the transport: only in what went, and not in what would be sent.
        case wire
        /// It opens a key, or is sent to somebody else.
        case outside
    }

    /// By the request's name, which is the place's.
    static let parts: [String: Part] = [
        "query": .url, "userinfo": .url, "redirected": .url, "refused": .url,
        "header": .head, "prompted": .head, "given": .head, "literal": .head, "hydrated": .head, "unmet": .head,
        "json": .body, "multipart": .body, "literal-form": .body,
        "captured": .wire, "oauth": .wire,
        "proxy": .outside, "login": .outside,
    ]
    static let places = parts.keys.sorted()

    /// One that is nowhere else, with what encodings write in their own ways.
    static func secret(_ place: String) -> String { "\(place)-S3cret+\"%\\é&/=" }

    static let hunt = SecretHunt(
        Dictionary(uniqueKeysWithValues: (places + ["token"]).map { ($0, secret($0)) }), part: "S3cret")

    static let environment = Dictionary(uniqueKeysWithValues: places.map { (variable($0), secret($0)) })

    private static func variable(_ place: String) -> String { "S_" + place.uppercased().replacing("-", with: "_") }

    let directory: TemporaryDirectory
    let demo: DemoServer
    private let giving: AnsweringServer
    let path: String

    init() async throws {
        directory = try TemporaryDirectory()
        demo = try await DemoServer(port: 0)
        let token = String(decoding: try JSONEncoder().encode(Self.secret("token")), as: UTF8.self)
        let body = #"{"token": \#(token), "access_token": \#(token), "token_type": "Bearer", "expires_in": 3600}"#
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        giving = try AnsweringServer { _ in Array(repeating: Data(answer.utf8), count: 500) }
        path = directory.file("places.yaml")
        try directory.write(
            "places.yaml", Self.text(demo.baseURL, "http://127.0.0.1:\(giving.port)", try ListeningSocket.freePort()))
    }

    func stop() async {
        await demo.stop()
        giving.stop()
    }

    private static func text(_ host: String, _ giving: String, _ closed: UInt16) -> String {
        let literal = #""literal-S3cret+\"%\\é&/=""#
        let variables = places.filter { !["prompted", "given"].contains($0) }.map {
            "  \($0): { secret: { env: \(variable($0)) } }"
        }
        return """
            turnstone: 1
            name: Places
            variables:
              host: \(host)
            \(variables.joined(separator: "\n"))
              prompted: { secret: { prompt: What only you know } }
              given: { secret: { prompt: What only you know } }
            requests:
              header: { get: "{{host}}/anything", headers: { x-shop: "{{header}}" } }
              query: { get: "{{host}}/anything", query: { a: "{{query}}", b: "{{base64(query)}}" } }
              userinfo: { get: "http://ada:{{base64(userinfo)}}@\(host.dropFirst(7))/anything" }
              json: { post: "{{host}}/anything", body: { json: { a: ["{{json}}"], b: '{"a":"{{json}}"}' } } }
              multipart: { post: "{{host}}/anything", body: { multipart: { a: "{{multipart}}", b: { value: b, filename: "{{multipart}}" } } } }
              oauth: { get: "{{host}}/anything", auth: { oauth2: { grant: client-credentials, token-url: "\(giving)/token", client-id: shop, client-secret: "{{oauth}}" } } }
              proxy: { get: "{{host}}/anything", proxy: "http://ada:{{base64(proxy)}}@\(host.dropFirst(7))" }
              prompted: { get: "{{host}}/anything", headers: { x-shop: "{{prompted}}" } }
              given: { get: "{{host}}/anything", headers: { x-shop: "{{given}}" } }
              login: { post: "\(giving)/login", capture: { token: { from: .token, secret: true } } }
              captured: { get: "{{host}}/anything", headers: { x-shop: "{{token}}" }, needs: login }
              redirected: { get: "{{host}}/redirect/to", query: { url: "/anything/{{base64(redirected)}}" } }
              literal: { get: "{{host}}/anything", auth: { bearer: \(literal) }, headers: { x-api-key: \(literal) }, cookies: { sid: \(literal) } }
              literal-form: { post: "{{host}}/anything", body: { form: { password: \(literal) } } }
              hydrated: { get: "{{host}}/anything", headers: { x-shop: "{{hydrated}}" }, hydrate: [sh, -c, "cat >&2; exit 3"] }
              unmet: { get: "{{host}}/anything", headers: { x-shop: "{{unmet}}" }, expect: { header: { x-shop: "{{unmet}}" }, body: "{{unmet}}" } }
              refused: { get: "http://127.0.0.1:\(closed)/{{refused}}?a={{refused}}" }

            """
    }
}
