/// A subscription over a WebSocket, by the protocol graphql-transport-ws.
package enum Subscription {
    /// What is offered to the server unless `subprotocols` says otherwise.
    static let subprotocol = "graphql-transport-ws"

    /// The id of a session's one operation.
    private static let id = "1"

    /// Opens the connection, waits for the server's acknowledgement, and sends the query.
    fileprivate static func steps(_ query: BodyDefinition.GraphQL, at place: SourceLocation) -> [SessionStep] {
        var payload = ["\"query\":\(text(of: query.query))"]
        if let operation = query.operation {
            payload.append("\"operationName\":\(JSONValue.string(operation).text(pretty: false))")
        }
        if let variables = query.variables { payload.append("\"variables\":\(variables)") }
        let connection = query.connection.map { ",\"payload\":\($0)" } ?? ""
        let acknowledged = ExpectationDefinition(.filter(".type"), .equals("connection_ack"), location: place)
        return [
            SessionStep(.send(.json("{\"type\":\"connection_init\"\(connection)}")), location: place),
            SessionStep(.receive(.init([acknowledged])), location: place),
            SessionStep(
                .send(.json("{\"id\":\"\(id)\",\"type\":\"subscribe\",\"payload\":{\(payload.joined(separator: ","))}}")),
                location: place),
        ]
    }

    /// In JSON, with templates.
    private static func text(of query: BodyDefinition.GraphQL.Query) -> String {
        switch query {
        case .text(let text): JSONValue.string(text).text(pretty: false)
        case .file(let path): JSONValue.string("{{file(\(JSONValue.string(path).text(pretty: false)))}}").text(pretty: false)
        }
    }

    /// What a message of the server means for the session.
    package enum Message: Hashable, Sendable {
        /// Wants a pong.
        case ping
        /// The result of an event, with its errors.
        case next(errors: [JSONValue])
        /// The query was refused, or broke off.
        case error([JSONValue])
        case complete
        case other

        package init(_ text: String) {
            let message = JSONParser.parse(text)
            self =
                switch message?["type"] {
                case .string("ping"): .ping
                case .string("next"): .next(errors: message?["payload"]?["errors"]?.items ?? [])
                case .string("error"): .error(message?["payload"]?.items ?? [])
                case .string("complete"): .complete
                default: .other
                }
        }
    }

    /// The answer to ``Message/ping``.
    package static let pong = "{\"type\":\"pong\"}"
}

extension RequestDefinition {
    /// Whether it opens a session for a query.
    package var subscribes: Bool { isWebSocket && body?.kind == .graphql }

    /// What is offered to the server, which may choose one.
    package var offeredSubprotocols: [String] { subscribes && subprotocols.isEmpty ? [Subscription.subprotocol] : subprotocols }

    /// The steps of its session: those of its query, and then its own.
    package var steps: [SessionStep] {
        guard isWebSocket, let query = graphQL else { return messages }
        return Subscription.steps(query, at: places["body"] ?? location) + messages
    }
}
