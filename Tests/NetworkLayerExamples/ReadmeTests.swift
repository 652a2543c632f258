import FoundationEssentials
import HTTPTypes
import Logging
import MockTransport
import NetworkLayer
import NetworkMonitor
import Synchronization
import Testing

/// The code of the manual's page on the library: the examples of the READMEs of Twitter Network Layer and TermiNetwork.
@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
    let mock = MockTransport()
    var client: NetworkClient { NetworkClient(transport: mock) }

    // snippet
    struct Todo: Codable, Sendable, Hashable {
        var id: Int
        var title: String
    }
    // end

    let todo = Todo(id: 1, title: "Go shopping.")

    @Test func `a request, and what comes back as a value`() async throws {
        let client = client
        mock.register(
            .json([todo]), at: "https://myweb.com/api/todos", query: .including(["title": "Go shopping."]))

        // snippet
        let todos = try await client.value(
            for: .get("https://myweb.com/api/todos", query: ["title": "Go shopping."], headers: ["x-auth": "abcdef1234"]),
            as: [Todo].self)
        // end

        #expect(todos == [todo])
    }

    @Test func `a queue and a configuration of one's own`() async throws {
        let client = client
        mock.register(.text("added"), at: "https://myweb.com/todos")

        // snippet
        let queue = try RequestOperationQueue(identifier: "todos", client: client, configuration: .init(maxConcurrent: 2))
        let operation = queue.enqueue(
            .post("https://myweb.com/todos", headers: ["x-auth": "abcdef1234"], json: ["title": "Go shopping."]),
            configuration: RequestConfiguration(timeouts: .init(attempt: .seconds(30))), priority: .high)
        let answer = try await operation.text()
        // end

        #expect(answer == "added")
        #expect(operation.originalRequest.headers[.contentType] == "application/json")
    }

    // snippet
    enum Environments {
        static let development = Environment(host: "localhost", port: 3000, path: ["v1"])
        static let qa = Environment(scheme: "http", host: "myqaserver.com", path: ["v1"])
    }

    enum Todos: Endpoint {
        case list, show(id: Int), add(title: String), remove(id: Int), setCompleted(id: Int, Bool)

        var call: EndpointCall {
            switch self {
            case .list: EndpointCall(.get, "todos")
            case .show(let id): EndpointCall(.get, "todo", "\(id)")
            case .add(let title): EndpointCall(.post, "todos", json: ["title": title])
            case .remove(let id): EndpointCall(.delete, "todo", "\(id)")
            case .setCompleted(let id, let isCompleted): EndpointCall(.patch, "todo", "\(id)", json: ["completed": isCompleted])
            }
        }
    }
    // end

    @Test func `an API as an enum`() async throws {
        let client = client
        mock.register(.json(todo), at: "http://myqaserver.com/v1/todos", method: .post)

        // snippet
        let todos = EndpointClient<Todos>(Environments.qa, client: client)
        let added = try await todos.value(of: .add(title: "Go shopping!"), as: Todo.self)
        // end

        #expect(added == todo)
        #expect(try todos.request(for: .show(id: 7)).url.absoluteString == "http://myqaserver.com/v1/todo/7")
        #expect(Environments.development.text == "https://localhost:3000/v1")
    }

    @Test func `hooks of a queue`() async throws {
        let client = client
        let told = Mutex<[String]>([])
        let show: @Sendable (String) -> Void = { text in told.withLock { $0.append(text) } }
        mock.register(MockResponse(), at: "https://myweb.com")

        // snippet
        let hooks = RequestOperationQueue.Hooks(
            beforeAll: { show("busy") }, beforeEach: { show("\($0.originalRequest)") },
            afterEach: { show("\($1)") }, afterAll: { hasFailed in show(hasFailed ? "trouble" : "done") })
        let queue = try RequestOperationQueue(identifier: "todos", client: client, configuration: .init(hooks: hooks))
        // end

        _ = await queue.enqueue(.get("https://myweb.com")).response
        await queue.drain()
        #expect(
            told.withLock { $0 } == ["busy", "GET https://myweb.com", "200 OK, 0 bytes, to GET https://myweb.com", "done"])
    }

    @Test func `errors, and what the server says of one`() async throws {
        let client = client
        mock.register(.json(["reason": "no such todo"], status: .notFound), at: "https://myweb.com/todos")
        var text = ""

        // snippet
        do throws(NetworkError) {
            _ = try await client.value(for: .get("https://myweb.com/todos"), as: Todo.self)
        } catch {
            switch error.code {
            case .unsuccessfulStatus: text = (try error.response?.decode(as: [String: String].self))?["reason"] ?? "?"
            case .cancelled: text = "cancelled"
            default: text = error.localizedDescription
            }
        }
        // end

        #expect(text == "no such todo")
    }

    @Test func `cancelling`() async throws {
        let client = client
        mock.register(MockResponse(), at: "https://myweb.com/todos", behavior: .init(delay: .seconds(1000)))

        // snippet
        let task = Task { try await client.value(for: .get("https://myweb.com/todos"), as: [Todo].self) }
        task.cancel()
        // end

        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `whether there is a network`() async throws {
        // snippet
        let monitor = NetworkMonitor()
        for await network in monitor.changes.prefix(1) { print(network.reachability, network.interfaces.map(\.kind)) }
        // end

        monitor.stop()
    }

    struct City: Sendable, Hashable { var name: String }

    @Test func `transformers`() async throws {
        let client = client
        mock.register(.json([todo]), at: "http://myqaserver.com/v1/todos")
        let todos = EndpointClient<Todos>(Environments.qa, client: client)

        // snippet
        let titles = Transformer<[Todo], [String]> { $0.map(\.title) }
        let all = try await todos.value(of: .list, using: titles)
        // end

        #expect(all == ["Go shopping."])
    }

    @Test func `mocks`() async throws {
        // snippet
        let mock = MockTransport()
        mock.register(.file("Cities/cities.json"), at: "https://myweb.com/cities", behavior: .init(delay: .milliseconds(10)))
        let client = NetworkClient(transport: mock)
        // end

        #expect(await client.response(for: .get("https://myweb.com/cities")).error?.code == .fileFailed)
    }

    struct Login: Codable, Sendable { var token: String }

    @Test func `an interceptor that logs in again after a 401`() async throws {
        let client = client
        mock.register(.json(Login(token: "fresh")), at: "https://www.myserviceapi.com/login")
        mock.register(.text("in"), at: "https://www.myserviceapi.com/todos")

        // snippet
        let session = TokenRefresher {
            let login = Request.post(
                "https://www.myserviceapi.com/login", json: ["username": "johndoe", "password": "p@44w0rd"])
            return try await client.value(for: login, as: Login.self).token
        }
        let response = await client.response(
            for: .get("https://www.myserviceapi.com/todos"), configuration: .init(retry: [session]),
            delegate: .init(authorizer: session))
        // end

        #expect(response.info?.finalRequest.headers[.authorization] == "Bearer fresh")
    }

    @Test func `a log of everything, curl commands included`() {
        // snippet
        client.addObserver(LogObserver(Logger(label: "todos"), detail: .verbose))
        // end
    }

    // snippet
    struct Blob: RequestConvertible {
        var identifier: Int
        var url: URL { "http://api.myapp.com/blob/\(identifier)".requestURL }
        var headers: HTTPFields { [.userAgent: "MyApp/1.0"] }
    }
    // end

    @Test func `requests of a program's own, whole and to be filled in`() async throws {
        let client = client
        let queue = client.defaultQueue
        mock.register(.text("blob"), at: "http://api.myapp.com/blob/7")

        // snippet
        let blob = queue.enqueue(Blob(identifier: 7))
        let hydrated = queue.enqueue(
            .madeByHydrator,
            delegate: RequestDelegate { _ in .get("http://api.myapp.com/blob/7", headers: ["User-Agent": "MyApp/1.0"]) }
        )
        // end

        #expect(await blob.response.text == "blob")
        #expect(await hydrated.response.text == "blob")
    }

    @Test func `a configuration for all requests of a client`() async throws {
        mock.register(.text("here"), at: "http://api.myapp.com/")

        // snippet
        let client = NetworkClient(transport: mock, configuration: .init(timeout: .seconds(20), retry: .attempts(3)))
        // end

        #expect(try await client.get("http://api.myapp.com/").text == "here")
        #expect(client.send("http://api.myapp.com/").configuration.timeout == .seconds(20))
    }

    // snippet
    static let metrics = RequestConfiguration(consumption: .none, cachePolicy: .reloadIgnoringLocal)
    // end

    @Test func `a configuration for a purpose`() async throws {
        let client = client
        mock.register(MockResponse(status: .accepted), at: "http://api.myapp.com/recordMetric", query: .any)

        // snippet
        let isRecorded =
            await client.response(
                for: .get("http://api.myapp.com/recordMetric", query: ["hit": true]), configuration: Self.metrics
            ).status == .accepted
        // end

        #expect(isRecorded)
    }

    @Test func `streams`() async throws {
        let client = client
        mock.register(.text("data: {\"id\": 1}\n\n"), at: "https://myweb.com/events")

        // snippet
        let operation = client.stream(.get("https://myweb.com/events"))
        guard try await operation.head.status.isSuccess else { return operation.cancel("no events") }
        for try await event in operation.body.serverSentEvents { print(event.data) }
        // end

        #expect(await operation.response.isSuccess)
    }
}
