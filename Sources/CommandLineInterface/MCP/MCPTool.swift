import RequestCollections

/// What an agent can do: each tool is a command line that prints what is masked already.
enum MCPTool: String, CaseIterable, Hashable, Sendable {
    case listRequests = "list_requests"
    case showRequest = "show_request"
    case checkCollection = "check_collection"
    case runRequests = "run_requests"
    case listRuns = "list_runs"
    case readRun = "read_run"

    var title: String {
        switch self {
        case .listRequests: "List saved requests"
        case .showRequest: "Show what a request would send"
        case .checkCollection: "Check the collection"
        case .runRequests: "Send saved requests"
        case .listRuns: "List earlier runs"
        case .readRun: "Read an earlier run"
        }
    }

    private var help: String {
        switch self {
        case .listRequests: "Lists the saved requests of the collections, with their environments, as JSON. Nothing is sent."
        case .showRequest:
            "Shows method, URL, headers and body that a saved request would send, as JSON, with variables filled in and secrets masked. Nothing is sent."
        case .checkCollection: "Finds mistakes in the collection's files, each with its file and line, as JSON. Nothing is sent."
        case .runRequests:
            "Sends saved requests, after those that they need, and checks what they expect. Gives the verdict, status, timings and reasons of each as JSON; list_runs and read_run give the responses. A person is asked before a request is sent whose method may change something on the server."
        case .listRuns: "Lists earlier runs of these collections, the newest first, as JSON lines."
        case .readRun: "Gives a run's timings, the response's head, and its body if it is text, with secrets masked."
        }
    }

    /// Whether it changes nothing, here or elsewhere.
    var isReadOnly: Bool { self != .runRequests }

    var parameters: [Parameter] {
        switch self {
        case .listRequests: [.names, .tags]
        case .showRequest: [.name, .environment, .variables, .explain]
        case .checkCollection: [.names, .environment]
        case .runRequests: [.names, .tags, .environment, .variables, .mocks]
        case .listRuns: [.request, .status, .failed, .limit]
        case .readRun: [.run, .bytes]
        }
    }

    /// The description that `tools/list` returns.
    var description: JSONValue {
        [
            "name": .string(rawValue), "title": .string(title), "description": .string(help),
            "inputSchema": .object([
                .init(name: "type", value: "object"),
                .init(
                    name: "properties",
                    value: .object(parameters.map { .init(name: $0.rawValue, value: $0.schema) })),
                .init(
                    name: "required", value: .array(parameters.filter(\.isRequired).map { .string($0.rawValue) })),
                .init(name: "additionalProperties", value: .boolean(false)),
            ]),
            "annotations": [
                "title": .string(title), "readOnlyHint": .boolean(isReadOnly), "destructiveHint": .boolean(!isReadOnly),
                "openWorldHint": .boolean(!isReadOnly),
            ],
        ]
    }

    enum Parameter: String, Hashable {
        case name, names, tags, environment, variables, explain, mocks, request, status, failed, limit, run
        case bytes = "max_body_bytes"

        var isRequired: Bool { self == .name || self == .run }

        var schema: JSONValue {
            let help: JSONValue =
                switch self {
                case .name: "The request's name, as list_requests gives it."
                case .names: "Names of requests or folders, or patterns with * and ?. Without them, and without tags: all."
                case .tags: "Only requests with one of these tags."
                case .environment: "One of the collection's environments."
                case .variables: "Values of variables, over all others."
                case .explain: "Also where each value stands, and what it won over."
                case .mocks: "Requests that have a mock are answered by it, without the network."
                case .request: "Only runs whose request or URL has this text in it."
                case .status: "Only this status, or this class: 404, 5xx."
                case .failed: "Only runs that failed."
                case .limit: "How many at most; 20 without it."
                case .run: "The run's number, as list_runs gives it."
                case .bytes: "How much of the body at most; 65536 without it."
                }
            return .object([.init(name: "description", value: help)] + shape)
        }

        private var shape: [JSONValue.Member] {
            switch self {
            case .name, .environment, .request, .status: [.init(name: "type", value: "string")]
            case .names, .tags:
                [.init(name: "type", value: "array"), .init(name: "items", value: ["type": "string"])]
            case .variables: [.init(name: "type", value: "object")]
            case .explain, .mocks, .failed: [.init(name: "type", value: "boolean")]
            case .limit, .run: [.init(name: "type", value: "integer"), .init(name: "minimum", value: .number("1"))]
            case .bytes: [.init(name: "type", value: "integer"), .init(name: "minimum", value: .number("0"))]
            }
        }

        /// What is wrong with a value of it, as the end of a sentence.
        func complaint(about value: JSONValue) -> String? {
            switch self {
            case .name, .environment, .request, .status: value.string == nil ? "is a text" : nil
            case .names, .tags:
                if case .array(let items) = value, items.allSatisfy({ $0.string != nil }) { nil } else { "is a list of texts" }
            case .variables:
                value.members.contains { $0.name.isEmpty || $0.name.contains("=") }
                    ? "has a name that no variable can have"
                    : value == .object(value.members) ? nil : "is an object"
            case .explain, .mocks, .failed: if case .boolean = value { nil } else { "is true or false" }
            case .limit, .run: (value.integer ?? 0) >= 1 ? nil : "is a whole number of 1 or more"
            case .bytes: (value.integer ?? -1) >= 0 ? nil : "is a whole number of 0 or more"
            }
        }
    }
}

/// Why a call can't be made: one sentence for the client that calls.
struct MCPComplaint: Error, Hashable {
    var message: String
}

/// The arguments of a call, each of them known to its tool and of the right type.
struct MCPArguments {
    private let values: [MCPTool.Parameter: JSONValue]

    init(_ value: JSONValue, of tool: MCPTool) throws(MCPComplaint) {
        guard case .object(let members) = value else {
            throw MCPComplaint(message: "The arguments of \(tool.rawValue) are an object.")
        }
        var values: [MCPTool.Parameter: JSONValue] = [:]
        for member in members {
            guard let parameter = tool.parameters.first(where: { $0.rawValue == member.name }) else {
                let known = tool.parameters.map(\.rawValue).joined(separator: ", ")
                throw MCPComplaint(message: "\(tool.rawValue) has no argument \(member.name); it has \(known).")
            }
            if let complaint = parameter.complaint(about: member.value) {
                throw MCPComplaint(message: "The argument \(member.name) \(complaint).")
            }
            values[parameter] = member.value
        }
        if let missing = tool.parameters.first(where: { $0.isRequired && values[$0] == nil }) {
            throw MCPComplaint(message: "\(tool.rawValue) needs the argument \(missing.rawValue).")
        }
        self.values = values
        for name in names + [text(.name)].compactMap(\.self) where CollectionChoice.isPath(name) {
            throw MCPComplaint(message: "\(name) is a path; list_requests gives the names of requests.")
        }
    }

    func text(_ parameter: MCPTool.Parameter) -> String? { values[parameter]?.string }
    func number(_ parameter: MCPTool.Parameter) -> Int? { values[parameter]?.integer }
    func isSet(_ parameter: MCPTool.Parameter) -> Bool { values[parameter] == .boolean(true) }
    func texts(_ parameter: MCPTool.Parameter) -> [String] { values[parameter]?.items.compactMap(\.string) ?? [] }
    var names: [String] { texts(.names) }

    var variables: [String: JSONValue] {
        Dictionary((values[.variables]?.members ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension MCPTool {
    /// The command line that does it, without what may come behind `--`.
    ///
    /// What an argument says is part of a word and never one of its own, so that it is no option.
    func words(_ arguments: MCPArguments) -> [String] {
        var words: [String]
        switch self {
        case .listRequests: words = ["list", "--json"]
        case .showRequest: words = ["show", "--json"] + (arguments.isSet(.explain) ? ["--explain"] : [])
        case .checkCollection: words = ["check", "--json"]
        case .runRequests:
            words = ["run", "--quiet", "--no-input", "--report=json=-"] + (arguments.isSet(.mocks) ? ["--mocks"] : [])
        case .listRuns:
            words = ["history", "list", "--json", "--number=\(arguments.number(.limit) ?? 20)"]
            if let status = arguments.text(.status) { words.append("--status=\(status)") }
            if arguments.isSet(.failed) { words.append("--failed") }
        case .readRun: words = ["history", "show"]
        }
        words += arguments.texts(.tags).map { "--tag=\($0)" }
        if let environment = arguments.text(.environment) { words.append("--env=\(environment)") }
        for (name, value) in arguments.variables.sorted(by: { $0.key < $1.key }) {
            words.append(value.string.map { "--var-text=\(name)=\($0)" } ?? "--var=\(name)=\(value.text(pretty: false))")
        }
        return words
    }
}
