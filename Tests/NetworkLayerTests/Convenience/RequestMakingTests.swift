import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// What a request can be made of, and what becomes of what none can be made of.
@Suite(.watchesEvents) struct RequestMakingTests {
    private struct Bird: Codable, Hashable {
        var name: String
    }

    @Test func `a string is a URL, and parameters go behind its own`() {
        let next: String? = nil
        let request = Request.get(
            "https://birds.test/sea?from=1#top",
            query: ["q": "red knot", "page": 2, "wader": true, "of": ["a", "b"], "next": next])
        #expect(request.url.absoluteString == "https://birds.test/sea?from=1&of=a&of=b&page=2&q=red%20knot&wader=1#top")
        #expect(Request.get("https://vögel.test/a b").url.absoluteString == "https://xn--vgel-5qa.test/a%20b")
    }

    @Test func `a client has the verbs`() async throws {
        let transport = ScriptedTransport { request in
            let told = "\(request.request.method) \(request.request.url.path())"
            return .respond(status: .created, headers: [.contentType: "application/json"], body: Data(#"{"name":"\#(told)"}"#.utf8))
        }
        let client = NetworkClient(transport: transport, time: ManualTimeSource())
        let names = [
            try await client.get("https://birds.test/1"), try await client.post("https://birds.test/2", json: Bird(name: "knot")),
            try await client.put("https://birds.test/3", json: "knot"),
            try await client.patch("https://birds.test/4", json: ["a": 1]),
            try await client.delete("https://birds.test/5"),
        ].map { "\($0.statusCode ?? 0) \($0.text)" }
        let verbs = ["GET /1", "POST /2", "PUT /3", "PATCH /4", "DELETE /5"]
        #expect(names == verbs.map { "201 {\"name\":\"\($0)\"}" })
        #expect(transport.requests[2].body == .data(Data("\"knot\"".utf8)))
        let bird: Bird = try await client.get("https://birds.test/6", query: ["page": 2])
        #expect(bird.name == "GET /6" && transport.requests.last?.url.query() == "page=2")
        #expect(try await client.post("https://birds.test/7", json: Bird(name: "knot"), as: Bird.self).name == "POST /7")
    }

    @Test func `what a caller wants is told by its type, an optional's too`() async throws {
        let transport = ScriptedTransport { request in
            .respond(status: request.request.url.path() == "/none" ? .notFound : .ok, body: Data("knot".utf8))
        }
        let client = NetworkClient(transport: transport, time: ManualTimeSource())
        let response: Response? = try await client.get("https://birds.test/none")
        #expect(response?.status == .notFound)
        let (text, maybe): (String, String?) = (
            try await client.get("https://birds.test/a"), try await client.get("https://birds.test/b")
        )
        #expect(text == "knot" && maybe == text)
        let data: Data = try await client.post("https://birds.test/c", json: 1)
        #expect(data == Data("knot".utf8))
        let error = await #expect(throws: NetworkError.self) { try await client.get("https://birds.test/none", as: String.self) }
        #expect(error?.status == .notFound)
    }

    @Test func `a client has a configuration for requests that have none of their own`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let configuration = RequestConfiguration(timeout: .seconds(7))
        let client = NetworkClient(transport: transport, time: ManualTimeSource(), configuration: configuration).watched()
        #expect(client.send("https://birds.test").configuration == configuration)
        #expect(client.defaultQueue.enqueue("https://birds.test").configuration == configuration)
        let own = RequestConfiguration(timeout: .seconds(8))
        #expect(client.send("https://birds.test", configuration: own).configuration == own)
        #expect(client.download("https://birds.test", to: "/tmp/knot").configuration.timeout == .seconds(7))
        #expect(client.stream("https://birds.test").configuration == configuration.with { $0.consumption = .stream })
        #expect(client.stream("https://birds.test", configuration: own).configuration.timeouts == own.timeouts)
        #expect(EndpointClient<Nests>(client: client).base == configuration)
        #expect(EndpointClient<Nests>(client: client, base: own).base == own)
        client.cancelAll()
    }

    private enum Nests: Endpoint {
        case all
        var call: EndpointCall { EndpointCall(.get, "nests") }
    }

    @Test func `the verbs take fields, and a configuration`() async throws {
        let transport = ScriptedTransport { _ in .respond(body: Data(#"{"name":"knot"}"#.utf8)) }
        let client = NetworkClient(transport: transport, time: ManualTimeSource())
        let auth = HTTPField.Name("X-Auth")!
        _ = try await client.get("https://birds.test", headers: [auth: "1"])
        #expect(try await client.get("https://birds.test", headers: [auth: "2"], as: Bird.self).name == "knot")
        _ = try await client.post("https://birds.test", headers: [auth: "3"], json: 1)
        #expect(try await client.post("https://birds.test", headers: [auth: "4"], json: 1, as: Bird.self).name == "knot")
        _ = try await client.delete("https://birds.test", headers: [auth: "5"])
        #expect(transport.requests.map { $0.headers[auth] } == ["1", "2", "3", "4", "5"])
        _ = try await client.head("https://birds.test", configuration: .init(timeout: .seconds(5)))
        _ = try await client.post("https://birds.test", body: .text("a"))
        _ = try await client.put("https://birds.test", body: .text("b"))
        #expect(try await client.put("https://birds.test", json: 2, as: Bird.self).name == "knot")
        #expect(try await client.patch("https://birds.test", json: 2, as: Bird.self).name == "knot")
        #expect(transport.requests.suffix(5).map(\.method) == [.head, .post, .put, .put, .patch])
        let response = try await client.get("https://birds.test")
        let bird: Bird = try response.json()
        #expect(bird == Bird(name: "knot"))
    }

    @Test func `a verb takes a timeout, and what it is signed with`() async throws {
        let transport = ScriptedTransport { _ in .respond(status: .notFound) }
        let client = NetworkClient(transport: transport, time: ManualTimeSource())
        let response = try await client.post("https://birds.test", json: 1, authorization: .bearer("t"), timeout: .seconds(5))
        #expect(response.status == .notFound && transport.requests[0].headers[.authorization] == "Bearer t")
        #expect(response.metrics.timeouts == Timeouts(attempt: nil, operation: .seconds(5)))
        let failing = NetworkClient(transport: ScriptedTransport { _ in .fail(.reset) }, time: ManualTimeSource())
        await #expect(throws: NetworkError.reset) { try await failing.get("https://birds.test") }
        #expect(Request(method: .put, url: "https://birds.test", json: 1) == .put("https://birds.test", json: 1))
    }

    @Test func `a client's authorizer signs what has none, is asked about retries, and its observers hear of it`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let (recorder, tokens) = (EventRecorder(), TokenRefresher { "fresh" })
        let client = NetworkClient(
            transport: transport, time: ManualTimeSource(), configuration: .init(retry: .attempts(2)), authorizer: tokens,
            observers: [recorder])
        #expect(try await client.get("https://birds.test").isSuccess)
        #expect(try await client.get("https://birds.test", configuration: .init()).isSuccess)
        let own = RequestDelegate(authorize: { _ in .set("Bearer own") })
        #expect(await client.response(for: "https://birds.test", configuration: .init(), delegate: own).isSuccess)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["fresh", "fresh", "own"].map { "Bearer \($0)" })
        #expect(client.send("https://birds.test").configuration.retry == [tokens, RetryRules(attempts: 2)])
        #expect(client.send("https://birds.test", configuration: .init()).configuration.retry == [tokens])
        #expect(client.send("https://birds.test", configuration: .init(), delegate: own).configuration.retry.isEmpty)
        #expect(!recorder.events.isEmpty)
        client.cancelAll()
    }

    @Test func `a request of each verb with names that are written out is that of HTTPTypes' fields`() {
        let (url, names, fields) = ("https://birds.test/a?b=1", ["X-Auth": "1"], [HTTPField.Name("X-Auth")!: "1"] as HTTPFields)
        let pairs: [(Request, Request)] = [
            (.get(url, query: ["q": 2], headers: names), .get(url, query: ["q": 2], headers: fields)),
            (.head(url, query: ["q": 2], headers: names), .head(url, query: ["q": 2], headers: fields)),
            (.delete(url, query: ["q": 2], headers: names), .delete(url, query: ["q": 2], headers: fields)),
            (.post(url, query: ["q": 2], headers: names, json: 1), .post(url, query: ["q": 2], headers: fields, json: 1)),
            (.put(url, query: ["q": 2], headers: names, json: 1), .put(url, query: ["q": 2], headers: fields, json: 1)),
            (.patch(url, query: ["q": 2], headers: names, json: 1), .patch(url, query: ["q": 2], headers: fields, json: 1)),
            (.post(url, headers: names, body: .text("a")), .post(url, headers: fields, body: .text("a"))),
            (.put(url, headers: names, body: .text("a")), .put(url, headers: fields, body: .text("a"))),
            (.patch(url, headers: names, body: .text("a")), .patch(url, headers: fields, body: .text("a"))),
        ]
        let verbs: [HTTPRequest.Method] = [.get, .head, .delete, .post, .put, .patch, .post, .put, .patch]
        for (pair, verb) in zip(pairs, verbs) {
            #expect(pair.0 == pair.1)
            #expect(pair.0.method == verb && pair.0.headers[HTTPField.Name("X-Auth")!] == "1")
        }
        #expect(pairs.prefix(6).allSatisfy { $0.0.url.absoluteString == "https://birds.test/a?b=1&q=2" })
    }

    @Test func `an answer is asked for a field by any writing of its name`() async throws {
        let transport = ScriptedTransport { _ in .respond(headers: [.contentType: "text/plain"], body: Data("knot".utf8)) }
        let client = NetworkClient(transport: transport, time: ManualTimeSource())
        let response = try await client.get("https://birds.test")
        #expect(response[header: "content-TYPE"] == "text/plain")
        #expect(response[header: "X-None"] == nil && response[header: "no name"] == nil)
        #expect(try await client.send("https://birds.test").value(using: .text) == "knot")
    }

    @Test func `a failure says what kind it is`() async throws {
        let refusing = ScriptedTransport { _ in .respond(status: .forbidden) }
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkClient(transport: refusing, time: ManualTimeSource())
                .send("https://birds.test").value(using: .text)
        }
        #expect(error?.status == .forbidden)
        let late = NetworkError(.idleTimedOut, phase: .response, type: ErrorType.idleTimedOut, message: "late")
        #expect(late.isTimeout && !late.isTerminal && late.status == nil)
        let cancelled = NetworkError(.cancelled, phase: .response, type: "abandoned", message: "cancelled")
        #expect(!cancelled.isTimeout && cancelled.isTerminal && cancelled.isCancelled)
    }

    @Test func `what a request is signed with can be written down with it`() {
        #expect(Request.get("https://birds.test").authorized(.bearer("t")).headers[.authorization] == "Bearer t")
        let signed = Request.get("https://birds.test").authorized(.basic(user: "ada", password: "ö:"))
        #expect(signed.headers[.authorization] == "Basic YWRhOsO2Og==")
        #expect(signed.authorized(.unchanged) == signed && signed.authorized(.remove) == .get("https://birds.test"))
        #expect(signed.curlCommand == CurlCommand.text(for: signed))
    }

    @Test func `fields by names that are written out`() {
        #expect(HTTPFields(["X-B": "2", "Accept": "*/*"]) == [.accept: "*/*", HTTPField.Name("X-B")!: "2"])
        #expect(EndpointConfiguration(headers: ["Accept": "*/*"], bodyFormat: .json).headers == [.accept: "*/*"])
        let request = Request(url: URL(string: "https://birds.test")!, headers: ["Accept": "*/*"], body: .data(Data("a".utf8)))
        #expect(request.headers == [.accept: "*/*"] && request.body == .data(Data("a".utf8)))
        #expect(Request(.put, "https://birds.test", json: 1) == .put("https://birds.test", json: 1))
    }

    @Test func `the timeout that a configuration is made with can be changed`() {
        var configuration = RequestConfiguration(timeout: .seconds(5))
        #expect(configuration.timeout == .seconds(5))
        configuration.timeout = nil
        #expect(configuration.timeouts.operation == nil && configuration.timeouts.attempt == nil)
    }

    @Test func `a body has the type of what is in it`() {
        let json = Request.post("https://birds.test", json: Bird(name: "knot"))
        #expect(json.body == .data(Data(#"{"name":"knot"}"#.utf8)))
        #expect(json.headers == [.contentType: "application/json"])
        #expect(Request.post("https://birds.test", body: RequestContent.json(Bird(name: "knot"))) == json)
        let form = Request.put("https://birds.test", body: .form(["name": "red knot", "legs": 2, "rings": nil]))
        #expect(form.body == .data(Data("legs=2&name=red%20knot".utf8)))
        #expect(form.headers == [.contentType: "application/x-www-form-urlencoded"])
        let text = Request.patch("https://birds.test", body: .text("knöt"))
        #expect(text.body == .data(Data("knöt".utf8)))
        #expect(text.headers == [.contentType: "text/plain; charset=utf-8"])
        #expect(Request.post("https://birds.test", body: .data(Data())).headers == [:])
    }

    @Test func `content may be changed, and takes its type along`() {
        var request = Request.post("https://birds.test", body: .text("knot"))
        request.content = .json(["knot"])
        #expect(request.headers == [.contentType: "application/json"])
        request.content = .none
        #expect(request == Request(.post, "https://birds.test"))
    }

    private static let wrong: [(Request, NetworkError.Code, String)] = [
        (.get("http://[oh no"), NetworkError.Code.invalidURL, "[oh no"),
        (.get("not a URL"), .invalidURL, "http:// or https://"),
        (.get("https://birds.test", headers: ["bad name": "1"]), .invalidRequest, "\"bad name\""),
        (.get("https://birds.test", headers: HTTPFields(["bad name": "1"])), .invalidRequest, "\"bad name\""),
        (Request.get("https://birds.test").with { $0[header: "bad name"] = "1" }, .invalidRequest, "\"bad name\""),
        (Request.get("https://birds.test").with { $0.headers["bad name"] = "1" }, .invalidRequest, "\"bad name\""),
        (.post("https://birds.test", json: Double.nan), .invalidParameters, "JSON"),
        (.post("https://birds.test", json: Double.nan).with { $0.method = .put }, .invalidParameters, "JSON"),
    ]

    @Test(arguments: wrong) func `what no request can be made of fails when it is sent, and says why`(
        request: Request, code: NetworkError.Code, words: String
    ) {
        let error = #expect(throws: NetworkError.self) { try request.validate() }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `an endpoint takes a value, or says why it can't`() throws {
        let environment = try Environment("https://birds.test/v2")
        let request = try EndpointCall(.post, "birds", "sea", json: Bird(name: "knot")).request(
            in: environment, configuration: .init())
        #expect(request == .post("https://birds.test/v2/birds/sea", json: Bird(name: "knot")))
        let error = #expect(throws: NetworkError.self) {
            try EndpointCall(.post, "birds", json: Double.infinity).request(in: environment, configuration: .init())
        }
        #expect(error?.code == .invalidParameters)
    }

    @Test func `a description has no secrets`() {
        var request = Request.get("https://ada:swallow@birds.test/knot?key=k3y#f")
        #expect("\(request)" == "GET https://birds.test/knot?…")
        #expect(!String(reflecting: request).contains("k3y"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("swallow"))
        request.method = .post
        #expect("\(request)" == "POST https://birds.test/knot?…")
    }
}
