import Foundation
import ServerTesting
import Testing

/// What the page on editors gives Visual Studio Code reads what `turnstone check` prints.
@Suite struct ProblemMatcherTests {
    private struct Tasks: Decodable {
        struct Task: Decodable { var args: [String], problemMatcher: Matcher }
        struct Matcher: Decodable { var pattern: Pattern }
        struct Pattern: Decodable { var regexp: String, file: Int, line: Int, column: Int, severity: Int, message: Int }
        var tasks: [Task]
    }

    @Test func `the task's pattern takes each finding apart`() async throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/editors.md").standardized
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
        let block = try #require(blocks.first?.components(separatedBy: "```").first)
        let task = try #require(try JSONDecoder().decode(Tasks.self, from: Data(block.utf8)).tasks.first)
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              a: { get: "http://127.0.0.1:9/{{nowhere}}" }
              b: { get: "http://127.0.0.1:9/", expct: { status: 200 } }

            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(task.args + [path])
        let pattern = try Regex(task.problemMatcher.pattern.regexp)
        let findings = run.output.split(separator: "\n").compactMap { line -> [String]? in
            guard let match = try? pattern.wholeMatch(in: String(line)) else { return nil }
            let places = task.problemMatcher.pattern
            return [places.file, places.line, places.column, places.severity, places.message]
                .map { match[$0].substring.map(String.init) ?? "" }
        }
        #expect(
            findings == [
                [path, "3", "13", "error", "the variable `nowhere` has no value"],
                [path, "4", "36", "error", "unknown key `expct` in a request; did you mean `expect`?"],
            ], "\(run.output)")
    }
}
