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
