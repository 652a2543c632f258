import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct EndpointClientTests {
    enum Birds: Endpoint, Hashable {
        case list(page: Int64)
        case one(String)
        case add(name: String)
        case slow
        case elsewhere

        var call: EndpointCall {
            switch self {
            case .list(let page): EndpointCall(.get, "birds", parameters: ["page": .integer(page), "sort": nil, "on shore": true])
            case .one(let name): EndpointCall(.get, "birds", name)
            case .add(let name): EndpointCall(.post, "birds", parameters: ["name": .text(name), "tags": ["a b", "c"]])
            case .slow:
                EndpointCall(
                    .get, "slow", headers: [.accept: "text/plain"], configuration: EndpointConfiguration(timeout: .seconds(12)))
            case .elsewhere: EndpointCall(.get, at: .url(URL(string: "http://b.test/x")!))
            }
        }
    }

    struct Bird: Codable, Hashable, Sendable {
        var commonName: String
    }

    let time = ManualTimeSource()
    let environment = Environment(scheme: "https", host: "a.test", port: 8443, path: ["v2", "a b"])

    func client(
        environment: Environment?, configuration: EndpointConfiguration = .init(),
        script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing }
    ) throws -> (EndpointClient<Birds>, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        return (EndpointClient(environment: environment, configuration: configuration, queue: queue), transport)
    }

    // MARK: Environments

    @Test func `TN-1 an environment is written scheme, host, port and path`() {
        #expect(environment.text == "https://a.test:8443/v2/a%20b")
        #expect(Environment(host: "a.test").text == "https://a.test")
        #expect(Environment(scheme: "http", host: "::1", port: 80).text == "http://[::1]:80")
    }

    @Test func `TN-1 an environment is read from a URL`() throws {
        #expect(try Environment("https://a.test:8443/v2/a%20b") == environment)
        #expect(try Environment("http://a.test/") == Environment(scheme: "http", host: "a.test"))
        for text in ["", "a.test", "http://a.test/?q", "http://a.test/#f", "ftp://a.test"] {
            let error = #expect(throws: NetworkError.self) { try Environment(text) }
            #expect(error?.code == .invalidURL)
        }
    }

    @Test func `TN-1 each client has an environment of its own`() throws {
        let (client, _) = try client(environment: environment)
        var other = client
        other.environment = Environment(scheme: "http", host: "b.test")
        #expect(try client.request(for: .one("x")).url.absoluteString == "https://a.test:8443/v2/a%20b/birds/x")
        #expect(try other.request(for: .one("x")).url.absoluteString == "http://b.test/birds/x")
    }

    // MARK: Endpoints

    @Test func `TN-2 the parts of a path are joined, each encoded`() throws {
        let (client, _) = try client(environment: environment)
        let url = try client.request(for: .one("sand/piper ä")).url
        #expect(url.absoluteString == "https://a.test:8443/v2/a%20b/birds/sand%2Fpiper%20%C3%A4")
    }

    @Test func `TN-2 an operation knows its call`() throws {
        let (client, transport) = try client(environment: environment)
        let operation = try client.send(.one("knot"), priority: .high)
        let source = operation.source as? EndpointRequest<Birds>
        #expect(source?.call == .one("knot"))
        #expect(transport.requests == [try client.request(for: .one("knot"))])
        #expect(operation.priority == .high)
        operation.cancel()
    }

    @Test func `TN-3 a path needs an environment, a URL doesn't`() throws {
        let (client, _) = try client(environment: nil)
        let error = #expect(throws: NetworkError.self) { try client.request(for: .list(page: 1)) }
        #expect(error?.code == .environmentNotSet)
        #expect(error?.message == "/birds is a path below an environment, and there is none: give the client one.")
        #expect(try client.request(for: .elsewhere).url.absoluteString == "http://b.test/x")
    }

    @Test func `TN-3 an environment that makes no URL is an error`() throws {
        let (client, _) = try client(environment: Environment(scheme: "https", host: ""))
        let error = #expect(throws: NetworkError.self) { try client.request(for: .one("x")) }
        #expect(error?.code == .invalidURL)
    }

    // MARK: Inheritance

    @Test func `TN-4 a timeout is that of the operation, from the innermost level that has one: 180, 32, 12`() throws {
        var environment = environment
        var (client, _) = try client(environment: environment)
        #expect(client.requestConfiguration(for: .one("x")).timeouts == Timeouts())
        environment.configuration.timeout = .seconds(32)
        client.environment = environment
        #expect(client.requestConfiguration(for: .one("x")).timeouts == Timeouts(attempt: nil, operation: .seconds(32)))
        #expect(client.requestConfiguration(for: .slow).timeouts == Timeouts(attempt: nil, operation: .seconds(12)))
        client.configuration.timeout = .seconds(20)
        #expect(client.requestConfiguration(for: .one("x")).timeouts == Timeouts(attempt: nil, operation: .seconds(20)))
        #expect(client.requestConfiguration(for: .slow).timeouts == Timeouts(attempt: nil, operation: .seconds(12)))
    }

    @Test func `TN-4 every field is inherited on its own`() throws {
        var environment = environment
        environment.configuration.redirects = RedirectConfiguration(policy: .never)
        environment.configuration.keyDecoding = .fromSnakeCase
        environment.configuration.bodyFormat = .json
        var (client, _) = try client(environment: environment)
        client.configuration.consumption = .file(directory: nil)
        client.configuration.bodyFormat = .form
        var expected = RequestConfiguration()
        expected.redirects.policy = .never
        expected.consumption = .file(directory: nil)
        #expect(client.requestConfiguration(for: .one("x")) == expected)
        let levels = client.configuration(for: .one("x"))
        #expect(levels.keyDecoding == .fromSnakeCase)
        #expect(levels.bodyFormat == .form)
    }

    @Test func `TN-4 a level sets one field and leaves its neighbours, unless a level inside replaces them all`() throws {
        var environment = environment
        environment.configuration.set(\.redirects.limit, to: 3)
        environment.configuration.set(\.limits.headerBytes, to: 1000)
        var (client, _) = try client(environment: environment)
        client.configuration.set(\.redirects.policy, to: .never)
        client.configuration.set(\.redirects.limit, to: 4)
        client.configuration.set(\.redirects.limit, to: 5)
        var expected = RequestConfiguration()
        expected.redirects.limit = 5
        expected.redirects.policy = .never
        expected.limits.headerBytes = 1000
        #expect(client.requestConfiguration(for: .one("x")) == expected)
        client.configuration.redirects = RedirectConfiguration(policy: .sameHost)
        expected.redirects = RedirectConfiguration(policy: .sameHost)
        #expect(client.requestConfiguration(for: .one("x")) == expected)
        #expect(client.configuration.redirects == RedirectConfiguration(policy: .sameHost))
        environment.configuration.set(\.timeouts.operation, to: .seconds(60))
        client.environment = environment
        #expect(client.requestConfiguration(for: .slow).timeouts.operation == .seconds(12))
        #expect(client.requestConfiguration(for: .one("x")).timeouts.operation == .seconds(60))
        client.configuration.redirects = nil
        #expect(client.requestConfiguration(for: .one("x")).redirects.limit == 5)
    }

    @Test func `TN-12 a level's transport leaves the pins of the levels outside`() throws {
        var environment = environment
        environment.configuration.tls = TLSOptions(pins: ["sha256//a"])
        var (client, _) = try client(environment: environment)
        client.configuration.transport = TransportOptions(acceptsCompression: false, tls: TLSOptions(verifies: false))
        #expect(
            client.requestConfiguration(for: .one("x")).transport
                == TransportOptions(acceptsCompression: false, tls: TLSOptions(pins: ["sha256//a"])))
        client.configuration.tls = TLSOptions(pins: ["sha256//b"])
        #expect(client.requestConfiguration(for: .one("x")).transport.tls.pins == ["sha256//b"])
    }

    @Test func `TN-4 header fields are merged name by name, and the request's beat all`() throws {
        var environment = environment
        environment.configuration.headers = [.accept: "*/*", .userAgent: "env", .acceptLanguage: "de"]
        var (client, _) = try client(environment: environment)
        client.configuration.headers = [.userAgent: "client"]
        #expect(try client.request(for: .slow).headers == [.accept: "text/plain", .userAgent: "client", .acceptLanguage: "de"])
        #expect(try client.request(for: .one("x")).headers == [.accept: "*/*", .userAgent: "client", .acceptLanguage: "de"])
    }

    // MARK: Parameters

    @Test func `TN-5 parameters of a GET go into the query, keys encoded too, nothing for nil`() throws {
        let (client, _) = try client(environment: environment)
        let request = try client.request(for: .list(page: 2))
        #expect(request.url.query(percentEncoded: true) == "on%20shore=1&page=2")
        #expect(request.body == .none)
    }

    @Test func `TN-5 other methods carry them in the body, as a form or as JSON`() throws {
        var (client, _) = try client(environment: environment)
        let form = try client.request(for: .add(name: "red knot"))
        #expect(form.body == .data(Data("name=red%20knot&tags=a%20b&tags=c".utf8)))
        #expect(form.headers[.contentType] == "application/x-www-form-urlencoded")
        client.configuration.bodyFormat = .json
        let json = try client.request(for: .add(name: "red knot"))
        #expect(json.body == .data(Data(#"{"name":"red knot","tags":["a b","c"]}"#.utf8)))
        #expect(json.headers[.contentType] == "application/json")
    }

    @Test func `TN-5 a query that a URL has stays`() throws {
        let call = EndpointCall(.get, at: .url(URL(string: "http://b.test/x?a=1#end")!), content: .parameters(["b": 2]))
        let request = try call.request(in: nil, configuration: .init())
        #expect(request.url.absoluteString == "http://b.test/x?a=1&b=2#end")
    }

    @Test func `TN-5 a body is sent as it is, with its type unless a field names another`() throws {
        let body = RequestBody.data(Data("raw".utf8))
        var call = EndpointCall(.put, "x")
        call.content = .body(body, contentType: "text/csv")
        let plain = try call.request(in: environment, configuration: .init())
        #expect(plain.body == body)
        #expect(plain.headers[.contentType] == "text/csv")
        call.headers[.contentType] = "text/tab-separated-values"
        #expect(try call.request(in: environment, configuration: .init()).headers[.contentType] == "text/tab-separated-values")
    }

    @Test func `TN-5 a form with files says by itself what it is`() throws {
        var form = MultipartBody(boundary: "b")
        form.append("name", "knot")
        var call = EndpointCall(.post, "x")
        call.content = .multipart(form)
        let request = try call.request(in: environment, configuration: .init())
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=b")
        #expect(request.body.length == form.length)
    }

    // MARK: Waiting for the answer

    @Test func `TN-10 a value is the body of a success`() async throws {
        var (client, _) = try client(environment: environment) { _ in .respond(body: Data(#"{"common_name":"knot"}"#.utf8)) }
        client.configuration.keyDecoding = .fromSnakeCase
        let bird: Bird = try await client.value(of: .one("knot"))
        #expect(bird == Bird(commonName: "knot"))
        let name = try await client.value(of: .one("knot"), using: Transformer { (bird: Bird) in bird.commonName })
        #expect(name == "knot")
        #expect(try await client.value(of: .one("knot"), using: .text) == #"{"common_name":"knot"}"#)
    }

    @Test func `TN-10 a status that is no success throws, and so does what failed`() async throws {
        let (client, _) = try client(environment: environment) { request in
            request.request.url.path.hasSuffix("slow")
                ? .fail(NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "lost"))
                : .respond(status: .notFound)
        }
        let missing = await #expect(throws: NetworkError.self) { try await client.value(of: .one("dodo"), using: .text) }
        #expect(missing?.code == .unsuccessfulStatus)
        let lost = await #expect(throws: NetworkError.self) { try await client.value(of: .slow, using: .text) }
        #expect(lost?.code == .connectionLost)
        let response = try await client.response(to: .one("dodo"))
        #expect(response.info?.head.status == .notFound)
    }

    @Test func `TN-10 cancelling the task cancels the operation`() async throws {
        let (client, transport) = try client(environment: environment)
        let task = Task { try await client.response(to: .slow) }
        let transfer = await transport.transfer(0)
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transfer.isCancelled)
    }
}
