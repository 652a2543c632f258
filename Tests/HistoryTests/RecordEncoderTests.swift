import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import History

@Suite struct RecordEncoderTests {
    private struct Everything: Codable, Equatable {
        enum Choice: Codable, Equatable { case plain, named(left: Int, right: String), placed([Choice]) }

        var text = "a\"b\\c/d\n\r\t\u{1}\u{1F}\u{7F} é\u{1F600}"
        var empty = ""
        var number = -7
        var large = UInt64.max
        var fraction = 817_097_631.934_933_1
        var flag = true
        var date = Date(timeIntervalSinceReferenceDate: 1.5)
        var url = URL(string: "http://h/a?b=c")!
        var data = Data([0, 255, 10])
        var missing: Int?
        var list: [Int?] = [1, nil, 3]
        var nested: [[String]] = [[], ["x"], []]
        var byName: [String: [Int]] = ["a": [1], "b": []]
        var byNumber: [Int: String] = [1: "x"]
        var choices: [Choice] = [.plain, .named(left: 1, right: "r"), .placed([.plain, .placed([])])]
        var duration = Duration.milliseconds(-1500)
        var none = Nothing()
    }

    private struct Nothing: Codable, Equatable {}

    private class Base: Codable {
        var base = [1]
    }

    private final class Derived: Base {
        var own = "x"

        override func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try super.encode(to: values.superEncoder())
            try values.encode(own, forKey: .own)
        }

        private enum Key: CodingKey { case own }
    }

    private func object(_ text: String) throws -> NSObject {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject)
    }

    private func expectSame(_ value: some Encodable) throws {
        let foundation = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let own = try RecordEncoder.text(value, Redactor())
        #expect(try object(own) == object(foundation), "\(own)\n\(foundation)")
    }

    @Test func `it writes what Foundation's encoder writes`() throws {
        try expectSame(Everything())
        try expectSame(Derived())
        try expectSame([Nothing()])
        try expectSame(Nothing())
        try expectSame("x")
        for script in [EventScript.success(), .tlsFailure(), .cancelled()] { try expectSame(script.metrics) }
        let text = try RecordEncoder.text(Everything(), Redactor())
        #expect(try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) == Everything())
    }

    @Test func `a number that JSON has no word for is an error`() {
        #expect(throws: EncodingError.self) { try RecordEncoder.text([Double.nan], Redactor()) }
    }

    @Test func `each text and all bytes lose their secrets, and no name and no number does`() throws {
        struct Value: Codable, Equatable {
            var secret11 = "is secret11, and \"secret11\""
            var number = 1
            var bytes = Data("a secret11 b".utf8)
        }
        let text = try RecordEncoder.text(Value(), Redactor(["secret11"]))
        let read = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        #expect(read == Value(secret11: "is ******, and \"******\"", bytes: Data("a \(Redactor.mask) b".utf8)))
    }
}
