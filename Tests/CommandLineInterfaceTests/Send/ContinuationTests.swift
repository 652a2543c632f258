import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CommandLineInterface

/// `-C`: the rest of a file that is there in part.
@Suite struct ContinuationTests {
    @Test(
        arguments: [
            (206, "bytes 4-9/10", nil, .follows),
            (206, "bytes 4-9/*", nil, .follows),
            (200, "Bytes 4-9/10", nil, .follows),
            (
                206, "bytes 5-9/10", nil,
                .unusable("the server sends the file from byte 5 on, and not from 4. Leave -C out to get all of it.")
            ),
            (
                206, nil, nil,
                .unusable("the server takes no ranges, and would send the whole file again. Leave -C out to get all of it.")
            ),
            (
                206, "lines 4-9/10", nil,
                .unusable("the server takes no ranges, and would send the whole file again. Leave -C out to get all of it.")
            ),
            (
                200, nil, "10",
                .unusable("the server takes no ranges, and would send the whole file again. Leave -C out to get all of it.")
            ),
            (200, nil, "4", .isWhole),
            (416, "bytes */4", nil, .isWhole),
            (416, nil, nil, .isWhole),
            (
                416, "bytes */3", nil,
                .unusable("the file has 4 bytes, and the server's only 3: it is another one. Leave -C out to get all of it.")
            ),
            (404, nil, "4", .unusable("the server answered 404 Not Found, and not with the rest of the file.")),
            (302, nil, nil, .unusable("the server answered 302 Found, and not with the rest of the file.")),
        ] as [(Int, String?, String?, Continuation.Verdict)])
    func `an answer is the rest, or says that there is none, or is of no use`(
        status: Int, range: String?, length: String?, verdict: Continuation.Verdict
    ) {
        var headers = HTTPFields()
        headers[.contentRange] = range
        headers[.contentLength] = length
        let head = ResponseHead(status: .init(code: status), version: "HTTP/1.1", headers: headers)
        #expect(Continuation(offset: 4).verdict(on: head) == verdict)
    }

    @Test(arguments: [
        (["-C", "x"], "-C x is no number of bytes. It takes one, or - for as many as the file has."),
        (["-C", "-1"], "-C -1 is no number of bytes. It takes one, or - for as many as the file has."),
        (["-C-", "-r", "1-2"], "-C goes on with a download, and -r doesn't go with it."),
        (["-C", "-", "-O", "-J"], "-C goes on with a download, and -J doesn't go with it."),
        (["-C", "5", "-T", "x"], "-C goes on with a download, and -T doesn't go with it."),
        (["-C", "5", "-d", "x"], "-C goes on with a download, and -d doesn't go with it."),
        (["-C", "5", "-F", "x=y"], "-C goes on with a download, and -F doesn't go with it."),
    ])
    func `what can't go on is refused before anything is sent`(words: [String], message: String) async {
        let run = await CommandLineRun.run(["send"] + words + ["http://127.0.0.1:9/file"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: \(message)\n")
    }

    /// An answer of a server, and what is there before.
    struct Case: Sendable, CustomTestStringConvertible {
        var words: [String]
        var there: String?
        var answer: String
        /// What curl ends with otherwise: with `-f` it doesn't take 416 for the whole file, and without it also one of another length.
        var isCurlMistaken = false

        var testDescription: String { "\(words) on \(there ?? "nothing"): \(answer.prefix { $0 != "\r" })" }
    }

    static let cases = [
        Case(
            words: ["-C", "-"], there: "0123",
            answer: "206 Partial Content\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789"),
        Case(words: ["-C", "-"], there: nil, answer: "200 OK\r\nContent-Length: 3\r\n\r\nall"),
        Case(words: ["-C", "-"], there: "", answer: "200 OK\r\nContent-Length: 3\r\n\r\nall"),
        Case(words: ["-C", "0"], there: "old", answer: "200 OK\r\nContent-Length: 3\r\n\r\nall"),
        Case(
            words: ["-C", "2"], there: "0123",
            answer: "206 Partial Content\r\nContent-Range: bytes 2-3/4\r\nContent-Length: 2\r\n\r\n23"),
        Case(
            words: ["-C", "2"], there: nil,
            answer: "206 Partial Content\r\nContent-Range: bytes 2-3/4\r\nContent-Length: 2\r\n\r\n23"),
        Case(words: ["-C", "-"], there: "0123", answer: "200 OK\r\nContent-Length: 10\r\n\r\n0123456789"),
        Case(words: ["-C", "-"], there: "0123", answer: "200 OK\r\nContent-Length: 4\r\n\r\n0123"),
        Case(
            words: ["-C", "-"], there: "0123",
            answer: "206 Partial Content\r\nContent-Range: bytes 3-9/10\r\nContent-Length: 7\r\n\r\n3456789"),
        Case(
            words: ["-C", "-"], there: "0123",
            answer: "416 Range Not Satisfiable\r\nContent-Range: bytes */4\r\nContent-Length: 4\r\n\r\nnope"),
        Case(
            words: ["-C", "-", "-f"], there: "0123",
            answer: "416 Range Not Satisfiable\r\nContent-Range: bytes */4\r\nContent-Length: 4\r\n\r\nnope", isCurlMistaken: true),
        Case(
            words: ["-C", "-"], there: "0123",
            answer: "416 Range Not Satisfiable\r\nContent-Range: bytes */3\r\nContent-Length: 4\r\n\r\nnope", isCurlMistaken: true),
        Case(words: ["-C", "-"], there: "0123", answer: "404 Not Found\r\nContent-Length: 5\r\n\r\nlost!"),
        Case(words: ["-C", "-", "-f"], there: "0123", answer: "404 Not Found\r\nContent-Length: 5\r\n\r\nlost!"),
        Case(
            words: ["-C", "-", "--no-clobber"], there: "0123",
            answer: "206 Partial Content\r\nContent-Range: bytes 4-4/5\r\nContent-Length: 1\r\n\r\n4"),
    ]

    @Test(arguments: cases)
    func `the file becomes what curl makes of it`(test: Case) async throws {
        let answer: [ScriptedServer.Step] = [
            .readHead, .send("HTTP/1.1 \(test.answer.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))"), .close,
        ]
        let server = try ScriptedServer([answer, answer])
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        for name in ["curl", "ours"] { if let there = test.there { try directory.write(name, there) } }
        let url = "http://127.0.0.1:\(server.port)/file"
        let curl = try ChildProcess.find("curl", package: "curl")
        let words = ["-q", "-s"] + test.words + ["-o", directory.file("curl"), url]
        let isCurlPleased = (try? ChildProcess.run(curl, words)) != nil
        let run = await CommandLineRun.run(["send"] + test.words + ["-o", directory.file("ours"), url])
        func range(_ connection: Int) -> Substring? {
            String(decoding: server.received(by: connection), as: UTF8.self).split(separator: "\r\n").first {
                $0.hasPrefix("Range:")
            }
        }
        #expect(range(1) == range(0))
        #expect(
            (try? Data(contentsOf: URL(filePath: directory.file("ours"))))
                == (try? Data(contentsOf: URL(filePath: directory.file("curl")))))
        #expect((run.status == .success) == (isCurlPleased != test.isCurlMistaken), "\(run.errors)")
        #expect(run.errors.isEmpty == (run.status == .success))
    }

    @Test func `the whole file isn't fetched a second time to find out that it can't go on`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head + String(repeating: "x", count: 1000)), .readToEnd]])
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        let path = try directory.write("part", "0123")
        let run = await CommandLineRun.run(["send", "-C", "-", "-o", path, "http://127.0.0.1:\(server.port)/"])
        #expect(run.status == .protocolBroken)
        #expect(
            run.errors
                == "turnstone: -C: the server takes no ranges, and would send the whole file again. Leave -C out to get all of it.\n"
        )
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "0123")
    }
}
