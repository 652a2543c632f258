import RequestCollections
import Testing

@testable import Interchange

@Suite struct HARImportTests {
    private static let recording = #"""
        {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[
          {"comment":"The first.","request":{"method":"GET","url":"https://shop.example.com/a?x=1&y=%7B%7D#top","headers":[
            {"name":":authority","value":"shop.example.com"},{"name":"User-Agent","value":"Mozilla"},{"name":"sec-ch-ua","value":"x"},
            {"name":"Cookie","value":"sid=1"},{"name":"Accept","value":"*/*"},{"name":"Authorization","value":"Bearer abc"}]}},
          {"request":{"method":"GET","url":"https://shop.example.com/a","headers":[{"name":"Accept","value":"*/*"}]}},
          {"request":{"method":"POST","url":"https://shop.example.com/b","headers":[{"name":"accept","value":"*/*"}],
            "postData":{"mimeType":"application/json;charset=UTF-8","text":"{\"a\":\"{{b}}\"}"}}},
          {"request":{"method":"POST","url":"https://shop.example.com/c","headers":[{"name":"accept","value":"*/*"}],
            "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a%20b","value":"1+2"}]}}},
          {"request":{"method":"PUT","url":"https://shop.example.com/d","headers":[{"name":"accept","value":"*/*"}],
            "postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"f","fileName":"a.png","contentType":"image/png"},{"name":"g","value":"1"}]}}},
          {"request":{"method":"GET","url":"wss://shop.example.com/ws"}},
          {"_kind":"redirect","request":{"method":"GET","url":"https://shop.example.com/hop"}}
        ]}}
        """#

    @Test func `a recording becomes YAML that could be written by hand`() throws {
        let imported = try ImportedText(Self.recording, path: "shop.example.com.har")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: shop
                variables:
                  host: https://shop.example.com
                  token: { secret: { env: SHOP_TOKEN } }
                defaults: { headers: { Accept: "*/*" } }
                requests:
                  get-a:
                    name: GET /a
                    description: The first.
                    get: "{{host}}/a"
                    query: { x: 1, y: "{}" }
                    auth: { bearer: "{{token}}" }
                  get-a-2:
                    name: GET /a
                    get: "{{host}}/a"
                  post-b:
                    name: POST /b
                    post: "{{host}}/b"
                    headers: { content-type: application/json;charset=UTF-8 }
                    body: { text: '{"a":"{{"{{"}}b}}"}' }
                  post-c:
                    name: POST /c
                    post: "{{host}}/c"
                    body: { form: { a b: 1 2 } }
                  put-d:
                    name: PUT /d
                    put: "{{host}}/d"
                    body: { multipart: { f: { file: a.png, type: image/png }, g: 1 } }

                """#)
        #expect(
            imported.notes == [
                "headers that the browser adds by itself aren't kept: sec-ch-ua, user-agent",
                "cookies of 1 request aren't kept; `cookie-jar` keeps those of a session",
                "1 redirect or retry, which a request makes by itself", "1 entry that is no request over HTTP",
            ])
        #expect(
            try imported.command("post-b") == """
                curl https://shop.example.com/b \\
                  --header 'Accept: */*' \\
                  --header 'content-type: application/json;charset=UTF-8' \\
                  --data-raw '{"a":"{{b}}"}'
                """)
    }

    /// As Chromium writes them: a text in place of parameters.
    @Test func `the parts that a recording has as a text are parts`() throws {
        func imported(_ text: String) throws -> ImportedText {
            let data = #"{"mimeType":"multipart/form-data; boundary=-x-","text":"\#(text)"}"#
            return try ImportedText(
                #"{"log":{"version":"1.2","entries":[{"request":{"method":"POST","url":"http://h/a","headers":["#
                    + #"{"name":"content-type","value":"multipart/form-data; boundary=-x-"}],"postData":\#(data)}}]}}"#,
                path: "a.har")
        }
        let disposition = #"Content-Disposition: form-data; name=\""#
        let whole = try imported(
            #"---x-\r\n\#(disposition)a%22\"\r\n\r\nb\r\n--\r\n\r\n---x-\r\n\#(disposition)f\"; filename=\"ü.txt\"\r\nX-Q: 1\r\n"#
                + #"Content-Type: text/x\r\n\r\n\r\n---x-\r\n\#(disposition)g\"; filename=\"g\"\r\n\r\n{{c}}\r\n---x---\r\n"#)
        #expect(
            whole.collection.requests.first?.body
                == .multipart([
                    .init(name: "a\"", content: .text("b\r\n--\r\n")),
                    .init(name: "f", content: .file("ü.txt"), fileName: "ü.txt", contentType: "text/x"),
                    .init(name: "g", content: .text("{{\"{{\"}}c}}"), fileName: "g"),
                ]), "\(whole.yaml)")
        #expect(whole.collection.requests.first?.headers == [])
        #expect(whole.notes == ["- POST /a: the field `X-Q: 1` of the part `f`"])
        for text in ["", "---y-", #"---x-\r\nno head"#, #"---x-\r\nA: b\r\n\r\nc\r\n---x---"#] {
            #expect(try imported(text).notes == ["- POST /a: the parts of the body: the recording hasn't got them"], "\(text)")
        }
    }

    @Test func `what is no recording is refused`() {
        do {
            _ = try ImportedText(#"{"log":{"entries":[]}}"#, path: "a.har")
            Issue.record("it was imported")
        } catch {
            #expect("\(error)" == "a.har:1:1: has no request in it")
        }
    }

    private static let page = #"""
        {"log":{"entries":[
          {"request":{"method":"GET","url":"https://a.example/"},"_resourceType":"document"},
          {"request":{"method":"GET","url":"https://a.example/x.js"},"_resourceType":"script"},
          {"request":{"method":"GET","url":"https://cdn.example/x.png"},"response":{"content":{"mimeType":"image/png"}}},
          {"request":{"method":"POST","url":"https://api.example/log.js"},"response":{"content":{"mimeType":"text/javascript"}}},
          {"request":{"method":"GET","url":"https://api.example/d"},"response":{"content":{"mimeType":"application/json"}}}]}}
        """#

    @Test func `hosts are folders, and what decorates a page is left out`() throws {
        let imported = try ImportedText(Self.page, path: "p.har")
        #expect(
            imported.collection.requests.map(\.id.rawValue) == [
                "a-example/get-a-example", "api-example/post-log-js", "api-example/get-d",
            ])
        #expect(imported.notes == ["2 static files, such as images and scripts, aren't kept; --static keeps them"])
        let all = try ImportKind.har.read(ImportSource(path: "p.har", text: Self.page), keepsStatic: true)
        #expect(all.nodes.requests.count == 5)
    }

    @Test func `a recording of static files only has them all`() throws {
        let imported = try ImportedText(
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://a.example/x.js"},"_resourceType":"script"}]}}"#,
            path: "p.har")
        #expect(imported.collection.requests.map(\.url) == ["https://a.example/x.js"])
        #expect(imported.notes == [])
    }
}
