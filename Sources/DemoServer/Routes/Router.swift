import FlyingSocks

/// Finds the route for a request. The first that fits in the table's order answers.
struct Router: Sendable {
    private let routes: [Route]

    init(_ sections: [RouteSection]) {
        routes = sections.flatMap(\.routes)
    }

    func reply(to request: DemoRequest) async -> Reply {
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.match(request.segments) else { continue }
            guard route.accepts(request.head.method) else {
                allowed += route.methods
                continue
            }
            var request = request
            request.parameters = parameters
            return await answer(of: route, to: request)
        }
        if allowed.isEmpty { return .problem(404, "There is nothing at this path. GET / lists all there is.") }
        if allowed.contains("GET") { allowed.append("HEAD") }
        let allow = Field("Allow", (allowed + ["OPTIONS"]).joined(separator: ", "))
        if request.head.method == "OPTIONS" { return Reply(204, fields: [allow]) }
        return .problem(405, "This path answers \(allow.value).", fields: [allow])
    }

    private func answer(of route: Route, to request: DemoRequest) async -> Reply {
        do {
            return try await route.answer(request)
        } catch let refusal as Refusal {
            return .problem(refusal.status, refusal.message)
        } catch let error as ProtocolError {
            var reply = error.reply
            reply.afterwards = .closed
            return reply
        } catch {
            // The client went away while the route waited for it, or the server is being stopped.
            return .takeover { $0.close() }
        }
    }
}

/// One row of the server's table: what it answers to, what `/` says about it, and how it answers.
struct Route: Sendable {
    /// Empty: any method. A route for GET answers HEAD too.
    var methods: [String]
    /// `{name}` stands for one segment of the path, `{name...}` at the end for all that follow, none included.
    var path: String
    var title: String
    /// One or two sentences: what it answers, and what its parameters are.
    var description: String
    /// A path and query to try, `path` itself when it has no parameters.
    var example: String
    var answer: @Sendable (DemoRequest) async throws -> Reply

    private let pattern: [Segment]

    private enum Segment {
        case literal(String)
        case one(String)
        case rest(String)
    }

    init(
        methods: [String] = ["GET"], _ path: String, _ title: String, _ description: String, try example: String? = nil,
        answer: @escaping @Sendable (DemoRequest) async throws -> Reply
    ) {
        self.methods = methods
        self.path = path
        self.title = title
        self.description = description
        self.example = example ?? path
        self.answer = answer
        pattern = path.split(separator: "/").map { segment in
            guard segment.hasPrefix("{") else { return .literal(String(segment)) }
            let name = segment.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .one(String(name))
        }
    }

    func accepts(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method) || method == "HEAD" && methods.contains("GET")
    }

    /// - Returns: what stands in the pattern's places, `nil` if the path is another one.
    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        var rest = segments[...]
        for part in pattern {
            switch part {
            case .rest(let name):
                parameters[name] = rest.joined(separator: "/")
                return parameters
            case .literal(let text):
                guard rest.popFirst() == text else { return nil }
            case .one(let name):
                guard let segment = rest.popFirst() else { return nil }
                parameters[name] = segment
            }
        }
        return rest.isEmpty ? parameters : nil
    }
}

struct RouteSection: Sendable {
    var title: String
    var routes: [Route]
}

/// All that the server answers, in the order in which `GET /` lists it. The router reads the same table.
enum RouteTable {
    static let all: [RouteSection] = [
        RouteSection(title: "Basics", routes: basics),
        RouteSection(title: "Bodies", routes: bodies),
        RouteSection(title: "Redirects", routes: redirects),
        RouteSection(title: "Slow", routes: slow),
        RouteSection(title: "Uploads", routes: uploads),
        RouteSection(title: "Auth", routes: auth),
        RouteSection(title: "Cookies", routes: cookies),
        RouteSection(title: "Caching", routes: caching),
        RouteSection(title: "Trouble", routes: trouble),
        RouteSection(title: "WebSockets", routes: webSockets),
        RouteSection(title: "GraphQL", routes: graphQL),
        RouteSection(title: "Viewer", routes: viewer),
    ]
}

/// What `GET /` says: the table of routes.
enum IndexPage {
    static func reply(to request: DemoRequest) -> Reply {
        var text = "The Turnstone demo server.\n\(request.origin) and \(request.otherOrigin) answer the same.\n"
        for section in RouteTable.all {
            text += "\n\(section.title.uppercased())\n"
            for route in section.routes {
                let methods = route.methods.isEmpty ? "ANY" : route.methods.joined(separator: "|")
                text += "  \(methods) \(route.path)\n      \(route.title). \(route.description)\n"
                if route.example != route.path { text += "      Try \(route.example)\n" }
            }
        }
        return .text(text)
    }
}
