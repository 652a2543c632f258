extension RouteTable {
    private static let lastModified = "Fri, 20 Nov 2026 12:00:00 GMT"

    static let caching: [Route] = [
        Route(
            "/cache", "Cache headers",
            "Cache-Control with max-age (60), Age, Expires, Vary, ETag and Last-Modified; 304 if you have it already.",
            try: "/cache?max-age=60"
        ) { request in
            let age = try request.count("max-age", default: 60, in: 0...31_536_000)
            let fields = [
                Field("Cache-Control", "public, max-age=\(age), stale-while-revalidate=30"), Field("Age", "5"),
                Field("ETag", "\"cached\""), Field("Last-Modified", lastModified), Field("Vary", "Accept, Accept-Language"),
            ]
            return conditional(request, tag: "\"cached\"", fields: fields)
        },
        Route(
            methods: ["GET", "PUT", "DELETE"], "/etag/{tag}", "ETag",
            "A resource with that entity tag; weak=true for a weak one. If-None-Match gives 304, a wrong If-Match 412.",
            try: "/etag/v1"
        ) { request in
            let name = request.parameters["tag"] ?? ""
            guard name.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") }) else {
                throw Refusal("A tag of plain characters, please.")
            }
            let tag = (try request.flag("weak", default: false) ? "W/" : "") + "\"\(name)\""
            return conditional(request, tag: tag, fields: [Field("ETag", tag)])
        },
        Route("/no-store", "Not to be cached", "Cache-Control: no-store, and a body that is new each time.") { request in
            .json(["nonce": .string(request.memory.makeNonce())], fields: [Field("Cache-Control", "no-store")])
        },
    ]

    /// RFC 9110, section 13.2.2.
    private static func conditional(_ request: DemoRequest, tag: String, fields: [Field]) -> Reply {
        let isRead = request.head.method == "GET" || request.head.method == "HEAD"
        // If-Match compares strongly: a weak tag never matches.
        if let match = tags(request, "if-match"), match != ["*"], tag.hasPrefix("W/") || !match.contains(tag) {
            return .problem(412, "The entity tag is \(tag).", fields: fields)
        }
        if let match = tags(request, "if-none-match") {
            guard match == ["*"] || match.map(opaque).contains(opaque(tag)) else { return found(tag, fields) }
            return isRead ? Reply(304, fields: fields) : .problem(412, "The entity tag is \(tag).", fields: fields)
        }
        if isRead, request.head["if-modified-since"] == lastModified, fields.contains(where: { $0.name == "Last-Modified" }) {
            return Reply(304, fields: fields)
        }
        return found(tag, fields)
    }

    private static func found(_ tag: String, _ fields: [Field]) -> Reply {
        .json(["tag": .string(tag), "message": .string("Ask again with If-None-Match: \(tag).")], fields: fields)
    }

    private static func tags(_ request: DemoRequest, _ name: String) -> [String]? {
        let values = request.head.values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ",").split(separator: ",").map { String($0).trimmed }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
