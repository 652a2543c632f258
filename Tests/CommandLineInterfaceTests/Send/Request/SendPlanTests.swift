import Foundation
import FoundationEssentials
import Glibc
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct SendPlanTests {
    private func configuration(_ words: String...) throws -> RequestConfiguration {
        try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data())).configuration
    }

    private func message(_ words: String...) -> String? {
        #expect(throws: CommandFailure.self) {
            try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data()))
        }?.message
    }

    @Test func `--retry and its kin make curl's rules`() throws {
        #expect(try configuration().retry == [])
        #expect(try configuration("--retry", "3").retry == [RetryRules.curl(retries: 3)])
        var rules = RetryRules.curl(retries: 1)
        rules.backoff = RetryBackoff(first: .seconds(2), factor: 1, max: .seconds(2), jitter: .none)
        rules.maxTime = .seconds(9)
        rules.on.formUnion([.kind(.refused), .kind(.any), .statusClass(4), .statusClass(5)])
        #expect(
            try configuration(
                "--retry", "1", "--retry-delay", "2", "--retry-max-time", "9", "--retry-connrefused", "--retry-all-errors", "-f"
            ).retry == [rules])
        #expect(message("--retry", "-1") == "--retry -1 can't be meant. It takes how often to try again, 0 or more.")
    }

    @Test func `TMO-1 an idle timeout that is asked for counts from the start, else from the first byte on`() throws {
        #expect(try configuration().timeouts.idleMode == .excludingInitialConnection)
        #expect(try configuration().timeouts.idle == .seconds(30))
        let asked = try configuration("--idle-timeout", "2").timeouts
        #expect(asked.idleMode == .includingInitialConnection)
        #expect(asked.idle == .seconds(2))
        #expect(
            try configuration("--idle-timeout", "2", "--global-config", "idleTimeoutMode:excludingInitialConnection").timeouts
                .idleMode == .excludingInitialConnection)
    }

    @Test func `-u is for the scheme that is named`() throws {
        let ada = Credential(user: "ada", password: "a:b")
        #expect(try configuration("-u", "ada:a:b").transport.authentication == nil)
        #expect(try configuration("-u", "ada:a:b", "--digest").transport.authentication == .digest(ada))
        #expect(try configuration("-u", "ada:a:b", "--ntlm").transport.authentication == .ntlm(ada))
        #expect(try configuration("-u", ":", "--negotiate").transport.authentication == .negotiate)
        #expect(try configuration("-n").transport.authentication == .netrc(file: nil))
        #expect(try configuration("--netrc-file", "f").transport.authentication == .netrc(file: "f"))
        #expect(
            try configuration("-u", "key:secret", "--aws-sigv4", "aws:amz:eu-1:s3").transport.authentication
                == .awsSigV4(AWSSignature(accessKey: "key", secretKey: "secret", region: "eu-1", service: "s3")))
        #expect(
            message("--aws-sigv4", "aws:amz")
                == "The authentication needs a name and a password: give them with -u USER:PASSWORD.")
        // As curl has it: a server that asks gets no answer.
        #expect(try configuration("--digest").transport.authentication == nil)
        #expect(try configuration("--ntlm").transport.authentication == nil)
        #expect(message("-u", "ada") == "-u ada has no password. It takes USER:PASSWORD, or USER: for an empty one.")
    }

    @Test func `a proxy, its credentials and the hosts without it`() throws {
        let options = try configuration("-x", "p:1", "-U", "u:p", "--proxy-digest").transport
        #expect(options.proxy == "p:1")
        #expect(options.proxyCredential == Credential(user: "u", password: "p"))
        #expect(options.proxyAuthentication == .digest)
        #expect(try configuration("-x", "p:1", "--noproxy", "x,h").transport.wire.proxyExceptions == "x,h")
        #expect(try configuration("--socks5-hostname", "p:2").transport.proxy == "socks5h://p:2")
    }
}

@Suite struct SendURLTests {
    private func url(_ words: String...) throws -> String {
        try SendPlan(SendOptionParser.parse(words), reading: GivenInput(bytes: Data())).request.url.absoluteString
    }

    @Test func `dots of a path are taken out as in RFC 3986, section 5_2_4, unless they are meant`() throws {
        #expect(try url("http://h/a/./b/../c") == "http://h/a/c")
        #expect(try url("http://h/../../x") == "http://h/x")
        #expect(try url("http://h/a/..") == "http://h/")
        #expect(try url("http://h/a//../b/.?c=/../d#/../e") == "http://h/a/b/?c=/../d#/../e")
        #expect(try url("--path-as-is", "http://h/a/../b") == "http://h/a/../b")
    }

    @Test func `a URL without a scheme may have another one in its query`() throws {
        #expect(try url("h/?to=http://other/") == "http://h/?to=http://other/")
    }

    @Test func `data for the query are put behind what is there`() throws {
        #expect(try url("-G", "-d", "", "http://h/") == "http://h/")
        #expect(try url("--url-query", "a=b", "http://h/?") == "http://h/?a=b")
        #expect(try url("--url-query", "+a%20b", "http://h/?c#d") == "http://h/?c&a%20b#d")
        // As curl 7.88 does it.
        #expect(try url("--url-query", "a=b", "http://h/?c&") == "http://h/?c&a=b")
    }

    @Test func `braces and brackets that are no pattern are sent`() throws {
        #expect(try url("http://h/?a[]=1&b[0]=2&{") == "http://h/?a%5B%5D=1&b%5B0%5D=2&%7B")
        #expect(try url("http://h/\\{a\\}") == "http://h/%7Ba%7D")
    }
}

@Suite struct StrictHostsTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let hosts = StrictHosts(
        """
        # a comment
        one.test "20991231 10:00:00"
        .all.test "unlimited"
        old.test "20200101 00:00:00"
        nonsense
        """)

    @Test(arguments: [
        ("http://one.test/a?b", "https://one.test/a?b"), ("http://ONE.test:80/", "https://ONE.test/"),
        ("http://one.test:8080/", "https://one.test:8080/"), ("http://one.test./", "https://one.test./"),
        ("http://sub.one.test/", "http://sub.one.test/"), ("http://all.test/", "https://all.test/"),
        ("http://a.b.all.test/", "https://a.b.all.test/"), ("http://notall.test/", "http://notall.test/"),
        ("http://old.test/", "http://old.test/"), ("https://one.test/", "https://one.test/"),
    ])
    func `a host of the list is asked by HTTPS`(url: String, strict: String) throws {
        #expect(hosts.strict(try #require(URL(string: url)), at: now).absoluteString == strict)
    }

    @Test func `what is written is what was read, by name`() {
        #expect(
            hosts.text.split(separator: "\n").dropFirst() == [
                ".all.test \"unlimited\"", "old.test \"20200101 00:00:00\"", "one.test \"20991231 10:00:00\"",
            ])
        #expect(StrictHosts(hosts.text).text == hosts.text)
    }

    @Test func `a redirect goes to such a host by HTTPS`() async throws {
        let proposed = Request(url: try #require(URL(string: "http://one.test/next")))
        let response = ResponseHead(status: .found, version: "HTTP/1.1", headers: [:])
        #expect(await hosts.redirect(to: proposed, after: response, from: proposed)?.url.absoluteString == "https://one.test/next")
    }
}

@Suite struct FormPartTests {
    private func part(_ text: String, isLiteral: Bool = false) throws -> FormPart {
        try FormPart(FormArgument(text: text, isLiteral: isLiteral))
    }

    @Test func `text, uploads and texts of files are told apart`() throws {
        var expected = try part("a=b c")
        #expect(expected.name == "a")
        #expect(expected.content == .text("b c"))
        expected = try part("a=@f.txt;type=text/x;filename=\"n;a\\\"me\"")
        #expect(expected.content == .file("f.txt"))
        #expect(expected.contentType == "text/x")
        #expect(expected.fileName == "n;a\"me")
        #expect(try part("a=<f.txt").content == .textOf("f.txt"))
        #expect(try part("a=@x;type=y", isLiteral: true).content == .text("@x;type=y"))
        #expect(try part("a=\u{301}b").content == .text("\u{301}b"))
        #expect(try part("a=@\u{301}b;type=x/y").content == .file("\u{301}b"))
    }

    @Test func `what can't be meant is named`() {
        #expect(
            throws: CommandFailure(
                status: .usage,
                message: "-F 'a' has no =. It takes NAME=TEXT, NAME=@FILE to upload one, or NAME=<FILE for its text.")
        ) { try part("a") }
        #expect(
            throws: CommandFailure(
                status: .usage,
                message: "-F 'a=b;c': there is no \"c\". After ; it takes type=TYPE and filename=NAME; "
                    + "--form-string takes text with a ; in it.")
        ) { try part("a=b;c") }
    }

    @Test func `parameters of the type belong to it, and blanks are a value's own only in quotes`() throws {
        #expect(try part("a=x;type=text/plain; charset=utf-8;filename=n").contentType == "text/plain; charset=utf-8")
        #expect(try part("a=x;type=text/plain; charset=utf-8;filename= n ").fileName == "n")
        #expect(try part("a= x ").content == .text("x"))
        #expect(try part("a=\" x \"").content == .text(" x "))
    }

    @Test(arguments: [
        ("a=x;type=", "\"\" is no type. It takes one, as in ;type=text/csv."),
        ("a=x;encoder=uuencode", "the encoder \"uuencode\" isn't there. It takes binary, 8bit, 7bit, base64."),
    ])
    func `what can't be meant by a parameter is refused by its name`(text: String, reason: String) {
        #expect(throws: CommandFailure(status: .usage, message: "-F '\(text)': \(reason)")) { try part(text) }
    }

    @Test func `several files are told apart by commas, each with its own parameters`() throws {
        guard case .files(let parts) = try part("a=@x;type=a/b,\"y,z\";filename=n,w").content else { return #expect(Bool(false)) }
        #expect(parts.map(\.content) == [.file("x"), .file("y,z"), .file("w")])
        #expect(parts.map(\.contentType) == ["a/b", nil, nil])
        #expect(parts.map(\.fileName) == [nil, "n", nil])
        #expect(try part("a=x,y").content == .text("x,y"))
    }
}

/// A shell's `<(command)` is the path of a pipe: it has no size, and what is in it can be read once.
@Suite struct `Files that are pipes` {
    @Test(arguments: ["--data", "--data-binary", "--json", "--header", "--form", "--upload-file", "--config"])
    func `are read like others`(option: String) async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread {
            let text = Data(
                (option == "--header" ? "X-Bird: turnstone" : option == "--config" ? "data = \"turnstone\"" : "turnstone").utf8)
            try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: text)
        }
        let value =
            switch option {
            case "--form": "bird=@\(pipe)"
            case "--upload-file", "--config": pipe
            default: "@\(pipe)"
            }
        let input = RepeatedInput(GivenInput(bytes: Data()))
        let groups = try SendOptionParser.groups([option, value, "http://127.0.0.1/"], reading: InputFiles(standardInput: input))
        let transfers = Array(try SendTransfers(groups))
        let arguments = try #require(transfers.first)
        let plan = try SendPlan(arguments, reading: input)
        if option == "--header" {
            #expect(plan.request.headers.contains { $0.value == "turnstone" })
        } else {
            let body = try await bytes(of: plan.request.body)
            #expect(String(decoding: body, as: UTF8.self).contains("turnstone"), "\(option)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `are the same for each URL`() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread { try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: Data("turnstone".utf8)) }
        let input = RepeatedInput(GivenInput(bytes: Data()))
        for _ in 1...2 { #expect(try InputFiles(standardInput: input).contents(pipe) == Data("turnstone".utf8)) }
    }

    @Test(.timeLimit(.minutes(1))) func `/dev/null is an empty one`() throws {
        let files = InputFiles(standardInput: GivenInput(bytes: Data()))
        #expect(try files.contents("/dev/null") == Data())
    }

    @Test func `a directory and what isn't there are none`() {
        let files = InputFiles(standardInput: GivenInput(bytes: Data()))
        #expect(throws: CommandFailure.self) { try files.contents("/") }
        #expect(throws: CommandFailure.self) { try files.contents("/no/such/file") }
    }

    private func bytes(of body: RequestBody) async throws -> Data {
        if case .data(let data) = body { return data }
        guard case .stream(let stream) = body else { return Data() }
        let reader = try stream.open()
        var data = Data()
        while true {
            let (woken, wake) = AsyncStream<Void>.makeStream()
            switch try reader.read(atMost: 1 << 16, wake: { wake.yield() }) {
            case .bytes(let piece): data += piece
            case .end: return data
            case .later: for await _ in woken { break }
            }
        }
    }
}
