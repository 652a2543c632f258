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
}
