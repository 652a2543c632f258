import DemoServer
import Foundation
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct WriteOutTests {
    @Test func `a format is text, variables, fields and escapes`() throws {
        #expect(
            try WriteOut(format: #"a%%\n%{http_code}%header{x-y}%{json}%{onerror}\t%{stderr}%{"#).pieces == [
                .text("a%\n"), .variable("http_code"), .header("x-y"), .json, .onError, .text("\t"), .standardError, .text("%{"),
            ])
    }

    @Test func `a variable that isn't there is named, with the nearest`() {
        let failure = #expect(throws: CommandFailure.self) { try WriteOut(format: "%{http_cod}") }
        #expect(failure?.message.hasPrefix("-w: there is no %{http_cod}. Did you mean %{http_code}? It takes certs, ") == true)
    }

    @Test func `what follows an output is written to its file, anew or at its end`() async throws {
        let directory = try TemporaryDirectory()
        let (new, old) = (directory.file("new"), try directory.write("old", "was "))
        let transport = ScriptedTransport { _ in .respond(status: 204) }
        let format = "a%output{\(new)}%{http_code}%output{>>\(old)}%{method}%{stdout}b"
        let run = await CommandLineRun.run(["send", "-w", format, "http://h/"], transport: transport)
        #expect(run.output == "ab")
        #expect(try String(contentsOfFile: new, encoding: .utf8) == "204")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "was GET")
    }

    @Test func `parts of a URL have names`() async throws {
        let transport = ScriptedTransport { _ in .respond(status: 204) }
        let format =
            "%{url.scheme} %{url.user} %{url.host} %{url.port} %{url.path} %{url.query} %{url.fragment} %{urle.path}|%{url.zoneid}"
        let run = await CommandLineRun.run(["send", "-g", "-w", format, "http://ada@h/a[1]?b=c#d"], transport: transport)
        #expect(run.output == "http ada h 80 /a[1] b=c d /a[1]|")
    }

    @Test func `figures of a redirected request are added up as curl does`() async throws {
        let server = try await DemoServer(port: 0)
        let format = #"%{http_code} %{num_redirects} %{method} %{scheme} %{http_version} %{url_effective} %{size_download}\n"#
        let url = server.baseURL + "/redirect/1"
        let run = await CommandLineRun.run(["send", "-sL", "-A", "same", "-o", "/dev/null", "-w", format, url])
        let curl = try Self.curl(["-sL", "-A", "same", "-o", "/dev/null", "-w", format, url])
        #expect(run.output == curl)
        await server.stop()
    }

    @Test func `the JSON has curl's members, in curl's order, and the fields are JSON too`() async throws {
        let server = try await DemoServer(port: 0)
        let arguments = ["-s", "-o", "/dev/null", "-w", #"%{json}\n%{header_json}"#, server.baseURL + "/status/200"]
        let ours = await CommandLineRun.run(["send"] + arguments).output.split(separator: "\n", maxSplits: 1)
        let theirs = try Self.curl(arguments).split(separator: "\n", maxSplits: 1)
        await server.stop()
        func names(_ json: Substring) -> [String] {
            json.matches(of: /[{,]"([a-z_]+)":/).map { String($0.1) }
        }
        let known = Set(names(ours[0]))
        // A newer curl may have more.
        #expect(names(theirs[0]).filter { known.contains($0) } == names(ours[0]).filter { Set(names(theirs[0])).contains($0) })
        #expect(Set(names(theirs[0])).count >= 38)
        let decoded = try JSONDecoder().decode([String: [String]].self, from: Data(ours[1].utf8))
        #expect(decoded.keys.contains("content-length"))
        #expect(try JSONSerialization.jsonObject(with: Data(ours[0].utf8)) is [String: Any])
    }

    @Test func `what follows onerror is for failures, and stderr is the other stream`() async throws {
        let failed = await CommandLineRun.run([
            "send", "-s", "-w", "%{onerror}%{stderr}E%{exitcode}%{stdout}O", "http://127.0.0.1:9/",
        ])
        #expect(failed.output == "O")
        #expect(failed.errors == "E21")
        let transport = ScriptedTransport { _ in .respond(status: 204) }
        let fine = await CommandLineRun.run(["send", "-w", "a%{onerror}b", "http://127.0.0.1/"], transport: transport)
        #expect(fine.output == "a")
    }

    @Test func `without an answer the codes are curl's, too`() async throws {
        let url = "http://127.0.0.1:\(try ListeningSocket.freePort())/"
        let format =
            #"%{http_code} %{response_code} %{http_connect} %{http_version} %{num_connects} %{scheme} %{remote_ip} %{method}\n"#
        let run = await CommandLineRun.run(["send", "-s", "-w", format, url])
        #expect(run.output == "000 000 000 0 0   GET\n")
        let curl = try ChildProcess.find("curl", package: "curl")
        let words = ["-c", "\"$0\" -q -s -w \"$1\" \"$2\" || true", curl, format, url]
        #expect(try ChildProcess.run("/bin/sh", words) == run.output)
    }

    private static func curl(_ arguments: [String]) throws -> String {
        try ChildProcess.run(ChildProcess.find("curl", package: "curl"), ["-q"] + arguments)
    }
}

/// What `--trace` writes, beside the real curl: all but its remarks.
@Suite struct TraceTests {
    private func entries(_ path: String) throws -> [String] {
        var entries: [String] = []
        for line in try String(contentsOfFile: path, encoding: .isoLatin1).split(separator: "\n", omittingEmptySubsequences: false)
        {
            let isStart = line.hasPrefix("=> ") || line.hasPrefix("<= ") || line.hasPrefix("== ")
            if isStart { entries.append(String(line)) } else if !entries.isEmpty { entries[entries.count - 1] += "\n\(line)" }
        }
        return entries.filter { !$0.hasPrefix("== ") }
    }

    @Test(arguments: ["--trace", "--trace-ascii"]) func `bytes are written as curl writes them`(option: String) async throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        let directory = try TemporaryDirectory()
        let words = [
            "-s", "-o", "/dev/null", "-A", "same", "-d", "\u{1}some data of more than sixteen bytes\r\n\r\nand more\r", "-H",
            "Host: h", "-H", "Content-Type:",
        ]
        func server() throws -> AnsweringServer {
            try AnsweringServer { _ in
                [Data("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 100))\r\nContent-Length: 5\r\n\r\nab\r\nc".utf8)]
            }
        }
        let ours = try server()
        let run = await CommandLineRun.run(
            ["send", option, directory.file("ours")] + words + ["http://127.0.0.1:\(ours.port)/x"])
        #expect(run.status == .success)
        let theirs = try server()
        _ = try ChildProcess.output(
            of: curl, ["-q", option, directory.file("theirs")] + words + ["http://127.0.0.1:\(theirs.port)/x"], input: Data())
        let expected = try entries(directory.file("theirs"))
        #expect(expected.count > 4)
        #expect(try entries(directory.file("ours")) == expected)
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("ours"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that can't be written is named before anything is sent`() async throws {
        let run = await CommandLineRun.run(["send", "--trace", "/nowhere/trace", "http://127.0.0.1:1/"])
        #expect(run.status == .file)
        #expect(run.errors.contains("/nowhere/trace"))
    }

    @Test func `each entry has its time, where that is wanted`() async throws {
        let server = try AnsweringServer { _ in [Data("HTTP/1.1 204 None\r\n\r\n".utf8)] }
        let directory = try TemporaryDirectory()
        let path = directory.file("t")
        _ = await CommandLineRun.run(["send", "--trace-time", "--trace-ascii", path, "http://127.0.0.1:\(server.port)/"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(/(?m)^\d\d:\d\d:\d\d\.\d{6} => Send header, \d+ bytes/))
    }
}

@Suite struct ProgressLineTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func event(_ kind: NetworkEvent.Kind, at milliseconds: Int64) -> NetworkEvent {
        NetworkEvent(operation: OperationID(rawValue: 1), sequence: 0, time: start + .milliseconds(milliseconds), kind: kind)
    }

    private func attempt() -> NetworkEvent.Kind {
        .attemptStarted(.initial, Request(url: URL(string: "http://h/")!))
    }

    @Test func `a short transfer never sees it`() {
        var line = ProgressLine(columns: 80)
        #expect(line.text(for: event(attempt(), at: 0)) == nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 10, expected: 100)), at: 400)) == nil)
        #expect(line.text(for: event(.completed(.succeeded, nil), at: 450)) == nil)
    }

    @Test func `a long one is drawn ten times a second, and cleared at its end`() {
        var line = ProgressLine(columns: 80)
        _ = line.text(for: event(attempt(), at: 0))
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 500_000, expected: 1_000_000)), at: 1000)) != nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 510_000, expected: 1_000_000)), at: 1050)) == nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 600_000, expected: 1_000_000)), at: 1100)) != nil)
        #expect(line.text(for: event(.completed(.succeeded, nil), at: 1200)) == "\r\u{1B}[K")
    }

    @Test func `it says how much, how fast and how long still, in the width there is`() {
        let half = TransferProgress(bytes: 5_000_000, expected: 10_000_000)
        let line = ProgressLine.line(half, elapsed: .seconds(2), columns: 80)
        #expect(line.hasPrefix(" 50 %  ███"))
        #expect(line.hasSuffix("   5.0 MB of 10.0 MB  2.5 MB/s  2 s left"))
        #expect(line.count < 80)
        #expect(ProgressLine.line(half, elapsed: .seconds(2), columns: 44) == " 50 %  5.0 MB of 10.0 MB  2.5 MB/s  2 s left")
        #expect(ProgressLine.line(.init(bytes: 1500), "up", elapsed: .seconds(1), columns: 80) == "1.5 kB  1.5 kB/s up")
    }
}

@Suite struct TerminalFilterTests {
    @Test(arguments: [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\u{1B}[2J\u{1B}]0;title\u{07}", "␛[2J␛]0;title␇\n"),
        ("nul \0 del \u{7F}\n", "nul ␀ del ␡\n"),
        ("a\r\nb", "a\nb\n"),
        ("safe\revil\n", "safe␍evil\n"),
        ("c1 \u{9B}31m, bidi \u{202E}x\n", "c1 \u{FFFD}31m, bidi \u{FFFD}x\n"),
    ])
    func `control characters are shown instead of obeyed`(sent: String, shown: String) {
        var filter = TerminalFilter()
        #expect(filter.safe(Data(sent.utf8)) + filter.finish() == shown)
    }

    @Test func `a character that comes in two pieces is put together`() {
        for text in ["ü", "€", "🪨", "a🪨b"] {
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                var filter = TerminalFilter()
                let shown = filter.safe(Data(bytes[..<cut])) + filter.safe(Data(bytes[cut...])) + filter.finish()
                #expect(shown == text + "\n", "cut at \(cut)")
            }
        }
    }

    @Test func `a line end in two pieces is one`() {
        var filter = TerminalFilter()
        #expect(filter.safe(Data("a\r".utf8)) + filter.safe(Data("\nb\r".utf8)) + filter.finish() == "a\nb␍\n")
    }

    @Test func `broken UTF-8 becomes the replacement character`() {
        var filter = TerminalFilter()
        #expect(filter.safe(Data([0x61, 0xFF, 0x62, 0xE2, 0x82])) + filter.finish() == "a\u{FFFD}b\u{FFFD}\n")
    }
}
