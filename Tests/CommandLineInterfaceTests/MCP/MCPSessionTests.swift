import RequestCollections
import Testing

@testable import CommandLineInterface

@Suite struct MCPSessionTests {
    private var session = MCPSession(instructions: "Begin with list_requests.")

    init() { initialize(canAsk: false) }

    private func sent(_ effects: [MCPSession.Effect]) -> [String] {
        effects.map { effect in
            guard case .send(let message) = effect else { return "\(effect)" }
            return message.text(pretty: false)
        }
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-11-25"), ("2026-07-28", "2025-11-25"),
        ("x", "2025-11-25"),
    ])
    mutating func `the revision is the client's, or else the newest that is spoken`(asked: String, spoken: String) {
        let effects = session.receive(
            line: #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{}}}"#)
        #expect(
            sent(effects) == [
                #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"\#(spoken)","capabilities":{"tools":{}},"#
                    + #""serverInfo":{"name":"turnstone","title":"Turnstone","version":"\#(Version.text)"},"#
                    + #""instructions":"Begin with list_requests."}}"#
            ])
    }

    @Test(arguments: [
        ("nonsense", "null", "-32700", "This is not JSON."),
        ("[]", "null", "-32600", "A message is one object; batches are not taken."),
        (#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, "3", "-32600", "This is JSON-RPC 2.0."),
        (#"{"id":[1],"method":"ping"}"#, "null", "-32600", "An id is a string or a number."),
        (#"{"id":null,"method":"ping"}"#, "null", "-32600", "An id is a string or a number."),
        (#"{"id":7,"method":5}"#, "7", "-32600", "A request names its method."),
        (#"{"id":8,"params":{}}"#, "8", "-32600", "A request names its method."),
        (#"{"id":"a","method":"server/discover"}"#, #""a""#, "-32601", "There is no method server/discover here."),
        (
            #"{"id":2.50,"method":"tools/call","params":{"name":"rm"}}"#, "2.50", "-32602",
            "There is no such tool; there are list_requests, show_request, check_collection, run_requests, list_runs, read_run."
        ),
    ])
    mutating func `what can't be answered is an error with its code`(line: String, id: String, code: String, message: String) {
        let error = #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"}}"#
        #expect(sent(session.receive(line: line)) == [error])
    }

    @Test func `tools wait for initialize, as the protocol's lifecycle says`() {
        var session = MCPSession(instructions: "")
        let refusal = #"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"The first request is initialize."}}"#
        #expect(sent(session.receive(line: Self.call)) == [refusal])
        #expect(sent(session.receive(line: #"{"id":7,"method":"tools/list"}"#)) == [refusal])
        #expect(sent(session.receive(line: #"{"id":7,"method":"ping"}"#)) == [#"{"jsonrpc":"2.0","id":7,"result":{}}"#])
    }

    @Test mutating func `notifications and late replies are answered by nothing`() {
        for line in [
            #"{"method":"notifications/initialized"}"#, #"{"method":"notifications/unheard-of"}"#,
            #"{"method":"notifications/cancelled","params":{"requestId":7}}"#, #"{"id":"question-9","result":{"action":"accept"}}"#,
        ] {
            #expect(session.receive(line: line) == [])
        }
    }

    private static let call = #"{"id":7,"method":"tools/call","params":{"name":"run_requests","arguments":{"names":["a"]}}}"#

    @Test mutating func `a call is answered once, and not after it was cancelled`() {
        #expect(session.receive(line: Self.call) == [.start(call: 1, .runRequests, ["names": .array(["a"])])])
        #expect(sent(session.receive(line: Self.call)).first?.contains("A request with this id is under way.") == true)
        #expect(
            sent(session.finish(1, MCPResult(texts: ["done"]))) == [
                #"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}"#
            ])
        #expect(session.finish(1, MCPResult(texts: ["done"])) == [])
        _ = session.receive(line: Self.call)
        #expect(
            session.receive(line: #"{"method":"notifications/cancelled","params":{"requestId":7}}"#) == [.cancel(call: 2)])
        #expect(session.finish(2, MCPResult(texts: ["done"])) == [])
    }

    private mutating func initialize(canAsk: Bool) {
        let capabilities = canAsk ? #"{"elicitation":{}}"# : "{}"
        _ = session.receive(
            line: #"{"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":\#(capabilities)}}"#)
    }

    /// The call is number 1, or the next one.
    private mutating func begin(canAsk: Bool) {
        initialize(canAsk: canAsk)
        _ = session.receive(line: Self.call)
    }

    @Test(arguments: [
        (#"{"id":"question-1","result":{"action":"accept","content":{}}}"#, true),
        (#"{"id":"question-1","result":{"action":"decline"}}"#, false),
        (#"{"id":"question-1","result":{"action":"cancel"}}"#, false),
        (#"{"id":"question-1","error":{"code":-32601,"message":"no"}}"#, false),
    ])
    mutating func `only yes is yes`(reply: String, isApproved: Bool) {
        begin(canAsk: true)
        let asked = session.ask("Send POST http://a/?", for: 1)
        #expect(
            sent(asked?.effects ?? []) == [
                #"{"jsonrpc":"2.0","id":"question-1","method":"elicitation/create","params":{"message":"Send POST http://a/?","#
                    + #""requestedSchema":{"type":"object","properties":{}}}}"#
            ])
        #expect(session.receive(line: reply) == [.answer(question: 1, isApproved: isApproved)])
        #expect(session.receive(line: reply) == [])
    }

    @Test(arguments: [("{}", true), (#"{"form":{}}"#, true), (#"{"url":{}}"#, false), ("null", false), ("false", false)])
    mutating func `only who has forms can be asked`(elicitation: String, canAsk: Bool) {
        _ = session.receive(
            line: #"{"id":0,"method":"initialize","params":{"capabilities":{"elicitation":\#(elicitation)}}}"#)
        #expect(session.canAsk == canAsk)
    }

    @Test mutating func `an id that is used again is another call`() {
        begin(canAsk: false)
        _ = session.receive(line: #"{"method":"notifications/cancelled","params":{"requestId":7}}"#)
        #expect(session.receive(line: Self.call) == [.start(call: 2, .runRequests, ["names": .array(["a"])])])
        #expect(session.finish(1, MCPResult(texts: ["old"])) == [])
        #expect(sent(session.finish(2, MCPResult(texts: ["new"]))).first?.contains("new") == true)
    }

    @Test mutating func `who can't ask isn't asked`() {
        begin(canAsk: false)
        #expect(session.ask("Send?", for: 1) == nil)
        begin(canAsk: true)
        #expect(session.ask("Send?", for: 8) == nil)
    }

    @Test mutating func `a question goes with its call, and with the client`() {
        begin(canAsk: true)
        _ = session.ask("Send?", for: 1)
        let effects = session.receive(line: #"{"method":"notifications/cancelled","params":{"requestId":7}}"#)
        #expect(effects.first == .cancel(call: 1))
        #expect(effects.last == .answer(question: 1, isApproved: false))
        #expect(
            sent(Array(effects.dropFirst().prefix(1))) == [
                #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"question-1"}}"#
            ])
        begin(canAsk: true)
        _ = session.ask("Send?", for: 2)
        #expect(session.close() == [.cancel(call: 2), .answer(question: 2, isApproved: false)])
        #expect(session.close() == [])
    }
}

@Suite struct MCPToolTests {
    private func words(_ tool: MCPTool, _ arguments: JSONValue) throws -> [String] {
        tool.words(try MCPArguments(arguments, of: tool))
    }

    private func complaint(_ tool: MCPTool, _ arguments: JSONValue) -> String? {
        do throws(MCPComplaint) {
            _ = try MCPArguments(arguments, of: tool)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `arguments are parts of words, and no options`() throws {
        let arguments: JSONValue = [
            "names": .array(["--trust"]), "tags": .array(["--trust"]), "environment": "--trust=all",
            "variables": ["n": .number("7"), "t": "7", "l": .array([.null, .boolean(true)]), "a b": "x=y --trust"],
        ]
        #expect(
            try words(.runRequests, arguments) == [
                "run", "--quiet", "--no-input", "--report=json=-", "--tag=--trust", "--env=--trust=all",
                "--var-text=a b=x=y --trust",
                "--var=l=[null,true]", "--var=n=7", "--var-text=t=7",
            ])
        #expect(
            try words(.listRuns, ["status": "5xx", "failed": .boolean(true)]) == [
                "history", "list", "--json", "--number=20", "--status=5xx", "--failed",
            ])
    }

    private static let complaints: [(MCPTool, JSONValue, String)] = [
        (.showRequest, [:], "show_request needs the argument name."),
        (.showRequest, ["name": .number("1")], "The argument name is a text."),
        (.showRequest, ["name": "../other.yaml"], "../other.yaml is a path; list_requests gives the names of requests."),
        (
            .runRequests, ["names": .array(["a", "/etc/shop.yaml"])],
            "/etc/shop.yaml is a path; list_requests gives the names of requests."
        ),
        (.runRequests, ["names": .array([.null])], "The argument names is a list of texts."),
        (.runRequests, ["variables": ["a=b": "c"]], "The argument variables has a name that no variable can have."),
        (.runRequests, ["variables": "a"], "The argument variables is an object."),
        (.runRequests, ["trust": "all"], "run_requests has no argument trust; it has names, tags, environment, variables, mocks."),
        (.readRun, ["run": .number("0")], "The argument run is a whole number of 1 or more."),
        (.readRun, ["run": .number("1.5")], "The argument run is a whole number of 1 or more."),
        (.listRequests, .array([]), "The arguments of list_requests are an object."),
    ]

    @Test(arguments: complaints)
    func `what a tool doesn't take is said in a sentence`(tool: MCPTool, arguments: JSONValue, sentence: String) {
        #expect(complaint(tool, arguments) == sentence)
    }

    @Test func `only sending is said to change something`() {
        #expect(MCPTool.allCases.filter { !$0.isReadOnly } == [.runRequests])
        #expect(MCPTool.runRequests.description["annotations"]?["destructiveHint"] == .boolean(true))
        #expect(MCPTool.readRun.description["inputSchema"]?["required"] == .array(["run"]))
    }
}
