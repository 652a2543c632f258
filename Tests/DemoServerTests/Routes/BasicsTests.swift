import Foundation
import Testing

@testable import DemoServer

@Suite struct BasicsTests {
    @Test func `the echo shows what was sent, as it was sent`() async throws {
        try await withServer { server in
            let response = try await server.call(
                "PATCH", "/anything/a%20b?x=1&y=%C3%A9+z&x=2",
                fields: ["X-One: 1", "x-Two: 2", "X-One: 3", "Content-Type: text/plain"],
                body: "héllo")
            let echo = try #require(JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
            let body = try #require(echo["body"] as? [String: Any])
            #expect(echo["method"] as? String == "PATCH")
            #expect(echo["url"] as? String == "http://127.0.0.1:\(server.port)/anything/a%20b?x=1&y=%C3%A9+z&x=2")
            #expect(echo["query"] as? NSDictionary == ["x": ["1", "2"], "y": "é z"])
            #expect(
                echo["headers"] as? NSDictionary == [
                    "Host": "127.0.0.1:\(server.port)", "Connection": "close", "X-One": ["1", "3"], "x-Two": "2",
                    "Content-Type": "text/plain", "Content-Length": "6",
                ])
            #expect(
                body as NSDictionary == [
                    "bytes": 6, "text": "héllo", "sha256": "3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179",
                ])
        }
    }

    @Test func `the echo shows bytes that are no text in Base64, a form as a form, and parts as parts`() async throws {
        try await withServer { server in
            #expect(try await server.call("POST", "/anything", body: [0xFF, 0, 1]).text.contains("\"base64\": \"/wAB\""))
            let form = try await server.call(
                "POST", "/anything", fields: ["Content-Type: application/x-www-form-urlencoded"], body: "a=1&b=x+y")
            #expect(form.text.contains("\"b\": \"x y\""))
            let parts = try await server.call(
                "POST", "/anything", fields: ["Content-Type: multipart/form-data; boundary=\"B\""],
                body: "--B\r\nContent-Disposition: form-data; name=\"part one\"\r\n\r\nvalue\r\n--B--\r\n")
            #expect(parts.text.contains("\"name\": \"part one\""))
        }
    }

    @Test func `the echo cuts a long body and says so, with the size and checksum of all`() async throws {
        try await withServer { server in
            let response = try await server.call("POST", "/anything", body: [UInt8](repeating: 65, count: Echo.shownBytes + 1))
            #expect(response.text.contains("\"bytes\": 1048577"))
            #expect(response.text.contains("\"truncated\": true"))
        }
    }

    @Test(arguments: [200, 201, 204, 301, 304, 401, 404, 405, 418, 429, 500, 503, 599])
    func `a status is answered with its reason and what belongs to it`(status: Int) async throws {
        let response = try await withServer { try await $0.call("GET", "/status/\(status)") }
        #expect(response.status == status)
        #expect(response.reason == StatusText.reason(status))
        #expect(response.rest.isEmpty)
        let companions = [301: "location", 401: "www-authenticate", 405: "allow", 429: "retry-after", 503: "retry-after"]
        if let name = companions[status] { #expect(response[name] != nil) }
    }

    @Test func `a list of statuses is answered in turn, again and again`() async throws {
        try await withServer { server in
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await server.call("GET", "/status/503,429,200").status) }
            #expect(statuses == [503, 429, 200, 503, 429])
            for wrong in ["99", "600", "abc", "", ","] {
                #expect([400, 404].contains(try await server.call("GET", "/status/\(wrong)").status))
            }
        }
    }

    @Test func `header fields of the response come from the query and can't be injected into`() async throws {
        try await withServer { server in
            let response = try await server.call("GET", "/response-headers?X-A=1&X-A=2")
            #expect(response.all("x-a") == ["1", "2"])
            #expect(try await server.call("GET", "/response-headers?X-A=1%0D%0ASet-Cookie:b").status == 400)
            #expect(try await server.call("GET", "/response-headers?X%20A=1").status == 400)
        }
    }

    @Test func `Server-Timing names its metrics`() async throws {
        let response = try await withServer { try await $0.call("GET", "/server-timing?db=3&app=4.5") }
        #expect(response["server-timing"] == "db;dur=3.0, app;dur=4.5")
    }

    @Test func `103 comes before 200`() async throws {
        try await withServer { server in
            let first = try await server.call("GET", "/early-hints")
            #expect(first.status == 103)
            #expect(first.all("link").count == 2)
            #expect(try RawResponse(parsing: first.rest).status == 200)
        }
    }

    @Test func `trailers follow a chunked body`() async throws {
        let response = try await withServer { try await $0.call("GET", "/trailers") }
        #expect(response.chunks == [7, 7, 7])
        let hash = Hexadecimal.text(MessageDigest.hash(response.body, by: .sha256))
        #expect(response.trailers == [["x-lines", "3"], ["x-sha256", hash]])
    }
}
