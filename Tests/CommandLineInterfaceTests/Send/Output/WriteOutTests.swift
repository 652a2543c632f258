import DemoServer
import Foundation
import HTTPTypes
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
