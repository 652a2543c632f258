import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// A server that ends each connection after some requests, and answers a request before it has its body: none of it is an error.
struct `HTTP version 2 over connections that end` {
    /// Sends so many requests, so many at a time, and returns what went wrong.
    private func send(
        _ method: HTTPRequest.Method, _ body: RequestBody = .none, count: Int = 1000, width: Int,
        to server: EndingConnectionsServer, over transport: CurlTransport
    ) async throws -> [String] {
        @Sendable func one(_ number: Int) async throws -> String? {
            let path = "/\(UUID().uuidString)/\(number)"
            var request = TransferRequest(
                request: Request(url: try #require(URL(string: server.url + path)), method: method, body: body))
            request.options.tls.authorities = server.certificates.authority
            let recording = await transport.perform(request)
            if let error = recording.error { return error.message }
            return recording.text == "\(method.rawValue) \(path)" ? nil : "the answer to \(path) was \(recording.text)"
        }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<width { group.addTask { try await one(number) } }
            var (started, failures) = (width, [String]())
            while let failure = try await group.next() {
                if let failure { failures.append(failure) }
                guard started < count else { continue }
                group.addTask { [started] in try await one(started) }
                started += 1
            }
            return failures
        }
    }

    // A wake-up that gets lost stalls for as long as the server lets it, which is an hour.
    @Test(.timeLimit(.minutes(5)), arguments: [5, 100, 1000])
    func `none of 8,000 requests is lost, and none is sent twice`(requestsPerConnection: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: requestsPerConnection)
        let transport = CurlTransport()
        for _ in 1...4 {
            #expect(try await send(.post, .data(Data("hello".utf8)), width: 1, to: server, over: transport) == [])
            #expect(try await send(.get, width: 8, to: server, over: transport) == [])
        }
        let counts = try server.counts()
        #expect(counts.count == 8000)
        #expect(counts.filter { $0.value != 1 } == [:])
    }

    @Test(arguments: [5, 100])
    func `what the server says it didn't take is sent again, a POST too`(requestsPerConnection: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: requestsPerConnection)
        let transport = CurlTransport()
        #expect(try await send(.post, .data(Data("hello".utf8)), width: 8, to: server, over: transport) == [])
        let counts = try server.counts()
        #expect(counts.count == 1000)
        #expect(counts.filter { $0.value != 1 } == [:])
    }

    @Test(arguments: [20_000, 66_000, 300_000])
    func `an answer that comes before the body has gone is the answer`(size: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: 20)
        let body = RequestBody.data(Data(repeating: 0x78, count: size))
        #expect(try await send(.post, body, count: 20, width: 1, to: server, over: CurlTransport()) == [])
    }
}
