import DemoServer
import Testing

@Suite struct CookiesAndCachingTests {
    @Test func `cookies are shown, set and deleted`() async throws {
        try await withServer { server in
            let shown = try await server.call("GET", "/cookies", fields: ["Cookie: a=1; b=x=y"])
            #expect(shown.text == "{\n  \"cookies\": {\n    \"a\": \"1\",\n    \"b\": \"x=y\"\n  }\n}\n")
            let set = try await server.call("GET", "/cookies/set?a=1&b=2")
            #expect(set.all("set-cookie") == ["a=1; Path=/", "b=2; Path=/"])
            let deleted = try await server.call("GET", "/cookies/delete?a&then=/cookies")
            #expect(deleted.status == 302 && deleted["location"] == "/cookies")
            #expect(deleted.all("set-cookie") == ["a=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
            #expect(try await server.call("GET", "/cookies/set?a=1%3B%20Secure").status == 400)
            #expect(try await server.call("GET", "/cookies/set").status == 400)
            #expect(try await server.call("GET", "/cookies/attributes").all("set-cookie").count == 12)
        }
    }

    @Test(arguments: [
        ("GET", "/etag/v1", "", 200), ("GET", "/etag/v1", "If-None-Match: \"v1\"", 304),
        ("GET", "/etag/v1", "If-None-Match: \"v0\", \"v1\"", 304),
        ("GET", "/etag/v1", "If-None-Match: *", 304), ("GET", "/etag/v1", "If-None-Match: W/\"v1\"", 304),
        ("GET", "/etag/v2", "If-None-Match: \"v1\"", 200), ("PUT", "/etag/v1", "If-None-Match: *", 412),
        ("PUT", "/etag/v1", "If-Match: \"v1\"", 200), ("PUT", "/etag/v2", "If-Match: \"v1\"", 412),
        ("PUT", "/etag/v1?weak=true", "If-Match: W/\"v1\"", 412), ("HEAD", "/etag/v1", "If-None-Match: \"v1\"", 304),
        ("GET", "/cache", "If-None-Match: \"cached\"", 304),
        ("GET", "/cache", "If-Modified-Since: Fri, 20 Nov 2026 12:00:00 GMT", 304),
        ("GET", "/cache", "If-Modified-Since: Thu, 19 Nov 2026 12:00:00 GMT", 200),
    ])
    func `a condition that holds is answered with 304`(method: String, target: String, field: String, status: Int) async throws {
        let response = try await withServer { try await $0.call(method, target, fields: field.isEmpty ? [] : [field]) }
        #expect(response.status == status)
        #expect(response["etag"] != nil)
        if status == 304 { #expect(response.body.isEmpty && response["content-length"] == nil) }
    }

    @Test func `the fields for caches are those that were asked for`() async throws {
        try await withServer { server in
            let response = try await server.call("GET", "/cache?max-age=7")
            #expect(response["cache-control"] == "public, max-age=7, stale-while-revalidate=30")
            let first = try await server.call("GET", "/no-store")
            let second = try await server.call("GET", "/no-store")
            #expect(first["cache-control"] == "no-store" && first.body != second.body)
        }
    }
}
