import Foundation
import Testing
import Zlib

@testable import DemoServer

@Suite struct BasicsTests {
    @Test func `the echo shows what was sent, as it was sent`() async throws {
        let server = try await DemoServer()
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

    @Test func `the echo shows bytes that are no text in Base64, a form as a form, and parts as parts`() async throws {
        let server = try await DemoServer()
        #expect(try await server.call("POST", "/anything", body: [0xFF, 0, 1]).text.contains("\"base64\": \"/wAB\""))
        let form = try await server.call(
            "POST", "/anything", fields: ["Content-Type: application/x-www-form-urlencoded"], body: "a=1&b=x+y")
        #expect(form.text.contains("\"b\": \"x y\""))
        let parts = try await server.call(
            "POST", "/anything", fields: ["Content-Type: multipart/form-data; boundary=\"B\""],
            body: "--B\r\nContent-Disposition: form-data; name=\"part one\"\r\n\r\nvalue\r\n--B--\r\n")
        #expect(parts.text.contains("\"name\": \"part one\""))
    }

    @Test func `the echo cuts a long body and says so, with the size and checksum of all`() async throws {
        let response = try await DemoServer().call("POST", "/anything", body: [UInt8](repeating: 65, count: Echo.shownBytes + 1))
        #expect(response.text.contains("\"bytes\": 1048577"))
        #expect(response.text.contains("\"truncated\": true"))
    }

    @Test(arguments: [200, 201, 204, 301, 304, 401, 404, 405, 418, 429, 500, 503, 599])
    func `a status is answered with its reason and what belongs to it`(status: Int) async throws {
        let response = try await DemoServer().call("GET", "/status/\(status)")
        #expect(response.status == status)
        #expect(response.reason == reason(status))
        #expect(response.rest.isEmpty)
        let companions = [301: "location", 401: "www-authenticate", 405: "allow", 429: "retry-after", 503: "retry-after"]
        if let name = companions[status] { #expect(response[name] != nil) }
    }

    @Test func `a list of statuses is answered in turn, again and again`() async throws {
        let server = try await DemoServer()
        var statuses: [Int] = []
        for _ in 0..<5 { statuses.append(try await server.call("GET", "/status/503,429,200").status) }
        #expect(statuses == [503, 429, 200, 503, 429])
        for wrong in ["99", "600", "abc", "", ","] {
            #expect([400, 404].contains(try await server.call("GET", "/status/\(wrong)").status))
        }
    }

    @Test func `header fields of the response come from the query and can't be injected into`() async throws {
        let server = try await DemoServer()
        let response = try await server.call("GET", "/response-headers?X-A=1&X-A=2")
        #expect(response.all("x-a") == ["1", "2"])
        #expect(try await server.call("GET", "/response-headers?X-A=1%0D%0ASet-Cookie:b").status == 400)
        #expect(try await server.call("GET", "/response-headers?X%20A=1").status == 400)
    }

    @Test func `Server-Timing names its metrics`() async throws {
        let response = try await DemoServer().call("GET", "/server-timing?db=3&app=4.5")
        #expect(response["server-timing"] == "db;dur=3.0, app;dur=4.5")
    }

    @Test func `103 comes before 200`() async throws {
        let first = try await DemoServer().call("GET", "/early-hints")
        #expect(first.status == 103)
        #expect(first.all("link").count == 2)
        #expect(try RawResponse(parsing: first.rest).status == 200)
    }

    @Test func `trailers follow a chunked body`() async throws {
        let response = try await DemoServer().call("GET", "/trailers")
        #expect(response.chunks == [7, 7, 7])
        let hash = Hexadecimal.text(MessageDigest.hash(response.body, by: .sha256))
        #expect(response.trailers == [["x-lines", "3"], ["x-sha256", hash]])
    }
}

@Suite struct BodiesTests {
    @Test func `JSON has the size that was asked for, with and without saying so`() async throws {
        let server = try await DemoServer()
        let plain = try await server.call("GET", "/json?size=200kB")
        #expect(plain["content-length"] == "200000")
        #expect(plain.body == People(size: 200_000).all())
        let chunked = try await server.call("GET", "/json?size=200kB&chunked=true")
        #expect(chunked["content-length"] == nil)
        #expect(chunked.body == plain.body)
        #expect(try await server.call("GET", "/json?size=1").status == 400)
    }

    @Test func `JSON lines are JSON, each`() async throws {
        let response = try await DemoServer().call("GET", "/json/lines?count=5")
        let lines = response.text.split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) } }
    }

    @Test(arguments: [
        ("/xml", "application/xml", "<?xml"), ("/html", "text/html; charset=utf-8", "<!DOCTYPE"),
        ("/text?lines=1500", "text/plain; charset=utf-8", "1: "), ("/image.svg", "image/svg+xml", "<?xml"),
        ("/image.png?width=3&height=2", "image/png", "\u{FFFD}PNG\r\n\u{1A}\n"),
    ])
    func `documents say what they are`(target: String, type: String, start: String) async throws {
        let response = try await DemoServer().call("GET", target)
        #expect(response["content-type"] == type)
        #expect(response.text.unicodeScalars.starts(with: start.unicodeScalars))
    }

    @Test func `text has as many lines as asked for`() async throws {
        let response = try await DemoServer().call("GET", "/text?lines=2500")
        #expect(response.text.split(separator: "\n").last?.hasPrefix("2500: ") == true)
        #expect(response.text.split(separator: "\n").count == 2500)
    }

    @Test func `bytes can be had in ranges`() async throws {
        let server = try await DemoServer()
        let whole = try await server.call("GET", "/bytes/100kB")
        #expect(whole.status == 200 && whole.body == Noise.bytes(0..<100_000, seed: 1))
        let part = try await server.call("GET", "/bytes/100kB", fields: ["Range: bytes=70000-70009"])
        #expect(part.status == 206)
        #expect(part["content-range"] == "bytes 70000-70009/100000")
        #expect(part.body == Array(whole.body[70_000..<70_010]))
        let beyond = try await server.call("GET", "/bytes/10", fields: ["Range: bytes=10-"])
        #expect(beyond.status == 416 && beyond["content-range"] == "bytes */10")
    }

    @Test func `compressed bodies say how`() async throws {
        let server = try await DemoServer()
        let people = People(size: 10_000).all()
        let gzip = try await server.call("GET", "/gzip")
        #expect(gzip["content-encoding"] == "gzip" && gzip.body == Deflater.whole(people, in: .gzip))
        let deflate = try await server.call("GET", "/deflate")
        #expect(deflate["content-encoding"] == "deflate" && deflate.body == Deflater.whole(people, in: .zlib))
        #expect(try await server.call("GET", "/deflate?raw=true").body == Deflater.whole(people, in: .none))
    }

    @Test(arguments: [
        ("", nil), ("gzip", "gzip"), ("deflate", "deflate"), ("br, deflate;q=0.5, gzip;q=0.1", "gzip"),
        ("gzip;q=0, deflate", "deflate"), (",,;", nil), (";q=1", nil),
        ("identity", nil),
    ])
    func `a coding is negotiated`(accepted: String, coding: String?) async throws {
        let fields = accepted.isEmpty ? [] : ["Accept-Encoding: \(accepted)"]
        let response = try await DemoServer().call("GET", "/negotiate", fields: fields)
        #expect(response["content-encoding"] == coding)
        #expect(response["vary"] == "Accept-Encoding")
    }
}

@Suite struct RouteTableTests {
    static let routes = RouteTable.all.flatMap(\.routes)

    @Test(arguments: routes.map(\.example))
    func `an example leads to its own route`(example: String) throws {
        let path = example.split(separator: "?")[0]
        let segments = path.split(separator: "/").map(String.init)
        let first = try #require(Self.routes.first { $0.match(segments) != nil })
        #expect(first.example == example)
    }

    @Test func `every route says what it is, once`() {
        #expect(Set(Self.routes.map(\.path)).count == Self.routes.count)
        for route in Self.routes {
            #expect(!route.title.isEmpty && !route.title.hasSuffix("."))
            #expect(route.description.hasSuffix(".") || route.description.hasSuffix(")"), "\(route.path)")
        }
    }

    @Test(arguments: [
        ("/a/{x}/c", "/a/b/c", ["x": "b"]), ("/a/{x}/c", "/a/b/d", nil), ("/a/{x}", "/a", nil), ("/a", "/a/b", nil),
        ("/a/{r...}", "/a/b/c", ["r": "b/c"]), ("/a/{r...}", "/a", ["r": ""]), ("/", "/", [:]),
    ])
    func `a pattern takes one part of the path, or all the rest`(pattern: String, path: String, parameters: [String: String]?) {
        let route = Route(pattern, "Title", "Description.") { _ in Reply() }
        #expect(route.match(path.split(separator: "/").map(String.init)) == parameters)
    }

    @Test func `the first page lists every route`() async throws {
        let response = try await DemoServer().call("GET", "/")
        for route in Self.routes { #expect(response.text.contains(route.path)) }
    }
}

@Suite struct UploadsTests {
    @Test func `an upload is counted and hashed`() async throws {
        let body = Noise.bytes(0..<300_000, seed: 5)
        let response = try await DemoServer().call("PUT", "/upload", body: body)
        #expect(response.text.contains("\"bytes\": 300000,\n  \"announced\": 300000,"))
        #expect(response.text.contains("\"sha256\": \"\(Hexadecimal.text(MessageDigest.hash(body, by: .sha256)))\""))
    }

    @Test func `a throttled upload takes its time`() async throws {
        let start = ContinuousClock.now
        let body = [UInt8](repeating: 0, count: 50_000)
        let response = try await DemoServer().call("POST", "/upload?rate=1MB&hash=none", body: body)
        #expect(response.text.contains("\"sha256\": null"))
        #expect(ContinuousClock.now - start >= .milliseconds(45))
    }

    @Test func `an upload that is refused gets its answer although nobody reads it`() async throws {
        let response = try await DemoServer().call("POST", "/upload/refuse", body: Noise.bytes(0..<2_000_000, seed: 1))
        #expect(response.status == 413)
    }

    @Test func `an upload that is aborted ends in a reset`() async throws {
        let received = try await DemoServer().exchange(
            "PUT /upload/abort?after=1000 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
                + String(repeating: "0", count: 2000))
        #expect(received == RawClient.Received(bytes: [], ending: .reset))
    }
}

@Suite struct RedirectsTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a chain counts down to the echo and keeps its status`(status: Int) async throws {
        var target = "/redirect/3?status=\(status)"
        var hops = 0
        while true {
            let response = try await DemoServer().call("POST", target)
            guard let location = response["location"] else { break }
            #expect(response.status == status)
            target = location
            hops += 1
        }
        #expect(hops == 3)
        #expect(target == "/anything/landed")
    }

    @Test func `a chain can be absolute, or change the origin with each hop`() async throws {
        let server = try await DemoServer()
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

    @Test(arguments: [
        ("/redirect/loop", "/redirect/loop"), ("/redirect/bad-location", "http://[not-a-host]:99999/"),
        ("/redirect/no-location", nil),
        ("/redirect/to?url=http://example.com/%3Fa&status=308", "http://example.com/?a"),
    ])
    func `redirects that lead nowhere good`(target: String, location: String?) async throws {
        let response = try await DemoServer().call("GET", target)
        #expect([302, 308].contains(response.status))
        #expect(response["location"] == location)
    }

    @Test(arguments: [
        "/redirect/0", "/redirect/1001", "/redirect/x", "/redirect/1?status=200", "/redirect/1?style=x", "/redirect/to?url=a%0Db",
    ])
    func `what is wrong with a redirect is said`(target: String) async throws {
        #expect(try await DemoServer().call("GET", target).status == 400)
    }
}
