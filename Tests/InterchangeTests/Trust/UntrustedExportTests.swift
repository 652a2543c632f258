import Foundation
import ServerTesting
import Testing

@testable import Interchange
@testable import RequestCollections

/// What is exported of a stranger's collection reads and sends nothing of the machine where it is pasted or run.
@Suite struct UntrustedExportTests {
    private static func collection(_ requests: String, in directory: TemporaryDirectory) throws -> RequestCollection {
        try FileManager.default.createDirectory(atPath: directory.file("shop"), withIntermediateDirectories: true)
        try directory.write("key.pem", "s3cret")
        try directory.write("shop/own.txt", "own")
        try directory.write("shop/_collection.yaml", "turnstone: 1\nvariables: { key: { secret: { file: ../key.pem } } }\n")
        for (index, request) in requests.split(separator: "\n").enumerated() {
            try directory.write("shop/r\(index).yaml", "\(request)\n")
        }
        return try RequestCollection.load(path: directory.file("shop"))
    }

    private static let files = """
        { post: http://h.test/own, body: { file: own.txt } }
        { post: http://h.test/body, body: { file: ../key.pem } }
        { post: http://h.test/part, body: { multipart: { a: { file: ../key.pem } } } }
        { get: http://h.test/text, query: { a: "{{file('../key.pem')}}" } }
        { get: http://h.test/secret, headers: { x-key: "{{key}}" } }
        { get: http://h.test/ambient, auth: netrc }
        { get: http://h.test/cert, tls: { certificate: ../key.pem } }
        """

    @Test func `a Locust file reads the collection's own files alone`() throws {
        let directory = try TemporaryDirectory()
        let collection = try Self.collection(Self.files, in: directory)
        func file(_ runsCommands: Bool) throws -> LocustFile {
            try LocustFile(collection, requests: collection.requests, files: collection.path, runsCommands: runsCommands)
        }
        let trusted = try file(true)
        let untrusted = try file(false)
        #expect(trusted.text.contains("key.pem"))
        for (path, isThere) in [
            ("own", true), ("body", false), ("part", false), ("text", false), ("ambient", false), ("cert", false),
        ] {
            #expect(trusted.text.contains("h.test/\(path)"), "\(path)")
            #expect(untrusted.text.contains("h.test/\(path)") == isThere, "\(path)")
        }
        #expect(!untrusted.text.contains(#"key.pem")"#))
        #expect(!untrusted.text.contains("get_netrc_auth("))
        #expect(untrusted.notes.contains { $0.text == "not sent: it reads ../key.pem, and the collection isn't trusted" })
    }

    @Test func `a command for curl names no file but the collection's own, and no credentials of the machine`() throws {
        let directory = try TemporaryDirectory()
        let collection = try Self.collection(Self.files, in: directory)
        for request in collection.requests {
            let trusted = try CurlExport(request, in: collection)
            let untrusted = try CurlExport(request, in: collection, runsCommands: false)
            // What `file()` gives isn't in it in any case.
            guard !request.url.contains("file(") && !request.query.contains(where: { $0.value.contains("file(") }) else { continue }
            #expect(!untrusted.command.contains("/key.pem"), "\(untrusted.command)")
            #expect(!untrusted.command.contains("netrc"))
            #expect(!untrusted.command.contains("$("))
            if request.url.hasSuffix("/own") {
                #expect(untrusted.command == trusted.command)
            } else {
                #expect(untrusted.command != trusted.command, "\(untrusted.command)")
                #expect(!untrusted.notes.isEmpty, "\(untrusted.command)")
            }
        }
        let body = try #require(collection.requests.first { $0.url.hasSuffix("/body") })
        let export = try CurlExport(body, in: collection, runsCommands: false)
        #expect(export.command.contains(#"--data-binary @"$KEY_PEM""#) || export.command.contains(#"--data-binary '@'"$KEY_PEM""#))
    }

    /// curl ends a part's name at its first `=`, and looks for options behind a type.
    @Test(arguments: [
        "'a=@/etc/passwd;b': { value: x, type: text/plain }", "a: { value: x, type: 'text/plain;headers=@/etc/passwd' }",
    ])
    func `no part of a form makes curl read a file`(part: String) throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests:\n  a: { post: http://h.test/, body: { multipart: { \(part) } } }\n")
        let export = try CurlExport(try #require(collection.requests.first), in: collection)
        #expect(!export.command.contains("@/etc/passwd"), "\(export.command)")
        #expect(export.notes.contains { $0.hasSuffix("is left out: curl can't be told its name or type") }, "\(export.notes)")
    }

    @Test(arguments: [
        ("get: \"http://h.test/{{v}}/a\"", "V goes into a URL as it is: set it encoded for that"),
        ("get: http://h.test/a, query: { q: \"{{v}}\" }", "V goes into a URL as it is: set it encoded for that"),
        ("post: http://h.test/a, body: { form: { a: \"{{v}}\" } }", "V goes into a form as it is: set it encoded for that"),
        (
            "post: http://h.test/a, body: { json: { a: \"x{{v}}\" } }",
            "V goes into a string of JSON as it is: set it encoded for that"
        ),
    ])
    func `what a command may not encode is said`(request: String, note: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml", "turnstone: 1\nvariables: { v: { secret: { env: V } } }\nrequests:\n  a: { \(request) }\n")
        let collection = try RequestCollection.load(path: path)
        let untrusted = try CurlExport(collection.requests[0], in: collection, runsCommands: false)
        #expect(!untrusted.command.contains("$("))
        #expect(untrusted.notes == [note])
        #expect(try CurlExport(collection.requests[0], in: collection).notes == [])
    }
}
