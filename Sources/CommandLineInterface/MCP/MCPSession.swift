import RequestCollections

/// One client of `turnstone mcp`: its messages in, effects out. JSON-RPC 2.0, as the Model Context Protocol uses it over standard input
/// and output: a message a line.
///
/// Revisions that begin with `initialize` are spoken. A client of a later one asks `server/discover` first, hears that there is no such
/// method, and goes on with `initialize`.
struct MCPSession {
    /// The newest first. 2025-03-26 isn't among them: it alone asks for batches.
    static let revisions = ["2025-11-25", "2025-06-18", "2024-11-05"]

    enum Effect: Hashable {
        case send(JSONValue)
        /// Calls have numbers of their own: a client may use the id of one that it has cancelled again.
        case start(call: Int, MCPTool, JSONValue)
        /// Whoever waits for the call, or for an answer to a question of its own, needs neither any more.
        case cancel(call: Int)
        case answer(question: Int, isApproved: Bool)
    }

    private let instructions: String
    private var isInitialized = false
    /// Whether the client can put a question to its user.
    private(set) var canAsk = false
    /// The calls under way, by the ids that the client gave them.
    private var calls: [JSONValue: Int] = [:]
    private var lastCall = 0
    /// Which call each open question belongs to.
    private var questions: [Int: Int] = [:]
    private var lastQuestion = 0

    /// - Parameter instructions: what the client's model is told of the whole.
    init(instructions: String) {
        self.instructions = instructions
    }

    // MARK: From the client

    mutating func receive(_ message: JSONRPC.Message) -> [Effect] {
        switch message {
        case .request(let method, let params, let id): receive(request: method, params, id)
        case .notification(let method, let params): receive(notification: method, params)
        case .reply(let message): receive(reply: message)
        case .malformed(let error): [.send(error)]
        }
    }

    /// The client has gone: nothing more can be said.
    mutating func close() -> [Effect] {
        let effects =
            calls.values.map { Effect.cancel(call: $0) } + questions.keys.map { .answer(question: $0, isApproved: false) }
        calls = [:]
        questions = [:]
        return effects
    }

    private mutating func receive(request method: String, _ params: JSONValue?, _ id: JSONValue) -> [Effect] {
        switch method {
        case "initialize":
            isInitialized = true
            // Before revision 2025-06-18 a client couldn't be asked anything; newer clients say whether they can.
            if case .object(let kinds)? = params?["capabilities"]?["elicitation"] {
                // A client that names no kind supports forms, the only kind in earlier revisions of the protocol.
                canAsk = kinds.isEmpty || kinds.contains { $0.name == "form" }
            } else {
                canAsk = false
            }
            return [.send(JSONRPC.result(id, greeting(params?["protocolVersion"]?.string)))]
        case "ping": return [.send(JSONRPC.result(id, .object([])))]
        case "tools/list" where !isInitialized, "tools/call" where !isInitialized:
            return [.send(JSONRPC.failure(id, .invalidRequest, "The first request is initialize."))]
        case "tools/list": return [.send(JSONRPC.result(id, ["tools": .array(MCPTool.allCases.map(\.description))]))]
        case "tools/call":
            guard let name = params?["name"]?.string, let tool = MCPTool(rawValue: name) else {
                let known = MCPTool.allCases.map(\.rawValue).joined(separator: ", ")
                return [.send(JSONRPC.failure(id, .invalidParams, "There is no such tool; there are \(known)."))]
            }
            guard calls[id] == nil else {
                return [.send(JSONRPC.failure(id, .invalidRequest, "A request with this id is under way."))]
            }
            lastCall += 1
            calls[id] = lastCall
            return [.start(call: lastCall, tool, params?["arguments"] ?? .object([]))]
        default: return [.send(JSONRPC.failure(id, .methodNotFound, "There is no method \(method) here."))]
        }
    }

    private mutating func receive(notification method: String, _ params: JSONValue?) -> [Effect] {
        guard method == "notifications/cancelled", let id = params?["requestId"],
            let call = calls.removeValue(forKey: id)
        else { return [] }
        return [.cancel(call: call)] + withdrawQuestions(of: call)
    }

    private mutating func receive(reply message: JSONValue) -> [Effect] {
        guard case .string(let id)? = message["id"], let number = Self.number(ofQuestion: id),
            questions.removeValue(forKey: number) != nil
        else { return [] }
        return [.answer(question: number, isApproved: message["result"]?["action"]?.string == "accept")]
    }

    // MARK: To the client

    /// What a call has come to. One that was cancelled is not answered.
    mutating func finish(_ call: Int, _ result: MCPResult) -> [Effect] {
        guard let id = calls.first(where: { $0.value == call })?.key else { return [] }
        calls[id] = nil
        return [.send(JSONRPC.result(id, result.json))]
    }

    /// Puts a question to the client's user: yes or no.
    ///
    /// - Returns: `nil`: nobody can be asked, or the call is over.
    mutating func ask(_ question: String, for call: Int) -> (question: Int, effects: [Effect])? {
        guard canAsk, calls.values.contains(call) else { return nil }
        lastQuestion += 1
        questions[lastQuestion] = call
        let params: JSONValue = [
            "message": .string(question), "requestedSchema": ["type": "object", "properties": .object([])],
        ]
        return (lastQuestion, [.send(JSONRPC.request(.string(Self.id(ofQuestion: lastQuestion)), "elicitation/create", params))])
    }

    private mutating func withdrawQuestions(of call: Int) -> [Effect] {
        let open = questions.filter { $0.value == call }.keys.sorted()
        return open.flatMap { number -> [Effect] in
            questions[number] = nil
            let note = JSONRPC.notification("notifications/cancelled", ["requestId": .string(Self.id(ofQuestion: number))])
            return [.send(note), .answer(question: number, isApproved: false)]
        }
    }

    private func greeting(_ revision: String?) -> JSONValue {
        let spoken = revision.flatMap { Self.revisions.contains($0) ? $0 : nil } ?? Self.revisions[0]
        return [
            "protocolVersion": .string(spoken), "capabilities": ["tools": .object([])],
            "serverInfo": ["name": "turnstone", "title": "Turnstone", "version": .string(Version.text)],
            "instructions": .string(instructions),
        ]
    }
}

extension MCPSession {
    private static func id(ofQuestion number: Int) -> String { "question-\(number)" }

    private static func number(ofQuestion id: String) -> Int? {
        id.hasPrefix("question-") ? Int(id.dropFirst("question-".count)) : nil
    }
}

/// What a tool has to say.
struct MCPResult: Hashable, Sendable {
    var texts: [String]
    /// Whether it couldn't do what it was asked for. A check that fails is a result.
    var isError = false

    var json: JSONValue {
        [
            "content": .array(texts.map { ["type": "text", "text": .string($0)] }),
            "isError": .boolean(isError),
        ]
    }
}
