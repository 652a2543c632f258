import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CollectionRunner

@Suite struct TokenStoreTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private static func key(_ client: String) -> TokenKey {
        TokenKey(OAuth2Definition(grant: .clientCredentials, tokenURL: "https://auth.example/token", clientID: client))
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `tokens are in a file that only its user may read, for the next start`() throws {
        let directory = try TemporaryDirectory()
        let store = TokenStore(environment: ["XDG_STATE_HOME": directory.path])
        let path = "\(directory.path)/turnstone/tokens.json"
        #expect(store.path == path)
        let token = OAuth2Token(accessToken: "t-1", refreshToken: "r-1", issued: Self.date, expires: Self.date + 3600)
        try store.keep(token, for: Self.key("a"), at: Self.date)
        #expect(try permissions(path) == 0o600)
        #expect(try permissions("\(directory.path)/turnstone") == 0o700)
        #expect(
            try String(contentsOfFile: path, encoding: .utf8) == """
                {
                  "tokens" : [
                    {
                      "key" : {
                        "clientID" : "a",
                        "grant" : "client-credentials",
                        "tokenURL" : "https://auth.example/token"
                      },
                      "token" : {
                        "accessToken" : "t-1",
                        "expires" : 1700003600,
                        "issued" : 1700000000,
                        "refreshToken" : "r-1"
                      }
                    }
                  ],
                  "version" : 1
                }
                """)
        let next = TokenStore(path: path)
        #expect(next.token(for: Self.key("a"), at: Self.date) == token)
        #expect(next.token(for: Self.key("b"), at: Self.date) == nil)
    }

    @Test func `two programs don't lose each other's tokens, and what has expired for good is dropped`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/tokens.json"
        let (first, second) = (TokenStore(path: path), TokenStore(path: path))
        let token = OAuth2Token(accessToken: "t-1", issued: Self.date, expires: Self.date + 3600)
        try first.keep(token, for: Self.key("a"), at: Self.date)
        try second.keep(token, for: Self.key("b"), at: Self.date)
        #expect(first.token(for: Self.key("b"), at: Self.date) == token)
        #expect(second.token(for: Self.key("a"), at: Self.date) == token)
        try second.keep(nil, for: Self.key("b"), at: Self.date + 4000)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("t-1"))
        // Only the file and its lock: no temporary file is left.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["tokens.json", "tokens.json.lock"])
    }

    @Test func `a file that is broken counts as none, and one that can't be written is an error`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/tokens.json"
        try Data("{".utf8).write(to: URL(filePath: path))
        #expect(TokenStore(path: path).token(for: Self.key("a"), at: Self.date) == nil)
        let token = OAuth2Token(accessToken: "t-1", issued: Self.date)
        let nowhere = TokenStore(path: "/dev/null/tokens.json")
        let error = #expect(throws: NetworkError.self) { try nowhere.keep(token, for: Self.key("a"), at: Self.date) }
        #expect(error?.message == "/dev/null/tokens.json can't be written: Not a directory.")
        #expect(nowhere.token(for: Self.key("a"), at: Self.date) == token)
    }

    @Test func `a token is another one's with another client, secret, scope, user, password, server or refresh token`() {
        func key(_ grant: OAuth2Definition.Grant, secret: String? = nil, scope: String? = nil) -> TokenKey {
            TokenKey(
                OAuth2Definition(
                    grant: grant, tokenURL: "https://auth.example/token", clientID: "a", clientSecret: secret, scope: scope))
        }
        let keys: Set<TokenKey> = [
            key(.clientCredentials), key(.clientCredentials, scope: "read"), key(.password(user: "ada", password: "1")),
            key(.password(user: "bob", password: "1")), key(.password(user: "ada", password: "2")),
            key(.refreshToken("r-1")), key(.refreshToken("r-2")), key(.refreshToken("r-1"), secret: "hunter22"),
            key(.clientCredentials, secret: "hunter22"), key(.clientCredentials, secret: "hunter23"),
            key(.deviceCode(deviceURL: "https://a.example/")), key(.deviceCode(deviceURL: "https://b.example/")),
        ]
        #expect(keys.count == 12)
        let text = keys.map { "\($0)" }.joined()
        #expect(!text.contains("r-1") && !text.contains("hunter2"))
    }

    @Test func `the next start of the program uses the token, and no output has a secret`() async throws {
        let directory = try TemporaryDirectory()
        let environment = ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": directory.path]
        let server = TokenServer { number, _ in TokenServer.token("tok-\(number)-secret", refresh: "ref-secret") }
        for _ in 0..<2 {
            let bench = try RunnerBench.oauth("client-secret: cli-secret", environment: environment, server: server) { request in
                .json(#"{"echo":"\#(request.headers[.authorization] ?? "")"}"#)
            }
            let result = try await bench.run("orders")
            #expect(bench.authorizations == ["Bearer tok-1-secret"])
            let body = try #require(try result.response?.info?.body.contents())
            #expect(String(decoding: result.redactor.bytes(body), as: UTF8.self) == #"{"echo":"Bearer \#(Redactor.mask)"}"#)
            #expect(result.redactor.text("ref-secret cli-secret") == "\(Redactor.mask) \(Redactor.mask)")
        }
        #expect(server.requests == 1)
    }
}
