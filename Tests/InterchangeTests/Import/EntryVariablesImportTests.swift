import RequestCollections
import Testing

@testable import Interchange

/// Variables that a source has for a folder or a request alone.
@Suite struct EntryVariablesImportTests {
    @Test func `a folder's variables stay its own, with secrets by reference, and are asked for elsewhere`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"id","value":"1"}],
            "item":[
            {"name":"One","variable":[{"key":"id","value":"2"},{"key":"zone","value":"eu"},{"key":"api_token","value":"hunter2pw"}],
            "item":[{"name":"a","request":{"method":"GET","url":"http://h/{{id}}/{{zone}}/{{api_token}}"}}]},
            {"name":"Two","item":[{"name":"b","request":{"method":"GET","url":"http://h/{{id}}/{{zone}}"}}]}]}
            """#, path: "postman.json")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: P
                variables:
                  host: http://h
                  id: "1"
                  zone: '{{prompt("zone")}}'
                requests:
                  one:
                    name: One
                    variables:
                      id: "2"
                      zone: eu
                      api_token: { secret: { env: P_ONE_API_TOKEN } }
                    requests:
                      a:
                        get: "{{host}}/{{id}}/{{zone}}/{{api_token}}"
                  two:
                    name: Two
                    requests:
                      b:
                        get: "{{host}}/{{id}}/{{zone}}"

                """#, "\(imported.yaml)")
        #expect(imported.secrets == ["P_ONE_API_TOKEN: the variable api_token of One"])
    }

    @Test func `a folder of Insomnia's has its environment, over the base environment`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[
              {"_id":"wrk","_type":"workspace","parentId":null,"name":"Shop"},
              {"_id":"env_1","_type":"environment","parentId":"wrk","name":"Base","data":{"id":"1"}},
              {"_id":"fld_1","_type":"request_group","parentId":"wrk","name":"Folder","environment":{"id":"2","user":{"name":"ada"}}},
              {"_id":"req_1","_type":"request","parentId":"fld_1","name":"First","url":"http://h/{{ _.id }}/{{ _.user.name }}","method":"GET"}]}
            """#)
        #expect(imported.yaml.contains("  id: \"1\"\n"), "\(imported.yaml)")
        #expect(imported.yaml.contains("    variables: { id: \"2\", user.name: ada }\n    requests:\n"), "\(imported.yaml)")
        #expect(imported.notes == [])
    }

    @Test func `a variable that a Hurl file sets anew has that value from there on`() throws {
        let collection = try ImportKind.hurl.read(
            ImportSource(
                path: "a.hurl",
                text: """
                    GET http://h/{{n}}
                    [Options]
                    variable: n=1

                    GET http://h/{{n}}/b
                    [Options]
                    variable: n=2

                    GET http://h/{{n}}/c

                    GET http://h/{{n}}/d
                    [Options]
                    variable: n=1
                    """))
        #expect(collection.variables == [ImportedVariable("n", .json(.number("1")))])
        #expect(
            collection.nodes.requests.map { $0.variables.map(\.value) } == [
                [], [.json(.number("2"))], [.json(.number("2"))], [],
            ])
        #expect(collection.notes == [])
    }
}
