import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

struct `Servers that misbehave` {
    private let transport = CurlTransport()

    private func error(after script: [ScriptedServer.Step], path: String = "/") async throws -> NetworkError? {
        let server = try ScriptedServer([script])
        let recording = try await transport.get("http://127.0.0.1:\(server.port)\(path)")
        return recording.error.map { error in
            var error = error
            error.message = error.message.replacing("127.0.0.1:\(server.port)", with: "HOST")
            return error
        }
    }

    @Test func `ENG-10 a server that closes without an answer is named`() async throws {
        #expect(
            try await error(after: [.readHead, .close])
                == NetworkError(
                    .connectionLost, phase: .response, type: "http.response.invalid.empty",
                    message: "HOST closed the connection without an answer.", curlCode: 52))
    }

    @Test func `a server that isn't HTTP breaks the protocol`() async throws {
        let error = try await error(after: [.readHead, .send("220 mail.example ESMTP\r\n"), .close])
        #expect(error?.code == .protocolViolation)
        #expect(error?.phase == .response)
        #expect(error?.type == "http.response.invalid")
        #expect(error?.message.hasPrefix("HOST sent something that isn't HTTP") == true)
    }

    @Test func `a value that is no UTF-8 is ISO 8859-1 (RFC 9110, section 5.5), and Location keeps its bytes`() async throws {
        let server = try ScriptedServer([
            [
                .readHead, .send("HTTP/1.1 204 Fine\r\nX-A: caf"), .sendBytes(Data([0xE9])),
                .send("\r\nX-B: café\r\nX-C: a\r\n "), .sendBytes(Data([0xE9])), .send("\r\nLocation: /"),
                .sendBytes(Data([0xE9])), .send("\r\n\r\n"), .close,
            ]
        ])
        let head = try #require(await transport.get(server.url).head)
        #expect(head.headers.dropLast().map(\.value) == ["café", "café", "a é"])
        #expect(head.headers.last?.withUnsafeBytesOfValue { Array($0) } == [0x2F, 0xE9])
    }

    @Test func `a field that a folded line continues ends with no blank (RFC 9112, section 5.2)`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 204 Fine\r\nX-A: 1\r\n \t \r\nX-B:\r\n 2\r\n\t\r\n  3 \r\n\r\n"), .close]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.head?.headers.map { "\($0.name.rawName)=\($0.value)" } == ["X-A=1", "X-B=2 3"])
    }

    @Test func `a head that is cut off behind its Content-Length has no body`() async throws {
        #expect(
            try await error(after: [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 42\r\n"), .close])?.message
                == "HOST closed the connection in the middle of the answer's head, after 37 bytes.")
    }

    @Test func `a body that ends early says after how many bytes`() async throws {
        #expect(
            try await error(after: [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"), .close])
                == NetworkError(
                    .connectionLost, phase: .body, type: "http.response.invalid.content_length_mismatch",
                    message: "HOST closed the connection in the middle of the body, after 9 of 100 bytes.", curlCode: 18))
    }

    @Test func `a chunk whose size is no number breaks the protocol`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        // How libcurl words it depends on its version.
        func isChunkFailure(_ error: NetworkError?) -> Bool {
            error?.code == .protocolViolation && error?.phase == .body
                && error?.type == "http.response.invalid.invalid_chunked_encoding" && error?.systemErrno == nil
                && error?.message.hasPrefix("HOST sent a chunked body that can't be read: after ") == true
        }
        for chunk in ["xyzzy\r\n", "00000000000000000000003\r\nabc\r\n", "3\r\nabcde\r\n0\r\n\r\n", "ffffffffffffffffff\r\n"] {
            #expect(
                isChunkFailure(try await error(after: [.readHead, .send(head + "5\r\nhello\r\n" + chunk), .close])), "\(chunk)")
        }
        // What went wrong with an earlier transfer, or with the first of two addresses, is no reason.
        let missing = try await transport.get("http://h.example/") { $0.options.unixSocket = "/nonexistent/socket" }
        #expect(missing.error?.systemErrno == ENOENT)
        #expect(isChunkFailure(try await error(after: [.readHead, .send(head + "5\r\nhello\r\nxyzzy\r\n"), .close])))
        let server = try ScriptedServer([[.readHead, .send(head + "5\r\nhello\r\nxyzzy\r\n"), .close]])
        let second = try await transport.get("http://localhost:\(server.port)/")
        #expect(second.error?.code == .protocolViolation)
        #expect(second.error?.systemErrno == nil)
    }

    @Test func `a chunked body without its last chunk is cut off`() async throws {
        #expect(
            try await error(
                after: [.readHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nonly this"), .close])
                == NetworkError(
                    .connectionLost, phase: .body, type: "http.response.invalid.incomplete_chunked_encoding",
                    message: "HOST closed the connection in the middle of the body, after 9 bytes.", curlCode: 18))
    }

    @Test func `a head that ends half-way was cut off`() async throws {
        let cutOff = NetworkError(
            .connectionLost, phase: .response, type: "http.response.headers.truncated",
            message: "HOST closed the connection in the middle of the answer's head, after 17 bytes.")
        #expect(try await error(after: [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Le"), .close]) == cutOff)
        #expect(try await error(after: [.readHead, .send("HTTP/1.1 200 OK\r\n"), .close]) == cutOff)
    }

    @Test(arguments: [ScriptedServer.Step.close, .reset])
    func `a connection that dies after an interim answer is lost`(end: ScriptedServer.Step) async throws {
        let error = try await error(after: [.readHead, .send("HTTP/1.1 103 Early Hints\r\n\r\n"), end])
        #expect(error?.code == .connectionLost)
        #expect(error?.phase == .response)
        guard case .close = end else { return }
        #expect(error?.type == "http.response.invalid.empty")
        #expect(error?.message == "HOST closed the connection after interim answers (1xx), without a final one.")
    }

    @Test func `a 101 that nobody asked for is no answer`() async throws {
        #expect(
            try await error(after: [.readHead, .send("HTTP/1.1 101 Fine\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), .close])
                == NetworkError(
                    .protocolViolation, phase: .response, type: "http.response.invalid",
                    message: "HOST sent interim answers (1xx) and no final one."))
    }

    /// Which of them libcurl refuses before we do depends on its version.
    @Test(arguments: ["5\r\nContent-Length: 6", "5, 6", "5x", "+5", "99999999999999999999", "-1"])
    func `a body whose length can't be told is not read (RFC 9112, section 6.3)`(field: String) async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: \(field)\r\n\r\nhello!"), .readToEnd]
        ])
        let recording = try await transport.get(server.url)
        #expect(
            recording.error
                == NetworkError(
                    .protocolViolation, phase: .response, type: "http.response.headers.invalid_content_length",
                    message: "127.0.0.1:\(server.port) sent a Content-Length that does not say how long the body is."))
        #expect(recording.head == nil)
        #expect(recording.body == Data())
        #expect(await server.waitFor(.clientClosed(0)))
    }

    @Test(arguments: ["5\r\nContent-Length: 5", "5, 5", "5 , 5"])
    func `a length that is stated twice is one length`(field: String) async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: \(field)\r\n\r\nhello!"), .readToEnd]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
    }

    /// Of two that differ libcurl from 8.21 on takes neither.
    @Test(arguments: CurlBehaviour.present.version < 0x08_15_00 ? ["3", "3\r\nContent-Length: 4"] : ["3"])
    func `Transfer-Encoding overrides Content-Length (RFC 9112, section 6.3)`(field: String) async throws {
        let server = try ScriptedServer([
            [
                .readHead,
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(field)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                .readToEnd,
            ]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        let expected = recording.kinds.compactMap { if case .body(_, _, let expected) = $0 { expected } else { nil } }
        #expect(expected == [])
    }

    @Test func `ENG-10 a reset in the middle of the body is a reset`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"), .await, .reset]
        ])
        let recorder = TransferRecorder()
        _ = transport.start(TransferRequest(request: Request(url: server.url)), receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        server.proceed()
        let error = await recorder.finished().error
        #expect(error?.code == .connectionLost)
        #expect(error?.type == "tcp.reset")
        #expect(error?.systemErrno == ECONNRESET)
        #expect(error?.phase == .body)
    }

    @Test func `a head beyond the limit is refused`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 5000))\r\n\r\n"), .readToEnd]
        ])
        let recording = try await transport.get(server.url) { $0.limits.headerBytes = 4096 }
        #expect(recording.error?.code == .limitExceeded)
        #expect(recording.error?.phase == .response)
        #expect(recording.error?.message == "The head of the answer is longer than 4 KiB. Raise the limit if that is expected.")
        #expect(recording.head == nil)
    }

    @Test(arguments: [0, 1]) func `by default a head has at most 256 KiB`(excess: Int) async throws {
        #expect(ResponseLimits().headerBytes == 256 << 10)
        let start = "HTTP/1.1 204 Fine\r\n"
        let line = "X-Long: \(String(repeating: "x", count: 1000 - 10))\r\n"
        let lines = String(repeating: line, count: 262)
        let rest = (256 << 10) - start.utf8.count - lines.utf8.count - 2
        let last = "X: \(String(repeating: "x", count: rest - 5 + excess))\r\n"
        let server = try ScriptedServer([[.readHead, .send(start + lines + last + "\r\n"), .readToEnd]])
        let recording = try await transport.get(server.url)
        #expect(recording.head?.raw.count == (excess == 0 ? 256 << 10 : nil))
        #expect(
            recording.error
                == (excess == 0
                    ? nil
                    : NetworkError(
                        .limitExceeded, phase: .response, type: "http.response.invalid",
                        message: "The head of the answer is longer than 256 KiB. Raise the limit if that is expected.")))
    }

    @Test func `a limit that libcurl does not reach ends with libcurl's own`() async throws {
        let line = "X-Long: \(String(repeating: "x", count: 1000 - 10))\r\n"
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 204 Fine\r\n" + String(repeating: line, count: 400) + "\r\n"), .readToEnd]
        ])
        let recording = try await transport.get(server.url) { $0.limits.headerBytes = 1 << 20 }
        #expect(recording.error?.code == .limitExceeded)
        #expect(recording.error?.phase == .response)
        #expect(recording.error?.message.hasPrefix("The head of the answer is longer than libcurl takes") == true)
    }

    @Test func `a header line longer than libcurl takes is a limit as well`() async throws {
        let error = try await error(
            after: [.readHead, .send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))\r\n\r\n"), .readToEnd])
        #expect(error?.code == .limitExceeded)
    }

    /// Where the lines come: HTTPFields ends the process at 65,535. libcurl counts them itself from 8.13 on, over all heads of an answer.
    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.1 103 Early Hints\r\n"], [4_999, 5_000, 66_000])
    func `the heads of an answer have at most 5,000 fields`(start: String, count: Int) async throws {
        let error = try await error(
            after: [
                .readHead, .send(start + String(repeating: "a:\n", count: count)),
                .send("\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd,
            ])
        let isTooMany = count + 1 > 5_000
        #expect(error?.code == (isTooMany ? .limitExceeded : nil))
        #expect(
            error?.message
                == (isTooMany ? "HOST sent heads and trailers of more than 5000 lines, and nobody reads so many." : nil))
    }

    @Test func `there are at most 5,000 trailers`() async throws {
        let body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
        let error = try await error(
            after: [.readHead, .send(body + String(repeating: "a:\r\n", count: 66_000) + "\r\n"), .readToEnd])
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a field that goes on over many lines is one value`() async throws {
        let lines = String(repeating: " b\n", count: 4_000)
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nX: a\r\n\tc  \r\n\(lines)Content-Length: 0\r\n  \r\n\r\n"), .readToEnd]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.head?.headers[.init("X")!] == "a c" + String(repeating: " b", count: 4_000))
    }

    @Test func `a body beyond the limit is refused`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world"), .readToEnd]
        ])
        let recording = try await transport.get(server.url) { $0.limits.bodyBytes = 10 }
        #expect(recording.error?.code == .limitExceeded)
        #expect(recording.error?.phase == .body)
        #expect(recording.body == Data())
    }

    @Test func `ENG-9 interim answers are told before the final one, each by itself`() async throws {
        let server = try ScriptedServer([
            [
                .readHead,
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"),
                .send("HTTP/1.1 200 Fine\r\nContent-Length: 2\r\n\r\nok"), .readToEnd,
            ]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        let interim = recording.kinds.compactMap { if case .informational(let head) = $0 { head } else { nil } }
        #expect(
            interim == [
                ResponseHead(
                    status: .init(code: 103, reasonPhrase: "Early Hints"), headers: [.init("Link")!: "</a.css>"],
                    raw: Data("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n".utf8)),
                ResponseHead(
                    status: .init(code: 102, reasonPhrase: "Processing"), raw: Data("HTTP/1.1 102 Processing\r\n\r\n".utf8)),
            ])
        #expect(recording.head?.status == .init(code: 200, reasonPhrase: "Fine"))
        #expect(recording.text == "ok")
    }

    @Test func `trailers come with the end`() async throws {
        let server = try ScriptedServer([
            [
                .readHead,
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 12\r\nX-Done: yes\r\n\r\n"
                ),
                .readToEnd,
            ]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "abcde")
        #expect(recording.result?.trailers == [.init(name: "X-Sum", value: "12"), .init(name: "X-Done", value: "yes")])
    }

    @Test func `a body without a length ends with the connection`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.0 200 OK\r\n\r\nuntil the end"), .close]])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "until the end")
        #expect(recording.head?.version == "HTTP/1.0")
    }

    @Test func `odd header lines are kept raw, and only fields are fields`() async throws {
        let head = "HTTP/1.1 200\r\nA: 1\r\na:2\r\nnot a field: 3\r\nB:   spaced \t\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head), .readToEnd]])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.head?.raw == Data(head.utf8))
        #expect(recording.head?.headers.map { "\($0.name.rawName)=\($0.value)" } == ["A=1", "a=2", "B=spaced", "Content-Length=0"])
    }
}
