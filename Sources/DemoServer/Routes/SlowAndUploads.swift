extension RouteTable {
    static let slow: [Route] = [
        Route(
            methods: [], "/delay/{time}", "Delay before the head", "Waits that long, then echoes. Times are written 500ms, 2s, 1m.",
            try: "/delay/2s"
        ) { request in
            let echo = try await Echo.describe(request)
            try await request.connection.pause(request.duration("time", default: .seconds(1)))
            return .json(echo)
        },
        Route(
            "/drip", "Drip",
            "bytes (10) spread evenly over duration (2s), one at a time at most 1000 a second, after delay (0s). length=false leaves Content-Length away. status as you like.",
            try: "/drip?bytes=20&duration=5s"
        ) { request in
            let count = try request.size("bytes", default: 10, atMost: 10_000_000)
            let duration = try request.duration("duration", default: .seconds(2))
            let hasLength = try request.flag("length", default: true)
            let status = try request.count("status", default: 200, in: 200...599)
            try await request.connection.pause(request.duration("delay", default: .zero))
            var reply = Reply.stream(type: "text/plain", length: hasLength ? count : nil) { writer in
                let drops = min(count, max(1, Int(duration / .milliseconds(1))))
                for drop in 0..<drops {
                    if drop > 0 { try await writer.connection.pause(duration / Double(drops)) }
                    let size = count * (drop + 1) / drops - count * drop / drops
                    try await writer.write([UInt8](repeating: UInt8(ascii: "*"), count: size))
                }
            }
            reply.status = status
            return reply
        },
        Route(
            "/chunks", "Delay between chunks",
            "count (5) chunks of size (100) bytes, every (500ms); the first one after head (0s).",
            try: "/chunks?count=5&every=500ms"
        ) { request in
            let count = try request.count("count", default: 5, in: 1...1_000_000)
            let size = try request.size("size", default: 100, atMost: 10_000_000)
            let every = try request.duration("every", default: .milliseconds(500))
            let head = try request.duration("head", default: .zero)
            return .stream(type: "text/plain") { writer in
                try await writer.connection.pause(head)
                for number in 1...count {
                    if number > 1 { try await writer.connection.pause(every) }
                    let text = Array("chunk \(number) of \(count) ".utf8.prefix(max(0, size - 1)))
                    try await writer.write(
                        text + [UInt8](repeating: UInt8(ascii: "."), count: max(0, size - 1 - text.count)) + [10])
                }
            }
        },
        Route(
            "/events", "Server-sent events",
            "count (10) events, every (1s); 0 goes on for ever. Starts behind Last-Event-ID. (text/event-stream)",
            try: "/events?count=5&every=500ms"
        ) { request in
            let count = try request.count("count", default: 10, in: 0...1_000_000)
            let every = try request.duration("every", default: .seconds(1))
            let first = (Int(request.head["last-event-id"] ?? "0") ?? 0) + 1
            return .stream(type: "text/event-stream", fields: [Field("Cache-Control", "no-store")]) { writer in
                try await writer.write("retry: 2000\n\n")
                var number = first
                while count == 0 || number < first + count {
                    if number > first { try await writer.connection.pause(every) }
                    try await writer.write("id: \(number)\nevent: tick\ndata: {\"tick\": \(number)}\n\n")
                    number += 1
                }
            }
        },
        Route(
            "/stall", "Stops halfway", "Half of bytes (1000), then nothing more, with the connection open: for the idle timeout.",
            try: "/stall?bytes=1000"
        ) { request in
            let count = try request.size("bytes", default: 1000, atMost: 1_000_000_000)
            return .stream(type: "text/plain", length: count) { writer in
                var rest = count / 2
                while rest > 0 {
                    try await writer.write([UInt8](repeating: UInt8(ascii: "."), count: min(rest, 1 << 16)))
                    rest -= min(rest, 1 << 16)
                }
                try await writer.connection.waitForClose()
                throw Refusal("The client gave up.")
            }
        },
        Route(methods: [], "/hang", "Never answers", "Takes the request and says nothing: for the attempt and operation timeouts.")
        { _ in
            .takeover { try await $0.waitForClose() }
        },
    ]
}

extension RouteTable {
    static let uploads: [Route] = [
        Route(
            methods: ["POST", "PUT", "PATCH"], "/upload", "Upload sink",
            "Counts the body without keeping it and answers with its SHA-256 (hash=none: only the count). rate=1MB reads no more than that a second, delay waits before the first read.",
            try: "/upload?rate=1MB"
        ) { request in
            try await uploadReply(request)
        },
        Route(
            methods: [], "/upload/refuse", "Refused unread", "413 at once, without reading the body; the connection is closed."
        ) { _ in
            var reply = Reply.problem(413, "I don't want this body, and have not read it.")
            reply.afterwards = .closed
            return reply
        },
        Route(
            methods: [], "/upload/abort", "Reset while uploading",
            "Reads after (64KiB) bytes of the body, then resets the connection.",
            try: "/upload/abort?after=64KiB"
        ) { request in
            let limit = try request.size("after", default: 64 << 10)
            let body = request.body
            return .takeover { connection in
                var count = 0
                while count < limit, let bytes = try await body.next() { count += bytes.count }
                connection.reset()
            }
        },
    ]

    private static func uploadReply(_ request: DemoRequest) async throws -> Reply {
        let isHashed = try request.choice("hash", of: ["sha256", "none"]) == "sha256"
        let rate = try request.size("rate", default: 0)
        if rate > 0 { request.connection.narrow() }
        try await request.connection.pause(request.duration("delay", default: .zero))
        let announced = request.body.expectedCount
        let start = ContinuousClock.now
        var hash = MessageDigest(.sha256)
        var count = 0
        while let bytes = try await request.body.next() {
            if isHashed { hash.update(bytes) }
            count += bytes.count
            if rate > 0 {
                let due = start + .seconds(Double(count) / Double(rate))
                try await Task.sleep(until: due, clock: .continuous)
            }
        }
        return .json([
            "bytes": .number(count),
            "announced": announced.map(JSON.number) ?? .null,
            "chunks": .number(request.body.chunkCount),
            "sha256": isHashed ? .string(Hexadecimal.text(hash.finish())) : .null,
            "milliseconds": .number(Int((ContinuousClock.now - start) / .milliseconds(1))),
        ])
    }
}
