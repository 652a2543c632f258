import Foundation
import GraphQLLanguage
import Testing

/// Queries and variables with the verdicts of graphql-core 3.3, which `Corpus/judge.py` holds against it.
@Suite struct CorpusTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    static let sdl = text(of: "birds.graphql")
    static let schema: GraphQLSchema = {
        do { return try GraphQLSchema(sdl: sdl) } catch { fatalError("birds.graphql: \(error)") }
    }()

    static func text(of name: String) -> String {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    }

    struct Query: CustomTestStringConvertible {
        /// `valid`, `syntax` with a line, or the lines of the faults, each with alternatives. Behind `->` is ours where it differs on
        /// purpose: the query says why.
        var verdict: String
        var text: String

        var testDescription: String { text.split(separator: "\n").joined(separator: " ") }

        static let all: [Query] = CorpusTests.text(of: "queries.txt").components(separatedBy: "--- ").dropFirst().map { block in
            let parts = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let verdict = parts[0].components(separatedBy: " -> ").last ?? ""
            return Query(verdict: verdict, text: String(parts[1]))
        }
    }

    @Test(arguments: Query.all) func `graphql-core says the same of a query`(query: Query) {
        do throws(GraphQLFault) {
            let faults = CorpusTests.schema.faults(in: try GraphQLDocument(parsing: query.text))
            if query.verdict == "valid" {
                #expect(faults == [])
            } else {
                let lines = query.verdict.split(separator: " ").map { $0.split(separator: "/").map { Int($0) } }
                #expect(Self.fit(faults.map(\.line), lines), "\(query.verdict): \(faults)")
            }
        } catch {
            #expect(query.verdict == "syntax \(error.line)", "\(error)")
        }
    }

    /// Whether each line goes with alternatives of its own; an empty list of them, or `*`, takes any.
    private static func fit(_ lines: [Int], _ alternatives: [[Int?]]) -> Bool {
        guard let line = lines.first else { return alternatives.isEmpty }
        return alternatives.indices.contains { index in
            guard alternatives[index].contains(line) || alternatives[index] == [nil] else { return false }
            var rest = alternatives
            rest.remove(at: index)
            return fit(Array(lines.dropFirst()), rest)
        }
    }

    struct Variables: CustomTestStringConvertible {
        var definitions: String
        var verdict: String
        var json: String

        var testDescription: String { "\(definitions) \(json)" }

        static let all: [Variables] = {
            var definitions = ""
            var all: [Variables] = []
            for line in CorpusTests.text(of: "variables.txt").split(separator: "\n") where !line.hasPrefix("#") {
                if line.hasPrefix("--- ") {
                    definitions = String(line.dropFirst(4))
                } else if let brace = line.firstIndex(of: "{") {
                    let verdict = line[..<brace].trimmingCharacters(in: .whitespaces)
                    all.append(Variables(definitions: definitions, verdict: verdict, json: String(line[brace...])))
                }
            }
            return all
        }()
    }

    @Test(arguments: Variables.all) func `graphql-core says the same of variables`(variables: Variables) throws {
        let operation = try GraphQLDocument(parsing: "query \(variables.definitions) { count }").operations[0]
        let faults = CorpusTests.schema.faults(inVariables: try value(json: variables.json), of: operation)
        let paths = faults.compactMap(\.path).sorted()
        #expect((paths.isEmpty ? "valid" : paths.joined(separator: " ")) == variables.verdict)
        #expect(faults.allSatisfy { $0.range.isEmpty && $0.line == 0 })
    }

    @Test func `the corpus is there`() {
        #expect(Query.all.count >= 150)
        #expect(Variables.all.count >= 40)
    }
}

/// JSON as the tests write it, of which only the keys differ from GraphQL.
func value(json: String) throws -> GraphQLValue {
    try value(json.replacing(/"(\w+)":/) { "\($0.1):" })
}

/// A value as a query has it.
func value(_ text: String) throws -> GraphQLValue {
    let document = try GraphQLDocument(parsing: "{ field(argument: \(text)) }")
    guard case .field(let field) = document.operations[0].selections[0] else { throw CancellationError() }
    return field.arguments[0].value.value
}
