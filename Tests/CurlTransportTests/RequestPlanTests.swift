import Foundation
import HTTPTypes
import NetworkLayer
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
        #expect(try plan("http://h/", headers: fields).headerLines == ["X: a  Injected: yes"])
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
        #expect(plan.headerLines == ["Content-Type:", "Expect:"])
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
