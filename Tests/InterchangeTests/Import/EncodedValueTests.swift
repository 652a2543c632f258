import Foundation
import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// What is percent-encoded in the source already, and other places where two programs send something else.
@Suite struct EncodedValueTests {
    private static func url(_ source: String, as kind: ImportKind) throws -> (url: String, ImportedText) {
        let imported = try ImportedText(source, path: "a.json", as: kind)
        let request = try #require(imported.collection.requests.first)
        return (try imported.collection.resolve(request, environment: nil).request.url.absoluteString, imported)
    }

    @Test func `Postman's parameters aren't encoded twice`() throws {
        let (url, imported) = try Self.url(
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"url":{"raw":"http://h/:p?next=https%3A%2F%2Fx","query":[{"key":"next","value":"https%3A%2F%2Fx"}],"variable":[{"key":"p","value":"a%2Fb"}]}}}]}"#,
            as: .postman)
        #expect(url == "http://h/a%2Fb?next=https%3A%2F%2Fx")
        #expect(imported.notes == [])
        let bytes = try Self.url(
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"url":{"raw":"http://h/?b=%E9","query":[{"key":"b","value":"%E9"}]}}}]}"#,
            as: .postman)
        #expect(bytes.1.notes == ["- a: `b` has encoded bytes that aren't UTF-8; here its percent signs are sent as such"])
    }

    @Test func `a plus in Postman's query is the space that servers read, and in a path it is none`() throws {
        let (url, imported) = try Self.url(
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"url":{"raw":"http://h/:p?q=a+b&r=c%2Bd","query":[{"key":"q","value":"a+b"},{"key":"r","value":"c%2Bd"}],"variable":[{"key":"p","value":"a+b"}]}}}]}"#,
            as: .postman)
        #expect(url == "http://h/a%2Bb?q=a%20b&r=c%2Bd")
        #expect(imported.notes == ["a: a `+` in `q`, which servers read as a space, is one here"])
    }

    @Test func `Insomnia's parameters and forms aren't encoded twice`() throws {
        let (url, imported) = try Self.url(
            #"{"_type":"export","resources":[{"_id":"req_1","_type":"request","name":"a","method":"POST","url":"http://h/","settingEncodeUrl":false,"parameters":[{"name":"next","value":"https%3A%2F%2Fx"}],"body":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"1%262"}]}}]}"#,
            as: .insomnia)
        #expect(url == "http://h/?next=https%3A%2F%2Fx")
        guard case .form(let rows)? = imported.collection.requests.first?.body else {
            Issue.record("\(imported.yaml)")
            return
        }
        #expect(rows.map { "\($0.name)=\($0.value)" } == ["a=1&2"])
        #expect(
            imported.notes == [
                "- a: its URL isn't encoded there (`settingEncodeUrl: false`); here it is, as far as it has to be"
            ])
    }

    @Test func `Postman's authentication goes before a header`() throws {
        let source = #"""
            {"info":{"name":"S"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{t}}"}]},"item":[
              {"name":"a","request":{"url":"http://h/a","header":[{"key":"Authorization","value":"X y"}]}},
              {"name":"b","request":{"url":"http://h/b","auth":{"type":"noauth"},"header":[{"key":"Authorization","value":"X y"}]}},
              {"name":"c","request":{"url":"http://h/c","auth":{"type":"basic","basic":[{"key":"username","value":"u"},{"key":"password","value":"{{p}}"}]},"header":[{"key":"authorization","value":"Bearer z"}]}}]}
            """#
        let imported = try ImportedText(source, keepsSecrets: true)
        let requests = imported.collection.requests
        #expect(requests.map { $0.headers.count } == [0, 1, 0], "\(imported.yaml)")
        #expect(requests[2].auth == .basic(user: "u", password: "{{p}}"), "\(imported.yaml)")
        let note = "the header Authorization, which Postman replaces by its authentication"
        #expect(imported.notes.filter { $0.contains(note) } == ["a: \(note)", "c: \(note)"], "\(imported.notes)")
    }

    @Test func `a recorded file is the part's content, under its name`() throws {
        let imported = try ImportedText(
            #"{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"f","fileName":"x.csv","value":"data"},{"name":"g","fileName":"y.bin","value":"(binary)"}]}}}]}}"#,
            path: "a.har")
        #expect(
            imported.collection.requests.first?.body
                == .multipart([
                    .init(name: "f", content: .text("data"), fileName: "x.csv"), .init(name: "g", content: .file("y.bin")),
                ]), "\(imported.yaml)")
    }

    @Test func `variables inside a file of an HTTP file are named`() throws {
        let imported = try ImportedText("POST http://h/\n\n<@ ./b.txt", path: "a.http")
        #expect(
            imported.notes == [
                "- POST http://h/: `<@ ./b.txt`: variables in that file aren't filled in here, and its bytes are sent as they are"
            ])
    }
}
