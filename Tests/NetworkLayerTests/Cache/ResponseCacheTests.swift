import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// The cache seen through operations, with files. T-SES: the part about cache hits.
@Suite(.watchesEvents) struct ResponseCacheTests {
    let directory: TemporaryDirectory
    let time = ManualTimeSource()

    init() throws { directory = try TemporaryDirectory() }

    var path: String { directory.path + "/cache" }

    /// Runs requests one after the other, each with a new queue, over one cache directory.
    func run(
        _ request: Request, _ policy: CachePolicy = .useProtocol, cache: ResponseCache? = nil,
        _ script: @escaping @Sendable (TransferRequest) -> Script = { _ in
            .respond(headers: [.cacheControl: "max-age=60"], body: Data("hello".utf8))
        }
    ) async throws -> (response: Response, sent: [Request], story: [CacheOutcome]) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time, cache: cache ?? ResponseCache(directory: path)).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        var configuration = RequestConfiguration()
        configuration.cachePolicy = policy
        let operation = queue.enqueue(request, configuration: configuration)
        let response = await operation.response
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        let story = operation.events(from: 0).compactMap { if case .cache(let outcome) = $0.kind { outcome } else { nil } }
        return (response, transport.requests, story)
    }

    func text(_ response: Response) throws -> String {
        String(decoding: try response.info?.body.contents() ?? Data(), as: UTF8.self)
    }

    @Test func `T-SES network, then local cache, then reload, then dontLoad`() async throws {
        let get = Request.get("http://a.test/x")
        let refused = try await run(get, .dontLoad)
        #expect(refused.response.error?.code == .cannotLoadFromNetwork)
        #expect(refused.response.error?.code.rawValue == -2000)
        #expect(
            refused.response.error?.message
                == "There is no stored answer for http://a.test/x, and the request may not go out; use another cache policy than dontLoad."
        )
        let first = try await run(get)
        #expect(first.response.info?.source == .network)
        #expect(first.sent.count == 1 && first.story == [.miss])
        time.advance(by: .seconds(59))
        let second = try await run(get)
        #expect(second.response.info?.source == .cache)
        #expect(second.sent == [] && second.story == [.hit])
        #expect(try text(second.response) == "hello")
        #expect(second.response.info?.head.headers == [.cacheControl: "max-age=60", .age: "59"])
        #expect(second.response.metrics.attempts[0].isLocalCacheHit)
        #expect(second.response.metrics.attempts[0].bytes.responseBody == 0)
        #expect(second.response.metrics.attempts[0].bytes.decodedResponseBody == 5)
        let reloaded = try await run(get, .reloadIgnoringLocal)
        #expect(reloaded.response.info?.source == .network && reloaded.sent.count == 1)
        time.advance(by: .seconds(600))
        let stale = try await run(get, .dontLoad)
        #expect(stale.response.info?.source == .cache)
        #expect(try text(try await run(get, .returnCacheElseLoad).response) == "hello")
    }

    @Test func `T-SES two caches of one directory are one`() async throws {
        _ = try await run(.get("http://a.test/x"), cache: ResponseCache(directory: path))
        let again = try await run(.get("http://a.test/x#fragment"), cache: ResponseCache(directory: path))
        #expect(again.story == [.hit])
    }

    @Test func `rcp without a cache dontLoad fails, and everything else is loaded`() async throws {
        for policy in CachePolicy.allCases {
            let transport = ScriptedTransport(time: time) { _ in .respond(headers: [.cacheControl: "max-age=60"]) }
            let queue = try RequestOperationQueue(
                identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
            var configuration = RequestConfiguration()
            configuration.cachePolicy = policy
            for _ in 1...2 {
                let response = await queue.enqueue(.get("http://a.test/x"), configuration: configuration).response
                #expect(response.error?.code == (policy == .dontLoad ? .cannotLoadFromNetwork : nil))
            }
            #expect(transport.requests.count == (policy == .dontLoad ? 0 : 2))
        }
    }

    @Test func `rcp who bypasses the cache takes nothing from it and leaves nothing in it`() async throws {
        let get = Request.get("http://a.test/x")
        let first = try await run(get, .bypass)
        #expect(first.sent == [get] && first.story == [])
        #expect(ResponseCache(directory: path).count == 0)
        _ = try await run(get)
        #expect(try await run(get, .bypass).sent.count == 1)
        #expect(try await run(get).story == [.hit], "what is stored stays")
        _ = try await run(.post("http://a.test/x"), .bypass)
        #expect(try await run(get).story == [.miss], "and an unsafe request makes it old all the same")
    }

    @Test func `rcp a stale answer is asked about, and a 304 makes it good again`() async throws {
        let get = Request.get("http://a.test/x")
        let headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentType: "text/plain"]
        _ = try await run(get) { _ in .respond(headers: headers, body: Data("hello".utf8)) }
        time.advance(by: .seconds(100))
        let checked = try await run(get) { _ in
            .respond(status: .notModified, headers: [.cacheControl: "max-age=30", .eTag: "\"1\""])
        }
        #expect(checked.sent.map { $0.headers[.ifNoneMatch] } == ["\"1\""])
        #expect(checked.story == [.validating, .validated])
        #expect(checked.response.info?.source == .validatedCache)
        #expect(checked.response.info?.head.status == .ok)
        #expect(checked.response.info?.head.headers[.cacheControl] == "max-age=30")
        #expect(try text(checked.response) == "hello")
        #expect(checked.response.metrics.attempts[0].isLocalCacheHit)
        #expect(checked.response.metrics.attempts[0].request == get, "the validators are the cache's")
        time.advance(by: .seconds(29))
        #expect(try await run(get).story == [.hit])
        time.advance(by: .seconds(1))
        let changed = try await run(get) { _ in .respond(headers: [.cacheControl: "max-age=60"], body: Data("new".utf8)) }
        #expect(changed.story == [.validating, .changed])
        #expect(changed.response.info?.source == .network)
        let last = try await run(get)
        #expect(last.story == [.hit])
        #expect(try text(last.response) == "new")
    }

    @Test func `a redirect is stored and followed from the store`() async throws {
        let script: @Sendable (TransferRequest) -> Script = { request in
            request.request.url.path == "/x"
                ? .respond(status: .movedPermanently, headers: [.location: "/y"])
                : .respond(headers: [.cacheControl: "max-age=60"], body: Data("there".utf8))
        }
        _ = try await run(.get("http://a.test/x")) { script($0) }
        time.advance(by: .seconds(1))
        let again = try await run(.get("http://a.test/x"), .returnCacheElseLoad) { script($0) }
        #expect(again.sent == [] && again.story == [.hit, .hit])
        #expect(again.response.metrics.attempts.map(\.source) == [.cache, .cache])
        #expect(try text(again.response) == "there")
    }

    @Test func `an unsafe request that succeeds drops the answers of its URL`() async throws {
        _ = try await run(.get("http://a.test/x"))
        _ = try await run(.post("http://a.test/x")) { _ in .respond(status: .badRequest) }
        #expect(try await run(.get("http://a.test/x")).story == [.hit])
        _ = try await run(.post("http://a.test/x")) { _ in .respond(status: .created) }
        #expect(try await run(.get("http://a.test/x")).story == [.miss])
    }

    @Test func `answers that break off aren't stored`() async throws {
        _ = try await run(.get("http://a.test/x")) { _ in
            [
                .head(ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"])),
                .body(Data("hel".utf8), received: 3, expected: 5), .finished(TransferResult(error: .reset)),
            ]
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test func `no cookie is written down, and that of a 304 is told`() async throws {
        let get = Request.get("http://a.test/x")
        _ = try await run(get) { _ in .respond(headers: [.eTag: "\"1\"", .setCookie: "secret=1"], body: Data("hello".utf8)) }
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files.count == 2)
        for file in files {
            #expect(try !String(decoding: Data(contentsOf: URL(filePath: "\(path)/\(file)")), as: UTF8.self).contains("secret"))
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let checked = try await run(get) { _ in .respond(status: .notModified, headers: [.setCookie: "other=2"]) }
        #expect(checked.response.info?.head.headers[values: .setCookie] == ["other=2"])
    }

    @Test(arguments: ["json", "body"])
    func `a damaged file costs one answer, and no request`(ending: String) async throws {
        _ = try await run(.get("http://a.test/x"))
        _ = try await run(.get("http://a.test/y"))
        let before = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        let hash = try #require(before.first).prefix(32)
        for file in before where file.hasPrefix(hash) && file.hasSuffix(ending) {
            try Data("{damaged".utf8).write(to: URL(filePath: "\(path)/\(file)"))
        }
        var stories: [CacheOutcome] = []
        for url in ["http://a.test/x", "http://a.test/y"] {
            let (response, _, story) = try await run(.get(url))
            #expect(try text(response) == "hello")
            stories += story
        }
        #expect(Set(stories) == [.hit, .miss] && stories.count == 2)
        #expect(try await run(.get("http://a.test/x")).story == [.hit])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 4)
    }

    @Test func `LRU-1 TN-16 beyond its size the answers go that were not used for longest`() async throws {
        let cache = ResponseCache(directory: path, byteLimit: 40_000, countLimit: 3)
        let body = Data(count: 9_000)
        for name in ["a", "b", "c"] {
            _ = try await run(.get("http://a.test/\(name)"), cache: cache) { _ in
                .respond(headers: [.cacheControl: "max-age=60"], body: body)
            }
        }
        #expect(cache.count == 3)
        #expect(try await run(.get("http://a.test/a"), cache: cache).story == [.hit])
        _ = try await run(.get("http://a.test/d"), cache: cache) { _ in .respond(headers: [.cacheControl: "max-age=60"], body: body)
        }
        #expect(cache.count == 3)
        #expect(try await run(.get("http://a.test/b"), .dontLoad, cache: cache).response.error?.code == .cannotLoadFromNetwork)
        #expect(try await run(.get("http://a.test/a"), .dontLoad, cache: cache).story == [.hit])
        _ = try await run(.get("http://a.test/large"), cache: cache) { _ in
            .respond(headers: [.cacheControl: "max-age=60"], body: Data(count: 10_001))
        }
        #expect(
            try await run(.get("http://a.test/large"), .dontLoad, cache: cache).response.error != nil,
            "more than a quarter of the whole")
        #expect(cache.byteCount <= 40_000)
        cache.removeAll()
        #expect(cache.count == 0 && cache.byteCount == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test func `the answers of a URL can be forgotten`() async throws {
        let cache = ResponseCache(directory: path)
        for name in ["a", "b"] { _ = try await run(.get("http://a.test/\(name)"), cache: cache) }
        cache.remove(URL(string: "http://a.test/a")!)
        #expect(try await run(.get("http://a.test/a"), cache: cache).story == [.miss])
        #expect(try await run(.get("http://a.test/b"), cache: cache).story == [.hit])
        #expect(cache.problem == nil)
    }

    @Test func `a directory that can't be made stores nothing and harms nothing`() async throws {
        let file = try directory.file("taken", Data())
        let cache = ResponseCache(directory: file)
        for _ in 1...2 { #expect(try await run(.get("http://a.test/x"), cache: cache).response.info?.body.count == 5) }
        #expect(cache.count == 0)
        #expect(cache.problem != nil)
    }

    @Test func `a streamed body from the cache waits for its reader`() async throws {
        let body = Data(count: 3 << 20)
        _ = try await run(.get("http://a.test/x")) { _ in .respond(headers: [.cacheControl: "max-age=60"], body: body) }
        let client = NetworkClient(transport: ScriptedTransport(time: time), time: time, cache: ResponseCache(directory: path))
            .watched()
        var configuration = RequestConfiguration()
        configuration.consumption = .stream
        let operation = try RequestOperationQueue(identifier: "test", client: client)
            .enqueue(.get("http://a.test/x"), configuration: configuration)
        var count = 0
        for try await piece in operation.body { count += piece.count }
        #expect(count == body.count)
        #expect(await operation.response.info?.source == .cache)
    }

    @Test(arguments: [(89, false), (90, true)])
    func `CAN-3 a transfer cancelled near its end goes on for the cache`(percent: Int, goesOn: Bool) async throws {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time, cache: ResponseCache(directory: path)).watched()
        let operation = try RequestOperationQueue(identifier: "test", client: client).enqueue(.get("http://a.test/x"))
        let transfer = transport.transfers[0]
        transfer.sendHead(headers: [.cacheControl: "max-age=60"])
        transfer.sendBody(Data(count: percent), expected: 100)
        operation.cancel()
        #expect(operation.state == .cancelled)
        #expect(transfer.isCancelled != goesOn)
        if goesOn {
            transfer.sendBody(Data(count: 100 - percent), expected: 100)
            transfer.finish()
        }
        let again = try await run(.get("http://a.test/x"), .dontLoad)
        #expect(again.response.info?.body.count == (goesOn ? 100 : nil))
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `CAN-3 one that takes too long is cut off`() throws {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time, cache: ResponseCache(directory: path)).watched()
        let operation = try RequestOperationQueue(identifier: "test", client: client).enqueue(.get("http://a.test/x"))
        let transfer = transport.transfers[0]
        transfer.sendHead(headers: [.cacheControl: "max-age=60"])
        transfer.sendBody(Data(count: 95), expected: 100)
        operation.cancel()
        time.advance(by: .seconds(10))
        #expect(transfer.isCancelled)
    }
}
