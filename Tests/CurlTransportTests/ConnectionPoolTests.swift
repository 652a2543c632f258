import CurlTransport
import DemoServer
import Foundation
import NetworkLayer
import ServerTesting
import Testing

/// T-SES: which connections are kept, and which are closed (SES-1, GLB-8).
struct `The pool of connections` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    /// Answers twice over each of two connections.
    private func server() throws -> ScriptedServer {
        let steps: [ScriptedServer.Step] = [.readHead, .send(Self.answer), .readHead, .send(Self.answer), .readToEnd]
        return try ScriptedServer([steps, steps])
    }

    private func get(_ transport: CurlTransport, _ server: ScriptedServer) async throws -> Recording {
        let recording = try await transport.get(server.url)
        #expect(recording.text == "hello")
        return recording
    }

    @Test func `SES-1 the threshold is 240 s, and a negative one stands for it`() {
        #expect(ConnectionPool().inactivity == .seconds(240))
        #expect(ConnectionPool(inactivity: .seconds(-1)).inactivity == .seconds(240))
        var pool = ConnectionPool(inactivity: .seconds(3))
        pool.inactivity = .seconds(-1)
        #expect(pool.inactivity == .seconds(240))
    }

    @Test func `SES-1 T-SES requests whose timeouts differ share a connection`() async throws {
        let (transport, server) = (CurlTransport(), try server())
        #expect(try await get(transport, server).connection?.isReused == false)
        let second = try await transport.get(server.url) { $0.connectTimeout = .seconds(7) }
        #expect(second.connection?.isReused == true)
    }

    @Test func `SES-1 T-SES pruning with the threshold -1 keeps what is fresh`() async throws {
        let (transport, server) = (CurlTransport(pool: ConnectionPool(inactivity: .seconds(-1))), try server())
        _ = try await get(transport, server)
        NetworkClient(transport: transport).pruneConnections(.idle)
        #expect(try await get(transport, server).connection?.isReused == true)
    }

    @Test func `SES-1 T-SES pruning with the threshold 0 closes every idle connection`() async throws {
        let (transport, server) = (CurlTransport(pool: ConnectionPool(inactivity: .zero)), try server())
        _ = try await get(transport, server)
        NetworkClient(transport: transport).pruneConnections(.idle)
        #expect(await server.waitFor(.clientClosed(0)))
        #expect(try await get(transport, server).connection?.isReused == false)
    }

    /// libcurl gives a connection on before it says that the transfer over it has ended.
    @Test(arguments: ["/bytes/10", "/chunks?count=1&every=0ms"])
    func `four at once need no more than four connections, however fast the answers come`(path: String) async throws {
        let server = try await DemoServer()
        let transport = CurlTransport()
        let url = server.baseURL + path
        let numbers = await withTaskGroup(of: Set<Int>.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var numbers: Set<Int> = []
                    for _ in 0..<250 {
                        let recording = try? await transport.get(url)
                        #expect(recording?.error == nil && recording?.head != nil)
                        if let info = recording?.connection { numbers.insert(info.id) }
                    }
                    return numbers
                }
            }
            return await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(numbers.count <= 4)
    }

    @Test func `GLB-8 everything is closed, or what leads to a host`() async throws {
        let (transport, server) = (CurlTransport(), try server())
        let client = NetworkClient(transport: transport)
        _ = try await get(transport, server)
        client.pruneConnections(.host("example.test"))
        #expect(try await get(transport, server).connection?.isReused == true)
        client.pruneConnections(.host("127.0.0.1"))
        #expect(await server.waitFor(.clientClosed(0)))
        #expect(try await get(transport, server).connection?.isReused == false)
        client.pruneConnections(.all)
        #expect(await server.waitFor(.clientClosed(1)))
    }

    @Test func `SES-1 a connection in use is closed after its transfer`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"
        let server = try ScriptedServer([[.readHead, .send(head), .await, .send("llo"), .readToEnd]])
        let transport = CurlTransport()
        let recorder = TransferRecorder()
        let request = Request(url: server.url)
        _ = transport.start(TransferRequest(request: request), receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transport.pruneConnections(.all)
        server.proceed()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(await server.waitFor(.clientClosed(0)))
    }

    @Test func `SES-1 T-SES after every task nothing is kept, and a change of that counts at once`() async throws {
        let (transport, server) = (CurlTransport(), try server())
        _ = try await get(transport, server)
        transport.pool = ConnectionPool(inactivity: .zero, prunesAfterEveryTransfer: true)
        #expect(transport.pool.prunesAfterEveryTransfer)
        #expect(try await get(transport, server).connection?.isReused == true)
        #expect(await server.waitFor(.clientClosed(0)))
    }

    /// The kernel gives a new connection the number of one that was closed a moment ago.
    @Test func `the end of a transfer leaves the connection alone that has the number of its own by then`() async throws {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhell"
        let closing = try ScriptedServer([[.readHead, .send(head), .await, .send("o"), .readToEnd]])
        let next = try ScriptedServer([[.readHead, .await, .send(Self.answer), .readToEnd]])
        let transport = CurlTransport(pool: ConnectionPool(inactivity: .zero, prunesAfterEveryTransfer: true))
        let urls = try [closing, next].map { try #require(URL(string: "http://127.0.0.1:\($0.port)/")) }
        let recorders = [TransferRecorder(), TransferRecorder()]
        _ = transport.start(TransferRequest(request: Request(url: urls[0])), receive: recorders[0].record)
        await recorders[0].first { if case .body = $0 { true } else { false } }
        // On the transport's thread: when it reads the end of one answer, the other request begins.
        let both = Task(executorPreference: transport.executor) {
            closing.proceed()
            while !closing.events.contains(.sent(0, Data("o".utf8))) { sched_yield() }
            return transport.start(TransferRequest(request: Request(url: urls[1])), receive: recorders[1].record)
        }
        _ = await both.value
        #expect(await recorders[0].finished().text == "hello")
        next.proceed()
        let recording = await recorders[1].finished()
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
    }
}
