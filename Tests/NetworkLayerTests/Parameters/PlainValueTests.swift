import FoundationEssentials
import Testing

@testable import NetworkLayer

@Suite struct PlainValueTests {
    let value: PlainValue = ["a": [1, 2.5, true, nil, "t"], "b": ["c": "d"]]

    @Test func `literals say what they are`() {
        #expect(
            value
                == .object([
                    "a": .list([.integer(1), .number(2.5), .boolean(true), .null, .text("t")]), "b": .object(["c": .text("d")]),
                ]))
        #expect(value["a"]?[1] == 2.5)
        #expect(value["b"]?["c"] == "d")
        #expect(value["x"] == nil)
        #expect(value["a"]?[9] == nil)
    }

    @Test func `it is JSON, there and back`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":[1,2.5,true,null,"t"],"b":{"c":"d"}}"#)
        #expect(try JSONDecoder().decode(PlainValue.self, from: data) == value)
    }
}
