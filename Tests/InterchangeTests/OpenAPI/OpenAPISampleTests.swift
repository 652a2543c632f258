import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// Values that are made up by a schema are values that it allows, or it is said.
@Suite struct OpenAPISampleTests {
    private static func imported(_ schema: String, version: String = "3.0.3", _ more: String = "") throws -> ImportedText {
        try ImportedText(
            #"""
            {"openapi":"\#(version)","info":{"title":"S"},"servers":[{"url":"http://h"}],"paths":{"/a":{"post":{
            "requestBody":{"content":{"application/json":{"schema":\#(schema)}}},"responses":{"200":{"description":"ok"}}}}}\#(more)}
            """#)
    }

    @Test(arguments: [
        (#"{"type":"integer","minimum":5,"exclusiveMinimum":true}"#, "3.0.3", "6"),
        (#"{"type":"integer","exclusiveMinimum":5}"#, "3.1.0", "6"),
        (#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#, "3.1.0", "0.5"),
        (#"{"type":"integer","exclusiveMaximum":-2}"#, "3.1.0", "-3"),
        (#"{"type":"integer","minimum":1,"multipleOf":7}"#, "3.0.3", "7"),
        (#"{"type":"string","minLength":12}"#, "3.0.3", #""stringstring""#),
        (#"{"type":"string","maxLength":3}"#, "3.0.3", #""str""#),
        (#"{"type":"string","pattern":"^[A-Z]{3}$"}"#, "3.0.3", #""AAA""#),
        (#"{"type":"string","pattern":"^\\d+-\\w*$","minLength":6}"#, "3.0.3", #""111111-""#),
        (#"{"type":"array","minItems":3,"items":{"type":"integer"}}"#, "3.0.3", "[0,0,0]"),
        (#"{"type":"array","minItems":2,"uniqueItems":true,"items":{"type":"string"}}"#, "3.0.3", #"["string","string2"]"#),
        (#"{"type":"array","maxItems":0,"items":{"type":"string"}}"#, "3.0.3", "[]"),
    ])
    func `bounds are kept`(schema: String, version: String, value: String) throws {
        let imported = try Self.imported(#"{"type":"object","properties":{"v":\#(schema)}}"#, version: version)
        guard case .json(let text)? = imported.collection.requests[0].body else {
            Issue.record("no JSON: \(imported.yaml)")
            return
        }
        #expect(JSONParser.parse(text)?["v"]?.text(pretty: false) == value)
        #expect(imported.notes == [])
    }

    @Test func `what can't be made is named`() throws {
        let imported = try Self.imported(#"{"type":"object","properties":{"v":{"type":"string","pattern":"^(a|b)c$"}}}"#)
        #expect(imported.notes == ["POST /a: the body is made up, and `.v` breaks `pattern` of its schema"])
    }

    @Test func `a discriminator has the name of the option`() throws {
        let components = #"""
            ,"components":{"schemas":{"Cat":{"type":"object","properties":{"kind":{"type":"string"}}},"Dog":{"type":"object"}}}
            """#
        let choice =
            ##"{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],"discriminator":{"propertyName":"kind""##
        let mapped = try Self.imported(choice + ##","mapping":{"feline":"#/components/schemas/Cat"}}}"##, components)
        #expect(mapped.yaml.contains("kind: feline"))
        #expect(try Self.imported(choice + "}}", components).yaml.contains("kind: Cat"))
    }

    @Test func `an object is a query of its members, and files are files`() throws {
        let page =
            #"{"name":"page","in":"query","required":true,"schema":{"type":"object","properties":{"size":{"type":"integer","example":4}}}}"#
        let deep = page.replacing(scalars: "\"page\"", with: "\"w\"").replacing(
            scalars: "\"required\"", with: "\"style\":\"deepObject\",\"required\"")
        let imported = try ImportedText(
            #"""
            {"openapi":"3.2.0","info":{"title":"S"},"servers":[{"url":"http://h","name":"prod"},{"url":"http://i","name":"dev"}],
            "tags":[{"name":"orders"},{"name":"refunds","parent":"orders"}],
            "paths":{"/a":{"put":{"tags":["refunds"],"parameters":[\#(page),\#(deep),
              {"name":"t","in":"query","required":true,"examples":{"e":{"serializedValue":"t=x%20y"}}},
              {"name":"q","in":"querystring","content":{"application/x-www-form-urlencoded":{"examples":{"e":{"dataValue":{"f":"a b","g":["x","y"]}}}}}}],
            "requestBody":{"content":{"image/png":{}}},"responses":{"200":{"description":"ok","content":{"application/json":{"examples":{"e":{"dataValue":{"got":1}}}}}}}}},
            "/b":{"get":{"tags":["orders"],"responses":{}}}}}
            """#)
        let request = try #require(imported.collection.requests.first { $0.method == "PUT" })
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["size=4", "w[size]=4", "t=x y", "f=a b", "g=x", "g=y"])
        #expect(request.body == .file("{{file}}"))
        #expect(request.mock?.body == .json("{\n  \"got\": 1\n}"))
        #expect(request.id.rawValue.hasPrefix("orders/refunds/"))
        #expect(imported.collection.environmentNames == ["prod", "dev"])
    }
}
