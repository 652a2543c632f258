import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// What one command line makes of several URLs; `curl.table` holds what the servers see of it.
@Suite struct SeveralTransfersTests {
    @Test func `the first -o, -O and -T are for the first URL, wherever they stand`() throws {
        let transfers = try SendOptionParser.transfers([
            "-o", "x", "http://h/1", "-T", "up", "--url", "http://h/2", "-O", "-d", "a=1",
        ])
        #expect(transfers.map(\.url) == ["http://h/1", "http://h/2"])
        #expect(transfers.map(\.output) == ["x", nil])
        #expect(transfers.map(\.usesRemoteName) == [false, true])
        #expect(transfers.map(\.upload) == ["up", nil])
        #expect(transfers.map { $0.data.count } == [1, 1])
    }

    @Test func `options of one request aren't those of the next, but what is about the program`() throws {
        let transfers = try SendOptionParser.transfers(["-sv", "-u", "a:b", "http://h/1", "-:", "-X", "PUT", "http://h/2"])
        #expect(transfers.map(\.user) == ["a:b", nil])
        #expect(transfers.map(\.method) == [nil, "PUT"])
        #expect(transfers.map(\.isSilent) == [true, true])
        #expect(transfers.map(\.isVerbose) == [true, true])
    }

    @Test(arguments: [
        ("http://h/{a,b}[1-2]", ["http://h/a1", "http://h/a2", "http://h/b1", "http://h/b2"]),
        ("[08-10]", ["08", "09", "10"]), ("[0-9:4]", ["0", "4", "8"]), ("[a-e:2]", ["a", "c", "e"]), ("[X-Z]", ["X", "Y", "Z"]),
        ("{a\\,b,c\\}}", ["a,b", "c}"]), ("{,x}", ["", "x"]), ("\\{a\\}", ["{a}"]), ("a[]=1&b[0]=2&{", ["a[]=1&b[0]=2&{"]),
        ("{}", ["{}"]), ("{a{b}", ["{ab"]), ("http://[::1]/", ["http://[::1]/"]), ("[a-C]", ["[a-C]"]), ("", [""]),
    ])
    func `a pattern stands for its texts, the last one counting fastest`(pattern: String, texts: [String]) throws {
        let glob = try URLGlob(pattern)
        #expect((0..<glob.count).map { glob.text(at: $0).text } == texts)
        #expect(try URLGlob(pattern, isLiteral: true).text(at: 0).text == pattern)
    }

    @Test func `a pattern of very many is made one by one`() throws {
        let glob = try URLGlob("http://h/[1-1000000000]")
        #expect(glob.count == 1_000_000_000)
        #expect(glob.text(at: 999_999_999).text == "http://h/1000000000")
        #expect(throws: CommandFailure.self) { try URLGlob("[1-9999999999][1-9999999999]") }
        #expect(throws: CommandFailure.self) { try URLGlob("[1-99999999999999999999]") }
    }

    @Test func `a file of options is read as curl reads it`() {
        let file = OptionFile(
            """
            # comment
            url = "http://h/a b\\t\\"c\\"" ignored
              header: X-A:1
            -o out.txt
            --silent
            user-agent "me"
            location = yes
            data=

            """)
        #expect(
            file.lines == [
                ["--url", "http://h/a b\t\"c\""], ["--header", "X-A:1"], ["-o", "out.txt"], ["--silent"], ["--user-agent", "me"],
                ["--location"], ["--data"],
            ])
    }

    @Test func `files of options that lead to one another end`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("a", "config = \(directory.file("b"))\n")
        try directory.write("b", "config = \(directory.file("a"))\n")
        #expect(throws: CommandFailure.self) { try SendOptionParser.transfers(["-K", directory.file("a")]) }
    }

    @Test func `the file gets the time that the server says`() async throws {
        let directory = try TemporaryDirectory()
        let server = try AnsweringServer { _ in
            [Data("HTTP/1.1 200 OK\r\nLast-Modified: Sat, 01 Jan 2000 00:00:00 GMT\r\nContent-Length: 2\r\n\r\nok".utf8)]
        }
        let file = directory.file("out")
        #expect(await CommandLineRun.run(["send", "-R", "-o", file, "http://127.0.0.1:\(server.port)/"]).status == .success)
        let date = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        #expect(date == Date(timeIntervalSince1970: 946_684_800))
    }

    @Test func `a password is asked for once`() async throws {
        let server = try AnsweringServer { _ in
            (1...3).map { _ in Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        }
        let asked = Asked()
        let run = await CommandLineRun.run(
            ["send", "-u", "ada", "http://127.0.0.1:\(server.port)/[1-3]"], askSecret: { asked.answer($0) })
        #expect(run.output == "okokok")
        #expect(asked.count == 1)
    }

    @Test func `the shell's list of processes shows no secret of any of them`() {
        let words = ["turnstone", "send", "--proxy-header", "Proxy-Authorization: x", "--next", "-u", "a:b", "http://h/?token=t"]
        #expect(SecretWords.places(in: words).map(\.word) == [3, 6, 7])
    }
}

private final class Asked: Sendable {
    private let questions = Mutex(0)

    var count: Int { questions.withLock { $0 } }

    func answer(_ question: String) -> String {
        questions.withLock { $0 += 1 }
        return "love"
    }
}

@Suite struct ParallelTransfersTests {
    @Test(.timeLimit(.minutes(1))) func `with -Z several requests are under way at once`() async {
        let transport = ScriptedTransport()
        async let run = CommandLineRun.run(["send", "-Z", "-w", "%{urlnum}|", "http://h/[1-3]"], transport: transport)
        // Nobody is answered before all three have come.
        _ = await transport.transfer(2)
        for transfer in transport.transfers {
            for step in Script.respond(status: 204).steps { transfer.send(step) }
        }
        #expect(await run.output == "0|0|0|")
        #expect(await run.status == .success)
    }

    @Test(.timeLimit(.minutes(1))) func `of --parallel-max no more than so many`() async {
        let transport = ScriptedTransport()
        async let run = CommandLineRun.run(["send", "-Z", "--parallel-max", "2", "http://h/[1-3]"], transport: transport)
        for index in 0..<3 {
            // The third begins when the first is over.
            let transfer = await transport.transfer(index)
            if index == 0 { _ = await transport.transfer(1) }
            #expect(transport.transfers.count == min(3, index + 2))
            for step in Script.respond(status: 204).steps { transfer.send(step) }
            if index == 0 { _ = await transport.transfer(2) }
        }
        #expect(await run.status == .success)
    }

    @Test func `of several that fail at once, the last one of the command line decides`() async throws {
        let run = await CommandLineRun.run([
            "send", "-Zs", "http://127.0.0.1:1/", "--proto", "=http", "https://127.0.0.1:1/", "http://127.0.0.1:1/",
        ])
        #expect(run.status == .connection)
    }

    @Test(.timeLimit(.minutes(1))) func `requests of --rate begin so far apart`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport { _ in .respond(status: 204) }
        async let run = CommandLineRun.run(["send", "--rate", "2/s", "http://h/[1-2]"], transport: transport, time: time)
        // The alarm for the second one is half a second later.
        while time.nextDeadline != MonotonicTime.zero + .milliseconds(500) { await Task.yield() }
        #expect(transport.requests.count == 1)
        time.advance(by: .milliseconds(500))
        #expect(await run.status == .success)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: ["0", "x", "1/w", "-1", "1/", "/s"]) func `what is no rate is refused`(rate: String) {
        #expect(throws: CommandFailure.self) { try SendOptionParser.parse(["--rate", rate, "http://h/"]) }
    }
}
