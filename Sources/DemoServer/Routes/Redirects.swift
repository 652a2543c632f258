extension RouteTable {
    static let redirects: [Route] = [
        Route(
            methods: [], "/redirect/to", "To a URL",
            "Redirects to the query's url, with its status (301, 302, 303, 307 or 308; 302 if it doesn't say).",
            try: "/redirect/to?url=/anything/landed&status=307"
        ) { request in
            let url = request.query["url"] ?? "/anything/landed"
            guard url.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else { throw Refusal("url has spaces or control characters.") }
            return try redirect(request, to: url)
        },
        Route(
            methods: [], "/redirect/loop", "Loop",
            "Redirects to itself: only the limit of the client ends it. origins=2 alternates ports.",
            try: "/redirect/loop"
        ) { request in
            let isBoth = try request.count("origins", default: 1, in: 1...2) == 2
            return try redirect(request, to: isBoth ? request.otherOrigin + "/redirect/loop?origins=2" : "/redirect/loop")
        },
        Route(
            methods: [], "/redirect/no-location", "Without Location", "A redirect that doesn't say where to."
        ) { request in
            .text(status: try redirectStatus(request), "Somewhere else, but where?\n")
        },
        Route(
            methods: [], "/redirect/bad-location", "Location that is no URL", "A redirect to http://[not-a-host]:99999/."
        ) { request in
            try redirect(request, to: "http://[not-a-host]:99999/")
        },
        Route(
            methods: [], "/redirect/{count}", "Chain",
            "That many hops, then /anything/landed. status: 301, 302, 303, 307, 308. style: relative, absolute, or other, where each hop changes the origin.",
            try: "/redirect/3?status=303&style=absolute"
        ) { request in
            let count = try request.count("count", default: 1, in: 1...1000)
            let status = try redirectStatus(request)
            let style = try request.choice("style", of: ["relative", "absolute", "other"])
            let next = count == 1 ? "/anything/landed" : "/redirect/\(count - 1)?status=\(status)&style=\(style)"
            switch style {
            case "absolute": return try redirect(request, to: request.origin + next)
            case "other": return try redirect(request, to: request.otherOrigin + next)
            default: return try redirect(request, to: next)
            }
        },
    ]

    private static func redirectStatus(_ request: DemoRequest) throws -> Int {
        Int(try request.choice("status", of: ["302", "301", "303", "307", "308"])) ?? 302
    }

    private static func redirect(_ request: DemoRequest, to location: String) throws -> Reply {
        let status = try redirectStatus(request)
        return .text(status: status, "\(status) \(reason(status)): go on at \(location)\n", fields: [Field("Location", location)])
    }
}
