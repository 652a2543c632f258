import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

struct `A request is checked before anything is sent` {
    private func plan(
        _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none
    ) throws -> RequestPlan {
        try RequestPlan(
            TransferRequest(request: Request(url: try #require(URL(string: url)), method: method, headers: headers, body: body)))
    }

    private func error(_ work: () throws -> RequestPlan) -> NetworkError? {
        do {
            _ = try work()
            return nil
        } catch {
            return error as? NetworkError
        }
    }

    @Test func `HTTPTypes turns line ends into spaces, so no field can begin another`() throws {
        let fields: HTTPFields = [.init("X")!: "a\r\nInjected: yes\u{0}"]
        #expect(try plan("http://h/", headers: fields).headerLines.last == "X: a  Injected: yes")
    }

    @Test(arguments: ["ftp://h/", "h/path", "mailto:a@b", "http:///path", "http://?q"])
    func `only http and https with a host are sent`(url: String) throws {
        let error = try #require(error { try plan(url) })
        #expect(error.code == .invalidURL)
        #expect(error.phase == .preparation)
    }

    @Test func `a Content-Length that isn't true is refused`() {
        let error = error { try plan("http://h/", method: .post, headers: [.contentLength: "7"], body: .data(Data("abc".utf8))) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == "Content-Length says 7, but the body has 3 bytes. Leave the field out: it is added.")
    }

    @Test func `a Content-Length gives a stream its length`() throws {
        let stream = RequestBodyStream(isReplayable: false) { throw CancellationError() }
        let plan = try plan("http://h/", method: .post, headers: [.contentLength: "7"], body: .stream(stream))
        #expect(plan.body == .pieces(length: 7))
        #expect(plan.headerLines.suffix(2) == ["Content-Type:", "Expect:"])
    }

    @Test func `a file that isn't there is an error of the body`() {
        let error = error { try plan("http://h/", method: .post, body: .file(path: "/nowhere/at-all")) }
        #expect(error?.code == .bodyReadFailed)
        #expect(error?.message == "The body's file /nowhere/at-all can't be opened: No such file or directory.")
        #expect(error?.systemErrno == ENOENT)
    }

    @Test func `a directory is no body`() {
        let error = error { try plan("http://h/", method: .post, body: .file(path: "/")) }
        #expect(error?.message == "/ isn't a file, so it has no bytes to send. Name a file.")
    }

    @Test func `HEAD carries no body`() {
        #expect(error { try plan("http://h/", method: .head, body: .data(Data("a".utf8))) }?.code == .unsupported)
    }

    @Test func `the transport reports a bad request as its end`() async throws {
        let url = try #require(URL(string: "ftp://h/"))
        let recording = await CurlTransport().perform(TransferRequest(request: Request(url: url)))
        #expect(recording.story == ["finished"])
        #expect(recording.error?.message == "“ftp” is no scheme that can be sent. Use http or https.")
    }
}

struct `What goes over the wire` {
    private let transport = CurlTransport(userAgent: "tests/1")

    /// The request's head as the server got it, and as the events tell it: they must be the same.
    private func sent(
        method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        _ configure: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> [String] {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 204 Fine\r\n\r\n"), .readToEnd]])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a/../b%20c?d=e#fragment"))
        var request = TransferRequest(request: Request(url: url, method: method, headers: headers, body: body))
        configure(&request.options)
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        let wire = String(decoding: server.received(by: 0), as: UTF8.self)
        #expect(recording.sentHead == wire)
        return wire.replacing(":\(server.port)", with: ":PORT").split(separator: "\r\n").map(String.init)
    }

    @Test func `a GET has few fields of our own`() async throws {
        #expect(
            try await sent() == [
                "GET /a/../b%20c?d=e HTTP/1.1", "Host: 127.0.0.1:PORT", "User-Agent: tests/1", "Accept: */*",
                "Accept-Encoding: deflate, gzip, br, zstd",
            ])
    }

    @Test func `the request's fields take the place of ours, in their order`() async throws {
        let headers: HTTPFields = [
            .userAgent: "mine", .accept: "text/html", .init("X-Empty")!: "", .init("Host")!: "elsewhere.example",
            .init("X-Twice")!: "1", .init("x-twice")!: "2",
        ]
        #expect(
            try await sent(headers: headers) { $0.acceptsCompression = false } == [
                "GET /a/../b%20c?d=e HTTP/1.1", "Host: elsewhere.example", "User-Agent: mine", "Accept: text/html", "X-Empty:",
                "X-Twice: 1", "x-twice: 2",
            ])
    }

    @Test func `without a name of its own the transport sends no User-Agent`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 204 Fine\r\n\r\n"), .readToEnd]])
        let recording = try await CurlTransport().get(server.url)
        #expect(recording.error == nil)
        #expect(!recording.sentHead.contains("User-Agent"))
    }

    @Test func `a custom method is sent as it is`() async throws {
        #expect(try await sent(method: .init("PURGE")!).first == "PURGE /a/../b%20c?d=e HTTP/1.1")
    }

    @Test func `a method about content says that it has none (RFC 9110, section 8.6)`() async throws {
        for method in [HTTPRequest.Method.post, .put, .patch] {
            let lines = try await sent(method: method)
            #expect(lines.first == "\(method.rawValue) /a/../b%20c?d=e HTTP/1.1")
            #expect(lines.contains("Content-Length: 0"))
            #expect(!lines.contains { $0.hasPrefix("Content-Type") })
        }
        #expect(try await !sent(method: .delete).contains { $0.hasPrefix("Content-Length") })
    }

    @Test func `HEAD waits for no body`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), .readToEnd]])
        let recording = await transport.perform(TransferRequest(request: Request(url: server.url, method: .head)))
        #expect(recording.error == nil)
        #expect(recording.status == 200)
        #expect(recording.head?.headers[.contentLength] == "1000")
        #expect(recording.body == Data())
    }
}

/// Options of the wire that few use.
@Suite struct WireTests {
    private let nginx: NginxServer

    init() throws { nginx = try NginxServer.shared() }

    @Test(arguments: ["/x HTTP/1.1\r\nX-Evil: 1", "/a b", "", "/\u{7F}", "/ä"])
    func `a request target can't be more than one`(target: String) async throws {
        let recording = try await CurlTransport().get("http://127.0.0.1:1/") { $0.options.wire.requestTarget = target }
        #expect(recording.error?.message.hasPrefix("A request target is printable ASCII without spaces") == true)
    }

    @Test func `a request goes where Alt-Svc has said, in the name of its own host`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "alt-svc-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        // Nobody listens on the first port.
        try "h1 127.0.0.1 1 h1 127.0.0.1 \(nginx.good) \"20991231 00:00:00\" 0 0\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        func get(_ alternatives: String?) async throws -> Recording {
            try await CurlTransport().get("https://127.0.0.1:1/small") {
                $0.options.tls.authorities = nginx.certificates.authority
                $0.options.httpVersion = .http1
                $0.options.wire.alternatives = alternatives
            }
        }
        #expect(try await get(nil).error?.code == .cannotConnect)
        #expect(try await get(file).head?.status.code == 200)
    }

    @Test func `the file of Alt-Svc is written before the end of a transfer is told`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "alt-svc-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        for _ in 0..<20 {
            try? FileManager.default.removeItem(atPath: file)
            let recording = try await CurlTransport().get("https://127.0.0.1:\(nginx.good)/small") {
                $0.options.tls.authorities = nginx.certificates.authority
                $0.options.wire.alternatives = file
            }
            #expect(recording.head?.status.code == 200)
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }
}

struct `Content-Length` {
    @Test(arguments: [
        ("0", ContentLength.bytes(0)), ("5", .bytes(5)), ("5,5", .bytes(5)), ("5 ,\t5, 5", .bytes(5)), ("005", .bytes(5)),
        ("9223372036854775807", .bytes(.max)), ("9223372036854775808", .invalid), ("", .invalid), ("5,", .invalid),
        (",5", .invalid), ("5, 6", .invalid), ("-5", .invalid), ("+5", .invalid), ("5 5", .invalid), ("0x5", .invalid),
        ("٥", .invalid),
    ])
    func `is digits, or the same digits several times`(value: String, length: ContentLength) {
        #expect(ContentLength(value) == length)
    }

    @Test func `of several fields all say the same`() {
        #expect(ContentLength("5", after: .bytes(5)) == .bytes(5))
        #expect(ContentLength("5", after: .bytes(6)) == .invalid)
        #expect(ContentLength("5", after: .invalid) == .invalid)
    }
}
