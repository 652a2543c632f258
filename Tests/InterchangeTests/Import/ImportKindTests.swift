import RequestCollections
import Testing

@testable import Interchange

@Suite struct ImportKindTests {
    @Test(
        arguments: [
            (#"{"info":{},"item":[]}"#, "x", .postman), (#"{"name":"e","values":[]}"#, "x", .postman),
            ("openapi: 3.0.0", "x", .openapi), ("### a comment\nswagger: '2.0'", "x.yaml", .openapi),
            (#"{"openapi":"3.1.0"}"#, "x", .openapi),
            (#"{"_type":"export","resources":[]}"#, "x", .insomnia), ("type: collection.insomnia.rest/5.0", "x", .insomnia),
            (#"{"log":{"entries":[]}}"#, "x", .har), ("### a", "x", .http), ("GET https://h/ HTTP/1.1", "x", .http),
            ("@a = b\nPOST {{a}}/x", "x", .http), ("anything", "x.rest", .http),
            ("anything", "x.bru", .bruno), (#"{"dev":{"a":"b"}}"#, "x", .http),
            (#"{"meta":{"format":"httpie"},"entry":{"requests":[]}}"#, "x", .httpie),
            (#"{"client":"Thunder Client","collectionName":"a","requests":[]}"#, "x", .thunder),
            (#"{"clientName":"Thunder Client","data":[]}"#, "x.json", .thunder),
            (#"[{"_id":"1","colId":"2","name":"a","url":"http://h/","method":"GET"}]"#, "x.json", .thunder),
            ("curl http://h/", "x", .curl), ("# c\n\n$ curl http://h/", "x", .curl), ("cd x\ncurl http://h/", "x", .curl),
            ("/usr/bin/curl http://h/", "x", .curl),
        ] as [(String, String, ImportKind)]) func `the contents say what a source is`(text: String, path: String, kind: ImportKind)
        throws
    {
        let found = try ImportKind.detect(ImportSource(path: path, text: text))
        #expect(found == kind)
    }

    @Test(arguments: ["a: b", "[]", "{}", "hello", #"{"a":1}"#, "description: |\n  curl http://h/\n"])
    func `nothing is taken for what it isn't`(text: String) {
        do {
            let kind = try ImportKind.detect(ImportSource(path: "x", text: text))
            Issue.record("it was taken for \(kind)")
        } catch {
            #expect(
                error.description
                    == "x:1:1: is of no kind that can be imported. There are postman, openapi, insomnia, http, hurl, bruno, httpie, thunder, har, curl; --from says which one it is"
            )
        }
    }

    @Test func `a method that can't be one keeps no other request from being imported`() throws {
        let imported = try ImportedText("curl -X 'PO ST' http://h/a\ncurl http://h/b", path: "-", as: .curl)
        #expect(imported.collection.requests.map(\.method) == ["GET", "GET"])
        #expect(imported.notes.contains { $0.hasSuffix("`PO ST` can't be a method; it became GET") })
    }

    /// Whatever an importer is given, it ends with a collection that can be read, or with an error.
    @Test(arguments: ImportKind.allCases) func `no source breaks an importer`(kind: ImportKind) throws {
        let seeds: [String] = [
            "", "null", "{}", "[]", "{{", "{{}}", "{{{{}}}}", "\u{F8FD}", "[[[[", String(repeating: "{\"item\":[", count: 300),
            #"{"info":1,"item":[{"item":[{"request":1}]},{"request":{"url":{"raw":{},"query":[{}],"path":7},"body":{"mode":"raw","raw":"{{"},"header":"a"}}]}"#,
            #"{"info":{"name":""},"item":[{"name":"null","request":"{{"},{"name":"a/b","request":"/:"},{"name":"a\nb: c","request":{"url":"http://h/{{{}}}","header":[{"key":"a\nb","value":"c\r\nd"}]}}]}"#,
            #"{"openapi":"3.0.0","paths":{"/{a":{"get":{}},"/{}":{"get":{"parameters":[{"in":"path","name":"{{"}]}},"/:x/{y}z":{"post":{"requestBody":{"content":{"a":{},"application/json":{"example":{"{{":"}}"}}}}}}}}"#,
            #"{"_type":"export","resources":[{"_type":"request","parentId":"x","url":"{% response %}","name":"{{ _.a }}","body":{"text":"{{ _ }}"}},{"_id":"a","parentId":"a","_type":"request_group"}]}"#,
            #"{"log":{"entries":[{"request":{"url":"http://h/?{{=%zz&&=","headers":[{"name":"a b"}],"postData":{"text":"{{","mimeType":";"}}}]}}"#,
            "### {{\n@a=\n@=b\nGET\n\n###\nPOST http://h/{{$x}}\n: x\na: {{b\n\n< \n< a\n--\n",
            "curl http://h/{{ -H ': ' -d '@' -F '=;' -u : -b = --data-urlencode @ -X '\u{7}'",
            "curl 'http://h/\n' -H $'a\\0: b\\n'",
        ]
        for seed in seeds {
            do {
                _ = try ImportedText(seed, path: "x", as: kind)
            } catch {
                #expect(error is CollectionProblem, "\(seed)")
            }
        }
    }
}
