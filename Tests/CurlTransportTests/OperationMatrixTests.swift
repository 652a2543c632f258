import CurlTransport
import DemoServer
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

/// T-OPS: TNL's 17 uploads and downloads against a real server, over methods, kinds of bodies and consumption. TNL's rule that a
/// request with a body can't be saved to a file (208) has no counterpart: ours can.
@Suite struct OperationMatrixTests {
    static let text = String(repeating: "body ", count: 40_000)

    enum BodyKind: String, CaseIterable { case none, data, stream, file }

    struct Case: CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var body: BodyKind
        var isSaved: Bool

        var testDescription: String { "\(method) \(body.rawValue) \(isSaved ? "to a file" : "to memory")" }
    }

    static let uploads = [HTTPRequest.Method.post, .put].flatMap { method in
        BodyKind.allCases.flatMap { body in [false, true].map { Case(method: method, body: body, isSaved: $0) } }
    }

    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func run(_ request: Request, isSaved: Bool) async throws -> (json: String, sent: String, body: ResponseBody) {
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: CurlTransport()))
        var configuration = RequestConfiguration()
        configuration.consumption = isSaved ? .file(directory: directory.path) : .memory(spillOver: 1 << 20)
        let operation = queue.enqueue(request, configuration: configuration)
        let response = try await operation.successfulResponse()
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        let info = try #require(response.info)
        #expect(info.source == .network)
        return (String(decoding: try info.body.contents(), as: UTF8.self), response.metrics.attempts[0].sentHead ?? "", info.body)
    }

    @Test(arguments: uploads)
    func `T-OPS data and files say their length, streams go in chunks; every byte arrives`(_ test: Case) async throws {
        let server = try await DemoServer()
        let bytes = Data(Self.text.utf8)
        let body: RequestBody =
            switch test.body {
            case .none: .none
            case .data: .data(bytes)
            case .file: .file(path: try directory.write("body", bytes))
            case .stream: .stream(RequestBodyStream(Self.pieces(of: bytes)))
            }
        let url = try #require(URL(string: server.baseURL + "/upload"))
        let (json, sent, saved) = try await run(Request(url: url, method: test.method, body: body), isSaved: test.isSaved)
        let count = test.body == .none ? 0 : bytes.count
        var digest = BodyDigest(.sha256)
        digest.update(test.body == .none ? Data() : bytes)
        #expect(json.contains("\"bytes\": \(count)") || json.contains("\"bytes\":\(count)"))
        #expect(json.contains(digest.hash.hexadecimal))
        #expect(sent.hasPrefix("\(test.method.rawValue) /upload HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nContent-Length: \(count)\r\n") == (test.body != .stream))
        #expect(sent.contains("\r\nTransfer-Encoding: chunked\r\n") == (test.body == .stream))
        try check(saved, isSaved: test.isSaved)
    }

    @Test(arguments: [HTTPRequest.Method.get, .delete])
    func `T-OPS GET and DELETE, to memory and to a file that can be moved`(method: HTTPRequest.Method) async throws {
        let server = try await DemoServer()
        let url = try #require(URL(string: server.baseURL + "/anything/x"))
        for isSaved in [false, true] {
            let (json, sent, saved) = try await run(Request(url: url, method: method), isSaved: isSaved)
            #expect(json.contains(method.rawValue))
            #expect(!sent.contains("Content-Length") && !sent.contains("Transfer-Encoding"))
            try check(saved, isSaved: isSaved)
        }
    }

    /// CON-2: the file is there when the operation is over, and is moved once.
    private func check(_ body: ResponseBody, isSaved: Bool) throws {
        guard case .file(let file) = body else { return #expect(!isSaved) }
        #expect(isSaved)
        let destination = directory.path + "/kept-\(file.count)-\(ObjectIdentifier(file).hashValue)"
        try file.move(to: destination)
        #expect(try Data(contentsOf: URL(filePath: destination)).count == file.count)
        #expect(throws: NetworkError.self) { try file.move(to: destination + "2") }
    }

    private static func pieces(of bytes: Data) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: bytes.count, by: 30_000) {
                continuation.yield(bytes[start..<min(start + 30_000, bytes.count)])
            }
            continuation.finish()
        }
    }

    @Test func `TN-13 a form with a file arrives whole, with its progress`() async throws {
        let server = try await DemoServer()
        var form = MultipartBody(boundary: "b")
        form.append("title", "A walk")
        try form.append("file", file: try directory.write("large.txt", Data(Self.text.utf8)))
        let url = try #require(URL(string: server.baseURL + "/upload"))
        let request = Request(url: url, method: .post, headers: [.contentType: form.contentType], body: form.body)
        let (json, sent, _) = try await run(request, isSaved: false)
        #expect(json.contains("\"bytes\": \(form.length)") || json.contains("\"bytes\":\(form.length)"))
        #expect(sent.contains("\r\nContent-Length: \(form.length)\r\n"))
        #expect(sent.contains("\r\nContent-Type: multipart/form-data; boundary=b\r\n"))
    }

    @Test func `ckiplcy a cookie that is set comes back with the redirect, over a real wire`() async throws {
        let server = try await DemoServer()
        let jars = CookieJars()
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: CurlTransport(), cookies: jars))
        var configuration = RequestConfiguration()
        configuration.cookies = .on
        let request = Request(url: try #require(URL(string: server.baseURL + "/cookies/set?flavour=oat&then=/cookies")))
        let response = try await queue.enqueue(request, configuration: configuration).successfulResponse()
        #expect(response.metrics.attempts.map { $0.sentHead?.contains("\r\nCookie: flavour=oat\r\n") } == [false, true])
        #expect(jars["default"].cookies.map { "\($0.name)=\($0.value)" } == ["flavour=oat"])
    }
}
