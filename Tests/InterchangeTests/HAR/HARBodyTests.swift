import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// What recordings have of bodies, and which of their entries are requests, as browsers and proxies write them.
@Suite struct HARBodyTests {
    private static func entry(
        _ method: String = "POST", _ path: String = "/a", headers: [String: String] = [:], data: String? = nil,
        response: String = #"{"status":200}"#, time: String? = nil, more: String = ""
    ) -> String {
        let fields = headers.map { #"{"name":"\#($0)","value":"\#($1)"}"# }.joined(separator: ",")
        let body = data.map { #","postData":\#($0)"# } ?? ""
        let started = time.map { #""startedDateTime":"\#($0)","# } ?? ""
        return
            #"{\#(started)\#(more)"request":{"method":"\#(method)","url":"http://h\#(path)","headers":[\#(fields)]\#(body)},"response":\#(response)}"#
    }

    private static func imported(_ entries: String..., files: NeighbouringFiles = .none) throws -> (RequestCollection, [ImportNote])
    {
        let source = ImportSource(path: "a.har", text: #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#)
        let read = try ImportKind.har.read(source, beside: files)
        let assembled = try read.assembled(ImportOptions(path: "a.yaml"))
        return (assembled.collection, assembled.notes)
    }

    private static func losses(_ notes: [ImportNote]) -> [String] { notes.filter(\.isLoss).map(\.text) }

    @Test(
        arguments: [
            ("n=\u{C3}\u{A9}1", "5", "n=é1"), ("n=é1", "5", "n=é1"), ("n=é1", "4", nil), ("\u{80}\u{FF}", "2", nil),
        ] as [(String, String, String?)])
    func `the recorded length tells bytes from characters`(text: String, length: String, expected: String?) throws {
        let (collection, notes) = try Self.imported(
            Self.entry(headers: ["Content-Length": length], data: #"{"mimeType":"text/plain","text":"\#(text)"}"#))
        let body = collection.requests[0].body
        if let expected {
            #expect(body == .text(expected))
            #expect(Self.losses(notes) == [])
        } else if text.contains("é") {
            // Four characters for four bytes: é is one of them.
            #expect(Self.losses(notes) == ["the body: it isn't text; put it into a file, which `body: { file: … }` names"])
        } else {
            #expect(body == nil)
            #expect(Self.losses(notes).count == 1)
        }
    }

    @Test func `a form whose text is bytes has its fields decoded`() throws {
        let text = #"--B\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\nZo\u00c3\u00ab\r\n--B--\r\n"#
        let (collection, notes) = try Self.imported(
            Self.entry(
                headers: ["content-length": "62"], data: #"{"mimeType":"multipart/form-data; boundary=B","text":"\#(text)"}"#))
        #expect(collection.requests[0].body == .multipart([.init(name: "t", content: .text("Zoë"))]))
        #expect(Self.losses(notes) == [])
    }

    @Test func `a body that isn't there is named, with its multipart type`() throws {
        let (collection, notes) = try Self.imported(
            Self.entry(headers: ["content-length": "949", "content-type": "multipart/form-data; boundary=B"]),
            Self.entry("DELETE", "/b", headers: ["content-length": "8"]), Self.entry("POST", "/c", headers: ["content-length": "0"])
        )
        #expect(Self.losses(notes) == ["the body of 949 bytes: it isn't there", "the body of 8 bytes: it isn't there"])
        #expect(collection.requests.allSatisfy { $0.headers.isEmpty })
    }

    @Test func `a body that was decoded has no content-encoding, and one with replacement characters is named`() throws {
        let (collection, notes) = try Self.imported(
            Self.entry(
                headers: ["content-encoding": "gzip", "content-length": "29"],
                data: #"{"mimeType":"text/plain","text":"plain text"}"#),
            Self.entry("PUT", headers: ["content-length": "4"], data: #"{"mimeType":"text/plain","text":"\u001f\ufffd\b\ufffd"}"#))
        #expect(collection.requests[0].headers.isEmpty)
        #expect(collection.requests[0].body == .text("plain text"))
        #expect(notes.contains { !$0.isLoss && $0.text.contains("content-encoding") })
        #expect(Self.losses(notes).count == 1)
    }

    @Test func `JSON goes out as it was recorded, without its secrets`() throws {
        let (collection, _) = try Self.imported(
            Self.entry(data: #"{"mimeType":"application/json","text":"{\"a\":1,\"password\":\"hunter22\"}"}"#))
        #expect(collection.requests[0].body == .text(#"{"a":1,"password":"{{password}}"}"#))
        #expect(collection.requests[0].headers.map(\.value) == ["application/json"])
    }

    @Test func `a body in a file beside the recording is read`() throws {
        let files = NeighbouringFiles { path throws(CollectionProblem) in ImportSource(path: path, text: #"{"qty": 2}"#) }
        let data = #"{"mimeType":"application/json","text":"","params":[],"_file":"0c7e.json"}"#
        let (collection, notes) = try Self.imported(Self.entry(data: data), files: files)
        #expect(collection.requests[0].body == .text(#"{"qty": 2}"#))
        #expect(Self.losses(notes) == [])
        let (_, missing) = try Self.imported(Self.entry(data: data))
        #expect(Self.losses(missing).count == 1)
        let (_, outside) = try Self.imported(Self.entry(data: #"{"_file":"../0c7e.json"}"#), files: files)
        #expect(Self.losses(outside) == ["the body, which is the file ../0c7e.json: it isn't beside the recording"])
    }

    @Test func `what a browser sends by itself is no request, and what got no answer is named`() throws {
        let (collection, notes) = try Self.imported(
            Self.entry("POST", "/last", time: "2026-01-02T03:04:09.5Z"),
            Self.entry("POST", "/start", response: #"{"status":307,"redirectURL":"/next"}"#, time: "2026-01-02T04:04:05+01:00"),
            Self.entry("POST", "/next", time: "2026-01-02T03:04:05.100Z"),
            Self.entry("OPTIONS", "/x", headers: ["Access-Control-Request-Method": "PUT"], time: "2026-01-02T03:04:06Z"),
            Self.entry("PATCH", "/never", response: #"{"status":0}"#, time: "2026-01-02T03:04:07Z"))
        #expect(collection.requests.map { $0.name ?? $0.id.rawValue } == ["POST /start", "PATCH /never", "POST /last"])
        #expect(
            notes.map(\.text) == [
                "1 redirect or retry, which a request makes by itself", "1 preflight, which only browsers send",
                "1 request got no answer when they were recorded: PATCH /never",
            ])
    }
}
