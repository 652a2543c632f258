import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import CollectionRunner
@testable import RequestCollections

/// What strangers' collections have tried elsewhere, and what people do with their own.
@Suite struct TrustCaseTests {
    private func wants(_ collection: RequestCollection, environment: String? = nil, of id: String? = nil) -> [String] {
        collection.wants(of: collection.requests.filter { id == nil || $0.id.rawValue == id }, environment: environment)
            .map { "\($0.want.kind) \($0.want.subject)" }
    }

    private static func shop(_ request: String) -> String { "turnstone: 1\nrequests:\n  x: \(request)\n" }

    // MARK: What changes

    @Test func `a comment, an order and another text are no reason to ask`() throws {
        let text = """
            turnstone: 1
            variables: { token: { secret: { env: TOKEN } } }
            requests:
              a: { get: "https://api.test/a", headers: { x-key: "{{token}}" } }
            """
        let other = """
            # A comment.
            turnstone: 1
            requests:
              b: { get: "https://other.test/b" }
              a: { get: "https://api.test/other", headers: { x-else: "1", x-key: "{{token}}" } }
            variables: { token: { secret: { env: TOKEN } } }
            """
        let folder = try TrustFolder(["shop": text])
        let store = TrustStore(directory: "\(folder.path)/trust")
        let before = try folder.collection()
        TrustKeeper(store: store).allow(before.wants(of: before.requests, environment: nil), of: before, isKept: true)
        try folder.write(other, to: "shop")
        let after = try folder.collection()
        #expect(wants(after).count == 2)
        #expect(TrustKeeper(store: store).review(after.wants(of: after.requests, environment: nil), of: after).isEmpty)
    }

    /// U+037E, the Greek question mark, is equal to a semicolon for Swift, and no sign of a shell; and of the pattern of a time all stays.
    @Test(arguments: [
        ("command('sh', '-c', 'echo hi\u{37E} touch x')", "command('sh', '-c', 'echo hi; touch x')"),
        ("command('sh', '-c', now('echo %Y'))", "command('sh', '-c', now('touch x; echo %Y'))"),
        ("file('/etc/caf\u{E9}')", "file('/etc/cafe\u{301}')"),
    ])
    func `one who has allowed something has allowed nothing that only looks like it`(allowed: String, wanted: String) throws {
        func text(_ template: String) -> String { Self.shop("{ get: \"http://127.0.0.1/{{\(template)}}\" }") }
        let folder = try TrustFolder(["shop": text(allowed)])
        let store = TrustStore(directory: "\(folder.path)/trust")
        let before = try folder.collection()
        TrustKeeper(store: store).allow(before.wants(of: before.requests, environment: nil), of: before, isKept: true)
        try folder.write(text(wanted), to: "shop")
        let after = try folder.collection()
        let wants = after.wants(of: after.requests, environment: nil)
        #expect(wants.count == 1)
        let keeper = TrustKeeper(store: store)
        #expect(keeper.trust(in: after).open(wants).count == 1)
        #expect(keeper.review(wants, of: after).rows.count == 1)
        func hash(_ collection: RequestCollection, _ wants: [NotedWant]) -> String {
            TrustHash.text(wants, of: collection, home: nil)
        }
        let both = before.wants(of: before.requests, environment: nil) + wants
        #expect(Set([hash(before, Array(both.prefix(1))), hash(after, wants), hash(after, both)]).count == 3)
    }

    /// A variable of the collection's file names a script beside it; a request in a directory names a script that is called the same.
    @Test func `two scripts of one name, in two directories, are two`() async throws {
        let folder = try TrustFolder([
            "shop/_collection.yaml": "turnstone: 1\nvariables: { v: \"{{file('x.sh')}}\" }\n",
            "shop/x.sh": "echo one", "shop/sub/x.sh": "echo two",
            "shop/sub/both.yaml": "get: \"http://127.0.0.1/{{command('sh', '-c', v, file('x.sh'))}}\"\n",
        ])
        let shop = try folder.collection()
        func wanted() throws -> CommandWant {
            guard case .run(let command)? = shop.wants(of: shop.requests, environment: nil).first?.want else {
                throw CocoaError(.featureUnsupported)
            }
            return command
        }
        let both = try wanted()
        #expect(both.files.map { String($0.dropLast(72)) }.sorted() == ["sub/x.sh", "x.sh"])
        let place = CollectionPlace(shop.path)
        #expect(CommandFiles.areUnchanged(both.files, of: place))
        try folder.write("rm -r x", to: "shop/x.sh")
        #expect(!CommandFiles.areUnchanged(both.files, of: place))
        #expect(try wanted() != both)
    }

    @Test func `one that is moved, copied, linked or somebody else's is another one`() throws {
        let folder = try TrustFolder([
            "shop/_collection.yaml": "turnstone: 1\n", "shop/a.yaml": "get: \"http://h.test/{{env('A')}}\"\n",
        ])
        let store = TrustStore(directory: "\(folder.path)/trust")
        let shop = try folder.collection()
        let wants = shop.wants(of: shop.requests, environment: nil)
        TrustKeeper(store: store).allow(wants, of: shop, isKept: true)
        func isAllowed(_ name: String) throws -> Bool {
            try TrustKeeper(store: store).trust(in: folder.collection(name)).open(wants).isEmpty
        }
        #expect(try isAllowed("shop"))
        // Through a link it is the same one.
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/shop")
        #expect(try isAllowed("link"))
        try FileManager.default.copyItem(atPath: "\(folder.path)/shop", toPath: "\(folder.path)/copy")
        #expect(try !isAllowed("copy"))
        // Where it was lies another user's now.
        let key = TrustKey(CollectionPlace(shop.path))
        #expect(store.grant(for: key).grant != nil)
        #expect(store.grant(for: TrustKey(root: key.root, owner: (key.owner ?? 0) + 1)).grant == nil)
        try FileManager.default.moveItem(atPath: "\(folder.path)/shop", toPath: "\(folder.path)/moved")
        #expect(try !isAllowed("moved"))
    }

    // MARK: Files

    @Test(
        arguments: [
            ".env", ".git/config", "sub/.hidden/key", "../outside", "sub/../../outside", "//etc/hostname", "/etc/hostname",
            "/proc/self/environ", "/dev/zero", "/dev/stdin",
        ])
    func `what isn't the collection's own is asked for, however it is written`(file: String) throws {
        let folder = try TrustFolder([
            "shop/_collection.yaml": "turnstone: 1\n", "shop/.env": "A=b", "shop/.git/config": "x", "shop/sub/.hidden/key": "k",
            "outside": "o", "shop/a.yaml": "post: http://h.test/\nbody: { file: \"\(file)\" }\n",
            "shop/b.yaml": "get: \"http://h.test/{{file('\(file)')}}\"\n",
        ])
        let shop = try folder.collection()
        for id in ["a", "b"] {
            let found = wants(shop, of: id)
            #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("read /") }, "\(id): \(found)")
        }
        for request in shop.requests {
            #expect(throws: ResolutionError.self) { try shop.resolve(request, environment: nil, with: TemplateEnvironment()) }
        }
    }

    @Test func `pipes, devices and huge files of a template are refused, not read`() throws {
        let folder = try TrustFolder(["shop/_collection.yaml": "turnstone: 1\n", "shop/huge": ""])
        mkfifo("\(folder.path)/shop/pipe", 0o600)
        // 10 GB without a byte of disk.
        #expect(truncate("\(folder.path)/shop/huge", 10 << 30) == 0)
        for file in ["pipe", "huge", "/dev/zero"] {
            try folder.write("get: \"http://h.test/{{file('\(file)')}}\"\n", to: "shop/a.yaml")
            let shop = try folder.collection()
            #expect(throws: ResolutionError.self, "\(file)") {
                try shop.resolve(shop.requests[0], environment: nil, with: TemplateEnvironment(trust: .everything))
            }
        }
    }

    @Test func `a single file owns nothing that lies beside it`() throws {
        let folder = try TrustFolder([
            "shop.yaml": Self.shop("{ post: http://h.test/, body: { file: notes.txt } }"), "notes.txt": "private",
        ])
        let shop = try folder.collection("shop.yaml")
        #expect(wants(shop) == ["read \(folder.path)/notes.txt"])
    }

    // MARK: Commands

    @Test func `a command is shown whole, and nothing in it moves the cursor`() throws {
        let long = String(repeating: "a", count: 4000)
        let text = Self.shop(#"{ get: "http://h.test/{{command('sh', '-c', 'x\e[2J\u202e\n', '\#(long)')}}" }"#)
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        let subject = try #require(wants(collection).first)
        #expect(subject.hasSuffix(long))
        #expect(subject.hasPrefix("run sh -c 'x"))
    }

    @Test func `what an alias or a merge key brings into a request is its own`() throws {
        let text = """
            turnstone: 1
            requests:
              a: &a { get: "http://h.test/", headers: &h { x-a: "{{command('one')}}" } }
              b: { get: "http://h.test/", headers: *h }
              c: { <<: *a, get: "http://h.test/c" }
            """
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        for id in ["a", "b", "c"] { #expect(wants(collection, of: id) == ["run one"], "\(id)") }
    }

    @Test func `an environment that isn't chosen wants nothing`() throws {
        let text = """
            turnstone: 1
            variables: { token: plain }
            environments:
              live: { token: { secret: { command: [pass, live] } } }
            requests:
              a: { get: "https://api.test/a", headers: { x-key: "{{token}}" } }
            """
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        #expect(wants(collection) == [])
        #expect(wants(collection, environment: "live") == ["run pass live", "send token → https://api.test"])
    }

    @Test func `a program in the collection's directory isn't found by its bare name`() async throws {
        let folder = try TrustFolder(["shop/_collection.yaml": "turnstone: 1\n", "shop/bin/sign": "#!/bin/sh\necho stranger\n"])
        chmod("\(folder.path)/shop/bin/sign", 0o755)
        let want = Want.run(CommandWant(["sign"]))
        let permit = try #require(Trust([want]).permit(want, in: CollectionPlace("\(folder.path)/shop")))
        for path in ["\(folder.path)/shop/bin:/usr/bin:/bin", ".:bin:/usr/bin:/bin", ":/usr/bin:/bin"] {
            let command = Command(["sign"], directory: "\(folder.path)/shop/bin", environment: ["PATH": path])
            await #expect(throws: CommandError.self, "\(path)") { try await command.run(permit) }
        }
    }

    // MARK: Secrets

    @Test func `a client's secret is for the token's server alone`() throws {
        let text = """
            turnstone: 1
            variables: { key: { secret: { env: KEY } } }
            requests:
              a:
                get: "https://api.test/a"
                auth: { oauth2: { grant: client-credentials, token-url: "https://auth.test/token", client-id: c, client-secret: "{{key}}" } }
            """
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        #expect(wants(collection).filter { $0.hasPrefix("send key") } == ["send key → https://auth.test"])
    }

    @Test func `another address for a secret's server is asked for, and so are certificates that nobody checks`() throws {
        let text = """
            turnstone: 1
            variables: { key: { secret: { env: KEY } } }
            defaults: { resolve: ["api.test:443:192.0.2.1"], tls: { verify: false } }
            requests:
              a: { get: "https://api.test/a", headers: { x-key: "{{key}}" } }
              plain: { get: "https://api.test/b" }
            """
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        #expect(
            wants(collection, of: "a") == [
                "env KEY", "send key → https://api.test by resolve api.test:443:192.0.2.1, tls.verify false",
            ])
        #expect(wants(collection, of: "plain") == [])
    }

    @Test func `a hop that a mock makes to another server carries no secret`() async throws {
        let text = """
            variables: { key: { secret: { command: [printf, s3cret] } } }
            requests:
              a:
                get: "https://api.test/a"
                headers: { x-shop: "{{key}}" }
                mock: { status: 302, headers: { location: "https://other.test/b" } }
            """
        let bench = try RunnerBench(text, mocks: true)
        _ = try await bench.run("a")
        #expect(bench.transport.requests.map { $0.url.absoluteString } == ["https://other.test/b"])
        #expect(bench.transport.requests.allSatisfy { $0.headers[HTTPField.Name("x-shop")!] == nil })
    }
}
