import Base
import Zlib

extension RouteTable {
    static let trouble: [Route] = [
        Route(
            methods: [], "/unavailable", "503, then 200",
            "503 with Retry-After (1, in seconds; date=true as a date) for the first times (2) calls of a key, then 200 once.",
            try: "/unavailable?key=k&times=2"
        ) { request in
            try unavailable(request)
        },
        flaky("/trouble/close", "Closes without a word", "The connection is closed before the first byte.") { request in
            .takeover { await $0.closeGently() }
        },
        flaky("/trouble/reset", "Resets", "A TCP reset before the first byte.") { _ in .takeover { $0.reset() } },
        flaky("/trouble/reset-mid-body", "Resets mid-body", "A TCP reset after half of the body.") { request in
            .takeover { connection in
                try await connection.write(halfBody)
                // What isn't sent yet would be lost with the reset, head included.
                try await connection.pause(.milliseconds(50))
                connection.reset()
            }
        },
        flaky("/trouble/truncated", "Too short", "Closes after 500 of the 1000 bytes that Content-Length says.") { _ in
            raw(halfBody)
        },
        flaky("/trouble/truncated-chunks", "Last chunk missing", "A chunked body that ends within a chunk.") { _ in
            raw(chunkedHead + "ff\r\n" + String(repeating: ".", count: 100))
        },
        flaky("/trouble/bad-chunk", "Bad chunk size", "A chunked body whose second chunk has a size that is no number.") { _ in
            raw(chunkedHead + "5\r\nhello\r\nxyzzy\r\n")
        },
        flaky("/trouble/garbage", "Garbage", "Noise where the head should be.") { _ in
            .takeover { connection in
                try await connection.write(Noise.bytes(0..<512, seed: 42))
                await connection.closeGently()
            }
        },
        flaky("/trouble/ssh", "Another protocol", "The greeting of an SSH server.") { _ in raw("SSH-2.0-OpenSSH_9.6\r\n") },
        flaky("/trouble/half-head", "Half a head", "Closes in the middle of a header field.") { _ in
            raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Le")
        },
        flaky("/trouble/lengths", "Two lengths", "Two fields Content-Length that differ.") { _ in
            raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!")
        },
        flaky("/trouble/bad-header", "A field without colon", "A header line that is no header field.") { _ in
            raw("HTTP/1.1 200 OK\r\nthis is no field\r\nContent-Length: 5\r\n\r\nhello")
        },
        flaky("/trouble/bad-gzip", "Damaged gzip", "Content-Encoding: gzip, and a body that isn't.") { _ in
            .bytes(Array("this was never compressed".utf8), type: "text/plain", fields: [Field("Content-Encoding", "gzip")])
        },
        flaky("/trouble/extra", "More than promised", "A body longer than Content-Length, on a connection that stays open.") { _ in
            .takeover { connection in
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloand then some")
                try await connection.waitForClose()
            }
        },
        flaky(
            "/trouble/stale", "Dies when reused",
            "200, and the connection stays open; the next request on it finds it closed. A client may send that again, or not."
        ) { request in
            var reply = Reply.json(try await Echo.describe(request))
            reply.afterwards = .closedOnNextRequest
            return reply
        },
        flaky("/trouble/closes", "Closes unannounced", "200 as if the connection stayed open, and then it doesn't.") { request in
            var reply = Reply.json(try await Echo.describe(request))
            reply.afterwards = .closedSilently
            return reply
        },
        flaky("/trouble/slow-head", "Slow head", "The head arrives over duration (3s), byte by byte.") { request in
            let duration = try request.duration("duration", default: .seconds(3))
            return .takeover { connection in
                let bytes = Array(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\nConnection: close\r\n\r\nat last".utf8)
                for byte in bytes {
                    try await connection.write([byte])
                    try await connection.pause(duration / bytes.count)
                }
            }
        },
        flaky("/trouble/huge-head", "Huge head", "Header fields of size (2MB) bytes in all.", try: "/trouble/huge-head?size=2MB") {
            request in
            let size = try request.size("size", default: 2_000_000, atMost: 1_000_000_000)
            return .takeover { connection in
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")
                let line = "X-Filler: " + String(repeating: "x", count: 988) + "\r\n"
                for _ in 0..<max(1, size / 1000) { try await connection.write(line) }
                try await connection.write("\r\n")
            }
        },
        flaky(
            "/trouble/bomb", "gzip bomb", "size (100MB) of zeros in a body of gzip that is 1,000 times smaller.",
            try: "/trouble/bomb?size=100MB"
        ) { request in
            let size = try request.size("size", default: 100_000_000)
            let (blocks, rest) = size.quotientAndRemainder(dividingBy: 1 << 20)
            return .stream(type: "application/octet-stream", fields: [Field("Content-Encoding", "gzip")]) { writer in
                let zeros = [UInt8](repeating: 0, count: 1 << 20)
                let deflater = Deflater(.gzip)
                for _ in 0..<blocks { try await writer.write(deflater.write(zeros, isLast: false)) }
                try await writer.write(deflater.write(Array(zeros.prefix(rest)), isLast: true))
            }
        },
    ]

    /// A route that fails always, or with `times=n` for the first n calls of a `key` and is fine once after that.
    private static func flaky(
        _ path: String, _ title: String, _ description: String, try example: String? = nil,
        fail: @escaping @Sendable (DemoRequest) async throws -> Reply
    ) -> Route {
        Route(methods: [], path, title, description + " times=n: only the first n calls of a key.", try: example) { request in
            guard request.query["times"] != nil else { return try await fail(request) }
            let times = try request.count("times", default: 1, in: 0...1000)
            let call = request.memory.call(of: "\(path) \(request.query["key"] ?? "")", period: times + 1)
            return call <= times ? try await fail(request) : .json(["call": .number(call), "message": "All is well this time."])
        }
    }

    private static func unavailable(_ request: DemoRequest) throws -> Reply {
        let times = try request.count("times", default: 2, in: 0...1000)
        let after = try request.count("retry-after", default: 1, in: 0...3600)
        let call = request.memory.call(of: "unavailable \(request.query["key"] ?? "")", period: times + 1)
        guard call <= times else { return .json(["call": .number(call), "message": "Thank you for waiting."]) }
        let isDate = try request.flag("date", default: false)
        let value = isDate ? HTTPDate.string(from: .now + Double(after)) : String(after)
        return .json(
            status: 503, ["call": .number(call), "failing": .number(times), "message": .string("Try again in \(after) s.")],
            fields: [Field("Retry-After", value)])
    }

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static let halfBody =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n" + String(repeating: ".", count: 500)

    private static func raw(_ text: String) -> Reply {
        .takeover { connection in
            try await connection.write(text)
            await connection.closeGently()
        }
    }
}
