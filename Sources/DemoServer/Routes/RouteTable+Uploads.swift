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
