import Foundation
import Testing

@testable import RequestCollections

/// JSON Schema, draft 2020-12.
@Suite struct JSONSchemaTests {
    private static func violations(
        _ schema: String, _ value: String, files: [String: String] = [:]
    ) throws -> [String] {
        let root = try #require(JSONParser.parse(schema))
        let schema = try JSONSchema(root, at: "dir/a.json") { (path) throws(JSONSchemaError) in
            guard let text = files[path], let value = JSONParser.parse(text) else { throw JSONSchemaError("no \(path)") }
            return value
        }
        var context = MatchContext()
        return schema.violations(of: try #require(JSONParser.parse(value)), &context).map {
            "\($0.path.isEmpty ? "." : $0.path): \($0.found.map { "\($0.typed) where " } ?? "")\($0.demand)"
        }
    }

    @Test(arguments: [
        (#"{"const": "\u00e9"}"#, #""e\u0301""#), (#"{"required": ["\u00e9"]}"#, #"{"e\u0301": 1}"#),
        (#"{"properties": {"\u00e9": true}, "additionalProperties": false}"#, #"{"e\u0301": 1}"#),
        (#"{"allOf": [{"properties": {"\u00e9": true}}], "unevaluatedProperties": false}"#, #"{"\u00e9": 1, "e\u0301": 2}"#),
    ])
    func `an accent behind a letter is another text than the letter with the accent`(schema: String, value: String) throws {
        #expect(try Self.violations(schema, value).count == 1)
    }

    @Test func `files that refer to each other have one name each`() throws {
        let files = [
            "dir/sub/b.json": ##"{"properties": {"n": {"$ref": "./../sub/../a.json#/$defs/x"}, "b": {"$ref": "../sub/b.json"}}}"##
        ]
        let schema = #"{"$ref": "sub/b.json", "$defs": {"x": {"type": "null"}}}"#
        #expect(
            try Self.violations(schema, #"{"n": 1, "b": {"n": 2}}"#, files: files)
                == [".n: the number 1 where null must be", ".b.n: the number 2 where null must be"])
    }

    @Test(
        arguments: [
            (#"{"type": "integer"}"#, "1.0", []),
            (#"{"type": "integer"}"#, "1.5", [".: the number 1.5 where a whole number must be"]),
            (#"{"type": ["string", "null"]}"#, "null", []),
            (
                #"{"required": ["id"], "properties": {"n": {"minimum": 2}}}"#, #"{"n": 1}"#,
                [
                    ".id: is missing, and is required", ".n: the number 1 where at least 2 must be",
                ]
            ),
            (
                #"{"additionalProperties": false}"#, #"{"a b": 1}"#,
                [#".["a b"]: is there, and the schema knows no such member"#].map {
                    String($0.dropFirst())
                }
            ),
            (#"{"items": {"type": "string"}}"#, #"["a", 1]"#, ["[1]: the number 1 where a text must be"]),
            (#"{"enum": [1, "a"]}"#, "2", [#".: the number 2 where one of 1, "a" must be"#]),
            (
                #"{"const": 9007199254740993}"#, "9007199254740992",
                [
                    ".: the number 9007199254740992 where the number 9007199254740993 must be"
                ]
            ),
            (#"{"multipleOf": 0.1}"#, "0.3", []), (#"{"multipleOf": 0.0001}"#, "0.0075", []),
            (#"{"multipleOf": 0.1}"#, "0.35", [".: the number 0.35 where a multiple of 0.1 must be"]),
            (
                #"{"uniqueItems": true}"#, #"[1, {"a": 1, "b": 2}, {"b": 2.0, "a": 1}]"#,
                [
                    "[2]: is there before, and each item may be there once"
                ]
            ),
            (#"{"pattern": "^a\\d$"}"#, #""a\u0661""#, ["x"]), (#"{"minLength": 2}"#, "\"\u{1F600}\"", ["x"]),
            (
                #"{"anyOf": [{"type": "null"}, {"required": ["a", "b"]}]}"#, #"{"a": 1}"#,
                [
                    ".: fits none of 2 alternatives, of which the nearest says:", ".: a map of 1 where null must be",
                ]
            ),
            (#"{"oneOf": [{}, {"type": "object"}]}"#, "{}", [".: fits 2 of 2 alternatives, and must fit one alone"]),
            (#"{"not": {"type": "string"}}"#, #""a""#, [#".: the text "a" where something else must be"#]),
            (
                #"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}], "additionalItems": false}"#,
                "[null, 1]",
                [
                    "[1]: the number 1 where nothing may be"
                ]
            ),
            (
                ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}"##, "1",
                [".: the schema goes in circles here, or too deep"]
            ),
        ] as [(String, String, [String])])
    func `what doesn't fit is named with its place`(schema: String, value: String, expected: [String]) throws {
        let found = try Self.violations(schema, value)
        // What the sentence is doesn't matter everywhere.
        #expect(expected == ["x"] ? found.count == 1 : found == expected, "\(found)")
    }

    @Test func `each item may be there once, among very many`() throws {
        let numbers = (1...50_000).map { "\($0)" }
        let schema = #"{"uniqueItems": true}"#
        #expect(try Self.violations(schema, "[\(numbers.joined(separator: ","))]") == [])
        let twice = try Self.violations(schema, "[\((numbers + ["49999.0"]).joined(separator: ","))]")
        #expect(twice == ["[50000]: is there before, and each item may be there once"])
        #expect(try Self.violations(schema, #"["1", 1, [1], {"a": 1}, true, null, "a\u00e9", "ae\u0301"]"#) == [])
    }

    @Test func `references lead to other files, by paths beside the schema, and nothing is fetched`() throws {
        let files = [
            "dir/common.json": #"{"$defs": {"id": {"type": "string"}}, "$ref": "sub/more.json"}"#, "dir/sub/more.json": "{}",
        ]
        #expect(try Self.violations(##"{"$ref": "common.json#/$defs/id"}"##, "1", files: files).count == 1)
        #expect(try Self.violations(#"{"$ref": "common.json"}"#, "1", files: files) == [])
        for (schema, message) in [
            (
                #"{"$ref": "https://example.com/a.json"}"#,
                "`https://example.com/a.json` names a schema that isn't in it; nothing is fetched"
            ),
            (##"{"$ref": "#/$defs/nowhere"}"##, "`#/$defs/nowhere` names a schema that isn't in it; nothing is fetched"),
            (#"{"$ref": "other.json"}"#, "no dir/other.json"), ("[]", "a schema is a map, or true or false"),
        ] {
            #expect(throws: JSONSchemaError(message)) { try Self.violations(schema, "1", files: files) }
        }
        #expect(throws: JSONSchemaError.self) { try Self.violations(#"{"pattern": "("}"#, "1") }
    }

    /// `JSON_SCHEMA_SUITE=DIR swift test --filter 'public suite'`, with the directory of github.com/json-schema-org/JSON-Schema-Test-Suite.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["JSON_SCHEMA_SUITE"] != nil))
    func `the public suite of draft 2020-12 agrees, but for schemas that have to be fetched`() throws {
        let root = try #require(ProcessInfo.processInfo.environment["JSON_SCHEMA_SUITE"])
        let directory = "\(root)/tests/draft2020-12"
        var (count, wrong, unread): (Int, [String], Set<String>) = (0, [], [])
        for name in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() where name.hasSuffix(".json") {
            let text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            for group in try #require(JSONParser.parse(text)).items {
                let title = "\(name): \(group["description"]?.string ?? "")"
                let schema: JSONSchema
                do throws(JSONSchemaError) {
                    schema = try JSONSchema(group["schema"] ?? .null, at: "/suite/a.json") { (path) throws(JSONSchemaError) in
                        throw JSONSchemaError("\(path) isn't read")
                    }
                } catch {
                    unread.insert("\(title): \(error.message)")
                    continue
                }
                for test in group["tests"]?.items ?? [] {
                    var context = MatchContext()
                    let isValid = schema.violations(of: test["data"] ?? .null, &context).isEmpty
                    count += 1
                    if .boolean(isValid) != test["valid"] { wrong.append("\(title): \(test["description"]?.string ?? "")") }
                }
            }
        }
        print("JSON Schema: \(count) tests, \(wrong.count) wrong, \(unread.count) schemas that have to be fetched")
        for line in unread.sorted() { print("  not read: \(line)") }
        // Its own metaschema, which would have to be fetched, takes all checks away.
        #expect(wrong.filter { !$0.hasPrefix("vocabulary.json: schema that uses custom metaschema") } == [])
        #expect(unread.allSatisfy { $0.contains("nothing is fetched") || $0.contains("isn't read") }, "\(unread)")
    }
}
