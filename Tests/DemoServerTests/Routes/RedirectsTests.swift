import DemoServer
import Testing

@Suite struct RedirectsTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a chain counts down to the echo and keeps its status`(status: Int) async throws {
        try await withServer { server in
            var target = "/redirect/3?status=\(status)"
            var hops = 0
            while true {
                let response = try await server.call("POST", target)
                guard let location = response["location"] else { break }
                #expect(response.status == status)
                target = location
                hops += 1
            }
            #expect(hops == 3)
            #expect(target == "/anything/landed")
        }
    }

    @Test func `a chain can be absolute, or change the origin with each hop`() async throws {
        try await withServer { server in
            let absolute = try await server.call("GET", "/redirect/2?style=absolute")
            #expect(absolute["location"] == "http://127.0.0.1:\(server.port)/redirect/1?status=302&style=absolute")
            let other = try await server.call("GET", "/redirect/2?style=other")
            #expect(other["location"] == "http://127.0.0.1:\(server.secondPort)/redirect/1?status=302&style=other")
            let back = try RawResponse(
                parsing: try await RawClient.exchange(
                    "GET /redirect/1?style=other HTTP/1.1\r\nHost: localhost:\(server.secondPort)\r\nConnection: close\r\n\r\n",
                    port: server.secondPort
                ).bytes)
            #expect(back["location"] == "http://localhost:\(server.port)/anything/landed")
        }
    }

    @Test(arguments: [
        ("/redirect/loop", "/redirect/loop"), ("/redirect/bad-location", "http://[not-a-host]:99999/"),
        ("/redirect/no-location", nil),
        ("/redirect/to?url=http://example.com/%3Fa&status=308", "http://example.com/?a"),
    ])
    func `redirects that lead nowhere good`(target: String, location: String?) async throws {
        let response = try await withServer { try await $0.call("GET", target) }
        #expect([302, 308].contains(response.status))
        #expect(response["location"] == location)
    }

    @Test(arguments: [
        "/redirect/0", "/redirect/1001", "/redirect/x", "/redirect/1?status=200", "/redirect/1?style=x", "/redirect/to?url=a%0Db",
    ])
    func `what is wrong with a redirect is said`(target: String) async throws {
        #expect(try await withServer { try await $0.call("GET", target) }.status == 400)
    }
}
