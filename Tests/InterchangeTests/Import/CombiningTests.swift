import Testing

@testable import Interchange

@Suite struct CombiningTests {
    @Test func `of several files each is a folder, and variables of one name with other values get other names`() throws {
        let imported = try ImportedText([
            (
                "a.json",
                #"{"info":{"name":"A"},"variable":[{"key":"id","value":"1"},{"key":"same","value":"x"}],"item":[{"name":"r","request":{"url":"http://a/{{id}}/{{same}}"}}]}"#
            ),
            (
                "b.json",
                #"{"info":{"name":"B"},"variable":[{"key":"id","value":"2"},{"key":"same","value":"x"}],"auth":{"type":"bearer","bearer":{"token":"{{id}}"}},"item":[{"name":"r","request":{"url":"http://b/{{id}}"}}]}"#
            ),
        ])
        #expect(
            imported.yaml == """
                turnstone: 1
                name: Imported
                variables:
                  id: "1"
                  same: x
                  b_id: "2"
                requests:
                  a:
                    name: A
                    requests:
                      r:
                        get: http://a/{{id}}/{{same}}
                  b:
                    name: B
                    defaults: { auth: { bearer: "{{b_id}}" } }
                    requests:
                      r:
                        get: http://b/{{b_id}}

                """)
        #expect(imported.notes == [])
    }

    private static func environment(_ name: String, _ value: String) -> String {
        #"{"name":"\#(name)","values":[{"key":"a","value":"\#(value)","enabled":true}],"_postman_variable_scope":"environment"}"#
    }

    @Test func `environments whose names come to the same are still several`() throws {
        let collection = #"{"info":{"name":"A"},"item":[{"name":"r","request":{"url":"http://h/{{a}}"}}]}"#
        let imported = try ImportedText([
            ("a.json", collection), ("e1.json", Self.environment("A/B", "1")), ("e2.json", Self.environment("a b", "2")),
        ])
        #expect(imported.yaml.contains("a-b: { a: \"1\" }") && imported.yaml.contains("a-b-2: { a: \"2\" }"), "\(imported.yaml)")
        #expect(imported.notes == [])
        let twice = try ImportedText([
            ("a.json", collection), ("e1.json", Self.environment("A/B", "1")), ("e2.json", Self.environment("A/B", "2")),
        ])
        #expect(twice.yaml.contains("a-b: { a: \"2\" }"), "\(twice.yaml)")
        #expect(twice.notes == ["environment A/B: `a` has another value in a later file, which stands"])
    }
}
