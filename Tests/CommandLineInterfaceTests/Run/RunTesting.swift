import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// A collection with everything that `run` can meet, over a transport that answers by path.
enum RunBench {
    static let text = """
        turnstone: 1
        name: Shop
        environments: { local: {}, staging: { host: "http://staging" } }
        variables: { host: http://shop, key: { secret: { env: SHOP_KEY } } }
        requests:
          login:
            post: "{{host}}/login"
            tags: [smoke]
            capture: { token: { from: .token, secret: true } }
          orders:
            tags: [smoke]
            get: "{{host}}/orders"
            needs: { login: { max-age: 1h } }
            headers: { authorization: "Bearer {{token}}" }
            expect: { status: 200, body: { .total: "> 0" } }
          wrong:
            get: "{{host}}/wrong"
            expect:
              status: 201
              header: { x-a: b }
          unknown: { get: "{{host}}/{{nowhere}}" }
          keyed: { get: "{{host}}/keyed", headers: { x-key: "{{key}}" } }
          mocked: { get: "{{host}}/mocked", mock: { status: 202 }, expect: { status: 202 } }
        """

    static let answers = ScriptedTransport { request in
        switch request.request.url.path() {
        case "/login": .respond(headers: [.contentType: "application/json"], body: Data(#"{"token":"tok-1"}"#.utf8))
        case "/orders": .respond(headers: [.contentType: "application/json"], body: Data(#"{"total":2}"#.utf8))
        default: .respond(headers: [.contentType: "text/plain"], body: Data("text".utf8))
        }
    }

    /// `turnstone run FILE WORDS…`
    static func run(_ words: String..., environment: [String: String] = [:], text: String = text) async throws -> CommandLineRun {
        try await run(words, environment: environment, text: text)
    }

    static func run(_ words: [String], environment: [String: String] = [:], text: String = text) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make(text)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "--trust"] + words, transport: answers, time: ManualTimeSource(), environment: environment)
        return CommandLineRun(
            status: run.status, output: run.output.replacing(path, with: "shop.yaml"),
            errors: run.errors.replacing(path, with: "shop.yaml"))
    }
}

/// A small collection on disk, for commands that read one.
enum ShopFile {
    static let text = """
        turnstone: 1
        name: Shop
        variables:
          host: http://127.0.0.1:8080
          token: { secret: { env: SHOP_TOKEN } }
        environments:
          local: {}
          staging: { host: "https://staging.example.com" }
        defaults:
          headers: { accept: application/json }
          timeouts: { idle: 10s }
        requests:
          login:
            post: "{{host}}/login"
            tags: [auth, smoke]
            body: { json: { user: ada } }
          orders:
            defaults: { auth: { bearer: "{{token}}" } }
            requests:
              create:
                post: "{{host}}/orders"
                query: { page: "1" }
                headers: { x-key: "{{token}}" }
                tags: [smoke]
              list:
                get: "{{host}}/orders"
        """

    /// - Returns: the directory, which goes away with its owner, and the file in it.
    static func make(_ text: String = text) throws -> (TemporaryDirectory, path: String) {
        let directory = try TemporaryDirectory()
        return (directory, try directory.write("shop.yaml", text + "\n"))
    }
}
