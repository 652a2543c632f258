import Foundation
import NetworkLayerTesting
import Testing

@testable import RequestCollections

@Suite struct JSONFilterTests {
    private static let shop = """
        {"token":"t-1","items":[{"id":1,"name":"tea"},{"id":2.50,"name":"caf\\u00e9"}],"a b":{"c":null},"n":12345678901234567890}
        """

    private func found(_ filter: String, in body: String) throws -> [String] {
        var texts: [String] = []
        try JSONFilter(filter).find(in: Data(body.utf8)) { texts.append(String(decoding: $0, as: UTF8.self)) }
        return texts
    }

    private func failure(_ filter: String, in body: String) -> String? {
        do throws(JSONFilterError) {
            try JSONFilter(filter).find(in: Data(body.utf8)) { _ in }
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        arguments: [
            (".", [shop]),
            (".token", ["\"t-1\""]),
            (" .items[0] .name ", ["\"tea\""]),
            (".items[-1].id", ["2.50"]),
            (".items[].id", ["1", "2.50"]),
            (".items | .[1] | .[\"name\"]", ["\"caf\\u00e9\""]),
            (".\"a b\".c", ["null"]),
            (".[\"a b\"].c.d[3]", ["null"]),
            (".items[1:]", ["[{\"id\":2.50,\"name\":\"caf\\u00e9\"}]"]),
            (".items[1].name[2:]", ["\"fé\""]),
            (".items[7]", ["null"]),
            (".n", ["12345678901234567890"]),
            (".token[]?", []),
            (".items[].id.x?", []),
            ("..|.id?", ["null", "1", "2.50", "null", "null"]),
        ])
    func `a path finds values as they stand in the body`(filter: String, expected: [String]) throws {
        let texts = try found(filter, in: Self.shop)
        #expect(texts == expected)
    }

    @Test func `values are read with their order and digits`() throws {
        let values = try JSONFilter(".[]").values(in: Data(#"[{"b":1.0,"a":"ä"},true]"#.utf8))
        #expect(
            values == [
                .object([.init(name: "b", value: .number("1.0")), .init(name: "a", value: .string("ä"))]), .boolean(true),
            ])
    }

    @Test func `of members with one name the last one counts`() throws {
        let texts = try found(".a", in: #"{"a":1,"\u0061":2,"b":3}"#)
        #expect(texts == ["2"])
    }

    @Test func `a body of several values is filtered value by value`() throws {
        let texts = try found(".a", in: "{\"a\":1}\n{\"a\":2}\n{}\n")
        #expect(texts == ["1", "2", "null"])
    }

    @Test(
        arguments: [
            ".a, .b", ".items | length", "map(.x)", "{a: .b}", ".a // 1", ".a?//.b", ".a == 1", "length", "", ".a.", ".[", ".[a]",
            ". name",
            ".a b", ". .a | ", ".\"\\(.x)\"", ".[1.5]", "$x", ".a|", "...",
        ])
    func `what is more than a path is asked elsewhere`(filter: String) {
        #expect(JSONFilter(filter).needsProcess)
        #expect(failure(filter, in: "{}") == "`\(filter)` is more than a path: it is asked elsewhere")
    }

    @Test(
        arguments: [
            (".token.x", "`.token` is a string, which has no member `x`"),
            (".items.id", "`.items` is an array, which has no member `id`; `.[]` goes through its items"),
            (".[0]", "`.` is an object, which has no numbered items"),
            (".n[1:]", "`.n` is a number, which can't be sliced"),
            (".[\"a b\"].c[]", "`.[\"a b\"].c` is null, which has nothing to go through"),
        ])
    func `a step that doesn't fit says where it stood and what it met`(filter: String, message: String) {
        #expect(failure(filter, in: Self.shop) == message)
    }

    @Test(
        arguments: [
            ("", "the body is empty"),
            ("[1,]", "the body isn't JSON: `]` is not expected at byte 3"),
            ("{\"a\":1", "the body isn't JSON: it ends too early, at byte 6"),
            ("{\"a\":tru}", "the body isn't JSON: `}` is not expected at byte 8"),
            ("<html>", "the body isn't JSON: `<` is not expected at byte 0"),
            ("{\"b\":\"\\x\"}", "the body isn't JSON: `\\` is not expected at byte 6"),
            ("1.e", "the body isn't JSON: `e` is not expected at byte 2"),
        ])
    func `a body that isn't JSON is refused, also outside of the path`(body: String, message: String) {
        #expect(failure(".a?", in: body) == message)
    }

    @Test func `depth costs no stack`() throws {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let texts = try found(".[0][0] | .[]", in: deep)
        #expect(texts.map(\.count) == [19_994])
        #expect(failure(".", in: "[[" + deep + "]]") == "the body is nested deeper than 10000 levels")
        #expect(failure("..", in: deep) == "the body is nested deeper than the 512 levels that `..` goes down")
    }

    @Test func `random paths find in random values what jq finds`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let body = Self.randomValue(depth: 4, &random).text(pretty: false)
            let filter = Self.randomPath(&random)
            var ours: [String] = []
            let error = Self.error { () throws(JSONFilterError) in
                try JSONFilter(filter).find(in: Data(body.utf8)) { ours.append(String(decoding: $0, as: UTF8.self)) }
            }
            let jq = try JQ.run(filter, body)
            #expect(ours == jq.lines, "seed \(seed): \(filter) in \(body)")
            #expect((error != nil) == jq.failed, "seed \(seed): \(filter) in \(body)")
        }
    }

    private static func error(_ body: () throws(JSONFilterError) -> Void) -> JSONFilterError? {
        do throws(JSONFilterError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func randomValue(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: return .null
        case 1: return .boolean(.random(using: &random))
        case 2: return .number(String(Int.random(in: -9...99, using: &random)))
        case 3, 4: return .string(["", "a", "éa b", "\"\\\n"].randomElement(using: &random)!)
        case 5, 6:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in randomValue(depth: depth - 1, &random) })
        default:
            let names = ["a", "b", "c d"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            return .object(names.map { .init(name: $0, value: randomValue(depth: depth - 1, &random)) })
        }
    }

    private static func randomPath(_ random: inout SeededGenerator) -> String {
        let steps = ["a", "b", "\"c d\"", "[\"a\"]", "[]", "[0]", "[-1]", "[1:]", "[:-1]", "[0:2]"]
        var path = Int.random(in: 0..<6, using: &random) == 0 ? ".. | " : ""
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let step = steps.randomElement(using: &random)!
            path += number == 0 || !step.hasPrefix("[") ? "." + step : step
            if Int.random(in: 0..<3, using: &random) > 0 { path += "?" }
        }
        return path
    }
}

extension JSONFilterTests {
}

/// The jq of this machine.
private enum JQ {
    static func run(_ filter: String, _ body: String) throws -> (lines: [String], failed: Bool) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["jq", "-c", filter]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        input.fileHandleForWriting.write(Data(body.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text.split(separator: "\n").map(String.init), process.terminationStatus != 0)
    }
}
