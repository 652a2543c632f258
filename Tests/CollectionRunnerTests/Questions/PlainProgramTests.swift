import Foundation
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import CollectionRunner

/// What programs find that are evaluated without jq, against jq itself.
@Suite struct PlainProgramTests {
    @Test(
        arguments: [
            (".items | length", "[3]"), (".items | map(select(.id == 2)) | length", "[1]"),
            (".items[] | select(.id != 2) | .name", #"["a","c"]"#),
            ("[.items[].id]", "[[1,2,3]]"), (".items | map(.id)", "[[1,2,3]]"), (".items | first | .name", #"["a"]"#),
            (".items | length == 3", "[true]"), (".nothing // \"none\"", #"["none"]"#), (".off // true", "[true]"),
            (".off | not", "[true]"),
            ("keys", #"[["items","n","off","text"]]"#), (".text | length", "[2]"), (".text | type", #"["string"]"#),
            (".items[] | .id > 1", "[false,true,true]"), (".text < \"z\"", "[true]"), (". | .n >= 1.5", "[true]"),
            (".items[0].id + .items[1].id * 2 - 1", "[4]"), (".items | map(.id) | add", "[6]"), (".items[].id + 1", "[2,3,4]"),
            (".text + \"!\" == \"hé!\"", "[true]"), (".items | any(.id == 3)", "[true]"),
            (".items | map(.id > 1) | all", "[false]"),
            ("has(\"off\") and .n > 1", "[true]"), (".off or (.text | startswith(\"h\"))", "[true]"),
            ("[.items[].id] | add / 3", "[2]"),
            ("(.items | length) + 1 == 4", "[true]"), (".text | endswith(\"x\")", "[false]"), (".nothing + 1", "[1]"),
            ("[.items[].id] == [.items[].id]", "[true]"), (".none | length + 1", "[1]"),
            (".items | map(.id) | max", "[3]"), (".items | min_by(.id) | .name", #"["a"]"#),
            (".items | max_by(.name) | .id", "[3]"),
            (".items | sort_by(.name) | map(.id) | reverse", "[[3,2,1]]"), (".items | map(.name) | join(\"-\")", #"["a-b-c"]"#),
            ("\"b,a,b\" | split(\",\") | unique", nil), (".text | ascii_upcase", #"["Hé"]"#),
            (".text | contains(\"é\")", "[true]"), (".text | split(\"h\")", #"[["","é"]]"#), (".n | tostring", #"["1.5"]"#),
            (".items[0].id | tostring | tonumber", "[1]"), ("[] | max", nil), ("[.items[].id] | sort | first", "[1]"),
            (".text | tonumber", nil), (".items | max", nil), (".items | join(\",\")", nil), (".items | tostring", nil),
            (".off | ascii_downcase", nil), (".items | sort_by(.none) | length", nil),
            // What doesn't fit, or is written otherwise by jq, is left to it.
            (".text | keys", nil), (".n | length", nil), (".items[].name | .x", nil),
            (".n + 1", nil), (".items[0].id / 2", nil), (".items[0].id / 0", nil), ("0 * -3", nil), (".text + 1", nil),
            ("1 + .items[].id", nil), (".items[0]", #"[{"id":1,"name":"a"}]"#),
            (".items[1].id * 999999999999999", "[1999999999999998]"), (".n | has(\"a\")", nil), (".text * 2", nil),
        ] as [(String, String?)])
    func `common programs need no jq`(program: String, found: String?) throws {
        let body = try #require(
            JSONParser.parse(
                #"{"items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}], "n": 1.5, "off": false, "text": "hé"}"#
            ))
        #expect(PlainProgram(program)?.values(in: body).map { JSONValue.array($0).text(pretty: false) } == found)
    }

    @Test(arguments: [
        ".a |= 1", ".a, .b", ".a == 1 == true", "length?", "first(.a)", "keys[0]", ".a // empty", ".a // 1 // 2",
        ".a += 1", ".a = 1", ".a + ", "1", "-1 | .a", "\"a\"", ".a - -.b", "any(.a; .b)", "has(0)", "has(.a)", "(.a).b",
        "(1)",
        ".a andy", ".. | .a", "add(.a)", "\"a\"[0]", "1 | .a",
        ".a as $x | $x", "map(.a; .b)", "select", ".a == \"\\(1)\"", ".a # x", "[.a][0]", "env", "input",
        "length_of", "max(.a)", "min_by", "sort_by(.a, .b)", "split(\"\")", "split(\"a\"; \"g\")", "join(.a)", "contains([1])",
        "if .a then 1 else 2 end", ".a\n| .b", "not not", "-1", "", "map()", ".a == ", "| .a", "[.a", "map(.a", ".a.b-1",
        "@base64",
    ])
    func `and all else does`(program: String) {
        #expect(PlainProgram(program) == nil)
    }

    /// Swift takes an e with an accent behind it for é, so that a check was green for which jq finds the opposite.
    @Test(arguments: [
        (".e == .d", "[false]"), (".e != .d", "[true]"), (".e <= .d", "[false]"), (".l | unique | length", "[2]"),
        (".l | map(select(. == \"e\u{301}\")) | length", "[1]"),
        (".\"\u{E9}\"", #"["nfc"]"#), (".\"e\u{301}\"", #"["nfd"]"#), ("has(\"e\u{301}\")", "[true]"), ("length", "[5]"),
        ("keys | length", "[5]"), (".o | has(\"e\u{301}\")", "[false]"),
    ])
    func `texts are the same when their bytes are, as in jq`(program: String, found: String) throws {
        let text = #"{"e":"\u00e9","d":"e\u0301","\u00e9":"nfc","e\u0301":"nfd","l":["\u00e9","e\u0301"]}"#
        let o = program.hasPrefix(".o") ? #"{"o":{"\u00e9":1}}"# : text
        let body = try #require(JSONParser.parse(o))
        #expect(PlainProgram(program)?.values(in: body).map { JSONValue.array($0).text(pretty: false) } == found)
        let answers = Answering().answers(to: [program], about: Data(o.utf8), limit: 1 << 20)
        #expect(try answers.first?.get() == Data((found.dropFirst().dropLast() + "\n").utf8))
    }

    @Test func `random programs find in random values what jq finds`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let answering = Answering()
        var count = 0
        // How many programs are plain, and find something, is by chance.
        for _ in 0..<1_000 where count < 150 {
            let body = Self.value(depth: 3, &random)
            let text = body.text(pretty: false)
            let programs = (0..<8).map { _ in Self.program(&random) }
            let answers = answering.answers(to: programs, about: Data(text.utf8), limit: 1 << 20)
            for (program, answer) in zip(programs, answers) {
                guard let values = PlainProgram(program)?.values(in: body) else { continue }
                count += 1
                guard case .success(let output) = answer else {
                    Issue.record("\(program) fails in \(text), seed \(seed)")
                    continue
                }
                let lines = values.map { $0.text(pretty: false) + "\n" }.joined()
                #expect(lines == String(decoding: output, as: UTF8.self), "\(program) in \(text), seed \(seed)")
            }
        }
        #expect(count >= 150)
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: return .null
        case 1: return .boolean(.random(using: &random))
        case 2, 3:
            return .number(
                ["0", "1", "2", "-3", "1.5", "0.25", "17"].randomElement(using: &random)!)
        case 4, 5: return .string(["", "a", "b", "é", "e\u{301}", "\u{1F600}", "1"].randomElement(using: &random)!)
        case 6, 7: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default:
            let names = ["a", "b", "c", "\u{E9}", "e\u{301}"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            return .object(names.map { .init(name: $0, value: value(depth: depth - 1, &random)) })
        }
    }

    private static func program(_ random: inout SeededGenerator) -> String {
        (0...Int.random(in: 0...2, using: &random)).map { _ in stage(2, &random) }.joined(separator: " | ")
    }

    private static func stage(_ depth: Int, _ random: inout SeededGenerator) -> String {
        let path = [".", ".a", ".b?", ".a.b", ".[0]", ".[]", ".[]?", ".a[-1]?", ".c"].randomElement(using: &random)!
        let literal = ["0", "1", "1.5", "-3", "\"a\"", "\"\"", "true", "false", "null"].randomElement(using: &random)!
        let sign = ["==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
        // When the condition of `any` has several true outputs, jq 1.6 answers `false`, which contradicts its manual.
        let one = path.hasPrefix(".[]") ? ".a" : path
        switch Int.random(in: 0..<18, using: &random) {
        case 16:
            return ["min", "max", "sort", "unique", "reverse", "ascii_downcase", "ascii_upcase", "tostring", "tonumber"]
                .randomElement(using: &random)!
        case 17:
            return [
                "join(\"a\")", "split(\"a\")", "contains(\"a\")", "sort_by(.a)", "min_by(.b)", "max_by(.a)", "[.[]?] | sort",
                "[.[]?] | unique", "[.[]?] | max", "[.[]?] | join(\"-\")", "[.[]?] | max_by(.a?)", "tostring", "[.[]? | tostring]",
            ].randomElement(using: &random)!
        case 0: return ["length", "keys", "type", "not", "first", "last", "add", "any", "all"].randomElement(using: &random)!
        case 12:
            let calculation = ["+", "-", "*", "/"].randomElement(using: &random)!
            return "\(path) \(calculation) \(Bool.random(using: &random) ? literal : "(\(stage(0, &random)))") \(sign) \(literal)"
        case 13: return "\(path) \(["+", "-", "*", "/"].randomElement(using: &random)!) \(literal)"
        case 14: return "\(path) \(["and", "or"].randomElement(using: &random)!) \(path) \(sign) \(literal)"
        case 15:
            return [
                "any(\(one))", "all(\(path) \(sign) \(literal))", "has(\"a\")", "startswith(\"a\")", "endswith(\"b\")",
                "\(literal) + \(path)", "[.[]?] | add", "map(\(path)) | add",
            ].randomElement(using: &random)!
        case 1, 2: return "\(path) \(sign) \(literal)"
        case 3: return "\(path) // \(literal)"
        case 4, 5: return depth > 0 ? "map(\(stage(depth - 1, &random)))" : path
        case 6, 7: return depth > 0 ? "select(\(stage(depth - 1, &random)))" : path
        case 8: return depth > 0 ? "[\(stage(depth - 1, &random))]" : path
        default: return path
        }
    }
}
