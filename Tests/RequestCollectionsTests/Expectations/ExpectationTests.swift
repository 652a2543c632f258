import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import RequestCollections

@Suite struct ExpectationTests {
    /// What a request expects, its templates filled in.
    private static func expectations(_ expect: String) throws -> [ExpectationDefinition] {
        let collection = RequestCollection.of(
            "turnstone: 1\nvariables: { min: 3, kind: shop, limit: 1s }\nrequests: { a: { get: http://h/, expect: \(expect) } }")
        #expect(collection.problems == [])
        return try collection.resolve(try #require(collection.requests.first), environment: nil).expectations
    }

    /// What held by its subject alone, and what didn't with what was expected and found.
    private static func results(_ expect: String, _ facts: ResponseFacts) throws -> [String] {
        try expectations(expect).check(facts).map {
            $0.isMet ? "\($0.subject)" : "\($0.subject): \($0.expected), not \($0.found)"
        }
    }

    private static let body = #"{"id": 7, "total": 0, "items": [{"price": 1}, {"price": -2}], "kind": "shop", "none": null}"#

    /// A redirect and an answer: 250 ms of waiting, one second in all, a certificate that is valid for another 10 days.
    private static func facts(
        error: NetworkError? = nil, filtered: [String: Result<[JSONValue], JSONFilterError>] = [:], body: String = Self.body,
        chain: [Certificate]? = nil
    ) -> ResponseFacts {
        let request = EventScript.request("http://h/start")
        let final = EventScript.request("http://h/end")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let certificate = Certificate(
            subject: "CN=h", issuer: "CN=ca", serialNumber: "1", notBefore: now, notAfter: now.addingTimeInterval(864_000))
        var script = EventScript()
        script.start()
        script.attempt(at: 0, request)
        script.send(at: script.connect(at: 0, tcp: 10))
        script.head(at: 40, status: 302)
        script.endAttempt(at: 50, .redirecting)
        script.attempt(at: 50, final, .redirect)
        script.send(
            at: script.connect(at: 50, dns: 20, tcp: 30, tls: (100, TLSInfo(version: "TLSv1.3", chain: chain ?? [certificate]))))
        script.head(at: 450, status: 201)
        script.endAttempt(at: 1000, error: error)
        script.end(at: 1000, error == nil ? .succeeded : .failed, error)
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.contentLength] = "91"
        headers.append(HTTPField(name: .setCookie, value: "a=1; Path=/"))
        headers.append(HTTPField(name: .setCookie, value: "sid=xyz; HttpOnly"))
        let head = ResponseHead(status: .created, version: "HTTP/2", headers: headers)
        let info = ResponseInfo(finalRequest: final, head: head, body: .data(Data(body.utf8)))
        return ResponseFacts(
            Response(originalRequest: request, error: error, info: error == nil ? info : nil, metrics: script.metrics),
            body: error == nil ? Data(body.utf8) : Data(), now: now,
            filtered: Dictionary(uniqueKeysWithValues: filtered.map { (ExactText($0.key), $0.value) }))
    }

    @Test(arguments: [
        // No value but the one between them is known for a secret.
        ("{ then: [base64, '/pass=(.{4})/'], equals: x }", "••••••"),
        ("{ then: [base64, '/pass=(.{4})/', number], equals: x }", "nothing: `number` can't take ••••••"),
        ("{ then: [base64, '/user=(.{3})/', upper], equals: x }", "••••••"),
        ("{ then: [base64], equals: x }", "••••••"),
    ])
    func `what a step makes of a secret isn't shown, wherever that comes up`(expected: String, found: String) throws {
        let text = Data("user=ada&pass=hunter2hunter2".utf8).base64EncodedString()
        let facts = Self.facts(body: #"{"t": "\#(text)"}"#)
        let result = try #require(
            try Self.expectations("{ body: { .t: \(expected) } }").check(facts, hiding: Redactor(["hunter2hunter2"])).first)
        #expect(result.found == found.replacing("••••••", with: Redactor.mask))
        #expect(!"\(result)".contains("hunt"))
    }

    @Test func `the names of a certificate are a list to steps`() throws {
        let certificate = Certificate(
            subject: "CN=h", issuer: "CN=ca", serialNumber: "1", notBefore: Date(), notAfter: Date(),
            alternativeNames: ["a.test", "b.test"])
        let facts = Self.facts(chain: [certificate])
        #expect(
            try Self.results(
                "{ tls: { names: { then: [nth 1], equals: b.test } } }", facts) == ["tls names"])
        #expect(try Self.results("{ tls: { names: { then: count, equals: 2 } } }", facts) == ["tls names"])
        #expect(try Self.results("{ tls: { names: length 2 } }", facts) == ["tls names"])
    }

    @Test(
        arguments: [
            ("{ status: 201 }", ["status"]), ("{ status: 2xx }", ["status"]),
            ("{ status: [200, 204] }", ["status: 200 or 204, not 201 Created"]),
            ("{ status: '< 400' }", ["status"]), ("{ status: not 2xx }", ["status: not 2xx, not 201 Created"]),
            ("{ header: { Content-Type: /json/, content-length: '> 90' } }", ["header Content-Type", "header content-length"]),
            ("{ header: { etag: exists, x-a: missing } }", ["header etag: exists, not nothing", "header x-a"]),
            ("{ header: { set-cookie: /^sid/ } }", ["header set-cookie"]),
            ("{ header: { set-cookie: not /^sid/ } }", [#"header set-cookie: not /^sid/, not "sid=xyz; HttpOnly""#]),
            ("{ cookie: { sid: xyz, b: missing, a: 2 } }", ["cookie sid", "cookie b", #"cookie a: 2, not "1""#]),
            (
                "{ body: { .id: exists, .total: '> 0', .kind: '{{kind}}', .none: missing } }",
                ["body .id", "body .total: > 0, not 0", "body .kind", "body .none"]
            ),
            ("{ body: { '.items[].price': '> 0' } }", ["body .items[].price: > 0, not -2 in 1 of 2: [1] -2"]),
            ("{ body: { '.items[].price': is number } }", ["body .items[].price"]),
            ("{ body: { .items: { type: array, length: 2 } } }", ["body .items"]),
            ("{ body: { .id: '7' } }", ["body .id: \"7\", not the number 7"]),
            (
                "{ header: { set-cookie: { all: [{ then: [nth 0, param path], equals: / }, { then: count, equals: 3 }, /^sid/] } } }",
                ["header set-cookie", "header set-cookie: 3, not 2", "header set-cookie"]
            ),
            (
                "{ body: { .kind: { all: [{ then: upper, equals: SHOP }, shop, { then: [lower], not: shop }] } } }",
                ["body .kind", "body .kind", #"body .kind: not shop, not "shop""#]
            ),
            (
                "{ body: { '.kind.x': exists } }",
                ["body .kind.x: exists, not nothing: `.kind` is a string, which has no member `x`"]
            ),
            ("{ body: /shop/ }", ["body"]),
            ("{ body: { contains: nothing like it } }", ["body: contains nothing like it, not \(JSONText.quoted(body))"]),
            ("{ size: '< 1KB' }", ["size"]), ("{ size: 5 }", ["size: 5, not 91"]),
            (
                "{ time: { wait: '< 300ms', total: '< 800ms', dns: 10ms..20ms, queue: '< 1ms' } }",
                ["time wait", "time total: < 800ms, not 1s", "time dns", "time queue"]
            ),
            ("{ time: { total: '<= {{limit}}' } }", ["time total"]),
            ("{ attempts: 2, redirects: 1, retries: 0 }", ["attempts", "redirects", "retries"]),
            ("{ attempts: 1 }", ["attempts: 1, not 2"]),
            (
                "{ tls: { valid-for: '> 14d', version: TLSv1.3, subject: /h/, issuer: CN=ca, verified: true } }",
                ["tls valid-for: > 14d, not 10d", "tls version", "tls subject", "tls issuer", "tls verified"]
            ),
            ("{ http: HTTP/2, url: /end$/ }", ["http", "url"]),
            ("{ http: 2 }", ["http"]), ("{ http: not 1.1 }", ["http"]), ("{ http: [1.1, 2] }", ["http"]),
            ("{ http: 1.1 }", [#"http: 1.1, not "HTTP/2""#]),
            (
                "{ header: { set-cookie: length 2, content-type: length 1, etag: length 0 } }",
                [
                    "header set-cookie", "header content-type", "header etag",
                ]
            ),
            (
                "{ header: { set-cookie: length 3 } }",
                ["header set-cookie: length 3, not 2: \"a=1; Path=/\", \"sid=xyz; HttpOnly\""]
            ),
            (
                "{ header: { set-cookie: not length 2, etag: not empty } }",
                [
                    "header set-cookie: not length 2, not 2: \"a=1; Path=/\", \"sid=xyz; HttpOnly\"",
                    "header etag: not empty, not nothing",
                ]
            ),
            (
                "{ header: { set-cookie: { all: [not /^a/, /^sid/] } } }",
                ["header set-cookie: not /^a/ and /^sid/, not \"a=1; Path=/\", \"sid=xyz; HttpOnly\""]
            ),
            ("{ header: { set-cookie: { all: [length 2, /^sid/, not /^b/] } } }", ["header set-cookie"]),
            (
                "{ body: { .none: is null, .nowhere: is null } }",
                ["body .none", #"body .nowhere: is null, not nothing: the body has no "nowhere""#]
            ),
            ("{ body: { .none: null, .nowhere: null, .no.where: missing } }", ["body .none", "body .nowhere", "body .no.where"]),
            ("{ body: { '.items[].size': exists } }", [#"body .items[].size: exists, not nothing: .items[] has no "size""#]),
            ("{ body: { .nowhere: not is string } }", [#"body .nowhere: not is string, not nothing: the body has no "nowhere""#]),
            ("{ body: { .id: /7/ } }", ["body .id: /7/, not the number 7"]),
            ("{ error: timeout }", ["error: timeout, not nothing"]),
            (
                "{ header: { set-cookie: { then: [nth 1, /=(\\w+)/], equals: xyz }, etag: { then: count, equals: 0 } } }",
                ["header set-cookie", "header etag"]
            ),
            ("{ header: { content-length: { then: number, all: ['> 90', is integer] } } }", ["header content-length"]),
            (
                "{ header: { content-type: { then: unhex, equals: x } } }",
                [
                    "header content-type: x, not nothing: `unhex` takes pairs of hexadecimal digits, and this has something else"
                ]
            ),
            ("{ body: { then: md5, length: 32 } }", ["body"]),
            ("{ body: { then: [json, '.items[1]', .price], equals: -2 } }", ["body"]),
            ("{ body: { .kind: { then: upper, starts-with: SH } } }", ["body .kind"]),
            ("{ body: { .gone: { then: upper, exists: false } } }", ["body .gone"]),
            (
                "{ cookie: { sid: { value: xyz, http-only: true, secure: false, path: missing }, a: { path: /, max-age: missing } } }",
                ["cookie sid", "cookie sid http-only", "cookie sid secure", "cookie sid path", "cookie a path", "cookie a max-age"]
            ),
            ("{ cookie: { sid: { starts-with: x, secure: true } } }", ["cookie sid", "cookie sid secure: true, not false"]),
            ("{ cookie: { no: { secure: false } } }", ["cookie no secure: false, not nothing: no cookie `no` is set"]),
            (
                "{ tls: { valid-until: '< now + 11d', valid-from: '<= now', serial: '1' } }",
                ["tls valid-until", "tls valid-from", "tls serial"]
            ),
            ("{ tls: { valid-until: '> now + 11d' } }", [#"tls valid-until: > now + 11d, not "2027-01-25T08:00:00Z""#]),
            ("{ tls: { valid-until: now + 9d..now + 11d } }", ["tls valid-until"]),
            ("{ ip: 127.0.0.2, locations: exists }", [#"ip: 127.0.0.2, not "127.0.0.1""#, "locations: exists, not nothing"]),
        ])
    func `a response is held against what is expected`(expect: String, results: [String]) throws {
        #expect(try Self.results(expect, Self.facts()) == results)
    }

    @Test func `a failure meets the expectation of it, and no other`() throws {
        let error = NetworkError(
            .idleTimedOut, phase: .response, type: "http.response.timeout", message: "Nothing came for 2 s.")
        let facts = Self.facts(error: error)
        #expect(
            try Self.results("{ status: 200, body: { .id: exists }, error: timeout, attempts: '<= 2' }", facts) == [
                "status: 200, not no response: Nothing came for 2 s.", "body .id: exists, not no response: Nothing came for 2 s.",
                "error", "attempts",
            ])
        #expect(
            try Self.results("{ error: dns }", facts) == ["error: dns, not timeout, http.response.timeout, Nothing came for 2 s."])
        #expect(try Self.results("{ error: /response/ }", facts) == ["error"])
    }

    @Test func `a phase that wasn't reached has no time, and TLS that wasn't spoken has none`() throws {
        let request = EventScript.request("http://h/")
        let refused = NetworkError(.cannotConnect, phase: .connection, type: "tcp.refused", message: "Refused.")
        func facts(_ error: NetworkError?) -> ResponseFacts {
            var script = EventScript()
            script.start()
            script.attempt(at: 0, request)
            if error == nil {
                script.send(at: script.connect(at: 0, tcp: 10))
                script.head(at: 40, status: 200)
            }
            script.endAttempt(at: 50, error: error)
            script.end(at: 50, error == nil ? .succeeded : .failed, error)
            let head = ResponseHead(status: .ok, version: "HTTP/1.1", headers: [:])
            let info = ResponseInfo(finalRequest: request, head: head, body: .data(Data()))
            return ResponseFacts(
                Response(originalRequest: request, error: error, info: error == nil ? info : nil, metrics: script.metrics),
                body: Data(), now: Date(timeIntervalSince1970: 0))
        }
        #expect(try Self.results("{ time: { tls: '< 1s' } }", facts(nil)) == ["time tls: < 1s, not no TLS"])
        #expect(try Self.results("{ time: { tls: exists } }", facts(nil)) == ["time tls: exists, not no TLS"])
        #expect(try Self.results("{ time: { dns: '< 1s', connect: 10ms } }", facts(nil)) == ["time dns", "time connect"])
        #expect(
            try Self.results("{ error: connection, time: { wait: '< 1s' } }", facts(refused)) == [
                "error", "time wait: < 1s, not nothing: it didn't come to that",
            ])
        let capture = CaptureDefinition(
            name: "t", source: .subject(.time("tls")), location: SourceLocation(path: "a.yaml", line: 1, column: 1))
        #expect(throws: CaptureError.self) { _ = try capture.evaluate(facts(nil), of: "a") }
    }

    @Test func `programs for jq are evaluated beforehand`() throws {
        let expect = "{ body: { '.items | length': 2, .id: 7, '.x | error': exists } }"
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { a: { get: http://h/, expect: \(expect), capture: { n: '.items | length', i: .id } } }")
        #expect(collection.problems == [])
        let request = try #require(collection.requests.first)
        #expect(request.filtersToAsk.map(\.source) == [".items | length", ".x | error"])
        let facts = Self.facts(filtered: [
            ".items | length": .success([.number("2")]), ".x | error": .failure(JSONFilterError("jq: null (null) not a string")),
        ])
        #expect(
            try Self.results(expect, facts) == [
                "body .items | length", "body .id", "body .x | error: exists, not nothing: jq: null (null) not a string",
            ])
    }

    @Test(arguments: [
        ("{ status: [200, 3xx] }", "status to be 200 or 3xx, and found 201 Created"),
        ("{ header: { etag: exists } }", "header etag to exist, and found nothing"),
        ("{ header: { content-type: missing } }", #"header content-type to be missing, and found "application/json""#),
        ("{ header: { content-type: /text/i } }", #"header content-type to match /text/i, and found "application/json""#),
        ("{ header: { content-type: not /json/ } }", #"header content-type not to match /json/, and found "application/json""#),
        ("{ cookie: { sid: starts with a } }", #"cookie sid to start with "a", and found "xyz""#),
        ("{ cookie: { sid: ends with a } }", #"cookie sid to end with "a", and found "xyz""#),
        ("{ body: { .id: is string } }", "body .id to be a string, and found 7"),
        ("{ body: { .kind: is integer } }", #"body .kind to be an integer, and found "shop""#),
        ("{ body: { .kind: is null } }", #"body .kind to be null, and found "shop""#),
        ("{ body: { .items: length > 2 } }", #"body .items to have length > 2, and found [{"price":1},{"price":-2}]"#),
        ("{ body: { .kind: contains x } }", #"body .kind to contain "x", and found "shop""#),
        ("{ body: { .kind: [contains x, empty] } }", #"body .kind to contain "x" or to be empty, and found "shop""#),
        (
            "{ body: { .items: { each: exists, length: 3 } } }",
            #"body .items to have only items to exist and to have length 3, and found [{"price":1},{"price":-2}]"#
        ),
        ("{ time: { total: < 1s } }", "time total to be < 1s, and found 1s"),
        ("{ error: exists }", "error to exist, and found nothing"),
    ])
    func `what is wrong is a sentence`(expect: String, sentence: String) throws {
        #expect(try Self.expectations(expect).check(Self.facts()).map(\.complaint) == ["expected \(sentence)"])
    }

    @Test(arguments: [
        ("text/plain; charset=GB2312", [0xC4, 0xE3, 0xBA, 0xC3] as [UInt8], "你好"),
        ("text/plain; charset=Shift_JIS", [0x83, 0x65], "テ"),
        ("application/json; charset=", Array("{\"a\":\"é€\"}".utf8), "{\"a\":\"é€\"}"),
        ("text/plain; charset=\"\"", Array("é".utf8), "é"),
        ("text/plain; charset=''", Array("é".utf8), "é"),
        ("text/plain; charset=iso-8859-1", [0xE4, 0x80], "ä€"), ("text/plain; charset=\"koi8-r\"", [0xC1], "а"),
        ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0x00], "a"), ("text/plain", [0xFE, 0xFF, 0x00, 0x61], "a"),
        ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x61], "a"), ("text/plain; charset=nowhere", [0x61], "a"),
        ("text/plain; charset=euc-jp", [0x61, 0xFF, 0x62, 0xA4], "a\u{FFFD}b\u{FFFD}"), ("text/plain", [], ""),
        ("text/plain; charset=utf-16le", [0x00, 0xD8, 0x61, 0x00], "\u{FFFD}a"),
        // Known to the system, and no encoding of the web: some of these have ended processes.
        ("text/plain; charset=IBM1390", [0x61], "a"), ("text/plain; charset=utf-7", Array("+AGE-".utf8), "+AGE-"),
    ])
    func `a body is read in the encoding that it says`(type: String, bytes: [UInt8], text: String) {
        #expect(String(decoding: CharsetText.utf8(Data(bytes), contentType: type), as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("shift_jis", [0x83, 0x65, 0x83, 0x58, 0x61] as [UInt8], "テスa"), ("utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "😀"),
        ("windows-1258", [0x61, 0x62, 0x63], "abc"), ("windows-1255", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x25, 0x46, 0x1B, 0x28, 0x42, 0x61], "テa"), ("gb18030", [0xC4, 0xE3], "你"),
    ])
    func `a text that comes in two pieces is put together`(charset: String, bytes: [UInt8], text: String) throws {
        for cut in 0...bytes.count {
            let decoder = try #require(CharsetDecoder(charset))
            let read = decoder.utf8(Data(bytes[..<cut])) + decoder.utf8(Data(bytes[cut...])) + decoder.finish()
            #expect(String(decoding: read, as: UTF8.self) == text, "cut at \(cut)")
        }
    }

    @Test func `each encoding of the web is known to the system`() {
        for label in [
            "866", "arabic", "big5", "cp1250", "euc-kr", "gbk", "hebrew", "koi8-u", "latin2", "l9", "mac", "tis-620",
            "x-mac-ukrainian",
        ] {
            #expect(CharsetDecoder(contentType: "text/plain; charset=\(label)", start: []) != nil, "\(label)")
        }
    }

    @Test func `JSON in another encoding is looked into, too`() throws {
        var facts = Self.facts()
        facts.response.info?.head.headers[.contentType] = "application/json; charset=gb2312"
        facts.body = Data("{\"a\":\"".utf8) + Data([0xC4, 0xE3]) + Data("\"}".utf8)
        #expect(try Self.results("{ body: { .a: 你 } }", facts) == ["body .a"])
    }

    @Test func `a template in a filter would stay as it is, so it is refused`() {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { a: { get: http://h/, expect: { body: { '.a[{{n}}]': missing } }, capture: { b: '.b[{{n}}]' } } }"
        )
        #expect(
            collection.problems.map(\.message) == [
                "templates aren't filled in in filters, and `.a[{{n}}]` has one",
                "templates aren't filled in in filters, and `.b[{{n}}]` has one",
            ])
    }

    @Test func `a body that isn't JSON says so`() throws {
        var facts = Self.facts()
        facts.body = Data("<html>".utf8)
        #expect(
            try Self.results("{ body: { .id: 7 } }", facts)
                == ["body .id: 7, not nothing: the body isn't JSON: `<` is not expected at byte 0"])
    }

    @Test func `a result says where the expectation stands, and hides secrets`() throws {
        let result = try #require(try Self.expectations("{ status: 500 }").check(Self.facts()).first)
        #expect(result.description == "shop.yaml:3:44: expected status to be 500, and found 201 Created")
        let secret = try #require(try Self.expectations("{ body: contains shop }").check(Self.facts()).first)
        #expect(
            secret.redacted(by: Redactor(["shop"]))
                == ExpectationResult(
                    subject: .body, expected: "contains ••••••", demand: "to contain \"••••••\"",
                    found: JSONText.quoted(Self.body).replacing("shop", with: "••••••"), isMet: true,
                    location: secret.location))
    }

    @Test(arguments: [
        String(repeating: "0123456789", count: 40), "first line\nsecond line",
        String(repeating: "x", count: 190) + "\r\n" + "secret",
    ])
    func `a secret that is longer than what is shown isn't shown in part`(secret: String) throws {
        for body in [
            secret, "x" + String(repeating: "-", count: 150) + secret, JSONValue.array([.string(secret)]).text(pretty: false),
        ] {
            let facts = Self.facts(body: body)
            let ofJSON = JSONParser.parse(body) == nil ? [] : ["{ body: { .: 3 } }", "{ body: { '.[0]': 3 } }"]
            for expect in ["{ body: other }", "{ body: { not: { contains: e } } }", "{ body: empty }"] + ofJSON {
                let result = try #require(try Self.expectations(expect).check(facts, hiding: Redactor([secret])).first)
                #expect(!result.found.contains(secret.prefix(10)), "\(result.found)")
                #expect(result.found.contains(Redactor.mask))
            }
        }
    }

    // MARK: Regular expressions

    @Test(arguments: ["{ body: /^(a+)+$/ }", "{ body: { not: /^(a+)+$/ } }", "{ body: [/^(a+)+$/, /x/] }"])
    func `what can be tried in too many ways is met by nothing, and says why`(expect: String) throws {
        let facts = Self.facts(body: String(repeating: "a", count: 40) + "b")
        let result = try #require(try Self.expectations(expect).check(facts).first)
        #expect(!result.isMet)
        #expect(result.found.contains(": /^(a+)+$/ takes too many steps"), "\(result.found)")
    }

    @Test(arguments: [
        ("{ body: not /\\bfailed\\b/ }", false), ("{ body: /\\bjob\\b/ }", true), ("{ body: /v1\\b/ }", true),
    ])
    func `the boundary of a word is PCRE2's`(expect: String, isMet: Bool) throws {
        let facts = Self.facts(body: "job.failed v1.2")
        #expect(try Self.expectations(expect).check(facts).map(\.isMet) == [isMet])
    }
}
