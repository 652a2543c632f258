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

extension RouteTable {
    static let cookies: [Route] = [
        Route("/cookies", "Show", "The cookies that came with this request.") { request in
            .json(["cookies": .grouped(received(request))])
        },
        Route(
            "/cookies/set", "Set", "Sets one cookie for every parameter of the query. then=/cookies redirects there.",
            try: "/cookies/set?flavour=oat&size=large&then=/cookies"
        ) { request in
            let cookies = try chosen(request)
            return moved(request, fields: cookies.map { Field("Set-Cookie", "\($0.name)=\($0.value); Path=/") })
        },
        Route(
            "/cookies/delete", "Delete", "Deletes the cookies named in the query.", try: "/cookies/delete?flavour&then=/cookies"
        ) { request in
            let cookies = try chosen(request)
            return moved(
                request,
                fields: cookies.map { Field("Set-Cookie", "\($0.name)=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT") }
            )
        },
        Route(
            "/cookies/attributes", "Attributes",
            "One cookie for each attribute: Max-Age, Path, Secure, HttpOnly, SameSite and more."
        ) {
            _ in
            let cookies = [
                "session=until-you-quit", "short=one-minute; Max-Age=60", "dated=2030; Expires=Tue, 01 Jan 2030 00:00:00 GMT",
                "narrow=below-cookies-only; Path=/cookies", "secure=https-only; Secure", "hidden=from-scripts; HttpOnly",
                "strict=same-site; SameSite=Strict", "lax=mostly-same-site; SameSite=Lax", "none=any-site; SameSite=None; Secure",
                "foreign=refused; Domain=example.com", "__Host-strong=prefixed; Secure; Path=/", "quoted=\"with spaces inside\"",
            ]
            return .json(["cookies": .array(cookies.map(JSON.string))], fields: cookies.map { Field("Set-Cookie", $0) })
        },
    ]

    private static func received(_ request: DemoRequest) -> [Field] {
        request.head.values(of: "cookie").flatMap { $0.split(separator: ";") }.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0).trimmed }
            return Field(parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    private static func chosen(_ request: DemoRequest) throws -> [Field] {
        let cookies = request.query.items.filter { $0.name != "then" }
        guard !cookies.isEmpty else { throw Refusal("Which cookies? Name them in the query.") }
        for cookie in cookies {
            let isPlain = (cookie.name + cookie.value).utf8.allSatisfy {
                $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",")
            }
            guard !cookie.name.isEmpty, isPlain else {
                throw Refusal("\(cookie.name)=\(cookie.value) has characters that no cookie may have.")
            }
        }
        return cookies
    }

    private static func moved(_ request: DemoRequest, fields: [Field]) -> Reply {
        guard let target = request.query["then"], target.hasPrefix("/"), target.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            return .json(["set-cookie": .array(fields.map { .string($0.value) })], fields: fields)
        }
        return .text(status: 302, "Go on at \(target)\n", fields: fields + [Field("Location", target)])
    }
}
