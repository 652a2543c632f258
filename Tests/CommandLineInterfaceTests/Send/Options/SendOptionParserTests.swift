import Foundation
import NetworkLayer
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct SendOptionParserTests {
    @Test func `letters are combined, and the last may take a value from the same word or the next`() throws {
        var expected = SendArguments()
        expected.isSilent = true
        expected.showsErrors = true
        expected.followsRedirects = true
        expected.method = "PUT"
        expected.output = "file"
        expected.url = "http://h/"
        #expect(try SendOptionParser.parse(["-sSL", "-XPUT", "-o", "file", "http://h/"]) == expected)
        #expect(try SendOptionParser.parse(["http://h/", "-sSLXPUT", "-ofile"]) == expected)
    }

    @Test func `long options take a value from the next word or after an equals sign, and switches can be turned off`() throws {
        var expected = SendArguments()
        expected.maximumTime = 1.5
        expected.referer = "-x"
        #expect(try SendOptionParser.parse(["--max-time", "1.5", "--referer=-x", "--location", "--no-location"]) == expected)
    }

    @Test func `the order of data counts across options`() throws {
        let arguments = try SendOptionParser.parse(["-d", "a", "--data-urlencode", "b", "-dc"])
        #expect(
            arguments.data == [
                DataArgument(kind: .data, text: "a"), DataArgument(kind: .urlEncoded, text: "b"),
                DataArgument(kind: .data, text: "c"),
            ])
    }

    @Test func `the beginning of a name is enough where it is the only one, as to curl`() throws {
        var expected = SendArguments()
        (expected.isSilent, expected.maximumTime) = (true, 3)
        #expect(try SendOptionParser.parse(["--sil", "--max-t", "3"]) == expected)
        #expect(throws: CommandFailure.self) { try SendOptionParser.parse(["--max", "3"]) }
        // `--sslv2` and others are refused, and not taken for another.
        #expect(throws: CommandFailure.self) { try SendOptionParser.parse(["--ssl"]) }
        let words = ["turnstone", "send", "--oauth2-b", "hunter2", "http://h/"]
        #expect(SecretWords.places(in: words) == [.init(word: 3, range: 0..<7)])
    }

    @Test func `a scheme that is taken back leaves the others`() throws {
        var expected = SendArguments()
        expected.scheme = .digest
        #expect(try SendOptionParser.parse(["--no-basic", "--digest"]) == expected)
        #expect(try SendOptionParser.parse(["--ntlm", "--no-ntlm", "--digest"]) == expected)
    }

    @Test func `after -- all is URL`() throws {
        #expect(try SendOptionParser.parse(["-s", "--", "-strange"]).url == "-strange")
    }

    @Test(arguments: [
        (["--frobnicate"], "send has no option --frobnicate. `turnstone send --help` lists all of them."),
        (["--http4.1"], "send has no option --http4.1. `turnstone send --help` lists all of them."),
        (["--locaton"], "send has no option --locaton. Did you mean --location? `turnstone send --help` lists all of them."),
        (["-sW"], "send has no option -W. `turnstone send --help` lists all of them."),
        (["-d"], "-d takes a value: -d DATA."),
        (["--data"], "--data takes a value: --data DATA."),
        (["--silent=yes"], "--silent takes no value: leave out \"=yes\"."),
        (["-m", "soon"], "--max-time soon is no number of seconds. Write 2 or 0.5."),
        (["--max-redirs", "many"], "--max-redirs many is no whole number."),
        (["--events", "xml"], "--events xml isn't there. It takes jsonl."),
        (
            ["--response-body-mode", "file,disk"],
            "--response-body-mode file,disk: there is no disk. It takes file, print, or file,print."
        ),
        (["-"], "send has no option -. `turnstone send --help` lists all of them."),
        (["--proto-default", "ftp"], "--proto-default ftp: send speaks http and https."),
        (["--local-port", "9-8"], "--local-port 9-8: it takes a port, or the first and the last one: 8000-8010."),
        (["--limit-rate", "fast"], "--limit-rate fast is no number of bytes. It takes 1000, 20k, 5M or 1G; 0 for any."),
        (
            ["-b", "a=1", "http://h/[9-1]"],
            "[9-1] is no range: it goes up, in steps of 1 or more. With -g it is sent as it stands."
        ),
        (
            ["--etag-save", "f", "http://h/{a,b}"], "--etag-save and --etag-compare are for one URL, and there are several."
        ),
    ])
    func `a mistake is named, with the way out`(words: [String], sentence: String) {
        #expect(throws: CommandFailure(status: .usage, message: sentence)) { try SendOptionParser.parse(words) }
    }

    @Test func `no name is there twice`() {
        #expect(Set(SendOption.all.map(\.long)).count == SendOption.all.count)
        let letters = SendOption.all.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    @Test func `the help names every option, and no line of it is longer than the terminal`() {
        let help = SendHelp.text(columns: 80)
        for option in SendOption.all { #expect(help.contains("--\(option.long)")) }
        #expect(help.hasPrefix("OVERVIEW: Send one request, and print the body of its response.\n"))
        let long = help.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("  turnstone") && !$0.contains("HOST") }
        #expect(long == [])
    }
}

extension SendOptionParser {
    /// The only transfer of a command line.
    static func parse(_ words: [String]) throws -> SendArguments {
        let transfers = try transfers(words)
        return try #require(transfers.count == 1 ? transfers.first : nil)
    }

    static func transfers(_ words: [String], input: String = "") throws -> [SendArguments] {
        let files = InputFiles(standardInput: GivenInput(bytes: Data(input.utf8)))
        return try Array(SendTransfers(groups(words, reading: files)))
    }
}

/// `--variable` and `--expand-OPTION`, which the installed curl may be too old for: the expectations are from curl's manual page.
@Suite struct OptionVariablesTests {
    private func parsed(_ words: [String], environment: [String: String] = [:], input: String = "") throws -> SendArguments {
        let files = InputFiles(standardInput: GivenInput(bytes: Data(input.utf8)))
        return try #require(Array(SendTransfers(SendOptionParser.groups(words, reading: files, environment: environment))).first)
    }

    @Test(arguments: [
        ("{{a}}", "x y"), ("http://h/{{a:url}}/{{b}}", "http://h/x%20y/2"), ("{{none}}|", "|"), ("\\{{a}}", "{{a}}"),
        ("{{a", "{{a"),
        ("{{c:trim}}", "z"), ("{{c:trim:b64}}", "eg=="), ("{{q:json}}", #"a\"b/"#), ("{{e:64dec}}", "hi"),
        ("{{a:64dec}}", "[64dec-fail]"),
        ("{{home}}{{or}}", "/rootelse"),
    ])
    func `a name in braces stands for its value`(text: String, expanded: String) throws {
        let words = [
            "--variable", "a=x y", "--variable", "b=2", "--variable", "c= z\n", "--variable", "q=a\"b/", "--variable", "e=aGk=",
        ]
        let others = ["--variable", "%home", "--variable", "%or=else", "--expand-data", text, "http://h/"]
        #expect(try parsed(words + others, environment: ["home": "/root"]).data.map(\.text) == [expanded])
    }

    @Test func `a value comes from a file or standard input, and only expand- looks at it`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("v", "from a file")
        let words = [
            "--variable", "v@\(path)", "--variable", "i@-", "--expand-header", "X: {{v}} {{i}}", "-H", "Y: {{v}}", "http://h/",
        ]
        #expect(try parsed(words, input: "input").headers == ["X: from a file input", "Y: {{v}}"])
    }

    @Test(arguments: [
        (["--variable", "=x"], "a name has letters"), (["--variable", "a"], "says no value"),
        (["--variable", "%NOWHERE"], "NOWHERE isn't in the environment"),
        (["--variable", "a=1", "--expand-data", "{{a:upper}}"], "has no function upper"),
        (["--variable", "a=AA==", "--expand-data", "{{a:64dec}}"], "bytes that no text has"),
    ])
    func `what can't be is refused`(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try parsed(words + ["http://h/"]) }
        #expect(failure?.status == .usage && failure?.message.contains(message) == true)
    }
}

@Suite struct NetrcFileTests {
    @Test(arguments: [
        ("machine a.test login ada password love", "ada:love"),
        ("machine b.test login no password no\nmachine A.test\n  login ada\n  password love", "ada:love"),
        ("machine a.test login \"a da\" password \"lo\\\"ve\\\\\"", "a da:lo\"ve\\"),
        ("# machine a.test login x password y\nmachine a.test login ada password love # more", "ada:love"),
        ("macdef init\nmachine a.test login x password y\n\nmachine a.test login ada password love", "ada:love"),
        ("machine a.test account z login ada password love\ndefault login guest password g", "ada:love"),
        ("machine b.test login no password no\ndefault login guest password g", "guest:g"),
        ("machine a.test login ada", "ada:"),
        ("machine b.test login no password no", nil),
        ("machine a.test", nil),
        ("login machine password", nil),
        ("", nil),
    ])
    func `who we are at a host`(text: String, user: String?) {
        #expect(NetrcFile(text).user(for: "a.test") == user)
    }

    private func arguments(_ words: String...) throws -> SendArguments {
        var arguments = try SendOptionParser.parse(words)
        try arguments.loadStoredCredentials(home: "/nowhere")
        return arguments
    }

    @Test func `a name in the URL is for the scheme that is asked for, and leaves the URL`() throws {
        let digest = try arguments("--digest", "http://a%40da:lo%3Ave@h/x?y=a@b")
        #expect(digest.user == "a@da:lo:ve")
        #expect(digest.url == "http://h/x?y=a@b")
        let stated = try arguments("--digest", "-u", "x:y", "http://ada:love@h/")
        #expect(stated.user == "x:y")
        #expect(stated.url == "http://h/")
        #expect(try arguments("http://ada:love@h/").url == "http://ada:love@h/")
    }

    @Test func `of two ways for one password the server chooses, or they are refused`() throws {
        let both = try arguments("--digest", "--basic", "-u", "a:b", "http://h/")
        #expect(both.choosesScheme)
        #expect(both.scheme == nil)
        #expect(
            throws: CommandFailure(
                status: .usage,
                message: "--digest and --ntlm exclude one another: -u is for one of them. Leave the other out.")
        ) { try arguments("--digest", "--ntlm", "-u", "a:b", "http://h/") }
    }
}

/// Every option that curl has is taken, or refused by its name: none is passed over in silence, and none is a slip of the pen.
@Suite struct RefusedOptionsTests {
    @Test func `each option of the installed curl is known`() throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        let help = String(decoding: try ChildProcess.output(of: curl, ["--help", "all"], input: Data()).0, as: UTF8.self)
        let options = help.matches(of: /(?m)^ *(?:-(.), *)?--([a-z0-9.-]+)/).map { (letter: $0.1, name: String($0.2)) }
        #expect(options.count > 200)
        for (letter, name) in options {
            let isTaken =
                SendOption.named(name) != nil || name.hasPrefix("no-") && SendOption.named(String(name.dropFirst(3))) != nil
            #expect(isTaken != (SendOption.refusal(of: name) != nil), "--\(name)")
            if let letter = letter?.first {
                #expect((SendOption.lettered(letter) != nil) != (SendOption.refusal(of: String(letter)) != nil), "-\(letter)")
            }
        }
    }

    @Test func `none is both taken and refused`() {
        #expect(SendOption.refusedNames.filter { SendOption.named($0) != nil } == [])
    }

    @Test func `the manual says of each option of curl what to do instead`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../docs/first-request.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let curl = try ChildProcess.find("curl", package: "curl")
        let help = String(decoding: try ChildProcess.output(of: curl, ["--help", "all"], input: Data()).0, as: UTF8.self)
        for match in help.matches(of: /--([a-z0-9.-]+)/) {
            guard let refusal = SendOption.refusal(of: String(match.1)), let colon = refusal.firstRange(of: ": ") else { continue }
            // A name at the beginning of a cell has a capital.
            #expect(text.contains("`--\(match.1)`") && text.contains(refusal[colon.upperBound...].dropFirst()), "--\(match.1)")
        }
    }

    @Test(arguments: [
        (["-2", "http://h/"], "send has no -2: SSL is broken, and OpenSSL doesn't speak it any more. Use --tlsv1.2."),
        (
            ["--no-ssl", "http://h/"],
            "send has no --no-ssl: it is for protocols other than HTTP, and means nothing to http and https. "
                + "Leave it out; for FTP, mail or SSH use curl."
        ),
    ])
    func `a refusal says why, and what to do instead`(words: [String], message: String) {
        #expect(#expect(throws: CommandFailure.self) { try SendOptionParser.parse(words) }?.message == message)
    }
}
