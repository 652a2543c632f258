import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// `--variable` and `--expand-OPTION`, which the installed curl may be too old for: the expectations are from curl's manual page.
@Suite struct OptionVariablesTests {
    private func parsed(_ words: [String], environment: [String: String] = [:], input: String = "") throws -> SendArguments {
        let files = InputFiles(standardInput: GivenInput(bytes: Data(input.utf8)))
        return try #require(Array(SendTransfers(SendOptionParser.groups(words, reading: files, environment: environment))).first)
    }

    @Test(arguments: [
        ("{{a}}", "x y"), ("http://h/{{a:url}}/{{b}}", "http://h/x%20y/2"), ("{{none}}|", "|"), ("\\{{a}}", "{{a}}"),
        ("{{a", "{{a"),
        ("{{c:trim}}", "z"), ("{{c:trim:b64}}", "eg=="), ("{{q:json}}", #"a\"b/"#), ("{{e:64dec}}", "hi"),
        ("{{a:64dec}}", "[64dec-fail]"),
        ("{{home}}{{or}}", "/rootelse"),
    ])
    func `a name in braces stands for its value`(text: String, expanded: String) throws {
        let words = [
            "--variable", "a=x y", "--variable", "b=2", "--variable", "c= z\n", "--variable", "q=a\"b/", "--variable", "e=aGk=",
        ]
        let others = ["--variable", "%home", "--variable", "%or=else", "--expand-data", text, "http://h/"]
        #expect(try parsed(words + others, environment: ["home": "/root"]).data.map(\.text) == [expanded])
    }

    @Test func `a value comes from a file or standard input, and only expand- looks at it`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("v", "from a file")
        let words = [
            "--variable", "v@\(path)", "--variable", "i@-", "--expand-header", "X: {{v}} {{i}}", "-H", "Y: {{v}}", "http://h/",
        ]
        #expect(try parsed(words, input: "input").headers == ["X: from a file input", "Y: {{v}}"])
    }

    @Test(arguments: [
        (["--variable", "=x"], "a name has letters"), (["--variable", "a"], "says no value"),
        (["--variable", "%NOWHERE"], "NOWHERE isn't in the environment"),
        (["--variable", "a=1", "--expand-data", "{{a:upper}}"], "has no function upper"),
        (["--variable", "a=AA==", "--expand-data", "{{a:64dec}}"], "bytes that no text has"),
    ])
    func `what can't be is refused`(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try parsed(words + ["http://h/"]) }
        #expect(failure?.status == .usage && failure?.message.contains(message) == true)
    }
}
