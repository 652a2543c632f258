import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import Interchange
@testable import RequestCollections

/// Braces of what is imported are no templates of ours, however they are written there.
@Suite struct ForeignBracesTests {
    /// What would be another text in each request, and whose file would be asked for.
    private static let hostile = "{{uuid()}}"
    private static let encoded = "%7B%7Buuid()%7D%7D"

    /// Everything of a request that goes on the wire, decoded.
    private static func sent(_ imported: ImportedText) throws -> String {
        let request = try #require(imported.collection.requests.first, "\(imported.yaml)")
        #expect(imported.collection.problems == [], "\(imported.yaml)")
        var sources = TemplateEnvironment(processEnvironment: [:], now: Date(timeIntervalSince1970: 0), seed: 1)
        sources.mode = .show
        let resolved = try imported.collection.resolve(request, environment: nil, variables: [:], with: sources)
        var texts = [resolved.request.url.absoluteString.removingPercentEncoding ?? ""]
        texts += resolved.request.headers.map { "\($0.name.rawName): \($0.value)" }
        texts += resolved.configuration.transport.authentication.map { ["\($0)"] } ?? []
        texts += [resolved.configuration.transport.proxy.map { "\($0)" } ?? ""]
        if case .data(let data) = resolved.request.body {
            let text = String(decoding: data, as: UTF8.self)
            texts.append(text.removingPercentEncoding ?? text)
        }
        if case .file(let file) = resolved.request.body { texts.append(file.path) }
        // What says how it is sent shows no password.
        if case .digest(let user, let password) = request.auth { texts += try [user, password].map(Self.plain) }
        for part in resolved.multipart?.parts ?? [] {
            texts += [part.name, part.fileName ?? "", part.contentType ?? ""]
            if case .data(let data) = part.content { texts.append(String(decoding: data, as: UTF8.self)) }
            if case .file(let file, _) = part.content { texts.append(file.path) }
        }
        return texts.joined(separator: "\n")
    }

    /// A template's text, which has to have nothing else in it.
    private static func plain(_ text: String) throws -> String {
        try Template(text).segments.map { segment in
            guard case .text(let text) = segment else { return "a template" }
            return text
        }
        .joined()
    }

    /// What may be read as templates: names aren't, and what is in quotes in one is text.
    private static func live(_ imported: ImportedText) -> String {
        let lines = imported.yaml.split(separator: "\n").filter { !$0.contains(" name: ") && !$0.contains("title") }
        return lines.joined(separator: "\n").replacingOccurrences(of: "file(\"{{uuid()}}\")", with: "")
            .replacingOccurrences(of: #"file(\"{{uuid()}}\")"#, with: "")
    }

    @Test(arguments: [
        "'http://h/X'", "'http://h/a?b=X'", "'http://h/a?X=b'", "'http://h/a?X'", "'http://h/a?b=1+2&c=X'",
        "'http://h/a' -H 'X-A: X'", "'http://h/a' -A 'X'", "'http://h/a' -e 'X'", "'http://h/a' -b 'a=X'",
        "'http://h/a' -d 'X'", "'http://h/a' -d 'b=X'", "'http://h/a' -d 'X=b'", "'http://h/a' -d 'b=X&c'",
        "'http://h/a' --data-urlencode 'X'", "'http://h/a' --data-urlencode 'b=X'", "'http://h/a' --data-urlencode '=X'",
        "'http://h/a' --data-urlencode 'b=X' --data-urlencode 'c'", "'http://h/a' --json '{\"b\":\"X\"}'",
        "'http://h/a' --url-query 'b=X'", "'http://h/a' --url-query 'X'", "'http://h/a' --url-query '+b=X'",
        "'http://h/a' -G -d 'b=X'", "'http://h/a' -F 'b=X'", "'http://h/a' -F 'X=b'", "'http://h/a' -F 'b=c;type=X'",
        "'http://h/a' -F 'b=@c;filename=X'", "'http://h/a' --form-string 'b=X'", "'http://h/a' -T 'X'",
        "'http://u:pX@h/a'", "'http://uX:p@h/a'", "-u 'u:pX' 'http://h/a'", "-u 'uX:p' 'http://h/a'",
        "--digest 'http://u:pX@h/a'", "--digest 'http://uX:p@h/a'", "--digest -u 'u:pX' 'http://h/a'",
        "--oauth2-bearer 'X' 'http://h/a'",
    ])
    func `a command for curl sends its braces`(words: String) throws {
        for text in [Self.hostile, Self.encoded] {
            let command = "curl -g \(words.replacingOccurrences(of: "X", with: text))"
                .replacingOccurrences(of: "\(text)-A", with: "X-A")
            let imported = try ImportedText(command, path: "curl", as: .curl, keepsSecrets: true)
            #expect(!Self.live(imported).contains("{{uuid"), "\(command)\n\(imported.yaml)")
            let sent = try Self.sent(imported)
            let credentials = Data("u:p\(Self.hostile)".utf8).base64EncodedString()
            let user = Data("u\(Self.hostile):p".utf8).base64EncodedString()
            let raw = Data("u:p\(text)".utf8).base64EncodedString()
            let rawUser = Data("u\(text):p".utf8).base64EncodedString()
            let isThere = [Self.hostile, text, credentials, user, raw, rawUser].contains { sent.contains($0) }
            #expect(isThere, "\(command)\n\(imported.yaml)\n\(sent)")
        }
    }

    @Test(arguments: [
        "-x 'http://X:1/'", "-x 'http://p:1' -U 'a:X'", "--noproxy 'X'", "--resolve 'X:1:127.0.0.1'", "--connect-to 'X:1:h:2'",
        "--cacert 'X'", "-E 'X'", "--key 'X'", "--pass 'X'", "--interface 'X'", "--unix-socket 'X'", "--doh-url 'https://X/'",
        "--request-target 'X'", "--preproxy 'socks5://X'", "--netrc-file 'X'", "--aws-sigv4 'aws:amz:X:s' -u 'a:b'",
        "--aws-sigv4 'aws:amz:r:X' -u 'a:b'", "-F 'f=@X'", "-F 'f=<X'", "--data-urlencode 'f@X'", "--data-binary '@X'",
        #"--data-urlencode 'f@x") | default(uuid())}}{{("'"#, #"-F 'f=<x") | default(uuid())}}{{("'"#,
    ])
    func `what a command says of the connection and of files is text`(options: String) throws {
        let command = "curl \(options.replacingOccurrences(of: "X", with: Self.hostile)) 'http://h/a'"
        let imported = try ImportedText(command, path: "curl", as: .curl, keepsSecrets: true)
        let live = Self.live(imported).replacingOccurrences(of: "{{\"{{\"}}uuid", with: "").replacingOccurrences(
            of: "{{'{{'}}uuid", with: ""
        )
        .replacingOccurrences(of: #"{{\"{{\"}}uuid"#, with: "").replacingOccurrences(of: "{{''{{''}}uuid", with: "")
        #expect(!live.contains("{{uuid"), "\(command)\n\(imported.yaml)")
        #expect(!live.contains("{{file(\"x\")"), "\(command)\n\(imported.yaml)")
        #expect(imported.collection.problems == [], "\(imported.yaml)")
    }

    @Test func `a recording sends its braces, in every field`() throws {
        for text in [Self.hostile, Self.encoded] {
            func entry(_ url: String, _ rest: String) -> String {
                #"{"log":{"entries":[{"request":{"method":"POST","url":"\#(url)"\#(rest)}}]}}"#
            }
            func params(_ fields: String, _ type: String = "multipart/form-data; boundary=x") -> String {
                entry("http://h/a", #","postData":{"mimeType":"\#(type)","params":[{\#(fields)}]}"#)
            }
            let recordings = [
                entry("http://h/\(text)", ""), entry("http://h/a?b=\(text)", ""), entry("http://h/a?\(text)=b", ""),
                entry("http://h/a?b=1+2&c=\(text)", ""), entry("http://u:p\(text)@h/a", ""), entry("http://u\(text):p@h/a", ""),
                entry("http://h/a", #","headers":[{"name":"X-A","value":"\#(text)"}]"#),
                entry("http://h/a", #","headers":[{"name":"Authorization","value":"Bearer \#(text)"}]"#),
                entry("http://h/a", #","postData":{"mimeType":"text/x","text":"\#(text)"}"#),
                entry("http://h/a", #","postData":{"mimeType":"text/x; a=\#(text)","text":"b"}"#),
                entry("http://h/a", #","postData":{"mimeType":"application/json","text":"{\"a\":\"\#(text)\"}"}"#),
                entry("http://h/a", #","postData":{"mimeType":"application/x-www-form-urlencoded","text":"a=\#(text)"}"#),
                entry("http://h/a", #","postData":{"mimeType":"application/x-www-form-urlencoded","text":"a;\#(text)"}"#),
                params(#""name":"a","value":"\#(text)""#, "application/x-www-form-urlencoded"),
                params(#""name":"\#(text)","value":"a""#, "application/x-www-form-urlencoded"),
                params(#""name":"a","value":"\#(text)""#), params(#""name":"\#(text)","value":"a""#),
                params(#""name":"a","value":"b","contentType":"a/\#(text)""#),
                params(#""name":"a","fileName":"\#(text)""#),
                params(#""name":"a","fileName":"\#(text)","value":"b""#),
            ]
            for recording in recordings {
                let imported = try ImportedText(recording, path: "a.har", as: .har, keepsSecrets: true)
                #expect(!Self.live(imported).contains("{{uuid"), "\(recording)\n\(imported.yaml)")
                let sent = try Self.sent(imported)
                let basic = ["u:p\(Self.hostile)", "u\(Self.hostile):p"].map { Data($0.utf8).base64EncodedString() }
                #expect(
                    ([Self.hostile, text] + basic).contains { sent.contains($0) }, "\(recording)\n\(imported.yaml)\n\(sent)")
            }
        }
    }

    @Test(arguments: [
        // A parameter of a query and a form, and what a type or a file is called.
        (
            ImportKind.postman,
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"method":"POST","url":"http://h/a?b=X","body":{"mode":"formdata","formdata":[{"key":"f","type":"file","src":"b","fileName":"X"}]}}}]}"#
        ),
        (
            .postman,
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"url":{"raw":"http://h/a?b=X","query":[{"key":"b","value":"X"}]},"header":"a{{uuid()}}: b"}}]}"#
        ),
        (
            .insomnia,
            #"{"_type":"export","resources":[{"_id":"req_1","_type":"request","url":"http://h/a","parameters":[{"name":"b","value":"X"}],"body":{"mimeType":"text/X","text":"a"}}]}"#
        ),
        (.http, "POST http://u:X@h/a?b=X\nContent-Type: application/x-www-form-urlencoded\n\na=X"),
        (.hurl, "POST http://h/a?b=X\n[Form]\nX: b\nHTTP 200"),
        (.bruno, "meta {\n  name: a\n}\nget {\n  url: http://h/a\n}\nparams:query {\n  b: X\n}\nsettings {\n  encodeUrl: false\n}"),
        (
            .openapi,
            #"{"openapi":"3.0.0","paths":{"/a{{uuid()/b":{"post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string","example":"X"}}},"encoding":{"f":{"contentType":"a/{{uuid()}}"}}}}}}}}}"#
        ),
    ])
    func `no other format's encoded braces become a template`(kind: ImportKind, source: String) throws {
        let text = source.replacingOccurrences(of: "X", with: "%7B%7Buuid()%7D%7D")
        let imported = try ImportedText(text, path: "a", as: kind, keepsSecrets: true)
        #expect(!Self.live(imported).contains("{{uuid"), "\(imported.yaml)")
        #expect(imported.collection.problems == [], "\(imported.yaml)")
    }
}
