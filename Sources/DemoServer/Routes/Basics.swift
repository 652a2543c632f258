extension RouteTable {
    static let basics: [Route] = [
        Route("/", "This page", "Lists every route.") { request in
            IndexPage.reply(to: request)
        },
        Route(
            methods: [], "/anything/{rest...}", "Echo",
            "Shows what arrived, for any method and any path below it: method, URL, query, header fields, body with size and SHA-256.",
            try: "/anything/goes?a=1&a=2"
        ) { request in
            .json(try await Echo.describe(request))
        },
        Route(
            methods: [], "/status/{codes}", "Status code",
            "Answers with that status. With a list such as 503,503,200 each call gets the next one.",
            try: "/status/404"
        ) { request in
            try statusReply(request)
        },
        Route(
            "/response-headers", "Response headers", "Every parameter of the query becomes a header field of the response.",
            try: "/response-headers?X-One=1&X-Two=2"
        ) { request in
            let fields = try request.query.items.map { item in
                guard !item.name.isEmpty, item.name.utf8.allSatisfy(isToken), item.value.utf8.allSatisfy({ $0 >= 32 || $0 == 9 })
                else { throw Refusal("\(item.name) is not a header field's name, or its value has control characters.") }
                return item
            }
            return .json(JSON.grouped(fields), fields: fields)
        },
        Route(
            "/server-timing", "Server-Timing",
            "Every parameter of the query is a metric in milliseconds. The answer really takes that long.",
            try: "/server-timing?db=53&render=12"
        ) { request in
            let standard = [Field("cache", "2"), Field("db", "53"), Field("render", "12")]
            let metrics = try (request.query.items.isEmpty ? standard : request.query.items).map { item in
                guard item.name.utf8.allSatisfy(isToken), let milliseconds = Double(item.value), (0...60_000).contains(milliseconds)
                else { throw Refusal("\(item.name)=\(item.value): a name and milliseconds up to 60000, please.") }
                return (name: item.name, milliseconds: milliseconds)
            }
            try await request.connection.pause(.milliseconds(metrics.reduce(0) { $0 + $1.milliseconds }))
            let text = metrics.map { "\($0.name);dur=\($0.milliseconds)" }.joined(separator: ", ")
            return .json(["server-timing": .string(text)], fields: [Field("Server-Timing", text)])
        },
        Route("/early-hints", "103 before 200", "An informational response with two Link fields, then the final one.") { _ in
            let links = [Field("Link", "</style.css>; rel=preload; as=style"), Field("Link", "</app.js>; rel=preload; as=script")]
            var reply = Reply.text("The head of this answer came second; 103 Early Hints came first.\n", fields: links)
            reply.informational = [(status: 103, fields: links)]
            return reply
        },
        Route("/trailers", "Trailers", "A chunked body with header fields behind it, one of them its SHA-256.") { _ in
            .stream(type: "text/plain", fields: [Field("Trailer", "X-Lines, X-Sha256")]) { writer in
                var hash = MessageDigest(.sha256)
                for number in 1...3 {
                    let line = "line \(number)\n"
                    hash.update(ArraySlice(line.utf8))
                    try await writer.write(line)
                }
                writer.trailers = [Field("X-Lines", "3"), Field("X-Sha256", Hexadecimal.text(hash.finish()))]
            }
        },
    ]

    private static func statusReply(_ request: DemoRequest) throws -> Reply {
        let text = request.parameters["codes"] ?? ""
        let codes = try text.split(separator: ",").map { part in
            guard let code = Int(part), (200...599).contains(code) else {
                throw Refusal("\(part) is not a final status code; those are 200 to 599.")
            }
            return code
        }
        guard !codes.isEmpty else { throw Refusal("Which status? /status/404, or a list: /status/503,200") }
        let status = codes[request.memory.call(of: "status \(text)", period: codes.count) - 1]
        let fields =
            switch status {
            case 301, 302, 303, 307, 308: [Field("Location", "/anything/landed")]
            case 401: [Field("WWW-Authenticate", "Basic realm=\"turnstone demo\"")]
            case 405: [Field("Allow", "BREW")]
            case 429, 503: [Field("Retry-After", "1")]
            default: [Field]()
            }
        if status == 204 || status == 205 || status == 304 { return Reply(status, fields: fields) }
        return .json(status: status, ["status": .number(status), "reason": .string(reason(status))], fields: fields)
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
