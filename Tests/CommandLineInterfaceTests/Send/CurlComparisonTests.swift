import CommandLineInterface
import Foundation
import ServerTesting
import Testing

/// `turnstone send` and the real curl, with the same words, put the same request on the wire.
@Suite struct CurlComparisonTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    static let commandLines: [[String]] = [
        [],
        ["-I"],
        ["-XPURGE"],
        ["-X", "DELETE", "-H", "X-One: 1", "-H", "x-two: 2", "-H", "X-Empty;"],
        ["-H", "Accept:"],
        ["-H", "Accept: text/plain", "-H", "User-Agent: me"],
        ["-A", ""],
        ["-A", "me/1", "-e", "http://referer.example/", "-r", "0-99"],
        ["-u", "ada:love:lace"],
        ["-b", "a=1; b=2"],
        ["-d", "a=1", "-d", "b=2 3"],
        ["-d", ""],
        ["-da=1", "--data-urlencode", "q=a b&c/d~", "--data", "c=3"],
        ["--data-urlencode", "=x=y", "--data-urlencode", "plain text"],
        ["--data-urlencode", "name@LINES", "--data-urlencode", "@LINES"],
        ["-d", "@LINES"],
        ["--data-binary", "@LINES", "-H", "Content-Type: text/x"],
        ["--data-raw", "@LINES"],
        ["--json", #"{"a":1}"#],
        ["--json", "{", "--json", "}"],
        ["-G", "-d", "a=1", "--data-urlencode", "b=c d"],
        ["-GI", "-d", "a=1"],
        ["--url-query", "b=c d"],
        ["-X", "PUT", "-d", "x"],
        ["-T", "LINES", "-H", "Expect:"],
        ["--compressed"],
        ["-z", "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["-z", "-Sun, 06 Nov 1994 08:49:37 GMT"],
        ["--oauth2-bearer", "token"],
        ["-sSgN", "--path-as-is"],
        ["-F", "a=1", "-F", "f=@LINES"],
        ["-F", "f=@LINES;type=text/x;filename=other \"name\".bin", "-F", "g=<LINES", "--form-string", "h=@x;y"],
    ]

    @Test(arguments: commandLines)
    func `the same words send the same bytes`(words: [String]) async throws {
        try directory.write("lines", "one\ntwo\r\n\n")
        let words = words.map { $0.replacing("LINES", with: directory.file("lines")) }
        let answer: [ScriptedServer.Step] = [
            .readHead, .readContent, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), .close,
        ]
        let server = try ScriptedServer([answer, answer])
        let url = "http://127.0.0.1:\(server.port)/path/to?x=1"
        try ChildProcess.run(ChildProcess.find("curl", package: "curl"), ["-q", "-s"] + words + [url])
        let run = await CommandLineRun.run(["send"] + words + [url])
        #expect(run.errors == "")
        #expect(WireRequest(server.received(by: 1)) == WireRequest(server.received(by: 0)))
        server.stop()
    }
}

/// A request as it was read, without what differs between two programs: the name they give themselves, the order of fields, the
/// boundary of a multipart body and the case of its fields' names.
private struct WireRequest: Equatable, CustomStringConvertible {
    var line: String
    var fields: [String]
    var body: String

    init(_ data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        let parts = text.components(separatedBy: "\r\n\r\n")
        var lines = parts[0].components(separatedBy: "\r\n")
        line = lines.removeFirst()
        body = parts.dropFirst().joined(separator: "\r\n\r\n")
        if let type = lines.first(where: { $0.contains("boundary=") }),
            let boundary = type.components(separatedBy: "boundary=").last
        {
            body = body.replacing(boundary, with: "BOUNDARY").lowercased()
            lines = lines.map { $0.replacing(boundary, with: "BOUNDARY") }.filter { !$0.hasPrefix("Content-Length") }
        }
        fields = lines.filter { !$0.hasPrefix("User-Agent: turnstone/") && !$0.hasPrefix("User-Agent: curl/") }.sorted()
    }

    var description: String { ([line] + fields + ["", body]).joined(separator: "\n") }
}
