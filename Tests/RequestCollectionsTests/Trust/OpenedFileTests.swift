import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

/// Between the moment in which a file is judged and the one in which it is sent somebody may put a link in its place, or in that of a
/// directory on the way to it.
@Suite struct OpenedFileTests {
    /// A collection that sends files, and somebody's key beside it.
    private struct Place {
        let directory: TemporaryDirectory
        /// Without links.
        let path: String

        init() throws {
            directory = try TemporaryDirectory([
                "shop/_collection.yaml": "turnstone: 1\n", "shop/sub/a.bin": "own", "outside/deep/a.bin": "allowed",
                "keys/a.bin": "s3cret",
            ])
            path = RealPath.of(directory.path)
        }

        func request(_ body: String) throws -> Request {
            try directory.write("post: http://h.test/\nbody: \(body)\n", to: "shop/a.yaml")
            let collection = try RequestCollection.load(path: "\(path)/shop")
            return try collection.resolve(
                collection.requests[0], environment: nil, with: TemplateEnvironment(trust: .everything)
            ).request
        }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: "\(path)/\(target)")
        }
    }

    private static func sent(_ request: Request) throws -> String {
        guard let reader = try request.body.makeReader() else { return "" }
        defer { reader.close() }
        var bytes = Data()
        while case .bytes(let piece) = try reader.read(atMost: 1 << 16, wake: {}) { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            // Its own, by a link in its place and by one in its directory's; and one outside that was allowed.
            ("sub/a.bin", "own", "shop/sub/a.bin", "keys/a.bin"), ("sub/a.bin", "own", "shop/sub", "keys"),
            ("../outside/deep/a.bin", "allowed", "outside/deep/a.bin", "keys/a.bin"),
            ("../outside/deep/a.bin", "allowed", "outside/deep", "keys"),
        ])
    func `what has come in the place of a judged file isn't sent`(
        file: String, content: String, replaced: String, target: String
    ) throws {
        for body in ["{ file: \(file) }", "{ multipart: { part: { file: \(file) } } }"] {
            let place = try Place()
            let request = try place.request(body)
            #expect(try Self.sent(request).contains(content))
            try place.link(replaced, to: target)
            #expect(throws: NetworkError.self, "\(body)") { try Self.sent(request) }
        }
    }

    @Test func `a mock's file isn't read through a link either`() throws {
        let place = try Place()
        try place.directory.write("get: http://h.test/\nmock: { file: sub/a.bin }\n", to: "shop/a.yaml")
        let collection = try RequestCollection.load(path: "\(place.path)/shop")
        let mock = try collection.resolve(collection.requests[0], environment: nil, with: TemplateEnvironment()).mock
        guard case .file(let file)? = mock?.body else {
            Issue.record("no file")
            return
        }
        #expect(try file.contents() == Data("own".utf8))
        try place.link("shop/sub", to: "keys")
        #expect(throws: NetworkError.self) { try file.contents() }
    }

    @Test func `directories that can't be listed are gone through`() throws {
        let place = try Place()
        chmod("\(place.path)/shop/sub", 0o100)
        defer { chmod("\(place.path)/shop/sub", 0o700) }
        #expect(try Self.sent(place.request("{ file: sub/a.bin }")) == "own")
    }

    @Test func `a folder that a link leads to is asked for once, with the files in it`() throws {
        let directory = try TemporaryDirectory([
            "shop/_collection.yaml": "turnstone: 1\n", "elsewhere/one.yaml": "get: http://h.test/\n",
            "elsewhere/two.yaml": "get: http://h.test/\n", "other.yaml": "get: http://h.test/\n", ".git/config": "",
        ])
        let path = RealPath.of(directory.path)
        try FileManager.default.createSymbolicLink(atPath: "\(path)/shop/linked", withDestinationPath: "\(path)/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: "\(path)/elsewhere/far.yaml", withDestinationPath: "\(path)/other.yaml")
        let collection = try RequestCollection.load(path: "\(path)/shop")
        let wants = collection.wants(of: collection.requests, environment: nil)
        // What leads on from there is another one.
        #expect(wants.map { "\($0.want.kind) \($0.want.subject)" } == ["read \(path)/elsewhere", "read \(path)/other.yaml"])
    }

    @Test func `a Unix socket is asked for, also where no secret travels`() throws {
        let collection = RequestCollection.load(
            path: "shop.yaml",
            bytes: Array("turnstone: 1\nrequests:\n  a: { get: http://h.test/, unix-socket: /run/docker.sock }\n".utf8))
        let wants = collection.wants(of: collection.requests, environment: nil)
        #expect(wants.map { "\($0.want.kind) \($0.want.subject)" } == ["write /run/docker.sock"])
    }

    @Test(arguments: ["http://{{key}}.test:80", "{{key}}.test:80", "http://ada@{{key}}"])
    func `a secret is no part of a proxy's address`(proxy: String) throws {
        let collection = RequestCollection.load(
            path: "shop.yaml",
            bytes: Array(
                """
                turnstone: 1
                variables: { key: { secret: { env: KEY } }, way: { secret: { env: WAY } } }
                requests:
                  a: { get: http://h.test/, proxy: "\(proxy)" }
                  whole: { get: http://h.test/, proxy: "{{way}}" }
                  password: { get: http://h.test/, proxy: "http://ada:{{key}}@proxy.test" }
                """.utf8))
        func resolve(_ index: Int) throws {
            var environment = TemplateEnvironment(trust: .everything)
            environment.mode = .show
            _ = try collection.resolve(collection.requests[index], environment: nil, with: environment)
        }
        #expect(throws: ResolutionError.self) { try resolve(0) }
        try resolve(1)
        try resolve(2)
    }

    @Test func `the page on which a device's code is entered is asked for`() throws {
        let collection = RequestCollection.load(
            path: "shop.yaml",
            bytes: Array(
                """
                turnstone: 1
                requests:
                  a:
                    get: http://h.test/
                    auth: { oauth2: { grant: device-code, token-url: "https://t.test/", device-url: "https://d.test/", client-id: x } }
                """.utf8))
        let wants = collection.wants(of: collection.requests, environment: nil)
        let page = Want.send(secret: "sign-in in a browser", of: "this machine", origin: "https://d.test")
        #expect(wants.contains { $0.want == page }, "\(wants.map(\.want.subject))")
    }
}

/// What is said about a request that can't be sent.
@Suite struct SecretInComplaintTests {
    @Test(
        arguments: [
            ("{ get: \"{{token}}://h.test/\" }", "s3cretvalue9"), ("{ get: \"{{token}}\" }", "s3cretvalue9"),
            ("{ get: \"{{token}}://h.test/\" }", "ab1"), ("{ get: \"{{token}}\" }", "ab1"),
            ("{ get: \"http://h.test/\", expect: { size: \"< {{token}}\" } }", "s3cretvalue9"),
            ("{ get: \"http://h.test/\", expect: { time: \"< {{token}}\" } }", "s3cretvalue9"),
            ("{ post: \"http://h.test/\", body: { file: \"{{token}}\" } }", "s3cretvalue9"),
        ])
    func `no complaint has a secret in it`(request: String, secret: String) throws {
        let text = "turnstone: 1\nvariables: { token: { secret: { env: TOK } } }\nrequests:\n  x: \(request)\n"
        let collection = RequestCollection.load(path: "/shop.yaml", bytes: Array(text.utf8))
        let definition = try #require(collection.requests.first)
        var sources = TemplateEnvironment(trust: .everything)
        var complaint = ""
        for _ in 0..<2 {
            do throws(ResolutionError) {
                _ = try collection.resolve(definition, environment: nil, with: sources)
                complaint = "none"
            } catch {
                complaint = error.description
                for need in error.requirements {
                    sources.answers[need.requirement] = TemplateAnswer(.string(secret), isSecret: true)
                }
            }
        }
        #expect(complaint != "none" && !complaint.contains("the request needs"))
        #expect(!complaint.contains(secret), "\(complaint)")
    }
}
