import Base
import GraphQLLanguage

extension RouteTable {
    static let graphQL: [Route] = [
        Route(
            methods: ["GET", "POST"], "/graphql", "A graph of birds",
            "GraphQL over HTTP, with introspection, persisted queries, uploads, and subscriptions over text/event-stream or a WebSocket (graphql-transport-ws).",
            try: "/graphql?query={birds{name}}"
        ) { request in
            if request.head["upgrade"] != nil {
                return try socket(request) { try await GraphQLSession(socket: $0).run() }
            }
            let call = try await GraphQLCall(request)
            guard let text = call.query else { return reply(GraphQLCall.error(call.unknownHash), to: request, isExecuted: false) }
            do throws(GraphQLCall.Invalid) {
                let execution = try GraphQLExecution(text, operation: call.operation, variables: call.variables)
                guard execution.operation.kind == .subscription else {
                    guard execution.operation.kind == .query || request.head.method == "POST" else {
                        return .problem(405, "A mutation goes by POST.", fields: [Field("Allow", "POST")])
                    }
                    return reply(execution.response(), to: request, isExecuted: true)
                }
                guard request.head["accept"]?.contains("text/event-stream") == true else {
                    throw GraphQLCall.Invalid([
                        "A subscription goes over text/event-stream, which Accept must name, or over a WebSocket."
                    ])
                }
                return .stream(type: "text/event-stream", fields: [Field("Cache-Control", "no-store")]) { writer in
                    for number in 1...max(1, execution.events) {
                        if number > 1 { try await writer.connection.pause(.milliseconds(200)) }
                        try await writer.write("event: next\ndata: \(execution.response(number).line)\n\n")
                    }
                    try await writer.write("event: complete\ndata:\n\n")
                }
            } catch {
                return reply(["errors": .array(error.errors)], to: request, isExecuted: false)
            }
        }
    ]

    /// What wasn't executed is a 400 to those who take GraphQL's own type, and a 200 to the others (GraphQL over HTTP, section 6.4).
    private static func reply(_ response: JSON, to request: DemoRequest, isExecuted: Bool) -> Reply {
        let type = "application/graphql-response+json"
        guard request.head["accept"]?.contains(type) == true else { return .json(response) }
        return .text(status: isExecuted ? 200 : 400, response.text, type: type)
    }
}

/// What a client asks for.
private struct GraphQLCall {
    /// `nil`: its hash isn't known.
    var query: String?
    var operation: String?
    var variables: JSON = .object([])

    let unknownHash = "PersistedQueryNotFound"

    struct Invalid: Error {
        var errors: [JSON]

        init(_ messages: [String]) { errors = messages.map { ["message": .string($0)] } }

        init(_ faults: [GraphQLFault]) {
            errors = faults.map { fault in
                guard fault.path == nil else { return ["message": .string("\(fault)")] }
                return [
                    "message": .string(fault.message),
                    "locations": [["line": .number(fault.line), "column": .number(fault.column)]],
                ]
            }
        }
    }

    static func error(_ message: String) -> JSON { ["errors": .array(Invalid([message]).errors)] }

    init(_ request: DemoRequest) async throws {
        var members: JSON
        if request.head.method == "GET" {
            members = .object(
                ["query", "operationName", "variables", "extensions"].compactMap { name in
                    guard let text = request.query[name] else { return nil }
                    let isJSON = name == "variables" || name == "extensions"
                    return (isJSON ? Self.json(Array(text.utf8)) : .string(text)).map { JSON.Member(name: name, value: $0) }
                })
        } else {
            var body: [UInt8] = []
            while let bytes = try await request.body.next() {
                body += bytes
                if body.count > 4 << 20 { throw Refusal(status: 413, "A query has at most 4 MiB here.") }
            }
            let type = request.head["content-type"] ?? ""
            let parts = Multipart.parts(of: body, type: type)
            guard let whole = Self.json(parts?.first.map { $0.content } ?? body) else {
                throw Refusal("A query comes as an object in JSON: {\"query\": \"{ birds { name } }\"}.")
            }
            members = whole
            if let parts, parts.count > 1, case .object(let map)? = Self.json(parts[1].content) {
                for (index, entry) in map.enumerated() where index + 2 < parts.count {
                    guard let part = parts.dropFirst(2).first(where: { $0.description["name"] == .string(entry.name) }),
                        case .array(let places) = entry.value
                    else { continue }
                    for case .string(let place) in places {
                        members = members.replacing(place.split(separator: ".")[...], with: part.file)
                    }
                }
            }
        }
        if case .string(let text)? = members["query"] { query = text }
        if case .string(let name)? = members["operationName"] { operation = name }
        variables = members["variables"] ?? .object([])
        if case .string(let hash)? = members["extensions"]?["persistedQuery"]?["sha256Hash"] {
            if let query {
                request.memory.keep(query: query, hash: hash)
            } else {
                query = request.memory.query(hash: hash)
            }
        } else if query == nil {
            throw Refusal("There is no query.")
        }
    }

    private static func json(_ bytes: [UInt8]) -> JSON? { try? JSONDecoder().decode(JSON.self, from: Data(bytes)) }
}

extension Multipart {
    /// What takes the place of its variable.
    fileprivate var file: JSON { ["name": description["filename"] ?? .null, "bytes": .number(content.count)] }
}

extension JSON {
    fileprivate func replacing(_ path: ArraySlice<Substring>, with value: JSON) -> JSON {
        guard let name = path.first else { return value }
        switch self {
        case .object(let members):
            return .object(
                members.map { member in
                    member.name == name
                        ? .init(name: member.name, value: member.value.replacing(path.dropFirst(), with: value)) : member
                })
        case .array(let elements):
            return .array(elements.enumerated().map { "\($0)" == name ? $1.replacing(path.dropFirst(), with: value) : $1 })
        default: return self
        }
    }
}

/// A valid operation, ready to be executed.
private struct GraphQLExecution {
    let document: GraphQLDocument
    let operation: GraphQLDocument.Operation
    let variables: JSON

    init(_ query: String, operation name: String?, variables: JSON) throws(GraphQLCall.Invalid) {
        do throws(GraphQLFault) {
            document = try GraphQLDocument(parsing: query)
        } catch {
            throw GraphQLCall.Invalid([error])
        }
        let faults = BirdGraph.schema.faults(in: document)
        guard faults.isEmpty else { throw GraphQLCall.Invalid(faults) }
        guard let named = document.operation(named: name) else {
            throw GraphQLCall.Invalid([
                name.map { "There is no operation \($0)." }
                    ?? "There are \(document.operations.count) operations; operationName says which one."
            ])
        }
        operation = named
        self.variables = variables
        let wrong = BirdGraph.schema.faults(inVariables: variables.graphQL, of: operation)
        guard wrong.isEmpty else { throw GraphQLCall.Invalid(wrong) }
    }

    /// How many a subscription has.
    var events: Int {
        guard case .field(let field)? = operation.selections.first,
            let value = field.arguments.first(where: { $0.name.text == "to" })?.value.value
        else { return 3 }
        var known: [String: JSON] = [:]
        for variable in operation.variables { known[variable.name.text] = variable.defaultValue.map { JSON($0.value, [:]) } }
        if case .object(let members) = variables { for member in members { known[member.name] = member.value } }
        guard case .number(let count) = JSON(value, known) else { return 3 }
        return min(max(1, count), BirdGraph.mostSightings)
    }

    /// - Parameter number: of an event.
    func response(_ number: Int = 1) -> JSON {
        var executor = GraphQLExecutor(BirdGraph.schema, document, variables: variables)
        return executor.execute(
            operation, on: BirdGraph.root, with: operation.kind == .subscription ? ["number": .number(number)] : [:])
    }
}

extension JSON {
    var graphQL: GraphQLValue {
        switch self {
        case .null: .null
        case .bool(let flag): .boolean(flag)
        case .number(let number): .int("\(number)")
        case .string(let text): .string(text)
        case .array(let elements): .list(elements.map(\.graphQL))
        case .object(let members): .object(members.map { .init($0.name, $0.value.graphQL) })
        }
    }
}

/// The server's end of graphql-transport-ws; one operation after another.
private struct GraphQLSession {
    let socket: DemoSocket

    func run() async throws {
        var isOpen = false
        while let frame = try await socket.next() {
            guard let message = try? JSONDecoder().decode(JSON.self, from: Data(frame.payload)),
                case .string(let type)? = message["type"]
            else { return try await socket.close(4400, "Invalid message") }
            switch type {
            case "connection_init":
                guard !isOpen else { return try await socket.close(4429, "Too many initialisation requests") }
                isOpen = true
                try await send(["type": "connection_ack"])
                try await send(["type": "ping"])
            case "ping": try await send(["type": "pong"])
            case "pong", "complete": break
            case "subscribe":
                guard isOpen else { return try await socket.close(4401, "Unauthorized") }
                guard try await answer(message["id"] ?? .null, message["payload"] ?? .null) else { return }
            default: return try await socket.close(4400, "Invalid message")
            }
        }
    }

    /// - Returns: whether the client is still there.
    private func answer(_ id: JSON, _ payload: JSON) async throws -> Bool {
        guard case .string(let query)? = payload["query"] else {
            try await socket.close(4400, "Invalid message")
            return false
        }
        let operation: String? = if case .string(let name)? = payload["operationName"] { name } else { nil }
        do throws(GraphQLCall.Invalid) {
            let execution = try GraphQLExecution(query, operation: operation, variables: payload["variables"] ?? .object([]))
            let events = execution.operation.kind == .subscription ? execution.events : 1
            do {
                for number in 1...events {
                    if number > 1, try await !socket.pause(.milliseconds(200)) { return false }
                    try await send(["id": id, "type": "next", "payload": execution.response(number)])
                }
                try await send(["id": id, "type": "complete"])
            } catch { return false }
        } catch {
            try await send(["id": id, "type": "error", "payload": .array(error.errors)])
        }
        return true
    }

    private func send(_ message: JSON) async throws { try await socket.write(0x81, Array(message.line.utf8)) }
}
