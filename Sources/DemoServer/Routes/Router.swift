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
