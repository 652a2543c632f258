import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// `run --repeat`, `--duration` and `--rate`.
struct RunLoadTests {
    private static let local = """
        turnstone: 1
        requests:
          a: { get: "http://127.0.0.1/a" }
          broken: { get: "http://127.0.0.1/broken", expect: { status: 500 } }
          far: { get: "http://api.example.org/far" }
        """

    @Test func `a rate with a number of requests sends them all, and says from when their times count`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "a", "--rate", "2000", "--repeat", "12", "--jobs", "4", "--report", "json=-"], transport: RunBench.answers
        )
        #expect(run.status == .success)
        #expect(run.errors.contains("a  rate 2,000/s, at most 4 at once\n"))
        #expect(run.errors.contains("✓ 12 × 200\n"))
        #expect(run.errors.contains("\nlate  "))
        #expect(run.errors.contains("\nuncorr."))
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.load[0].model == "open" && report.load[0].sent == 12 && report.load[0].passed == 12)
        #expect(report.load[0].phases["total"]?.samples == 12)
        #expect(report.load[0].phases["total"]?.p90_us != nil)
        #expect(report.load[0].phases["total"]?.p99_us == nil)
        // Not each of them is an entry.
        #expect(report.runs.count == 1)
    }

    private struct Report: Decodable {
        struct Load: Decodable {
            struct Phase: Decodable { var samples: Int; var p90_us: Int64?; var p99_us: Int64? }
            var model: String
            var sent: Int
            var passed: Int
            var failures: [String: Int]
            var phases: [String: Phase]
        }
        struct Run: Decodable { var request: String }
        var load: [Load]
        var runs: [Run]
    }

    @Test func `the distribution of the times is written as HdrHistogram writes it`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "a", "--rate", "2000", "--repeat", "200", "--jobs", "4", "--report", "hdr=-"],
            transport: RunBench.answers)
        #expect(run.status == .success)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "       Value     Percentile TotalCount 1/(1-Percentile)" && lines[1] == "")
        let rows = lines.dropFirst(2).prefix { !$0.hasPrefix("#") }.map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(rows.allSatisfy { $0.count == 4 || $0.count == 3 && $0[1] == 1 })
        #expect(rows.map { $0[0] } == rows.map { $0[0] }.sorted() && rows.last?[2] == 200)
        #expect(lines.contains { $0.hasPrefix("#[Max     = ") && $0.hasSuffix("Total count    =          200]") })
    }

    @Test func `what fails is counted by kind, and nothing is told of times that nobody has`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "broken", "--rate", "2000", "--repeat", "5"], transport: RunBench.answers)
        #expect(run.status == .expectationFailed)
        #expect(run.output.contains("None passed, so there is no time to tell of.\n✗ 5 × check failed\n"))
        #expect(run.output.contains("5 failed in"))
    }

    @Test func `the same failure is shown three times, and then counted`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "broken", "--rate", "2000", "--repeat", "50"], transport: RunBench.answers)
        #expect(run.output.ranges(of: "expected status to be 500").count == 3)
        #expect(run.output.ranges(of: "Further failures of broken for the same reason are only counted.").count == 1)
        #expect(run.output.contains("✗ 50 × check failed\n"))
    }

    @Test func `a duration ends by the clock`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let time = ManualTimeSource()
        let transport = ScriptedTransport { _ in
            time.advance(by: .milliseconds(100))
            return .respond(body: Data("x".utf8))
        }
        let run = await CommandLineRun.run(["run", path, "a", "--duration", "1s"], transport: transport, time: time)
        #expect(run.status == .success)
        #expect(run.output.contains("a  closed, 1 at once: slow answers delay the next request\n"))
        #expect(run.output.contains("✓ 10 × 200\n"))
    }

    @Test(arguments: [
        (["--repeat", "1001"], "1,001 requests"), (["--repeat", "10", "--jobs", "17"], "17 at once"),
        (["--rate", "21", "--repeat", "2"], "21/s"), (["--duration", "61s"], "61s"),
    ])
    func `without a terminal a load on another machine needs the word`(words: [String], what: String) async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["run", path, "far"] + words, transport: RunBench.answers)
        #expect(run.status == .usage)
        #expect(
            run.errors
                == "turnstone: This is a load on api.example.org: \(what). With --yes it is sent; up to 1,000 requests, 16 at once, 20/s and 60 s need no word.\n"
        )
        #expect(!run.output.contains("passed"))
    }

    @Test(arguments: [
        (["--rate", "5"], "--rate needs an end: --duration 30s, or --repeat 200."), (["--rate", "0"], "'0' is invalid"),
        (["--rate", "nan", "--repeat", "2"], "'nan' is invalid"), (["--duration", "0s"], "'0s' is invalid"),
    ])
    func `what can't be is said`(words: [String], sentence: String) async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["run", path, "a"] + words, transport: RunBench.answers)
        #expect(run.status == .usage)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func `an interrupt keeps what was measured`() async throws {
        let (directory, path) = try ShopFile.make(Self.local)
        defer { withExtendedLifetime(directory) {} }
        let sent = Mutex(0)
        let transport = ScriptedTransport { _ in
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            return number <= 3 ? .respond(body: Data("x".utf8)) : .nothing
        }
        let interrupts = Interrupts()
        async let run = CommandLineRun.run(
            ["run", path, "a", "--duration", "60s"], transport: transport, time: ManualTimeSource(), interrupts: interrupts)
        _ = await transport.transfer(3)
        interrupts.interrupt()
        let ended = await run
        #expect(ended.status == .cancelled)
        #expect(ended.output.contains("✓ 3 × 200\n"))
    }
}
