import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct RequestConvertibleTests {
    struct OnlyAURL: RequestConvertible, Hashable {
        var url: URL
    }

    struct Upload: RequestConvertible {
        var url: URL { URL(string: "http://a.test/files")! }
        var method: HTTPRequest.Method { .put }
        var headers: HTTPFields { [.contentType: "text/plain"] }
        var body: RequestBody { .data(Data("text".utf8)) }
    }

    let url = URL(string: "http://a.test/x")!

    @Test func `REQ-1 a type needs only a URL: it is a GET without fields and body`() {
        #expect(Request(OnlyAURL(url: url)) == Request(url: url, method: .get, headers: [:], body: .none))
    }

    @Test func `REQ-1 a type says what else it wants to be`() {
        #expect(
            Request(Upload())
                == Request(
                    url: URL(string: "http://a.test/files")!, method: .put, headers: [.contentType: "text/plain"],
                    body: .data(Data("text".utf8))))
    }

    @Test func `REQ-1 of several bodies the first one counts: bytes, a file, a stream`() {
        let bytes = Data("a".utf8)
        let stream = RequestBodyStream(isReplayable: false) { throw CancellationError() }
        #expect(RequestBody(data: bytes, file: "/f", stream: stream) == .data(bytes))
        #expect(RequestBody(data: nil, file: "/f", stream: stream) == .file(path: "/f"))
        #expect(RequestBody(data: nil, stream: stream) == .stream(stream))
        #expect(RequestBody(data: nil) == .none)
    }

    @Test func `REQ-1 an operation sends a custom request and gives it back`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        let operation = queue.enqueue(OnlyAURL(url: url))
        #expect(await operation.response.error == nil)
        #expect(transport.requests == [Request(url: url)])
        #expect(operation.source as? OnlyAURL == OnlyAURL(url: url))
        #expect(operation.originalRequest == Request(url: url))
        let plain = queue.enqueue(Request(url: url))
        #expect(plain.source as? Request == Request(url: url))
    }

    // MARK: Making

    @Test func `REQ-2 the usual methods have makers`() {
        let body = RequestBody.data(Data("b".utf8))
        let made: [Request] = [
            .get(url), .head(url), .delete(url), .post(url, body: .init(body)), .put(url, body: .file(path: "/f")),
            .patch(url, body: .init(body)),
        ]
        #expect(made.map(\.method.rawValue) == ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"])
        #expect(made.map(\.body) == [.none, .none, .none, body, .file(path: "/f"), body])
        #expect(made.allSatisfy { $0.url == url })
    }

    @Test func `REQ-2 fields are read, set and removed in any case`() {
        var request = Request.get(url, headers: [.accept: "text/plain"])
        #expect(request[header: "ACCEPT"] == "text/plain")
        request[header: "accept"] = "*/*"
        request[header: "X-Trace"] = "7"
        #expect(request.headers == [.accept: "*/*", HTTPField.Name("x-trace")!: "7"])
        request[header: "Accept"] = nil
        #expect(request.headers == [HTTPField.Name("X-Trace")!: "7"])
        request[header: "no name"] = "x"
        #expect(request[header: "no name"] == nil)
        #expect(throws: NetworkError.self) { try request.validate() }
    }

    @Test func `REQ-2 a copy never changes the original`() {
        let original = Request.get(url)
        var copy = original
        copy.method = .post
        copy[header: "a"] = "1"
        copy.body = .data(Data([1]))
        #expect(original == Request(url: url))
        #expect(copy != original)
    }

    @Test func `REQ-3 a request of HTTPTypes is one, too`() throws {
        let plain = HTTPRequest(
            method: .post, scheme: "https", authority: "a.test:81", path: "/p?q=1", headerFields: [.accept: "*/*"])
        let body = RequestBody.data(Data("b".utf8))
        #expect(
            try Request(plain, body: body)
                == Request(url: URL(string: "https://a.test:81/p?q=1")!, method: .post, headers: [.accept: "*/*"], body: body))
        let homeless = HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/")
        let error = #expect(throws: NetworkError.self) { try Request(homeless) }
        #expect(error?.code == .invalidURL)
    }

    // MARK: Methods

    @Test(arguments: ["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH"])
    func `REQ-4 the standard methods are read in any case, PATCH among them`(name: String) throws {
        for text in [name, name.lowercased(), name.capitalized] {
            let method = try #require(HTTPRequest.Method(written: text))
            #expect(method.rawValue == name)
            try Request(url: url, method: method).validate()
        }
    }

    @Test func `REQ-4 any other token is a method as it is written`() {
        #expect(HTTPRequest.Method(written: "Propfind")?.rawValue == "Propfind")
        #expect(HTTPRequest.Method(written: "two words") == nil)
        #expect(HTTPRequest.Method(written: "") == nil)
    }

    // MARK: Validation

    @Test func `REQ-5 a body is optional for every method, and GET may have one`() throws {
        for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch] {
            try Request(url: url, method: method).validate()
            try Request(url: url, method: method, body: .data(Data([1]))).validate()
            try Request(url: url, method: method, body: .file(path: "/f")).validate()
        }
    }

    @Test(arguments: ["a.test/x", "http://", "file:///etc/passwd", "ftp://a.test/"])
    func `REQ-5 a URL without scheme or host, or to a file, is 102`(text: String) {
        let error = #expect(throws: NetworkError.self) { try Request.get(URL(string: text)!).validate() }
        #expect(error?.code.rawValue == 102)
    }

    @Test func `REQ-6 a body goes with a download to a file, and 104 stays unused`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time) { _ in .respond(body: Data("kept".utf8)) }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        var configuration = RequestConfiguration()
        configuration.consumption = .file(directory: nil)
        let request = Request.post(url, body: .data(Data("sent".utf8)))
        let response = await queue.enqueue(request, configuration: configuration).response
        #expect(response.error == nil)
        guard case .file(let file)? = response.info?.body else { return #expect(Bool(false), "the body is no file") }
        #expect(try file.contents() == Data("kept".utf8))
    }

    // MARK: The life of a request

    @Test func `REQ-7 the original request stays, and the one under way can be looked at`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        let operation = queue.enqueue(.get("http://a.test/start"))
        let first = await transport.transfer(0)
        #expect(operation.currentRequest?.url.path == "/start")
        for step in Script.redirect(to: "/end").steps { first.send(step) }
        _ = await transport.transfer(1)
        #expect(operation.currentRequest?.url.path == "/end")
        #expect(operation.originalRequest.url.path == "/start")
        operation.cancel()
    }

    // MARK: Equality

    @Test func `REQ-8 requests are equal with names of fields in any case and in any order`() {
        var left = Request.get(url)
        left.headers = [HTTPField.Name("X-One")!: "1", HTTPField.Name("X-Two")!: "2"]
        var right = Request.get(url)
        right.headers = [HTTPField.Name("x-two")!: "2", HTTPField.Name("x-one")!: "1"]
        #expect(left == right)
        right[header: "x-two"] = "3"
        #expect(left != right)
    }

    @Test func `REQ-8 whole bodies are compared, also those beyond TNL's 1024 bytes`() {
        let long = Data(repeating: 7, count: 5000)
        var other = long
        other[4999] = 8
        #expect(Request.post(url, body: .data(long)) == Request.post(url, body: .data(long)))
        #expect(Request.post(url, body: .data(long)) != Request.post(url, body: .data(other)))
        #expect(Request.post(url, body: .file(path: "/a")) != Request.post(url, body: .file(path: "/b")))
        let stream = RequestBodyStream(isReplayable: false) { throw CancellationError() }
        #expect(Request.post(url, body: .stream(stream)) == Request.post(url, body: .stream(stream)))
    }
}
