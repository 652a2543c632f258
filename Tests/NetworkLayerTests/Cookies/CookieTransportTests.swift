import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Cookies of requests and answers, seen through operations.
@Suite(.watchesEvents) struct CookieTransportTests {
    let jars = CookieJars(suffixes: PublicSuffixList.cautious)

    func run(
        _ request: Request, _ cookies: CookieConfiguration, _ script: @escaping @Sendable (TransferRequest) -> Script
    ) async throws -> (response: Response, sent: [String?]) {
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time, script: script)
        let queue = try RequestOperationQueue(
            identifier: "test", client: NetworkClient(transport: transport, time: time, cookies: jars).watched())
        var configuration = RequestConfiguration()
        configuration.cookies = cookies
        let response = await queue.enqueue(request, configuration: configuration).response
        return (response, transport.requests.map { $0.headers[.cookie] })
    }

    func set(_ fields: String...) {
        jars.edit("default") { jar in
            var headers = HTTPFields()
            for field in fields { headers.append(HTTPField(name: .setCookie, value: field)) }
            jar.receive(headers, from: URL(string: "http://a.test/")!, at: Date(timeIntervalSince1970: 1_700_000_000))
        }
    }

    @Test func `setcki and ckiplcy are off by default: nothing is sent, nothing is kept`() async throws {
        set("a=1")
        let (_, sent) = try await run(.get("http://a.test/"), .init()) { _ in .respond(headers: [.setCookie: "b=2"]) }
        #expect(sent == [nil])
        #expect(jars["default"].cookies.map(\.name) == ["a"])
    }

    @Test func `setcki sends the jar's cookies behind those that the request has itself`() async throws {
        set("a=1", "b=2", "c=3; Path=/other")
        let cookies = CookieConfiguration(sends: true)
        let (response, sent) = try await run(.get("http://a.test/", headers: [.cookie: "x=0; b=9"]), cookies) { _ in .respond() }
        #expect(sent == ["x=0; b=9; a=1"])
        #expect(response.metrics.attempts[0].request.headers[.cookie] == "x=0; b=9", "what the user wrote stays as it was written")
    }

    @Test func `ckiplcy each hop's cookies go into the jar, and along with the next hop`() async throws {
        let (_, sent) = try await run(.get("http://a.test/"), .on) { request in
            switch request.request.url.path {
            case "/": Script.respond(status: .found, headers: [.location: "/next", .setCookie: "session=1; Path=/"])
            case "/next":
                Script.respond(status: .found, headers: [.location: "http://b.test/last", .setCookie: "more=2; Path=/next"])
            default: Script.respond(headers: [.setCookie: "other=3"])
            }
        }
        #expect(sent == [nil, "session=1", nil])
        #expect(jars["default"].cookies.map { "\($0.domain) \($0.name)" } == ["a.test session", "a.test more", "b.test other"])
    }

    @Test func `ckiplcy sameSite takes nothing from the sites that redirects lead to`() async throws {
        let (_, _) = try await run(.get("http://a.test/"), .init(acceptance: .sameSite)) { request in
            request.request.url.host == "a.test"
                ? Script.respond(status: .found, headers: [.location: "http://b.test/", .setCookie: "a=1"])
                : Script.respond(headers: [.setCookie: "b=2"])
        }
        #expect(jars["default"].cookies.map(\.name) == ["a"])
    }

    @Test func `ckisto requests use the jar that they name`() async throws {
        set("a=1")
        let (_, sent) = try await run(.get("http://a.test/"), .init(acceptance: .always, sends: true, jar: "other")) { _ in
            .respond(headers: [.setCookie: "b=2"])
        }
        #expect(sent == [nil])
        #expect(jars["default"].cookies.map(\.name) == ["a"])
        #expect(jars["other"].cookies.map(\.name) == ["b"])
    }

    @Test func `ckiplcy has the numbers of NSHTTPCookieAcceptPolicy`() {
        #expect(CookieConfiguration.Acceptance.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(CookieConfiguration().acceptance == .never)
    }
}
