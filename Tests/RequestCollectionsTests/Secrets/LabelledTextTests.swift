import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct LabelledTextTests {
    static let token = SecretLabel("token", .given)
    static let pin = SecretLabel("pin", .given)

    private func shown(_ text: LabelledText) -> [String] {
        text.segments.map { $0.labels.isEmpty ? $0.text : "\($0.text)=\($0.labels.map(\.name).joined(separator: "+"))" }
    }

    @Test func `what is put together knows which part is which`() {
        var text = "Bearer " + LabelledText("äbc", labels: [Self.token])
        text += "-x"
        text += LabelledText("7", labels: [Self.pin, Self.token])
        #expect(text.text == "Bearer äbc-x7")
        #expect(shown(text) == ["Bearer ", "äbc=token", "-x", "7=pin+token"])
        #expect(text.labels == [Self.token, Self.pin])
        #expect(!text.isAllSecret)
        #expect(LabelledText("äbc", labels: [Self.token]).isAllSecret)
        #expect(shown(LabelledText("", labels: [Self.token])) == [])
    }

    @Test func `an encoding of each letter keeps the parts, any other takes all`() {
        let text = "a b" + LabelledText("c d", labels: [Self.token])
        #expect(shown(text.encoded(URLCoding.percentEncoded)) == ["a%20b", "c%20d=token"])
        #expect(shown(text.encoded { String($0.reversed()) }) == ["d cb a=token"])
        #expect(shown(text.derived { "<\($0)>" }) == ["<a bc d>=token"])
        // A percent sign and the two digits behind it are one.
        let split = "%" + LabelledText("41", labels: [Self.token])
        #expect(shown(split.encoded { URLCoding.encodedBetweenSeparators($0) }) == ["%41=token"])
    }

    @Test func `a part has the labels of its own bytes`() {
        let text = "  a" + LabelledText("bcd ", labels: [Self.token])
        #expect(shown(text.trimmed) == ["a", "bcd=token"])
        #expect(shown(text[4..<5]) == ["c=token"])
        #expect(shown(text[0..<3]) == ["  a"])
        #expect(shown([text.trimmed, LabelledText("x")].joined(separator: "&")) == ["a", "bcd=token", "&x"])
    }

    @Test func `JSON keeps the letters of a text apart, and takes anything else as a whole`() {
        let text = LabelledValue("a\"" + LabelledText("b\"", labels: [Self.token]))
        #expect(shown(text.json) == ["\"a\\\"", "b\\\"=token", "\""])
        #expect(shown(LabelledValue(.number("7"), labels: [Self.pin]).json) == ["7=pin"])
    }
}
