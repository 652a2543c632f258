import FoundationEssentials
import Testing

@testable import NetworkLayer

/// TN-13, RFC 7578.
@Suite struct MultipartBodyTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func bytes(_ body: RequestBody, atMost limit: Int = 1 << 16) throws -> Data {
        let reader = try #require(try body.makeReader())
        var data = Data()
        while case .bytes(let piece) = try reader.read(atMost: limit, wake: {}) {
            #expect((1...min(limit, MultipartBodyReader.bufferBytes)).contains(piece.count))
            data += piece
        }
        reader.close()
        return data
    }

    @Test func `TN-13 values, data and files, with a length known beforehand`() throws {
        let large = String(repeating: "0123456789", count: 200_000)
        var form = MultipartBody(boundary: "b")
        form.append("title", "ä")
        form.append("data", data: Data("{}".utf8), fileName: "d.json", contentType: .json)
        try form.append("file", file: try directory.file("walk.jpg", Data(large.utf8)))
        try form.append(
            "note", file: URL(filePath: directory.file("n", Data("x".utf8))), fileName: "note.txt", contentType: .plainText)
        let expected = """
            --b\r
            Content-Disposition: form-data; name="title"\r
            \r
            ä\r
            --b\r
            Content-Disposition: form-data; name="data"; filename="d.json"\r
            Content-Type: application/json\r
            \r
            {}\r
            --b\r
            Content-Disposition: form-data; name="file"; filename="walk.jpg"\r
            Content-Type: image/jpeg\r
            \r
            \(large)\r
            --b\r
            Content-Disposition: form-data; name="note"; filename="note.txt"\r
            Content-Type: text/plain\r
            \r
            x\r
            --b--\r

            """
        #expect(form.contentType == "multipart/form-data; boundary=b")
        #expect(form.length == Int64(expected.utf8.count))
        #expect(form.body.length == form.length)
        #expect(form.body.isReplayable)
        for limit in [7_001, 1 << 16, 1 << 22] {
            #expect(try bytes(form.body, atMost: limit) == Data(expected.utf8))
        }
    }

    @Test func `TN-13 names are quoted as browsers do, types can't begin another field`() throws {
        var form = MultipartBody(boundary: "b")
        form.append(.init(name: "a\"b\r\nc", fileName: "x\\\"y", contentType: "text/plain\r\nX-Evil: 1", content: .data(Data())))
        #expect(
            try String(decoding: bytes(form.body), as: UTF8.self)
                == "--b\r\nContent-Disposition: form-data; name=\"a%22b%0D%0Ac\"; filename=\"x\\%22y\"\r\nContent-Type: text/plainX-Evil: 1\r\n\r\n\r\n--b--\r\n"
        )
    }

    @Test func `TN-13 a form without files is in memory, one without parts just ends`() throws {
        guard case .data(let data) = MultipartBody(boundary: "b").body else {
            Issue.record("not in memory")
            return
        }
        #expect(data == Data("--b--\r\n".utf8))
    }

    @Test func `TN-13 boundaries are random, and no two the same`() {
        let (first, second) = (MultipartBody(), MultipartBody())
        #expect(first.boundary != second.boundary)
        #expect(first.boundary.utf8.count <= 70)
    }

    @Test func `TN-13 what can't be sent is an error that names the part`() throws {
        var form = MultipartBody()
        func message(_ add: (inout MultipartBody) throws -> Void) -> String? {
            let error = #expect(throws: NetworkError.self) { try add(&form) }
            #expect(error?.code == .bodyReadFailed)
            return error?.message
        }
        #expect(
            message { try $0.append("photo", file: "/nowhere/p.jpg") }
                == "The part \"photo\" can't be sent: The body's file /nowhere/p.jpg can't be opened: No such file or directory.")
        #expect(
            message { try $0.append("photo", file: "/") }
                == "The part \"photo\" can't be sent: / isn't a file, so it has no bytes to send. Name a file.")
        #expect(
            message { try $0.append("photo", file: URL(string: "https://a.test/p.jpg")!) }
                == "The part \"photo\" can't be sent: https://a.test/p.jpg isn't the URL of a file. Begin it with file:///.")
        #expect(form.parts == [])
    }

    @Test func `TN-13 a file that shrinks is an error, one that grows is sent as it was announced`() throws {
        let path = try directory.file("f.bin", Data(count: 10))
        var form = MultipartBody(boundary: "b")
        try form.append("f", file: path)
        try Data(count: 20).write(to: URL(filePath: path))
        #expect(try bytes(form.body).count == Int(form.length))
        try Data(count: 9).write(to: URL(filePath: path))
        let error = #expect(throws: NetworkError.self) { try bytes(form.body) }
        #expect(error?.message == "The part \"f\" can't be sent: \(path) became shorter before it was sent; it had 10 bytes.")
    }

    @Test(arguments: [
        ("a.json", "application/json"), ("/x/y.JPG", "image/jpeg"), ("a.tar.gz", "application/gzip"),
        ("noending", "application/octet-stream"),
        ("dir.d/file", "application/octet-stream"), ("a.unknown", "application/octet-stream"), ("a.csv", "text/csv; charset=utf-8"),
    ])
    func `TN-13 the type follows the ending`(path: String, type: String) {
        #expect(ContentType.forFile(path).rawValue == type)
    }
}
