import RequestCollections
import Testing

@testable import CommandLineInterface

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
