import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct MergedRequestTests {
    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        environments:
          base: { host: http://base, user: ada }
          live: { extends: base, host: https://live }
        defaults:
          headers: { accept: text/plain, x-gone: 1 }
          query: { page: "1" }
          auth: { bearer: far }
          tls: { ca: ca.pem }
          timeouts: { idle: 10s, connect: 1s }
        requests:
          f:
            defaults: { auth: { netrc: net.rc }, timeouts: { connect: never } }
            requests:
              a:
                post: "{{host}}/:id"
                auth: inherit
                headers: { Accept: "{{type}}", x-gone: ~ }
                cookies: { b: c }
                needs: { b: { max-age: 1h } }
              b: { get: http://h/, needs: a-b }
          broken: { gett: http://h/ }
        """, path: "shop/shop.yaml")

    private static func merged(_ name: String) throws -> MergedRequest {
        try collection.merged(try #require(collection.request(RequestID(rawValue: name))))
    }

    @Test func `defaults are merged in, templates stand as they are`() throws {
        let merged = try Self.merged("f/a")
        #expect(merged.headers == [.init(name: "Accept", value: "{{type}}")])
        #expect(merged.query == [.init(name: "page", value: "1")])
        #expect(merged.cookies == [.init(name: "b", value: "c")])
        #expect(merged.definition.url == "{{host}}/:id")
        #expect(merged.settings.timeouts.idle == .after(.seconds(10)))
        #expect(merged.settings.timeouts.connect == .never)
        #expect(merged.settings.followRedirects == nil)
        #expect(merged.needs.map(\.request) == [RequestID(rawValue: "f/b")])
    }

    @Test func `paths are relative to no file any more`() throws {
        let merged = try Self.merged("f/a")
        #expect(merged.auth == .netrc(path: "shop/net.rc"))
        #expect(merged.settings.authorities == "shop/ca.pem")
        #expect(merged.directory == "shop")
        #expect(merged.path("a.csv") == "shop/a.csv")
    }

    @Test func `an environment has what those have that it extends, unless it says otherwise`() throws {
        #expect(
            try Self.collection.variables(of: "live").map { "\($0.name) \($0.value)" } == [
                "host text(\"https://live\")", "user text(\"ada\")",
            ])
        #expect(throws: ResolutionError(.environment, "there is no environment `lve`; did you mean `live`?")) {
            try Self.collection.variables(of: "lve")
        }
    }

    @Test func `what is broken isn't merged`() throws {
        #expect(throws: ResolutionError.self) { try Self.merged("f/b") }
    }

    @Test func `a placeholder of somebody's own stands for what has no answer, and what is made of it is a secret`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { token: { secret: { env: TOKEN } } }
            requests:
              a: { get: "http://h/", headers: { a: "{{token}}", b: "{{env('X')}}", c: "{{base64(token)}}", d: "{{command('date')}}" } }
            """)
        let sources = TemplateEnvironment(
            mode: .export { placeholder in
                switch placeholder {
                case .environmentVariable(let name): "<env \(name)>"
                case .requirement(.secret(.environment(let name))): "<secret \(name)>"
                case .requirement: "<other>"
                case .derived, .file: nil
                }
            })
        let resolved = try collection.resolve(
            try #require(collection.requests.first), environment: nil, with: sources)
        #expect(resolved.request.headers.map(\.value) == ["<secret TOKEN>", "<env X>", "PHNlY3JldCBUT0tFTj4=", "<other>"])
        #expect(resolved.secrets == ["<secret TOKEN>", "<env X>", "PHNlY3JldCBUT0tFTj4="])
    }
}
