import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct TemplateFunctionTests {
    private static let folder: TemporaryDirectory = {
        do { return try TemporaryDirectory(["a.txt": "content\n", "shop.yaml": ""]) } catch { fatalError("\(error)") }
    }()

    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        variables: { word: Jefe, none: ~, list: [eu, us], password: { secret: { env: PW } }, number: 5 }
        requests:
          login: { post: http://h/login }
          orders: { requests: { create: { post: http://h/ }, login: { post: http://h/ } } }
        """, path: folder.path("shop.yaml"))

    private static let sources = TemplateEnvironment(
        trust: .everything, processEnvironment: ["HOME": "/root", "API_TOKEN": "t0ken"],
        now: Date(timeIntervalSince1970: 1_795_224_027.042), seed: 7,
        answers: [.secret(.environment("PW")): TemplateAnswer(.string("pass"))])

    private static func scope(_ sources: TemplateEnvironment = sources, request: String = "orders/create") throws -> VariableScope {
        try VariableScope(
            collection, environment: nil, given: [:], sources: sources,
            for: collection.request(RequestID(rawValue: request)))
    }

    private static let here = SourceLocation(path: folder.path("shop.yaml"), line: 1, column: 2)

    @Test(
        arguments: [
            ("now()", "\"2026-11-21T01:20:27Z\""), ("now('iso8601-ms')", "\"2026-11-21T01:20:27.042Z\""),
            ("now('http')", "\"Sat, 21 Nov 2026 01:20:27 GMT\""), ("now('date', offset: -1d)", "\"2026-11-20\""),
            ("now('time', offset: '+1h')", "\"02:20:27\""),
            ("now('%d.%m.%y %A %B %e %j %L %s %z %Z %%')", "\"21.11.26 Saturday November 21 325 042 1795224027 +0000 UTC %\""),
            ("timestamp()", "1795224027"), ("timestamp('ms')", "1795224027042"), ("timestamp(offset: 1m)", "1795224087"),
            ("base64('Ä?')", "\"w4Q/\""), ("'a' | base64", "\"YQ==\""),
            ("sha256('')", "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""),
            ("sha256('', encoding: 'base64')", "\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\""),
            // RFC 4231, test case 2.
            (
                "hmac('what do ya want for nothing?', word)",
                "\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\""
            ),
            // RFC 2202, test case 2.
            (
                "hmac('what do ya want for nothing?', word, algorithm: 'sha1')", "\"effcdf6ae5eb2fa2d27416d5f184df9c259a7c79\""
            ),
            ("env('HOME')", "\"/root\""), ("env('NOPE') | default('d')", "\"d\""), ("file('a.txt')", "\"content\""),
            ("none | default(5)", "5"), ("nothing | default(none | default('x'))", "\"x\""), ("number | default(6)", "5"),
            ("[1, word]", "[1,\"Jefe\"]"), ("1.50", "1.50"), ("90s", "\"90s\""), ("true", "true"),
        ])
    func `a function gives a value with its type`(expression: String, json: String) throws {
        var scope = try Self.scope()
        #expect(try scope.value("{{\(expression)}}", at: Self.here).value.text(pretty: false) == json)
    }

    @Test func `inside of a text everything is text`() throws {
        var scope = try Self.scope()
        #expect(try scope.text("<{{timestamp()}}|{{none | default('')}}|{{number}}>", at: nil).text == "<1795224027||5>")
    }

    @Test(arguments: [
        ("<{{none}}>", "`none` is null here, and a text can't have that in it; `default(\"\")` gives it one"),
        ("<{{none | default(none)}}>", "a value is null here, and a text can't have that in it; `default(\"\")` gives it one"),
    ])
    func `what would leave a hole in a text is refused`(text: String, message: String) throws {
        var scope = try Self.scope()
        let error = #expect(throws: ResolutionError.self) { try scope.text(text, at: nil) }
        #expect(error?.message == message)
    }

    @Test func `chance follows the seed, so that resolving again gives the same`() throws {
        let text = "{{uuid()}} {{uuid()}} {{random(1..6)}} {{random(length: 12)}} {{random()}}"
        var one = try Self.scope()
        var same = try Self.scope()
        var other = try Self.scope(TemplateEnvironment(seed: 8))
        let made = try one.text(text, at: nil)
        #expect(try same.text(text, at: nil) == made)
        #expect(try other.text(text, at: nil) != made)
        let words = made.text.split(separator: " ")
        #expect(words[0] != words[1])
        for id in words[..<2] {
            #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
        #expect((1...6).contains(try #require(Int(words[2]))))
        #expect(words[3].wholeMatch(of: /[A-Za-z0-9]{12}/) != nil)
        #expect((0..<1).contains(try #require(Double(words[4]))))
    }

    @Test(
        arguments: [
            (Date(timeIntervalSince1970: 0), "Thu, 01 Jan 1970 00:00:00 GMT", "001"),
            (Date(timeIntervalSince1970: 951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT", "060"),
            (Date(timeIntervalSince1970: 951_868_800), "Wed, 01 Mar 2000 00:00:00 GMT", "061"),
            (Date(timeIntervalSince1970: 4_107_542_400), "Mon, 01 Mar 2100 00:00:00 GMT", "060"),
            (Date(timeIntervalSince1970: -1), "Wed, 31 Dec 1969 23:59:59 GMT", "365"),
            (Date(timeIntervalSince1970: 1_735_603_200), "Tue, 31 Dec 2024 00:00:00 GMT", "366"),
        ])
    func `days are counted through leap years and back before 1970`(date: Date, text: String, dayOfYear: String) {
        #expect(TimeText(date).text("http") == text)
        #expect(TimeText(date).text("%j") == dayOfYear)
        #expect(TimeText(date).text("%q") == nil)
    }

    // MARK: Requirements

    @Test(
        arguments: [
            ("command('git', 'log', list)", .command(.init(words: ["git", "log", "eu", "us"], directory: folder.path))),
            ("prompt('Code')", .prompt(.init(message: "Code"))),
            ("prompt('Pin', default: '1', secret: true)", .prompt(.init(message: "Pin", defaultText: "1", isSecret: true))),
            ("select('Region', list, default: 'us')", .select(.init(message: "Region", options: ["eu", "us"], defaultText: "us"))),
            ("select('One', 'a', 'b')", .select(.init(message: "One", options: ["a", "b"]))),
            (
                "response('login', '.token', max_age: '1h')",
                .response(
                    .init(request: RequestID(rawValue: "orders/login"), filter: JSONFilter(".token"), maxAge: .seconds(3600)))
            ),
            ("response('orders/create')", .response(.init(request: RequestID(rawValue: "orders/create"), filter: JSONFilter(".")))),
        ] as [(String, TemplateRequirement)])
    func `what takes its time is asked for, all at once, and then filled in`(expression: String, requirement: TemplateRequirement)
        throws
    {
        var scope = try Self.scope()
        _ = try scope.text("{{\(expression)}} {{prompt('Other')}} {{\(expression)}}", at: Self.here)
        #expect(
            scope.unmet.map(\.requirement) == [requirement, .prompt(.init(message: "Other"))])
        #expect(scope.unmet.map(\.location) == [Self.here, Self.here])
        var sources = Self.sources
        sources.answers[requirement] = TemplateAnswer(.number("42"))
        sources.answers[.prompt(.init(message: "Other"))] = TemplateAnswer(.string("o"))
        scope = try Self.scope(sources)
        #expect(try scope.text("{{\(expression)}} {{prompt('Other')}}", at: Self.here).text == "42 o")
        #expect(scope.unmet == [])
        #expect(scope.secretTexts == (expression.contains("secret") ? ["42"] : []))
    }

    @Test func `what is made of a secret is one`() throws {
        var scope = try Self.scope()
        let made = try scope.text("{{base64(password)}} {{sha256(password)}}", at: nil).text
        #expect(Redactor(scope.secretTexts).text(made) == "•••••• ••••••")
    }

    @Test func `environment variables that sound like secrets are secrets`() throws {
        var scope = try Self.scope()
        _ = try scope.text("{{env('HOME')}} {{env('API_TOKEN')}}", at: nil)
        #expect(scope.secretTexts == ["t0ken"])
    }

    @Test func `captured values come before the environment's, and may be secrets`() throws {
        var sources = Self.sources
        sources.captured = [
            "word": CapturedValue(.number("7"), from: RequestID(rawValue: "login")),
            "token": CapturedValue(.string("s3cret"), isSecret: true, from: RequestID(rawValue: "login")),
        ]
        var scope = try Self.scope(sources)
        #expect(try scope.value("{{word}}", at: nil).value == .number("7"))
        #expect(try scope.text("{{token}}", at: nil).text == "s3cret")
        #expect(scope.secretTexts == ["s3cret"])
        #expect(scope.used.map(\.source) == [.captured(RequestID(rawValue: "login")), .captured(RequestID(rawValue: "login"))])
    }

    // MARK: Sentences

    @Test(
        arguments: [
            (
                "env('HOMME')",
                "the environment variable `HOMME` isn't set; did you mean `HOME`?; set it, or write `env(\"HOMME\") | default(\"…\")`"
            ),
            ("file('b.txt')", "the template's file \(folder.path)/b.txt can't be read: no such file or directory"),
            (
                "now('yyyy')",
                "`format` of `now()` takes `iso8601`, `iso8601-ms`, `http`, `date`, `time` or a pattern such as `%Y-%m-%d`, not `yyyy`"
            ),
            ("now(offset: 'soon')", "`offset` of `now()` takes a duration (200ms, 3s, 1m, 1h), not `soon`"),
            ("timestamp('h')", "`unit` of `timestamp()` takes `s`, `ms` or `us`, not `h`"),
            ("random(6)", "`range` of `random()` takes a range such as `1..6`, not `6`"),
            ("random(length: 0)", "`length` of `random()` takes a whole number from 1 to 4096, not `0`"),
            ("hmac('a', 'b', algorithm: 'md5')", "`algorithm` of `hmac()` takes `sha1`, `sha256`, `sha384` or `sha512`, not `md5`"),
            ("sha256('a', encoding: 'hax')", "`encoding` of `sha256()` takes `hex` or `base64`, not `hax`"),
            ("prompt('a', secret: 'maybe')", "`secret` of `prompt()` takes `true` or `false`, not `maybe`"),
            ("select('a', [])", "`select()` has no options to choose from"),
            ("select('a', list, default: 'x')", "`default` of `select()` takes one of its options, `eu`, `us`, not `x`"),
            ("response('lgin')", "`response()` names the request `lgin`, which isn't there; did you mean `login`?"),
            ("response('login', max_age: 5)", "`max_age` of `response()` takes a duration (200ms, 3s, 1m, 1h), not `5`"),
        ])
    func `a call that can't work says why`(expression: String, sentence: String) throws {
        var scope = try Self.scope()
        let error = #expect(throws: ResolutionError.self) { try scope.text("{{\(expression)}}", at: Self.here) }
        #expect(error?.description == "\(Self.folder.path)/shop.yaml:1:2: \(sentence)")
    }
}
