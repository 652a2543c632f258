import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@Suite struct `A request as a curl command` {
    private func request(_ url: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none)
        throws -> Request
    {
        Request(url: try #require(URL(string: url)), method: method, headers: headers, body: body)
    }

    @Test func `needs no option for a plain GET`() throws {
        #expect(CurlCommand.text(for: try request("http://localhost/a")) == "curl http://localhost/a")
    }

    /// What Swift takes for one character: an accent behind it, and a sign that joins what follows it.
    @Test(arguments: ["it's", "x'\u{301}; touch /nowhere; echo '\u{301}", "x\u{600}'; touch /nowhere; echo \u{600}'"])
    func `no text ends its quotes`(text: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(CurlCommand.quoted(text))"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(printed == Data(text.utf8))
    }

    @Test func `quotes what a shell would read`() throws {
        let text = CurlCommand.text(
            for: try request(
                "http://localhost/a?b=1&c=$HOME", .post, headers: [.contentType: "text/plain", .userAgent: "it's me"],
                body: .data(Data("don't `run` $(this) \"please\" \\ !\n".utf8))))
        #expect(
            text == #"""
                curl 'http://localhost/a?b=1&c=$HOME' \
                  --header 'Content-Type: text/plain' \
                  --header 'User-Agent: it'\''s me' \
                  --data-raw 'don'\''t `run` $(this) "please" \ !
                '
                """#)
    }

    @Test func `names a method that the body does not imply`() throws {
        #expect(CurlCommand.text(for: try request("http://localhost/", .delete)) == "curl http://localhost/ \\\n  --request DELETE")
        #expect(CurlCommand.text(for: try request("http://localhost/", .head)) == "curl http://localhost/ \\\n  --head")
    }

    @Test func `keeps a header that is empty, and curl from adding a content type`() throws {
        let text = CurlCommand.text(
            for: try request("http://localhost/", .post, headers: [.accept: ""], body: .data(Data("x".utf8))))
        #expect(
            text == """
                curl http://localhost/ \\
                  --header 'Accept;' \\
                  --header Content-Type: \\
                  --data-raw x
                """)
    }

    @Test func `pipes in bytes that aren't text`() throws {
        let text = CurlCommand.text(
            for: try request(
                "http://localhost/", .put, headers: [.contentType: "application/octet-stream"],
                body: .data(Data([0, 0x41, 0xFF, 0x25]))))
        #expect(
            text == #"""
                printf '\000A\377\045' | curl http://localhost/ \
                  --request PUT \
                  --header 'Content-Type: application/octet-stream' \
                  --data-binary @-
                """#)
    }

    @Test func `sends a file as it is, and takes brackets in a URL as they are`() throws {
        let text = CurlCommand.text(
            for: try request("http://[::1]:8080/", .post, headers: [.contentType: "a/b"], body: .file(path: "/tmp/a b")))
        #expect(
            text == """
                curl 'http://[::1]:8080/' \\
                  --globoff \\
                  --header 'Content-Type: a/b' \\
                  --data-binary '@/tmp/a b'
                """)
    }

    @Test(arguments: [
        ("http://localhost/a/../b", true), ("http://localhost/a/.", true), ("http://localhost/./?q", true),
        ("http://localhost/a?b=/../c", false), ("http://localhost/a..b/...", false),
    ])
    func `dots in a path stay`(url: String, hasOption: Bool) throws {
        #expect(CurlCommand.text(for: try request(url)).contains("--path-as-is") == hasOption)
    }

    @Test func `a long body is no word of the command`() throws {
        var long = try request("http://localhost/", .post)
        long.body = .data(Data(String(repeating: "it's ", count: 40_000).utf8))
        let text = CurlCommand.text(for: long)
        #expect(text.hasPrefix(#"printf %s 'it'\''s it'"#))
        #expect(text.contains("' | curl http://localhost/ \\\n  --header Content-Type: \\\n  --data-binary @-"))
    }
}
