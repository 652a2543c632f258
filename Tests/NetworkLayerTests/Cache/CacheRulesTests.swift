import Base
import HTTPTypes
import Testing

@testable import NetworkLayer

/// RFC 9111, by its sections.
@Suite struct CacheRulesTests {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)
    static let id = UUID()

    /// A date so many seconds from ``now``, as a field has it.
    static func date(_ seconds: Double) -> String { HTTPDate.string(from: now.addingTimeInterval(seconds)) }

    static func fields(_ fields: [String: String]) -> HTTPFields {
        HTTPFields(fields.sorted { $0.key < $1.key }.map { HTTPField(name: HTTPField.Name($0.key)!, value: $0.value) })
    }

    static func request(
        _ headers: [String: String] = [:], method: HTTPRequest.Method = .get, policy: CachePolicy = .useProtocol,
        url: String = "http://a.test/x"
    ) -> TransferRequest {
        var request = TransferRequest(request: Request(url: URL(string: url)!, method: method, headers: fields(headers)))
        request.cachePolicy = policy
        return request
    }

    /// An answer that was asked for and came `age` seconds ago.
    static func stored(
        _ headers: [String: String], status: Int = 200, age: Double = 100, to request: TransferRequest = request(), id: UUID = id
    ) -> StoredResponse {
        let received = now.addingTimeInterval(-age)
        return StoredResponse(
            request: request, head: ResponseHead(status: .init(code: status), headers: fields(headers)), requested: received,
            received: received, id: id)
    }

    func decide(_ request: TransferRequest, _ stored: [StoredResponse]) -> CacheRules.Decision {
        CacheRules.decide(request, stored: stored, at: Self.now)
    }

    @Test(
        arguments: [
            ([:], 200, 0.0), (["Cache-Control": "max-age=60"], 200, 60), (["Cache-Control": "Max-Age=\"60\", s-maxage=5"], 200, 60),
            (["Cache-Control": "max-age=60", "Expires": date(1000)], 200, 60), (["Expires": date(500)], 200, 600),
            (["Expires": date(500), "Date": date(0)], 200, 500), (["Expires": "0"], 200, 0),
            (["Cache-Control": "max-age=x"], 200, 0),
            (["Last-Modified": date(-1100)], 200, 100), (["Last-Modified": date(-1100)], 302, 0),
            (["Last-Modified": date(-1100)], 404, 100),
            (["Last-Modified": date(-100_000_000)], 200, 604_800), (["Last-Modified": date(1000)], 200, 0),
        ] as [([String: String], Int, Double)])
    func `section 4.2.1 how long an answer is fresh`(headers: [String: String], status: Int, seconds: Double) {
        #expect(CacheRules.freshness(of: Self.stored(headers, status: status)) == seconds)
    }

    @Test(
        arguments: [
            ([:], 100.0), (["Age": "50"], 150), (["Date": date(-130)], 130), (["Date": date(-130), "Age": "10"], 130),
            (["Date": date(10)], 100), (["Age": "-5"], 100), (["Age": "x"], 100),
            (["Age": "inf"], 100), (["Age": "nan"], 100), (["Age": "1e300"], 100), (["Age": "0x1p9"], 100),
            (["Age": "99999999999999999999"], 2_147_483_748), (["Age": "7, 50"], 107),
        ] as [([String: String], Double)])
    func `section 4.2.3 how old an answer is`(headers: [String: String], age: Double) {
        #expect(CacheRules.age(of: Self.stored(headers), at: Self.now) == age)
    }

    @Test func `section 4.2.3 the time on the way counts to its age`() {
        var stored = Self.stored(["Age": "5"])
        stored.requested = stored.received.addingTimeInterval(-7)
        #expect(CacheRules.age(of: stored, at: Self.now) == 112)
    }

    @Test func `section 1.2.2 an age that no number holds is told as 2^31 seconds`() {
        for age in ["9999999999", "99999999999999999999999", "1e300", "inf"] {
            let stored = Self.stored(["Age": age])
            let told = stored.head(age: CacheRules.age(of: stored, at: Self.now)).headers[.age]
            #expect(told == (age.hasPrefix("9") ? "2147483648" : "100"))
        }
    }

    enum Expected: String, Sendable { case take, validate, load, bypass, refuse }

    @Test(
        arguments: [
            // What the answer says; 100 seconds old.
            (["Cache-Control": "max-age=101"], [:], Expected.take),
            (["Cache-Control": "max-age=100", "ETag": "\"a\""], [:], .validate),
            (["Cache-Control": "max-age=100"], [:], .load),
            (["Cache-Control": "max-age=200, no-cache", "ETag": "\"a\""], [:], .validate),
            (["Cache-Control": "max-age=200, must-revalidate"], [:], .take),
            (["Cache-Control": "private, max-age=200, immutable"], [:], .take),
            (["Cache-Control": "max-age=50, stale-while-revalidate=500", "ETag": "\"a\""], [:], .validate),
            // What the request says.
            (["Cache-Control": "max-age=200"], ["Cache-Control": "no-store"], .bypass),
            (["Cache-Control": "max-age=200", "ETag": "\"a\""], ["Cache-Control": "no-cache"], .validate),
            (["Cache-Control": "max-age=200"], ["Cache-Control": "no-cache"], .load),
            (["Cache-Control": "max-age=200"], ["Pragma": "no-cache"], .load),
            (["Cache-Control": "max-age=200"], ["Pragma": "no-cache", "Cache-Control": "max-age=150"], .take),
            (["Cache-Control": "max-age=200"], ["Cache-Control": "max-age=99"], .load),
            (["Cache-Control": "max-age=200"], ["Cache-Control": "min-fresh=100"], .take),
            (["Cache-Control": "max-age=200"], ["Cache-Control": "min-fresh=101"], .load),
            (["Cache-Control": "max-age=50"], ["Cache-Control": "max-stale=50"], .take),
            (["Cache-Control": "max-age=50"], ["Cache-Control": "max-stale=49"], .load),
            (["Cache-Control": "max-age=50"], ["Cache-Control": "max-stale"], .take),
            (["Cache-Control": "max-age=50, must-revalidate"], ["Cache-Control": "max-stale"], .load),
            (["Cache-Control": "max-age=50"], ["Cache-Control": "only-if-cached"], .refuse),
            (["Cache-Control": "max-age=200"], ["Range": "bytes=0-1"], .bypass),
            (["Cache-Control": "max-age=200"], ["If-None-Match": "\"a\""], .bypass),
        ] as [([String: String], [String: String], Expected)])
    func `section 4 what an answer may be used for`(headers: [String: String], request: [String: String], expected: Expected) {
        #expect(decide(Self.request(request), [Self.stored(headers)]).word == expected)
    }

    @Test(arguments: [
        (CachePolicy.useProtocol, [Expected.take, .validate, .load]), (.reloadIgnoringLocal, [.load, .load, .load]),
        (.returnCacheElseLoad, [.take, .take, .load]), (.dontLoad, [.take, .take, .refuse]),
        (.bypass, [.bypass, .bypass, .bypass]),
    ])
    func `rcp each policy for a fresh answer, a stale one and none`(policy: CachePolicy, expected: [Expected]) {
        let request = Self.request(policy: policy)
        let answers = [
            [Self.stored(["Cache-Control": "max-age=200"])], [Self.stored(["Cache-Control": "max-age=0", "ETag": "\"a\""])], [],
        ]
        #expect(answers.map { decide(request, $0).word } == expected)
    }

    @Test func `rcp policies have TNL's numbers`() {
        #expect(CachePolicy.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(RequestConfiguration().cachePolicy == .useProtocol)
    }

    @Test func `methods other than GET and HEAD go past the cache, and may not go with dontLoad`() {
        let fresh = [Self.stored(["Cache-Control": "max-age=200"])]
        #expect(decide(Self.request(method: .head), fresh).word == .take)
        for method in [HTTPRequest.Method.post, .put, .delete, .options] {
            #expect(decide(Self.request(method: method), fresh) == .bypass)
            #expect(decide(Self.request(method: method, policy: .dontLoad), fresh) == .refuse)
        }
    }

    @Test func `section 4.3.1 both validators go out`() {
        let stored = Self.stored(["ETag": "W/\"a\"", "Last-Modified": Self.date(-500)])
        #expect(
            CacheRules.validators(of: stored)
                == [.ifNoneMatch: "W/\"a\"", .ifModifiedSince: Self.date(-500)])
    }

    @Test func `section 4.1 an answer fits only requests with the fields that Vary names`() {
        let english = Self.request(["Accept-Language": "en", "Authorization": "Bearer secret"])
        let stored = Self.stored(["Cache-Control": "max-age=200", "Vary": "Accept-Language, Accept"], to: english)
        #expect(decide(english, [stored]).word == .take)
        #expect(decide(Self.request(["Authorization": "Bearer secret", "Accept-Language": " en "]), [stored]).word == .take)
        for other in [
            ["Accept-Language": "de", "Authorization": "Bearer secret"],
            ["Accept-Language": "en", "Authorization": "Bearer secret", "Accept": "*/*"],
            ["Accept-Language": "en", "Authorization": "other"],
            ["Accept-Language": "en", "Authorization": "Bearer secret", "Cookie": "a=1"],
        ] {
            #expect(decide(Self.request(other), [stored]).word == .load)
        }
        #expect(
            !String(decoding: try! JSONEncoder().encode(stored), as: UTF8.self).contains("secret"), "who asked isn't written down")
    }

    static let ways: [@Sendable (inout TransferRequest) -> Void] = [
        { $0.options.tls.verifies = false }, { $0.options.tls.authorities = "/ca.pem" }, { $0.options.tls.certificate = "/me.pem" },
        { $0.options.tls.pins = ["sha256//a"] }, { $0.options.unixSocket = "/run/server" },
        { $0.options.resolve = ["a.test:80:127.0.0.1"] }, { $0.options.connectTo = ["a.test:80:b.test:80"] },
        { $0.options.proxy = "http://proxy.test" }, { $0.options.authentication = .ntlm(Credential("jane:pw")) },
        { $0.options.authentication = .ntlm(Credential("joe:pw")) }, { $0.request.headers[HTTPField.Name("Host")!] = "b.test" },
        { $0.trust = ServerTrustHandlers(handlers: []) },
    ]

    /// Else one that was not checked, or came from a server in another's place, would answer who is more careful.
    @Test func `an answer is for those who reach the same server in the same way, trust it as far, and are the same`() {
        let requests =
            [Self.request()]
            + Self.ways.map { change in
                var request = Self.request()
                change(&request)
                return request
            }
        for (index, request) in requests.enumerated() {
            let stored = Self.stored(["Cache-Control": "max-age=200"], to: request)
            #expect(requests.indices.filter { decide(requests[$0], [stored]).word == .take } == [index])
            #expect(!String(decoding: try! JSONEncoder().encode(stored), as: UTF8.self).contains("pw"))
        }
    }

    @Test func `what doesn't matter to the answer doesn't part requests`() {
        var other = Self.request()
        other.options.httpVersion = .http1
        other.options.interface = "lo"
        other.options.dataTimeout = .seconds(5)
        #expect(decide(other, [Self.stored(["Cache-Control": "max-age=200"])]).word == .take)
    }

    @Test func `section 4.3.4 a 304 may name other fields in Vary`() {
        let english = Self.request(["Accept-Language": "en"])
        let stored = Self.stored(["Cache-Control": "max-age=200"], to: english)
        func updated(_ vary: String) -> StoredResponse {
            CacheRules.updated(
                stored, by: ResponseHead(status: .notModified, headers: Self.fields(["Vary": vary])), to: english,
                requested: Self.now, received: Self.now)
        }
        #expect(decide(Self.request(["Accept-Language": "de"]), [updated("Accept-Language")]).word == .load)
        #expect(decide(english, [updated("Accept-Language")]).word == .take)
        #expect(decide(english, [updated("*")]).word == .load)
    }

    @Test func `section 4.1 of several the latest is taken`() {
        let old = Self.stored(["Cache-Control": "max-age=500", "Date": Self.date(-300)], id: UUID())
        let new = Self.stored(["Cache-Control": "max-age=500", "Date": Self.date(-200)])
        #expect(decide(Self.request(), [new, old]) == .take(new))
    }

    @Test func `what was decoded answers only who decodes`() {
        let stored = Self.stored(["Cache-Control": "max-age=200", "Content-Encoding": "gzip"])
        var raw = Self.request()
        raw.options.acceptsCompression = false
        #expect(decide(raw, [stored]).word == .load)
        #expect(decide(Self.request(), [stored]).word == .take)
    }

    @Test(
        arguments: [
            ([:], 200, [:], HTTPRequest.Method.get, true), ([:], 404, [:], .get, true), ([:], 302, [:], .get, false),
            ([:], 500, [:], .get, false),
            (["Cache-Control": "max-age=0"], 302, [:], .get, true), (["Expires": "0"], 500, [:], .get, true),
            (["Cache-Control": "no-store"], 200, [:], .get, false), (["Cache-Control": "private"], 200, [:], .get, true),
            (["Cache-Control": "max-age=9"], 200, ["Authorization": "x"], .get, true),
            (["Vary": "Accept, *"], 200, [:], .get, false),
            // An accent behind a comma begins the next piece.
            (["Vary": "*,\u{301}x"], 200, [:], .get, false), (["Cache-Control": "no-store,\u{301}x"], 200, [:], .get, false),
            ([:], 200, ["Cache-Control": "no-store"], .get, false), ([:], 206, [:], .get, false), ([:], 304, [:], .get, false),
            ([:], 200, ["Range": "bytes=0-1"], .get, false), ([:], 200, [:], .head, false),
            (["Cache-Control": "max-age=9"], 200, [:], .post, false),
        ] as [([String: String], Int, [String: String], HTTPRequest.Method, Bool)])
    func `section 3 what is stored`(
        headers: [String: String], status: Int, request: [String: String], method: HTTPRequest.Method, isStored: Bool
    ) {
        let head = ResponseHead(status: .init(code: status), headers: Self.fields(headers))
        #expect(CacheRules.mayStore(head, to: Self.request(request, method: method)) == isStored)
    }

    @Test func `section 3.2 a server that names other fields in every 304 can't fill the stored answer without limit`() {
        var stored = Self.stored(["ETag": "\"1\""])
        for number in 1...14 {
            let news = HTTPFields((1...5000).map { HTTPField(name: HTTPField.Name("x-\(number)-\($0)")!, value: "") })
            stored = CacheRules.updated(
                stored, by: ResponseHead(status: .notModified, headers: news), to: Self.request(), requested: Self.now,
                received: Self.now)
        }
        #expect(stored.headers.count == 5000)
        #expect(stored.headers[.eTag] == "\"1\"")
    }

    @Test func `section 4.3.4 a 304 brings fields up to date, but not those of the stored bytes`() {
        let stored = Self.stored([
            "ETag": "\"a\"", "Age": "50", "Content-Length": "5", "Content-Encoding": "gzip", "X": "old", "Y": "kept",
        ])
        let head = ResponseHead(
            status: .notModified,
            headers: Self.fields([
                "Cache-Control": "max-age=9", "Content-Length": "0", "Content-Encoding": "br", "X": "new", "Set-Cookie": "a=b",
            ]))
        let updated = CacheRules.updated(stored, by: head, to: Self.request(), requested: Self.now, received: Self.now)
        #expect(
            updated.headers
                == HTTPFields(
                    Array(Self.fields(["Content-Encoding": "gzip", "Content-Length": "5", "ETag": "\"a\"", "Y": "kept"]))
                        + Array(Self.fields(["Cache-Control": "max-age=9", "X": "new"]))))
        #expect(CacheRules.age(of: updated, at: Self.now) == 0)
    }

    @Test func `section 4.4 an unsafe request that succeeds makes the answers of its URLs old`() throws {
        func invalidated(_ method: HTTPRequest.Method, _ status: Int, _ headers: [String: String] = [:]) -> [String] {
            CacheRules.invalidated(
                by: ResponseHead(status: .init(code: status), headers: Self.fields(headers)),
                to: Self.request(method: method).request)
        }
        #expect(invalidated(.post, 201) == ["http://a.test/x"])
        #expect(
            invalidated(.put, 303, ["Location": "/y", "Content-Location": "http://other.test/z"]) == [
                "http://a.test/x", "http://a.test/y",
            ])
        #expect(invalidated(.post, 404) == [])
        #expect(invalidated(.get, 200) == [])
        #expect(invalidated(HTTPRequest.Method("PURGE")!, 200) == ["http://a.test/x"])
    }
}

extension CacheRules.Decision {
    fileprivate var word: CacheRulesTests.Expected {
        switch self {
        case .take: .take
        case .validate: .validate
        case .load: .load
        case .bypass: .bypass
        case .refuse: .refuse
        }
    }
}
