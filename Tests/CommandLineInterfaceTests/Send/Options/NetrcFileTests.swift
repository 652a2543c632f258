import Testing

@testable import CommandLineInterface

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
