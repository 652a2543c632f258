import RequestCollections
import Testing

@testable import Interchange

/// A password that stands in a source is in no import of it, nor in what is said of it: the shell gives it, or nobody.
@Suite struct PlantedPasswordTests {
    private static let sources: [(path: String, text: String)] = [
        (
            "a.har",
            #"""
            {"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"http://bob:hunter2pw@one.example/","headers":[]}},
            {"request":{"method":"GET","url":"http://bob:hunter2pw@two.example","headers":[]}}]}}
            """#
        ),
        (
            "openapi.json",
            #"""
            {"openapi":"3.0.0","info":{"title":"A","version":"1"},"servers":[{"url":"http://bob:hunter2pw@h.example/x"},
            {"url":"http://bob:hunter2pw@i.example/x"}],"paths":{"/a":{"get":{"responses":{}}}}}
            """#
        ),
        (
            "postman.json",
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"base","value":"https://bob:hunter2pw@h.example"}],
            "item":[{"request":{"method":"GET","url":"http://bob:hunter2pw@h.example/y"},"event":[{"listen":"test","script":{"exec":["nonsense("]}}]},
            {"name":"saved","request":{"method":"GET","url":"http://bob:hunter2pw@{{sub}}.example/y"},
            "response":[{"name":"ok","code":200,"body":"{\"access_token\": \"hunter2pw\"}"}]}]}
            """#
        ),
        (
            "insomnia.json",
            #"""
            {"_type":"export","__export_format":4,"resources":[{"_id":"wrk_1","_type":"workspace","name":"W"},
            {"_id":"req_1","_type":"request","parentId":"wrk_1","method":"GET","url":"http://bob:hunter2pw@h.example/y"}]}
            """#
        ),
        (
            "templates.json",
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"base","value":"https://{{u}}:hunter2pw@h.example"},{"key":"bare","value":"//bob:hunter2pw@h.example"}],
            "item":[{"name":"a","request":{"method":"GET","url":"https://{{user}}:hunter2pw@h.example/y"}},
            {"name":"b","request":{"method":"GET","url":"https://hunter2pw@h.example/y"}}]}
            """#
        ),
        ("a.http", "GET http://bob:hunter2pw@h.example/y\n"),
        ("curl.sh", "curl -x http://u:hunter2pw@p.example:1 http://bob:hunter2pw@h.example/\n"),
    ]

    @Test(arguments: sources)
    func `a password in a URL comes along as a variable`(path: String, text: String) throws {
        let imported = try ImportedText(text, path: path)
        #expect(!imported.yaml.contains("hunter2pw"), "\(imported.yaml)")
        #expect(imported.yaml.contains("secret: { env:") || imported.yaml.contains("not-copied"), "\(imported.yaml)")
        #expect(!imported.notes.contains { $0.contains("hunter2pw") })
    }

    @Test func `who it is for, and to which host, stays`() throws {
        let imported = try ImportedText("curl -x http://u:hunter2pw@p.example:1 http://h.example/\n", path: "curl.sh")
        #expect(imported.yaml.contains("proxy: http://{{proxy_credentials}}@p.example:1\n"))
    }

    @Test(arguments: [
        ("http://a:b@h/c", "http://h/c"), ("http://a@h", "http://h"), ("GET http://a:b@c@h/?x=@", "GET http://h/?x=@"),
        ("http://h/a@b", "http://h/a@b"), ("http://h?a@b", "http://h?a@b"), ("mail a@b", "mail a@b"), ("http://", "http://"),
        ("see http://h then a@b", "see http://h then a@b"),
    ])
    func `a URL without its userinfo`(text: String, rest: String) {
        #expect(URLUserinfo.removed(from: text) == rest)
    }
}
