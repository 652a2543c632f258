import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CommandLineInterface

/// A method before the URL, and what stands behind it, as HTTPie takes them.
@Suite struct RequestItemTests {
    private func plan(_ words: [String], input: String = "") throws -> SendPlan {
        try SendPlan(
            try #require(try SendOptionParser.transfers(words, input: input).first), reading: GivenInput(bytes: Data(input.utf8)))
    }

    private func body(_ words: [String]) throws -> String {
        guard case .data(let data) = try plan(["h"] + words).request.body else { return "no data" }
        return String(decoding: data, as: UTF8.self)
    }

    private func complaint(_ words: [String]) -> String? {
        #expect(throws: CommandFailure.self) { try plan(words) }?.message
    }

    @Test func `fields, parameters and members of a JSON body stand behind the URL`() throws {
        let request = try plan([
            "POST", "api.example.com/orders?a=1", "sku=A7", "-s", "qty:=2", "X-Trace:1", "q==x y&z", "Accept:", "X-Empty;",
        ]).request
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "http://api.example.com/orders?a=1&q=x%20y%26z")
        #expect(request.body == .data(Data(#"{"sku":"A7","qty":2}"#.utf8)))
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[HTTPField.Name("X-Trace")!] == "1" && request.headers[HTTPField.Name("X-Empty")!] == "")
        #expect(request.headers[.accept] == nil)
        #expect(try plan(["h", "a=1"]).request.headers[.accept] == "application/json, */*;q=0.5")
    }

    @Test(arguments: [
        (["h", "a=1"], HTTPRequest.Method.post), (["h", "q==1"], .get), (["put", "h"], .put), (["h", "f@/dev/null"], .post),
        (["PURGE", "h", "X-A:1"], HTTPRequest.Method("PURGE")!), (["-XPATCH", "h", "a=1"], .patch), (["DELETE", "h"], .delete),
    ])
    func `the method is said, or follows from the body`(words: [String], method: HTTPRequest.Method) throws {
        #expect(try plan(words).request.method == method)
    }

    @Test(arguments: [
        (["a=1", "b:=[1, {\"c\": null}]", "d="], #"{"a":"1","b":[1,{"c":null}],"d":""}"#),
        (["a=1", "a=2"], #"{"a":"2"}"#), (["a=b=c", "d=e:f", "g=h@i"], #"{"a":"b=c","d":"e:f","g":"h@i"}"#),
        (["search[type]=id", "search[id]:=1"], #"{"search":{"type":"id","id":1}}"#),
        (["a[]=1", "a[]:=2", "a[4]=x"], #"{"a":["1",2,null,null,"x"]}"#), (["[]:=1", "[]=b"], #"[1,"b"]"#),
        (["a[b][0][c]=1", "a[b][0][d]=2", "a[b][]=3"], #"{"a":{"b":[{"c":"1","d":"2"},"3"]}}"#),
        ([#"a\=b=c"#, #"d\:e=f"#, #"g\[h\]=i"#, #"j[\1]=k"#], #"{"a=b":"c","d:e":"f","g[h]":"i","j":{"1":"k"}}"#),
        (["first name=ada", "\u{E4}=\u{F6}"], "{\"first name\":\"ada\",\"\u{E4}\":\"\u{F6}\"}"),
    ])
    func `members are texts or JSON, in maps and lists`(words: [String], json: String) throws {
        #expect(try body(words) == json)
    }

    @Test func `what is in a file is taken with an at sign`() throws {
        let directory = try TemporaryDirectory()
        let note = try directory.write("note.txt", "two\nlines\n")
        let json = try directory.write("a.json", "{\"a\": [1]}\n")
        #expect(try body(["note=@\(note)", "data:=@\(json)"]) == #"{"note":"two\nlines\n","data":{"a":[1]}}"#)
        let request = try plan(["h", "q==@\(note)", "X-A:@\(try directory.write("x", "y\n"))"]).request
        #expect(request.url.query() == "q=two%0Alines" && request.headers[HTTPField.Name("X-A")!] == "y")
        #expect(try plan(["h", "a=@-"], input: "in").request.body == .data(Data(#"{"a":"in"}"#.utf8)))
        let form = try plan(["h", "photo@\(note);type=text/x", "title=a;b"]).request
        #expect(form.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(complaint(["h", "a=@/nowhere/at/all"]) == "Can't read /nowhere/at/all. Does it exist, and may you read it?")
    }

    @Test(arguments: [
        (["h", "http://i/?a=b"], ["h", "http://i/?a=b"]), (["h", "i/?a=b"], ["h", "i/?a=b"]),
        (["h", "i.example"], ["h", "i.example"]),
        (["h", "i.example:8080", "localhost:1", "i:80/x"], ["h", "i.example:8080", "localhost:1", "i:80/x"]),
        (["h", "[::1]:80/"], ["h", "[::1]:80/"]), (["--", "h", "a=1"], ["h", "a=1"]), (["h", ":8080/x"], ["h", ":8080/x"]),
        (["POST", "h", "i.example", "a=1"], ["h", "i.example"]), (["localhost", "h"], ["localhost", "h"]),
        (["HOST"], ["HOST"]), (["get", "h"], ["h"]),
    ])
    func `what can only be a URL is one more`(words: [String], urls: [String]) throws {
        #expect(try SendOptionParser.transfers(["-g"] + words).compactMap(\.url) == urls)
    }

    @Test(arguments: [
        (":8080/x", "http://localhost:8080/x"), (":/x?y", "http://localhost/x?y"), (":8080", "http://localhost:8080"),
        (":", "http://localhost"),
    ])
    func `a colon stands for this machine`(written: String, url: String) throws {
        #expect(try plan([written]).request.url.absoluteString == url)
    }

    @Test(arguments: [
        (["h", "i:80"], "i:… may be a second URL or a header field. Write http:// before it, or -H 'i: …'."),
        (
            ["h", "ada:hunter2@i.example/x"],
            "ada:… may be a second URL or a header field. Write http:// before it, or -H 'ada: …'."
        ),
        (["h", "a:=x"], "a:=… isn't JSON. A text stands behind =, as in a=text."),
        (["h", "a=1", "-d", "b"], "--data and a=… exclude one another: a request has one body."),
        (["h", "f@/dev/null", "n:=1"], "n:=… is JSON, and a body with a file in it is a form: write n=… for a text."),
        (["h", "-G", "a=1"], "a=… is for a body, and -G puts data into the URL: a==… does."),
        (["h", "-I", "a=1"], "-I and a=… exclude one another: HEAD has no body. With -G the data go into the URL."),
        (["-XPUT", "POST", "h"], "POST and -X PUT are two methods: leave one of them out."),
        (["POST"], "POST is a method here, and no URL follows it: POST URL."),
        (["h", "a[b]=1", "a[]=2"], "a[]=… wants a list where another word put something else."),
        (["h", "a=1", "a[b]=2"], "a[b]=… wants a map where another word put something else."),
        (["h", "a[=1"], "a[=…: brackets stand for a member or an item, as in a[b]=x and a[]=x; \\[ is a bracket."),
        (["h", "a]=1"], "a]=…: brackets stand for a member or an item, as in a[b]=x and a[]=x; \\[ is a bracket."),
        (["h", "a[99999]=2"], "a[99999]=…: an index is from 0 to 9999."),
        (["h", "a[b]c=2"], "a[b]c=…: brackets stand for a member or an item, as in a[b]=x and a[]=x; \\[ is a bracket."),
    ])
    func `what can't be meant, or in two ways, is refused before anything is sent`(words: [String], message: String) {
        #expect(complaint(words) == message)
    }

    @Test func `each request of a command line has its own`() throws {
        let transfers = try SendOptionParser.transfers(["POST", "h", "a=1", "--next", "i", "q==2"])
        #expect(transfers.map(\.method) == ["POST", nil] && transfers.map(\.items.count) == [1, 0])
        #expect(transfers[1].query.map(\.text) == ["+q=2"])
    }
}
