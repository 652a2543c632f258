import CurlTransport
import NetworkLayer
import Testing

@testable import CommandLineInterface

@Suite struct DoctorTests {
    private func facts() -> MachineFacts {
        MachineFacts(
            curlVersion: "8.1.0", tlsLibrary: "OpenSSL/3.0.1", features: Set(CurlLibrary.Feature.allCases),
            programs: ["curl": "/usr/bin/curl"], terminal: "xterm-256color", isTerminal: true, columns: 100,
            colorTerminal: "truecolor", noColor: false, locale: "C.UTF-8",
            themesDirectory: nil)
    }

    @Test func `all is well`() {
        let report = DoctorReport(facts())
        #expect(report.isWell)
        #expect(report.lines.filter { $0.contains("–") || $0.contains("✗") } == [])
        #expect(report.lines.contains("  ✓ libcurl        8.1.0"))
        #expect(report.lines.contains("  ✓ TERM           xterm-256color, 100 columns"))
        #expect(report.lines.contains("  ✓ colours        24 bits"))
    }

    @Test func `what is missing has a way out, and only what is needed makes it ill`() {
        var facts = facts()
        facts.programs["curl"] = nil
        facts.features.remove(.http2)
        facts.locale = "C"
        var report = DoctorReport(facts)
        #expect(report.isWell)
        #expect(report.lines.contains("  – curl           not found; commands copied as curl need it: apt-get install curl"))
        #expect(report.lines.contains("  – HTTP/2         this libcurl has none; requests go by HTTP/1.1"))
        #expect(report.lines.contains { $0.hasPrefix("  – locale         C isn't UTF-8") })
        facts.libraryProblems = ["the jq library can't be loaded: libjq.so.1: no such file"]
        #expect(
            DoctorReport(facts).lines.contains {
                $0.hasPrefix(
                    "  – filters        the jq library can't be loaded: libjq.so.1: no such file; those that are no paths fail")
            })
        facts.tlsLibrary = nil
        report = DoctorReport(facts)
        #expect(!report.isWell)
        #expect(report.lines.contains { $0.hasPrefix("  ✗ TLS") })
    }

    @Test(arguments: [
        (NetworkConditions.Reachability.local, "  ✓ way out        eth0 (wired)"),
        (.cellular, "  ✓ way out        eth0 (wired): requests that don't allow cellular fail"),
        (.notReachable, "  – way out        no interface that is up has a default route; this machine itself can be reached"),
        (.undetermined, "  – way out        this system doesn't say"),
    ])
    func `the way out is named`(reachability: NetworkConditions.Reachability, line: String) {
        var facts = facts()
        facts.conditions = NetworkConditions(reachability: reachability, interfaces: [.init(name: "eth0", kind: .wired)])
        let report = DoctorReport(facts)
        #expect(report.lines.contains(line))
        #expect(report.isWell)
    }

    @Test func `this machine has a libcurl with TLS`() async {
        let run = await CommandLineRun.run(["doctor"])
        #expect(run.status == .success)
        #expect(run.output.contains("✓ libcurl        \(CurlLibrary.current.version)\n"))
    }
}
