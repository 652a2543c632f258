import Foundation
import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

@testable import CollectionRunner
@testable import RequestCollections

@Suite struct TrustTests {
    /// Gives one answer, and remembers what it was asked.
    private final class Asker: TrustAsker {
        let answer: TrustAnswer
        let reviews = Mutex<[TrustReview]>([])

        init(_ answer: TrustAnswer) { self.answer = answer }

        func ask(about review: TrustReview) async -> TrustAnswer {
            reviews.withLock { $0.append(review) }
            return answer
        }

        /// Each row as `new run printf x`.
        var asked: [[String]] {
            reviews.withLock { $0.map { $0.rows.map { "\($0.mark) \($0.noted.want.kind) \($0.noted.want.subject)" } } }
        }
    }

    private static let shop = """
        variables:
          host: https://api.test
          password: { secret: { command: [printf, s3cret] } }
        requests:
          plain: { get: "{{host}}/plain" }
          login: { post: "{{host}}/login", body: { json: { password: "{{password}}" } } }
          orders: { get: "{{host}}/orders", needs: login }
        """

    private func wants(_ text: String, _ id: String, environment: String? = nil) throws -> [String] {
        let bench = try RunnerBench(text)
        let job = try bench.job(id, environment: environment)
        return bench.collection.wants(of: [job.definition], environment: environment).map { "\($0.want.kind) \($0.want.subject)" }
    }

    @Test func `without a word nothing is run, read or sent`() async throws {
        let bench = try RunnerBench(Self.shop, trust: .closed)
        let result = try await bench.run("login")
        #expect(result.failure?.reason == .resolution(.notAllowed))
        #expect(result.failure?.message.hasPrefix("it wants what isn't allowed: run printf s3cret") == true)
        #expect(bench.sent == [])
        _ = try await bench.run("plain")
        #expect(bench.sent == ["GET /plain"])
    }

    @Test func `what a request needs is wanted with it`() throws {
        #expect(try wants(Self.shop, "plain") == [])
        #expect(try wants(Self.shop, "orders") == ["run printf s3cret", "send password → https://api.test"])
    }

    @Test(
        arguments: [
            ("{ get: http://h.test/, query: { a: \"{{command('touch', 'x')}}\" } }", ["run touch x"]),
            ("{ get: http://h.test/, query: { a: \"{{env('HOME')}}\" } }", ["env HOME"]),
            ("{ get: http://h.test/, expect: { body: { \"!touch x\": exists } } }", ["run sh -c 'touch x'"]),
            ("{ get: http://h.test/, query: { a: \"{{response('a', '!touch x')}}\" } }", ["run sh -c 'touch x'"]),
            ("{ get: http://h.test/, hydrate: [sign, it] }", ["run sign it"]),
            ("{ get: http://h.test/, query: { a: \"{{file('/proc/self/environ')}}\" } }", ["read /proc/"]),
            ("{ post: http://h.test/, body: { file: /etc/hostname } }", ["read /etc/hostname"]),
            ("{ post: http://h.test/, body: { multipart: { a: { file: /etc/hostname } } } }", ["read /etc/hostname"]),
            ("{ get: http://h.test/, tls: { certificate: /etc/hostname } }", ["read /etc/hostname"]),
            ("{ get: http://h.test/, auth: netrc }", ["send netrc → http://h.test"]),
            ("{ get: http://h.test/, cookie-jar: work }", ["send cookie jar work → http://h.test"]),
            ("{ get: http://h.test/, query: { a: \"{{env('A') | default(command('b'))}}\" } }", ["env A"]),
            (
                "{ get: http://h.test/, query: { a: \"{{command('sh', '-c', file('x.sh'))}}\" } }",
                ["read ", "run sh -c '‹file x.sh›'"]
            ),
            ("{ get: http://h.test/, query: { a: \"{{command('echo', uuid())}}\" } }", ["run echo ‹uuid›"]),
            (
                "{ get: http://h.test/, query: { a: \"{{command('echo', response('a', '.b'))}}\" } }",
                ["run echo '‹response .b a›'"]
            ),
        ])
    func `every door is a want`(request: String, expected: [String]) throws {
        let found = try wants("requests:\n  a: { get: http://h.test/ }\n  x: \(request)", "x")
        #expect(found.count >= expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }

    @Test func `a server never says which program is run`() async throws {
        let bench = try RunnerBench(
            "requests:\n  a: { get: http://h.test/a }\n  x: { get: http://h.test/x, query: { q: \"{{command(response('a', '.b'))}}\" } }"
        ) { _ in .json(#"{"b":"touch"}"#) }
        let result = try await bench.run("x")
        #expect(result.failure?.reason == .resolution(.notAllowed))
        #expect(result.failure?.message == "a server's answer would say which program is run; only its arguments may come from one")
    }

    @Test func `a yes is remembered, and only what is new is asked`() async throws {
        let folder = try TrustFolder()
        let asker = Asker(.these)
        func keeper() -> TrustKeeper { TrustKeeper(store: TrustStore(directory: folder.path), asker: asker) }
        let bench = try RunnerBench(Self.shop, trust: keeper())
        _ = try await bench.run("login")
        _ = try await bench.run("login")
        #expect(bench.sent == ["POST /login", "POST /login"])
        #expect(asker.asked == [["new run printf s3cret", "new send password → https://api.test"]])
        // The same place, read anew, with another server for the secret.
        let changed = Self.shop.replacing("https://api.test", with: "https://api.tesst")
        try Data("turnstone: 1\n\(changed)".utf8).write(to: URL(filePath: bench.collection.path))
        let collection = try RequestCollection.load(path: bench.collection.path)
        let wants = collection.wants(of: collection.requests, environment: nil)
        let review = keeper().review(wants, of: collection)
        #expect(review.rows.map(\.state) == [.changed(was: "https://api.test")])
        #expect(review.changedHosts == ["api.tesst"])
    }

    @Test func `a no sends nothing, and never is for good`() async throws {
        let folder = try TrustFolder()
        let refused = try RunnerBench(
            Self.shop, trust: TrustKeeper(store: TrustStore(directory: folder.path), asker: Asker(.refuse)))
        _ = try await refused.run("login")
        #expect(refused.sent == [])
        let store = TrustStore(directory: folder.path)
        let bench = try RunnerBench(Self.shop, trust: TrustKeeper(store: store, asker: Asker(.never)))
        _ = try await bench.run("login")
        #expect(store.all().grants.map(\.isNever) == [true])
        let again = Asker(.these)
        let keeper = TrustKeeper(store: store, asker: again)
        #expect(
            await keeper.ask(for: bench.collection.wants(of: bench.collection.requests, environment: nil), of: bench.collection)
                == nil)
        #expect(again.asked == [])
    }

    @Test func `a script that has changed is another one`() async throws {
        let folder = try TrustFolder()
        let sign = "#!/bin/sh\necho one\n"
        try Data(sign.utf8).write(to: URL(filePath: "\(folder.path)/sign.sh"))
        try folder.write("get: http://h.test/\nhydrate: [sh, ./sign.sh]\n", to: "a.yaml")
        try folder.write("turnstone: 1\n", to: "_collection.yaml")
        let collection = try RequestCollection.load(path: folder.path)
        let before = collection.wants(of: collection.requests, environment: nil)
        #expect(before.count == 1)
        try folder.write("#!/bin/sh\necho two\n", to: "sign.sh")
        let after = collection.wants(of: collection.requests, environment: nil)
        #expect(before.map(\.want) != after.map(\.want))
        // What was allowed before isn't run now.
        let permit = try #require(Trust(Set(before.map(\.want))).permit(before[0].want, in: CollectionPlace(folder.path)))
        let command = Command(["sh", "./sign.sh"], directory: folder.path, environment: ["PATH": "/usr/bin:/bin"])
        await #expect(throws: CommandError(.changed)) { try await command.run(permit) }
    }

    /// It was another command as soon as it had run: its first run after the consent ended with 27.
    @Test func `a command that makes and changes a file which it names is asked for once`() async throws {
        let asker = Asker(.once)
        let text = """
            variables:
              token: { secret: { command: [sh, -c, "test -f token.json || echo s3cret | tee token.json; cat token.json"] } }
            requests:
              a:
                get: https://api.test/a
                headers: { x-token: "{{token}}" }
                hydrate: [sh, -c, "date +%s%N | tee stamp 1>&2"]
            """
        let bench = try RunnerBench(text, trust: TrustKeeper(store: TrustStore(directory: nil), asker: asker))
        for _ in 0..<3 { #expect(try await bench.run("a").failure == nil) }
        #expect(bench.sent == ["GET /a", "GET /a", "GET /a"])
        #expect(asker.asked.count == 1)
        // What somebody else makes of it is asked for.
        let stamp = URL(filePath: bench.collection.path).deletingLastPathComponent().appending(path: "stamp")
        try Data("another".utf8).write(to: stamp)
        _ = try await bench.run("a")
        #expect(asker.asked.count == 2)
    }

    @Test func `a collection's own files are free, and what a link leads to isn't`() throws {
        let folder = try TrustFolder()
        let outside = try TrustFolder()
        for name in ["own.txt", ".hidden"] { try folder.write("x", to: "\(name)") }
        try outside.write("x", to: "key")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "\(outside.path)/key")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/dir", withDestinationPath: outside.path)
        try folder.write("turnstone: 1\n", to: "_collection.yaml")
        for (file, isFree) in [
            ("own.txt", true), (".hidden", false), ("link", false), ("dir/key", false), ("../x/key", false),
            ("own.txt/../own.txt", false),
        ] {
            try folder.write("post: http://h.test/\nbody: { file: \(file) }\n", to: "a.yaml")
            let collection = try RequestCollection.load(path: folder.path)
            let wants = collection.wants(of: collection.requests, environment: nil)
            if file == "own.txt/../own.txt" { continue }
            #expect(wants.isEmpty == isFree, "\(file): \(wants.map(\.want.subject))")
        }
    }

    @Test func `a file with another name elsewhere isn't the collection's, and what takes its place isn't read`() throws {
        let folder = try TrustFolder()
        let outside = try TrustFolder()
        try outside.write("s3cret", to: "key")
        try folder.write("own", to: "own.txt")
        try FileManager.default.linkItem(atPath: "\(outside.path)/key", toPath: "\(folder.path)/linked.txt")
        mkfifo("\(folder.path)/pipe", 0o600)
        try folder.write("turnstone: 1\n", to: "_collection.yaml")
        func request(_ file: String) throws -> RequestCollection {
            let text = "get: http://h.test/\nquery: { a: \"{{file('\(file)')}}\" }\n"
            try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/a.yaml"))
            return try RequestCollection.load(path: folder.path)
        }
        func sent(_ file: String) throws -> String? {
            let collection = try request(file)
            return try collection.resolve(collection.requests[0], environment: nil, with: TemplateEnvironment()).request.url.query()
        }
        #expect(try sent("own.txt") == "a=own")
        let linked = try request("linked.txt")
        #expect(
            linked.wants(of: linked.requests, environment: nil).map { "\($0.want.kind) \($0.want.subject)" }
                == ["read \(folder.path)/linked.txt"])
        #expect(throws: ResolutionError.self) { try sent("linked.txt") }
        #expect(throws: ResolutionError.self) { try sent("pipe") }
        // Judged as its own, and another one when it is opened.
        let place = CollectionPlace(folder.path)
        let own = try #require(PermittedFile(ownOf: place, "\(folder.path)/own.txt", named: "own.txt"))
        try FileManager.default.removeItem(atPath: "\(folder.path)/own.txt")
        for replace in [
            FileManager.default.linkItem(atPath:toPath:),
            { try FileManager.default.createSymbolicLink(atPath: $1, withDestinationPath: $0) },
        ] {
            try? FileManager.default.removeItem(atPath: "\(folder.path)/own.txt")
            try replace("\(outside.path)/key", "\(folder.path)/own.txt")
            #expect(throws: CollectionFileError.self) { try own.read(limit: 100) }
        }
    }

    @Test func `what a link makes a request of a stranger's is asked for`() async throws {
        let root = try TrustFolder()
        // In one repository: elsewhere a link isn't followed at all.
        let (shop, elsewhere) = ("\(root.path)/shop", "\(root.path)/elsewhere")
        for name in ["shop", "elsewhere", ".git"] {
            try FileManager.default.createDirectory(atPath: "\(root.path)/\(name)", withIntermediateDirectories: true)
        }
        try Data("post: http://h.test/\nbody: { json: { password: s3cret } }\n".utf8)
            .write(to: URL(filePath: "\(elsewhere)/login.yaml"))
        try Data("turnstone: 1\ndefaults: { proxy: \"http://evil.test\" }\n".utf8)
            .write(to: URL(filePath: "\(shop)/_collection.yaml"))
        try FileManager.default.createSymbolicLink(atPath: "\(shop)/stolen", withDestinationPath: elsewhere)
        try Data("get: http://h.test/\n".utf8).write(to: URL(filePath: "\(shop)/own.yaml"))
        let collection = try RequestCollection.load(path: shop)
        let wants = collection.wants(of: collection.requests, environment: nil)
        #expect(
            wants.map { "\($0.want.kind) \($0.want.subject)" } == ["read \(elsewhere)"])
        let stolen = try #require(collection.requests.first { $0.id.rawValue == "stolen/login" })
        #expect(throws: ResolutionError.self) { try collection.resolve(stolen, environment: nil, with: TemplateEnvironment()) }
    }

    @Test func `PATH holds no directory of the collection`() {
        #expect(ProgramSearch.path(".:/usr/bin::bin:/tmp", outside: "/tmp") == "/usr/bin")
    }

    @Test func `a want has no password of a proxy in it`() throws {
        let bench = try RunnerBench(
            """
            variables: { pw: { secret: { env: PW } } }
            requests: { a: { get: "http://127.0.0.1/", proxy: "http://u:{{pw}}@p.test:1" } }
            """)
        let request = try bench.job("a").definition
        var sources = TemplateEnvironment(trust: .everything)
        sources.answers[.secret(.environment("PW"))] = TemplateAnswer(.string("hunter2"))
        let wants = try bench.collection.resolve(request, environment: nil, with: sources).wants
        #expect(wants.map(\.want.subject).contains("pw → http://p.test:1"))
        // What is found out beforehand is what is wanted in the end.
        #expect(Set(wants.map(\.want)).isSubset(of: bench.collection.wants(of: [request], environment: nil).map(\.want)))
    }

    @Test func `the program's own demo asks nothing, and a changed one does`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let demo = try RequestCollection.load(path: root.appending(path: "Collections/demo").path)
        let servers = ["http://127.0.0.1:4001", "http://127.0.0.1:4002"]
        let wants = TrustHash.wants(of: demo, variables: ["host": .string(servers[0]), "other": .string(servers[1])])
        #expect(!wants.isEmpty)
        #expect(DemoTrust.trust(servers: servers).open(wants).map { "\($0.want.kind) \($0.want.subject)" } == [])
        #expect(!DemoTrust.trust(servers: servers).allows(.run(CommandWant(["printf", "another"]))))
    }

    // MARK: What is kept

    @Test func `a grant that others may have written says nothing`() throws {
        let folder = try TrustFolder()
        let store = TrustStore(directory: folder.path)
        let key = TrustKey(root: "/shop", owner: 7)
        let want = Want.env(name: "HOME")
        try store.change(key) { _ in TrustGrant(key, granted: Date(), allowed: [want: "x"]) }
        let path = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".json") })
        let file = "\(folder.path)/\(path)"
        #expect(store.grant(for: key).grant?.allowed == [want: "x"])
        chmod(file, 0o666)
        #expect(store.grant(for: key).grant == nil)
        #expect(store.grant(for: key).problem?.contains("may be written by others") == true)
        chmod(file, 0o600)
        if geteuid() == 0 {
            chown(file, 12345, 12345)
            #expect(store.grant(for: key).problem?.contains("belongs to another user") == true)
            chown(file, 0, 0)
        }
        for (text, problem) in [("{\"version\": 2}", "is of version 2"), ("{\"version\": 1, \"ro", "isn't whole")] {
            try Data(text.utf8).write(to: URL(filePath: file))
            #expect(store.grant(for: key).grant == nil)
            #expect(store.grant(for: key).problem?.contains(problem) == true)
        }
    }

    @Test(arguments: [
        #"{"kind":"teleport","to":["mars"]}"#, #"{"kind":"env","name":["A"],"use":"text"}"#, #"{"name":"A"}"#, "7", "null", "[]",
        #"{"kind":"env","name":"A","use":"unheard-of"}"#,
    ])
    func `a want that nobody knows takes no other one with it`(record: String) throws {
        let folder = try TrustFolder()
        let store = TrustStore(directory: folder.path)
        let key = TrustKey(root: "/shop", owner: 7)
        let want = Want.env(name: "HOME")
        try store.change(key) { _ in TrustGrant(key, granted: Date(), allowed: [want: "x"]) }
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".json") })
        let file = "\(folder.path)/\(name)"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing("\"allow\" : [", with: "\"allow\" : [\(record),").utf8).write(to: URL(filePath: file))
        chmod(file, 0o600)
        #expect(store.grant(for: key).problem == nil)
        #expect(store.grant(for: key).grant?.allowed == [want: "x"])
    }

    @Test func `two who allow two things at once both keep them`() async throws {
        let folder = try TrustFolder()
        let key = TrustKey(root: "/shop", owner: 7)
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let store = TrustStore(directory: folder.path)
                    try? store.change(key) { grant in
                        var grant = grant ?? TrustGrant(key, granted: Date())
                        grant.allowed[.env(name: "V\(number)")] = ""
                        return grant
                    }
                }
            }
        }
        #expect(TrustStore(directory: folder.path).grant(for: key).grant?.allowed.count == 20)
    }

    @Test func `a worktree shares with its main checkout, and a forged one doesn't`() throws {
        let folder = try TrustFolder()
        let main = "\(folder.path)/main"
        let tree = "\(folder.path)/tree"
        let forged = "\(folder.path)/forged"
        for path in ["\(main)/.git/worktrees/w", tree, forged] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for path in [tree, forged] {
            try Data("gitdir: \(main)/.git/worktrees/w\n".utf8).write(to: URL(filePath: "\(path)/.git"))
        }
        try Data("\(tree)/.git\n".utf8).write(to: URL(filePath: "\(main)/.git/worktrees/w/gitdir"))
        #expect(GitWorktree.mainPlace(of: tree) == main)
        #expect(GitWorktree.mainPlace(of: forged) == nil)
    }
}

/// A directory that goes away with its owner.
final class TrustFolder: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = RealPath.of(FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func collection(_ name: String = "shop") throws -> RequestCollection { try RequestCollection.load(path: "\(path)/\(name)") }
}
