import Testing

@testable import NetworkLayer

@Suite struct PlainValueTests {
    @Test func `literals say what they are, and become JSON`() {
        let value: PlainValue = ["a": [1, 2.5, true, nil, "q\"\\\n\u{1}"], "b": ["c": "d"]]
        #expect(
            value
                == .object([
                    "a": .list([.integer(1), .number(2.5), .boolean(true), .null, .text("q\"\\\n\u{1}")]),
                    "b": .object(["c": .text("d")]),
                ]))
        #expect(value.json == #"{"a":[1,2.5,true,null,"q\"\\\n\u0001"],"b":{"c":"d"}}"#)
        #expect(PlainValue.list([.number(.infinity)]).json == nil)
    }
}
