import DemoServer
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Where `send` puts what it got.
@Suite struct SendOutputTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func send(
        _ words: String..., status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: String = "body",
        url: String = "http://127.0.0.1/a/file.txt?x=1"
    ) async -> CommandLineRun {
        let transport = ScriptedTransport { _ in .respond(status: status, headers: headers, body: Data(body.utf8)) }
        return await CommandLineRun.run(["send", "--output-dir", directory.path] + words + [url], transport: transport)
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: directory.file(name), encoding: .utf8) }

    @Test func `-O takes the name from the URL, and -J from the answer, without its directories`() async {
        #expect(await send("-O").status == .success)
        #expect(text("file.txt") == "body")
        #expect(await send("-OJ", headers: [.contentDisposition: "attachment; filename=\"../../evil.txt\""]).status == .success)
        #expect(text("evil.txt") == "body")
        let again = await send("-OJ", headers: [.contentDisposition: "attachment; filename=evil.txt"], body: "other")
        #expect(again.status == .file)
        #expect(text("evil.txt") == "body", "a server may not choose what is overwritten")
    }

    @Test func `-O needs a name`() async {
        let run = await send("-O", url: "http://127.0.0.1/a/")
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: -O: the path of http://127.0.0.1/a/ ends in no name. Give the file one with -o FILE.\n")
    }

    @Test func `--no-clobber numbers, --create-dirs makes directories`() async {
        for _ in 0..<3 { #expect(await send("--no-clobber", "--create-dirs", "-o", "deep/er/f").status == .success) }
        #expect(text("deep/er/f") == "body")
        #expect(text("deep/er/f.1") == "body")
        #expect(text("deep/er/f.2") == "body")
    }

    @Test func `-i goes where the body goes, -D elsewhere`() async throws {
        let server = try await DemoServer(port: 0)
        let run = await CommandLineRun.run(
            ["send", "-i", "-o", directory.file("all"), "-D", directory.file("heads"), server.baseURL + "/status/200"])
        await server.stop()
        #expect(run.output == "")
        #expect(text("all")?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
        #expect(text("heads")?.hasSuffix("\r\n\r\n") == true)
    }

    /// An interim answer, a body in chunks, and a trailer.
    private static let eventful =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n"
        + "Connection: close\r\n\r\n4\r\nbody\r\n0\r\nX-Sum: 9\r\n\r\n"
    private static let heads =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        + "Trailer: X-Sum\r\nConnection: close\r\n\r\n"

    @Test func `heads come before the body, interim ones too, and trailers behind it`() async throws {
        let answer: [ScriptedServer.Step] = [.readHead, .send(Self.eventful), .close]
        let server = try ScriptedServer(Array(repeating: answer, count: 5))
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(await CommandLineRun.run(["send", "-i", url]).output == Self.heads + "bodyX-Sum: 9\r\n")
        #expect(await CommandLineRun.run(["send", "-D", "-", url]).output == Self.heads + "bodyX-Sum: 9\r\n")
        let both = await CommandLineRun.run(["send", "-D", "-", "-i", url]).output
        #expect(both.hasPrefix("HTTP/1.1 103 Early Hints\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </a>\r\n\r\n\r\n"))
        #expect(await CommandLineRun.run(["send", "-D", directory.file("d"), "-i", "-o", directory.file("o"), url]).output == "")
        #expect(text("d") == Self.heads + "X-Sum: 9\r\n")
        #expect(text("o") == Self.heads + "bodyX-Sum: 9\r\n")
        #expect(await CommandLineRun.run(["send", url]).output == "body")
    }

    @Test(arguments: [["-i"], ["-D", "-"]])
    func `a head is there before the body is`(words: [String]) async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"), .await, .send("body"), .close]
        ])
        defer { server.stop() }
        let output = WatchedOutput()
        async let status = CommandLineRun.run(["send"] + words + ["http://127.0.0.1:\(server.port)/"], into: output)
        await output.has("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
        server.proceed()
        #expect(await status == .success)
        #expect(output.text == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
    }

    @Test func `a file has the heads of the last try alone, and standard output those of all`() async throws {
        func steps(_ status: String, _ body: String) -> [ScriptedServer.Step] {
            [
                .readHead, .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"),
                .close,
            ]
        }
        let scripts = [steps("503 Busy", "busy"), steps("200 OK", "here")]
        let server = try ScriptedServer(scripts + scripts)
        defer { server.stop() }
        let words = ["send", "-i", "--retry", "1", "--retry-delay", "0.1", "http://127.0.0.1:\(server.port)/"]
        let last = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere"
        _ = await CommandLineRun.run(words + ["-o", directory.file("o")])
        #expect(text("o") == last)
        #expect(
            await CommandLineRun.run(words).output
                == "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nConnection: close\r\n\r\n" + last)
    }

    @Test func `-T - sends what comes as it comes, and asks first whether the server wants it`() async throws {
        let server = try ScriptedServer([
            [
                .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .read(8), .read(13),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"), .close,
            ]
        ])
        defer { server.stop() }
        let input = FedInput()
        async let run = CommandLineRun.run(["send", "-T", "-", "http://127.0.0.1:\(server.port)/x"], input: input)
        input.feed("one")
        // The first chunk is there before the second is known.
        #expect(await server.waitFor(.read(0, Data("3\r\none\r\n".utf8))))
        input.feed("two")
        input.feed("")
        #expect(await run.output == "ok")
        let sent = String(decoding: server.received(by: 0), as: UTF8.self)
        #expect(sent.hasPrefix("PUT /x HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(sent.contains("\r\nExpect: 100-continue\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"))
    }

    @Test(arguments: [
        (".bashrc", "_bashrc"), ("-rf", "_rf"), ("..hidden", "_.hidden"), ("~root", "_root"), ("a\u{202E}fdp.exe", "afdp.exe"),
        (String(repeating: "x", count: 5000) + ".txt", String(repeating: "x", count: 196) + ".txt"), ("plain.txt", "plain.txt"),
        // A slash is one whatever stands behind it.
        ("../\u{301}up", "\u{301}up"), ("../-\u{301}rf", "_\u{301}rf"),
    ])
    func `-J takes no name that hides, commands or is endless`(name: String, file: String) async throws {
        #expect(await send("-OJ", headers: [.contentDisposition: "attachment; filename=\"\(name)\""]).status == .success)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [file])
    }

    @Test func `-f leaves the body and the file out, --fail-with-body doesn't`() async {
        let fails = await send("-f", "-o", "f", status: .notFound)
        #expect(fails.status == .expectationFailed)
        #expect(fails.output == "")
        #expect(text("f") == nil)
        let withBody = await send("--fail-with-body", status: .notFound)
        #expect(withBody.status == .expectationFailed)
        #expect(withBody.output == "body")
    }

    @Test func `-s says nothing, -sS says errors`() async {
        #expect(await CommandLineRun.run(["send", "-s", "http://127.0.0.1:9/"]).errors == "")
        #expect(await CommandLineRun.run(["send", "-sS", "http://127.0.0.1:9/"]).errors.hasPrefix("turnstone: "))
    }

    @Test func `--har has every hop, and none of the secrets`() async throws {
        let server = try await DemoServer(port: 0)
        let path = directory.file("t.har")
        let run = await CommandLineRun.run([
            "send", "-L", "-u", "ada:hunter2", "-b", "c=hunter2", "--har", path, server.baseURL + "/redirect/1",
        ])
        await server.stop()
        #expect(run.status == .success)
        let written = try #require(text("t.har"))
        #expect(!written.contains("hunter2"))
        #expect(!written.contains(Data("ada:hunter2".utf8).base64EncodedString()))
        let json = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: [String: Any]]
        let entries = try #require(json?["log"]?["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        #expect(((entries[1]["response"] as? [String: Any])?["content"] as? [String: Any])?["text"] as? String != nil)
    }

    @Test func `-c writes a jar for its owner only, -b sends it back`() async throws {
        let jar = directory.file("cookies.txt")
        let answer = "HTTP/1.1 200 OK\r\nSet-Cookie: session=s1; Path=/; HttpOnly\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(answer), .close], [.readHead, .send(answer), .close]])
        let url = "http://127.0.0.1:\(server.port)/"
        for _ in 0..<2 { #expect(await CommandLineRun.run(["send", "-b", jar, "-c", jar, "-b", "own=1", url]).status == .success) }
        #expect(!String(decoding: server.received(by: 0), as: UTF8.self).contains("session"))
        #expect(String(decoding: server.received(by: 1), as: UTF8.self).contains("Cookie: own=1; session=s1\r\n"))
        #expect(text("cookies.txt")?.hasSuffix("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts1\n") == true)
        let attributes = try FileManager.default.attributesOfItem(atPath: jar)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        server.stop()
    }

    @Test func `TN-14 --retry goes on with a file that broke off`() async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n"
        let rest = "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n"
        let server = try ScriptedServer([
            [.readHead, .send(head + "0123"), .close], [.readHead, .send(rest + "456789"), .close],
        ])
        let run = await CommandLineRun.run([
            "send", "-o", directory.file("f"), "--retry", "1", "--retry-delay", "0.1", "http://127.0.0.1:\(server.port)/",
        ])
        #expect(run.status == .success)
        #expect(run.errors == "")
        #expect(text("f") == "0123456789")
        let asked = String(decoding: server.received(by: 1), as: UTF8.self)
        #expect(asked.contains("\r\nRange: bytes=4-\r\n") && asked.contains("\r\nIf-Range: \"1\"\r\n"))
        server.stop()
    }

    @Test func `--retry tries again, and the last answer counts`() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([
            [.readHead, .send(busy), .close],
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone"), .close],
        ])
        let run = await CommandLineRun.run([
            "send", "--retry", "2", "-w", " %{http_code} %{num_retries}", "http://127.0.0.1:\(server.port)/",
        ])
        #expect(run.output == "done 200 1")
        server.stop()
    }
}
