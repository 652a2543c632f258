import Foundation
import NetworkLayer
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
