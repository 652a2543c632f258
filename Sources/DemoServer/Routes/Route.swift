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

/// Routes that belong together.
struct RouteSection: Sendable {
    var title: String
    var routes: [Route]
}
