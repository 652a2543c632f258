import Foundation
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct QuestionTests {
    private let worker = QuestionWorker(program: nil)

    private func answers(_ programs: [String], _ body: String) async -> [String] {
        await worker.ask(programs, about: .data(Data(body.utf8)), limits: .init()).map(Self.text)
    }

    private func xpath(_ expressions: [String], _ body: String, contentType: String? = nil) async -> [String] {
        var body = BodyFilter.Body.data(Data(body.utf8))
        body.contentType = contentType
        let filters = expressions.map { JSONFilter("xpath:\($0)") }
        return await BodyFilter.xpathAnswers(to: filters, in: body, limit: 1 << 20).map { Self.text($0.answer) }
    }

    private static func text(_ answer: BodyAnswer) -> String {
        switch answer {
        case .success(let values):
            String(decoding: values, as: UTF8.self).replacing("\n", with: " ").trimmingCharacters(in: [" "])
        case .failure(let error): "! \(error.message)"
        }
    }

    // MARK: jq

    @Test func `a program that fails, or is none, is nobody else's`() async {
        let programs = [
            ".a", ".a | error", ".a.b", ".a |", "empty", ".a, .b # a remark", "", "def f: .b; f", "1) , (2",
            "label $f | .a, break $f",
            "error({x: 1})", "[.[]?", "\"\\(.a) ) \"", "nope",
        ]
        #expect(
            await answers(programs, #"{"a":"x","b":[1]}"#) == [
                "\"x\"", "! x", "! Cannot index string with string \"b\"",
                "! syntax error, unexpected $end at <top-level>, line 1:", "",
                "\"x\" [1]", #"{"a":"x","b":[1]}"#, "[1]",
                "! syntax error, unexpected INVALID_CHARACTER, expecting $end at <top-level>, line 1:", "\"x\"",
                "! (not a string): {\"x\":1}",
                "! syntax error, unexpected $end at <top-level>, line 1:", "\"x ) \"",
                "! nope/0 is not defined at <top-level>, line 1:",
            ])
    }

    @Test func `each value of a body is asked, and an error in one is the end`() async {
        #expect(await answers([".a + 1", ".a"], "{\"a\":1}\n{\"a\":2}") == ["2 3", "1 2"])
        #expect(await answers([".a + 1", ".a"], "{\"a\":1}\n{\"a\":\"x\"}")[1] == "1 \"x\"")
        #expect(await answers([".a + 1", ".a"], "{\"a\":1}\n{\"a\":\"x\"}")[0].hasPrefix("! string (\"x\") and number (1)"))
        #expect(await answers(["length", "keys"], "") == ["! the body is empty", "! the body is empty"])
        #expect(await answers(["length"], "{\"a\":")[0].hasPrefix("! the body isn't JSON: "))
    }

    @Test func `what a program says on the side goes nowhere`() async {
        #expect(await answers([".a | debug", ".a + 1"], #"{"a":1}"#) == ["1", "2"])
        #expect(Answering.libraryProblems == [])
    }

    /// A program sees which others are asked with it no more than the environment.
    @Test func `what was asked before changes nothing`() async {
        let answering = Answering()
        func ask(_ programs: [String]) -> [BodyAnswer] {
            answering.answers(to: programs, about: Data("[1,2]".utf8), limit: 1000)
        }
        _ = answering.complaints(about: ["length", "add", "map(. + 1)"])
        #expect(ask(["add"]) == [.success(Data("3\n".utf8))])
        #expect(
            ask(["map(. + 1)", "first", "length"])
                == [Data("[2,3]\n".utf8), Data("1\n".utf8), Data("2\n".utf8)].map { .success($0) })
        #expect(ask(["[range(1e6)]"]) == [.failure(BodyFilterError.tooLong(1000))])
    }

    // MARK: XPath

    private static let feed = """
        <?xml version="1.0"?>
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m" n="3"><title>caf\u{E9} &amp; bar</title>
        <entry><id>1</id><m:price>2.50</m:price></entry><entry><id>2</id><m:price>4</m:price></entry></feed>
        """

    @Test(arguments: [
        ("//_:id", #""1" "2""#), ("count(//_:entry)", "2"), ("sum(//m:price)", "6.5"), ("string(//_:title)", "\"caf\u{E9} & bar\""),
        ("//_:entry[_:id = 2]/m:price", #""4""#), ("/_:feed/@n", #""3""#), ("boolean(//_:nope)", "false"), ("//_:nope", ""),
        ("//id", ""), ("number('x')", "null"), ("1 div 0", "null"), ("//*[local-name()='id'][last()]", #""1" "2""#),
        ("//_:id[", "! it isn't an expression of XPath 1.0"), ("nope()", "! it calls a function that XPath 1.0 doesn't have"),
        ("$x", "! it has a variable, and there are none"),
        (
            "//x:y",
            "! it has a prefix of a namespace that the body doesn't declare; `_` is the default one of its first element"
        ),
    ])
    func `XPath finds nodes, texts, numbers and booleans in XML`(expression: String, found: String) async {
        #expect(await xpath([expression], Self.feed) == [found])
    }

    @Test func `HTML need not be well-formed`() async {
        let html = "<!doctype html><title>Shop</title><p>1<p class=x>2<br><form><input name=csrf value='a&amp;b'>\u{E9}"
        #expect(
            await xpath(["//title", "//p[@class='x']", "//input[@name='csrf']/@value", "count(//p)"], html)
                == ["\"Shop\"", "\"2\"", "\"a&b\"", "2"])
        #expect(await xpath(["//a"], "  \n")[0] == "! the body is empty, and neither XML nor HTML")
    }

    /// Otherwise what looks for an element that must be missing would be green on an error page of another kind.
    @Test(arguments: [
        (#"{"error":"boom"}"#, "application/json"), ("plain <b>words</b>", "text/plain"), ("a", nil),
        ("<a><b></a>", "application/xml"),
        ("<a><b></a>", "application/problem+xml; charset=utf-8"), ("<error><code>1", nil), ("<", nil),
    ])
    func `XPath has no answer about what is neither XML nor HTML`(body: String, contentType: String?) async {
        #expect(await xpath(["//b"], body, contentType: contentType) == ["! the body is neither HTML nor well-formed XML"])
    }

    @Test(arguments: [
        ("<b>1", nil), (" \n<!-- row --><tr><td><b>1", nil), ("words <b>1", "text/html"), ("<x><b>1", "Text/HTML; charset=utf-8"),
        ("<html><b>1", "application/xhtml+xml"), ("<x><b>1</b></x>", "image/svg+xml"), ("<x><b>1</b></x>", "text/plain"),
    ])
    func `what is HTML, or begins like it, is read as HTML`(body: String, contentType: String?) async {
        #expect(await xpath(["//b"], body, contentType: contentType) == ["\"1\""])
    }

    @Test func `no file is read for a body, and what it says twice over is bounded`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try Data("hidden".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let body = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file://\(path)\">]><a>x&f;y</a>"
        #expect(await xpath(["string(/a)"], body) == ["\"xy\""])
    }

    @Test(
        arguments: [
            ("count(//t/text())", "<t>Tom <![CDATA[& Ann]]></t>", "1"),
            ("//t[text()='Tom & Ann']", "<t>Tom <![CDATA[& Ann]]></t>", "\"Tom & Ann\""),
            ("/a/text()", "<!DOCTYPE a [<!ENTITY e \"E\">]><a>x&e;y</a>", "\"xEy\""),
            ("/a", "<!DOCTYPE a [<!ENTITY e \"E\">]><a>x&e;y</a>", "\"xEy\""),
        ])
    func `a text is one node, whatever it is written as`(expression: String, body: String, found: String) async {
        #expect(await xpath([expression], body) == [found])
    }

    @Test func `a deep or long document is read whole, or refused`() async {
        let deep = String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)
        #expect(await xpath(["count(//a)"], deep) == ["300"])
        let entities = await xpath(["count(//a)"], "<!DOCTYPE a [<!ENTITY e \"E\">]>" + deep)
        #expect(entities[0].hasPrefix("! the body is beyond a limit of libxml2: "))
        let page = "<html>" + String(repeating: "<div>", count: 260) + "<p class='error'>x</p>"
        #expect(await xpath(["count(//div)", "//p[@class='error']"], page) == ["260", "\"x\""])
        let long = "<html><script>" + String(repeating: "x", count: 10_100_000) + "</script><p>y</p></html>"
        #expect(await xpath(["//p"], long) == ["\"y\""])
    }

    @Test func `an expression that takes too many steps gives up`() async {
        let body = "<a>" + String(repeating: "<b>1</b>", count: 3_000) + "</a>"
        #expect(
            await xpath(["count(//b[count(//b[. = current]) = 0])", "count(//b[count(//b[count(//b) = 1]) = 2])"], body).allSatisfy
            { $0.hasPrefix("! ") })
    }

    // MARK: The other process

    @Test(arguments: [[], [Data()], [Data("a\nb".utf8), Data(), Data([0, 10, 255])]])
    func `a frame arrives as it was sent`(fields: [Data]) throws {
        let frame = QuestionFrame(fields)
        let end = try #require(frame.bytes.firstIndex(of: 0x0A))
        #expect(QuestionFrame(frame.bytes.suffix(from: end + 1)) == frame)
    }

    @Test(arguments: ["x", "5\nab", "-1\n", "1\nab", "99999999999999999999\n"])
    func `what is no frame isn't one`(text: String) {
        #expect(QuestionFrame(Data(text.utf8)) == nil)
    }

    private func failure(of script: String, timeout: Duration = .seconds(60)) async throws -> String? {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let worker = QuestionWorker(program: path, memory: 1 << 30)
        switch await worker.ask(["length"], about: .data(Data("[]".utf8)), limits: .init(timeout: timeout))[0] {
        case .success(let data): return String(decoding: data, as: UTF8.self)
        case .failure(let error): return error.message
        }
    }

    @Test func `what was stopped answers nothing more`() async throws {
        let worker = QuestionWorker(program: "/bin/cat")
        worker.stop()
        let answer = await worker.ask(["length"], about: .data(Data("[]".utf8)), limits: .init())[0]
        #expect(throws: BodyFilterError("it was cancelled")) { try answer.get() }
    }

    @Test func `a process that doesn't answer is ended`() async throws {
        #expect(
            try await failure(of: "exec sleep 1000", timeout: .milliseconds(100))
                == "jq took longer than the 0.1 s that all filters of a response have together")
        #expect(try await failure(of: "exit 1")?.hasPrefix("jq needed more than 1024 MiB of memory") == true)
        #expect(try await failure(of: "printf '3\\nabc'; exec sleep 1000") == "it could not be asked")
    }

    /// One that stays in the table of processes would also keep the testing library from seeing the end of exit tests.
    @Test(.timeLimit(.minutes(1)), arguments: ["printf '3\\nabc'", "printf '13\\n6\\nvalues3\\n12\\n'"])
    func `a process that is given up or no longer needed is ended, and waited for`(answer: String) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await failure(of: "echo $$ >\(path); \(answer); exec sleep 1000")
        let id = try #require(pid_t(String(contentsOfFile: path, encoding: .utf8).dropLast()))
        while kill(id, 0) == 0 { await Task.yield() }
        #expect(errno == ESRCH)
    }
}
