import HTTPTypes
import NetworkLayer
import Testing

/// TNL has a case-insensitive dictionary of its own; here the fields of HTTPTypes are that.
@Suite struct FieldDictionaryTests {
    let name = HTTPField.Name("X-Trace")!

    @Test func `T-DICT a field is found, replaced and removed in any case`() {
        var fields: HTTPFields = [name: "1"]
        #expect(fields[HTTPField.Name("x-TRACE")!] == "1")
        fields[HTTPField.Name("x-trace")!] = "2"
        #expect(fields.count == 1)
        #expect(fields[name] == "2")
        fields[HTTPField.Name("X-TRACE")!] = nil
        #expect(fields.isEmpty)
    }

    @Test func `T-DICT the spelling of a name is kept for sending`() {
        let fields: HTTPFields = [HTTPField.Name("x-tRaCe")!: "1"]
        #expect(fields.map(\.name.rawName) == ["x-tRaCe"])
        #expect(fields.map(\.name.canonicalName) == ["x-trace"])
    }

    @Test func `T-DICT fields are equal whatever the case of their names`() {
        let left: HTTPFields = [name: "1", .accept: "*/*"]
        let right: HTTPFields = [.accept: "*/*", HTTPField.Name("x-trace")!: "1"]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }
}
