import Foundation
import Testing

@testable import DemoServer

@Suite struct AuthTests {
    @Test func `basic wants the right user and password`() async throws {
        let server = try await DemoServer()
        let challenge = try await server.call("GET", "/auth/basic")
        #expect(challenge.status == 401)
        #expect(challenge["www-authenticate"] == "Basic realm=\"turnstone demo\", charset=\"UTF-8\"")
        for (account, path, status) in [
            ("ada:lovelace", "/auth/basic", 200), ("ada:wrong", "/auth/basic", 401),
            ("ü:p:w", "/auth/basic?user=%C3%BC&password=p:w", 200),
        ] {
            let field = "Authorization: basic \(Data(account.utf8).base64EncodedString())"
            #expect(try await server.call("GET", path, fields: [field]).status == status)
        }
    }

    @Test func `bearer says whether the token is missing or wrong`() async throws {
        let server = try await DemoServer()
        #expect(try await server.call("GET", "/auth/bearer")["www-authenticate"] == "Bearer realm=\"turnstone demo\"")
        let wrong = try await server.call("GET", "/auth/bearer", fields: ["Authorization: Bearer x"])
        #expect(wrong.status == 401 && wrong["www-authenticate"]?.contains("error=\"invalid_token\"") == true)
        #expect(try await server.call("GET", "/auth/bearer?token=x", fields: ["Authorization: Bearer x"]).status == 200)
    }

    @Test func `a password buys a token that bearer takes`() async throws {
        let server = try await DemoServer()
        let bodies = [
            ("application/json", #"{"user": "ada", "password": "lovelace"}"#),
            ("application/x-www-form-urlencoded", "user=ada&password=lovelace"),
        ]
        for (type, body) in bodies {
            let response = try await server.call("POST", "/auth/token", fields: ["Content-Type: \(type)"], body: body)
            #expect(response.text.contains("\"access_token\": \"turnstone-demo-token\""))
        }
        #expect(try await server.call("GET", "/auth/bearer", fields: ["Authorization: Bearer turnstone-demo-token"]).status == 200)
        #expect(try await server.call("POST", "/auth/token", body: "{}").status == 403)
    }

    // RFC 7616, section 3.9.1 gives the response for these values with both algorithms.
    @Test(arguments: [
        (DigestAuthentication.Algorithm.md5, "8ca523f5e9506fed4657c9700eebdbec"),
        (.sha256, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the digest of the standard's example`(algorithm: DigestAuthentication.Algorithm, response: String) {
        let secret = algorithm.hash("Mufasa:http-auth@example.org:Circle of Life")
        let request = algorithm.hash("GET:/dir/index.html")
        let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
        let cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        #expect(algorithm.hash("\(secret):\(nonce):00000001:\(cnonce):auth:\(request)") == response)
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `curl's digest is right, once`(algorithm: String) async throws {
        let server = try await DemoServer()
        let url = "\(server.baseURL)/auth/digest?algorithm=\(algorithm)"
        let right = try await curl(["--digest", "--user", "ada:lovelace", url])
        let wrong = try await curl(["--digest", "--user", "ada:wrong", url])
        let chosen = try await curl(["--digest", "--user", "ada:lovelace", "\(server.baseURL)/auth/digest"])
        #expect([right, wrong, chosen] == ["200", "401", "200"])
    }

    @Test func `a digest can't be replayed, nor taken to another URL`() async throws {
        let server = try await DemoServer()
        let challenge = try await server.call("GET", "/auth/digest?algorithm=MD5")
        let nonce = try #require(Multipart.parameter("nonce", of: ";" + challenge["www-authenticate"]!.replacing(",", with: ";")))
        let algorithm = DigestAuthentication.Algorithm.md5
        func field(count: String, target: String = "/auth/digest?algorithm=MD5") -> String {
            let secret = algorithm.hash("ada:turnstone demo:lovelace")
            let response = algorithm.hash("\(secret):\(nonce):\(count):c:auth:\(algorithm.hash("GET:\(target)"))")
            return "Authorization: Digest username=\"ada\", realm=\"turnstone demo\", nonce=\"\(nonce)\", uri=\"\(target)\", "
                + "algorithm=MD5, qop=auth, nc=\(count), cnonce=\"c\", response=\"\(response)\", opaque=\"turnstone\""
        }
        func call(_ field: String) async throws -> RawResponse {
            try await server.call("GET", "/auth/digest?algorithm=MD5", fields: [field])
        }
        #expect(try await call(field(count: "00000001")).status == 200)
        let replay = try await call(field(count: "00000001"))
        #expect(replay.status == 401 && replay["www-authenticate"]?.hasSuffix("stale=true") == true)
        #expect(try await call(field(count: "0000000a")).status == 200)
        #expect(try await call(field(count: "0000000b", target: "/other")).status == 401)
    }

    /// - Returns: the last status.
    private func curl(_ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        let output = Pipe()
                        process.executableURL = URL(filePath: "/usr/bin/env")
                        process.arguments =
                            ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}"] + arguments
                        process.standardOutput = output
                        try process.run()
                        let text = try output.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return String(decoding: text, as: UTF8.self)
                    })
            }
        }
    }
}

@Suite struct CookiesAndCachingTests {
    @Test func `cookies are shown, set and deleted`() async throws {
        let server = try await DemoServer()
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
        let response = try await DemoServer().call(method, target, fields: field.isEmpty ? [] : [field])
        #expect(response.status == status)
        #expect(response["etag"] != nil)
        if status == 304 { #expect(response.body.isEmpty && response["content-length"] == nil) }
    }

    @Test func `the fields for caches are those that were asked for`() async throws {
        let server = try await DemoServer()
        let response = try await server.call("GET", "/cache?max-age=7")
        #expect(response["cache-control"] == "public, max-age=7, stale-while-revalidate=30")
        let first = try await server.call("GET", "/no-store")
        let second = try await server.call("GET", "/no-store")
        #expect(first["cache-control"] == "no-store" && first.body != second.body)
    }
}
