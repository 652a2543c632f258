import Foundation
import Interchange
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ImportTests {
    private static let postman = #"""
        {
          "info": { "name": "Shop" },
          "item": [
            { "name": "Orders", "item": [
              { "name": "Create", "event": [{ "listen": "test", "script": { "exec": ["tests['ok'] = true"] } }],
                "request": { "method": "POST", "url": "https://shop.example.com/orders",
                  "header": [{ "key": "Authorization", "value": "Bearer abcdef" }],
                  "body": { "mode": "file", "file": { "src": "./order.json" } } } }
            ] }
          ]
        }
        """#

    private static let yaml = """
        turnstone: 1
        name: Shop
        variables:
          token: { secret: { env: SHOP_TOKEN } }
        requests:
          orders:
            name: Orders
            requests:
              create:
                name: Create
                post: https://shop.example.com/orders
                auth: { bearer: "{{token}}" }
                body: { file: ./order.json }
                x-test-script: tests['ok'] = true

        """

    private static let report = """
        Imported 1 request in 1 folder from Postman; 1 thing was left out:
          Orders / Create: the test script: 1 statement that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run
        Secrets are not copied. Set these environment variables:
          SHOP_TOKEN  the token of Orders / Create

        """

    @Test func `a collection goes to standard output, and what people must know to standard error`() async throws {
        let run = await CommandLineRun.run(["import", "-"], input: Self.postman)
        #expect(run.output == Self.yaml)
        #expect(run.errors == Self.report)
        #expect(run.status == .success)
    }

    @Test func `a directory of Bruno's is read as far as it is its own, and the rest is named`() async throws {
        let directory = try TemporaryDirectory()
        let deep = (1...30).map { "d\($0)" }.joined(separator: "/")
        for path in ["shop/orders", "shop/.git", "shop/\(deep)"] {
            try FileManager.default.createDirectory(atPath: directory.file(path), withIntermediateDirectories: true)
        }
        func request(_ name: String) -> String { "meta {\n  name: \(name)\n  seq: 1\n}\n\nget {\n  url: http://h/\(name)\n}\n" }
        for (path, text) in [
            ("outside.bru", request("outside")), ("shop/a.bru", request("a")),
            ("shop/orders/b.bru", request("b").replacing("\n", with: "\r\n")),
            ("shop/.git/c.bru", request("c")), ("shop/\(deep)/d.bru", request("d")), ("first.http", "### f\nGET http://h/f\n"),
            ("last.http", "### l\nGET http://h/l\n"),
        ] { try directory.write(path, text) }
        try FileManager.default.createSymbolicLink(atPath: directory.file("shop/e.bru"), withDestinationPath: "../outside.bru")
        let run = await CommandLineRun.run(
            ["import", directory.file("first.http"), directory.file("shop"), directory.file("last.http")])
        #expect(run.status == .success)
        let urls = run.output.components(separatedBy: "\n").filter { $0.contains("{{host}}/") }.map { $0.dropLast().suffix(1) }
        #expect(urls == ["f", "a", "b", "l"], "\(run.output)")
        #expect(run.errors.contains("e.bru: it is a link, and not followed"), "\(run.errors)")
        #expect(run.errors.contains("it lies too deep"), "\(run.errors)")
        #expect(!run.output.contains("outside"))
        try FileManager.default.createDirectory(atPath: directory.file("empty"), withIntermediateDirectories: true)
        let empty = await CommandLineRun.run(["import", directory.file("empty")])
        #expect(empty.status == .usage)
        #expect(
            empty.errors.contains("has no file that can be imported: none of Bruno's, and none in .json"),
            "\(empty.errors)")
    }

    @Test func `a directory's files are read in the order of their names, each as what it is`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("all/deep"), withIntermediateDirectories: true)
        for (path, text) in [
            ("all/b.http", "### b\nGET http://h/b\n"), ("all/a.hurl", "GET http://h/a\n"), ("all/notes.json", "[1]"),
            ("all/.hidden.http", "### x\nGET http://h/x\n"), ("all/readme.md", "# Read me"),
            (
                "all/deep/c.json",
                #"{"clientName":"Thunder Client","collectionName":"C","requests":[{"name":"c","url":"http://h/c","method":"GET"}]}"#
            ),
        ] { try directory.write(path, text) }
        try FileManager.default.createSymbolicLink(atPath: directory.file("all/d.http"), withDestinationPath: "b.http")
        let run = await CommandLineRun.run(["import", directory.file("all")])
        #expect(run.status == .success)
        let urls = run.output.components(separatedBy: "\n").filter { $0.contains("{{host}}/") }.map { $0.dropLast().suffix(1) }
        #expect(urls == ["a", "b", "c"], "\(run.output)")
        #expect(run.errors.contains("Imported 3 requests in 3 folders from Hurl and .http and Thunder Client"), "\(run.errors)")
        #expect(run.errors.contains("notes.json: "), "\(run.errors)")
    }

    @Test func `what can't be read in a directory is named, and the rest is read`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("all"), withIntermediateDirectories: true)
        try directory.write("all/b.http", "### b\nGET http://h/b\n")
        #expect(mkfifo(directory.file("all/a.http"), 0o600) == 0)
        let run = await CommandLineRun.run(["import", directory.file("all")])
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("http://h/b"))
        #expect(run.errors.contains("a.http: it is not a file"), "\(run.errors)")
    }

    @Test func `a reason that many files have is said once`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("all"), withIntermediateDirectories: true)
        for number in 1...40 { try directory.write("all/\(number).json", "[1]") }
        let run = await CommandLineRun.run(["import", directory.file("all")])
        #expect(run.status == .usage)
        #expect(run.errors.contains("and 30 more"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count < 15, "\(run.errors)")
    }

    @Test func `strictly, what is left out is a failure`() async throws {
        let run = await CommandLineRun.run(["import", "-", "--strict"], input: Self.postman)
        #expect(run.output == Self.yaml)
        #expect(run.status == .expectationFailed)
        let clean = await CommandLineRun.run(
            ["import", "-", "--strict"], input: #"{"info":{},"item":[{"name":"a","request":{"url":"http://h/"}}]}"#)
        #expect(clean.status == .success)
        #expect(clean.errors == "Imported 1 request from Postman.\n")
    }

    @Test func `secrets are copied when that is asked for`() async throws {
        let run = await CommandLineRun.run(["import", "-", "--keep-secrets", "--name", "Mine"], input: Self.postman)
        #expect(run.output.contains("name: Mine\n"))
        #expect(run.output.contains("auth: { bearer: abcdef }\n"))
        #expect(!run.errors.contains("SHOP_TOKEN"))
    }

    @Test func `a file that is there is replaced by force only, and files are found from where the collection is`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("export"), withIntermediateDirectories: true)
        try directory.write("export/shop.json", Self.postman)
        let source = directory.file("export/shop.json")
        let file = directory.file("shop.yaml")
        let first = await CommandLineRun.run(["import", source, "-o", file])
        #expect(first.status == .success)
        #expect(first.output == "")
        #expect(
            try String(contentsOfFile: file, encoding: .utf8) == Self.yaml.replacing("./order.json", with: "export/order.json"))
        let second = await CommandLineRun.run(["import", source, "-o", file, "--name", "New"])
        #expect(second.status == .usage)
        #expect(
            second.errors
                == "turnstone: \(file) is there already. --update merges the import into it, --force replaces it; another name for -o "
                + "keeps it.\n")
        let third = await CommandLineRun.run(["import", source, "-o", file, "--name", "New", "--force"])
        #expect(third.status == .success)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("name: New\n"))
    }

    @Test func `a command for curl may stand in the command line`() async throws {
        let run = await CommandLineRun.run(["import", "--curl", "curl -u ada:s3cret -d qty=2 https://shop.example.com/orders"])
        #expect(
            run.output == """
                turnstone: 1
                name: curl
                variables:
                  password: { secret: { env: CURL_PASSWORD } }
                requests:
                  post-orders:
                    name: POST /orders
                    post: https://shop.example.com/orders
                    auth: { basic: { user: ada, password: "{{password}}" } }
                    body: { form: { qty: 2 } }
                    redirects: { follow: never }
                    compression: false

                """)
        #expect(run.status == .success)
        let both = await CommandLineRun.run(
            ["import", "-", "--from", "http", "--curl", "curl http://h/a"], input: "GET http://h/b")
        #expect(both.errors == "Imported 2 requests in 2 folders from curl and .http.\n")
    }

    @Test func `a slash at the end makes a directory`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("shop.json", Self.postman)
        let path = directory.file("deep/er/shop")
        let run = await CommandLineRun.run(["import", directory.file("shop.json"), "-o", path + "/"])
        #expect(run.errors == Self.report)
        #expect(
            try String(contentsOfFile: path + "/orders/create.yaml", encoding: .utf8) == """
                name: Create
                post: https://shop.example.com/orders
                auth: { bearer: "{{token}}" }
                body: { file: ../../../../order.json }
                x-test-script: tests['ok'] = true

                """)
        let list = await CommandLineRun.run(["list", path, "--names"])
        #expect(list.errors == "")
        #expect(list.output == "orders/create\n")
        let again = await CommandLineRun.run(["import", directory.file("shop.json"), "-o", path + "/"])
        #expect(again.errors.hasPrefix("turnstone: \(path) is there already, with something in it."))
        let forced = await CommandLineRun.run(["import", directory.file("shop.json"), "-o", path + "/", "--force"])
        #expect(forced.status == .success)
    }

    @Test func `a directory keeps the order of a chain`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "chain.http", "### sign in\nPOST http://h/login\n\n### list\nGET http://h/orders\n\n### create\nPOST http://h/orders\n")
        let path = directory.file("chain")
        let run = await CommandLineRun.run(["import", directory.file("chain.http"), "-o", path + "/"])
        #expect(run.errors == "Imported 3 requests from .http.\n")
        let list = await CommandLineRun.run(["list", path, "--names"])
        #expect(list.output == "sign-in\nlist\ncreate\n")
        try directory.write("b.http", "### a\nGET http://h/a\n\n### b\nGET http://h/b\n")
        _ = await CommandLineRun.run(["import", directory.file("b.http"), "-o", directory.file("b/")])
        #expect(try !String(contentsOfFile: directory.file("b/_collection.yaml"), encoding: .utf8).contains("order"))
    }

    @Test func `files of a document's own directory are read, others by --trust only`() async throws {
        let directory = try TemporaryDirectory()
        for name in ["api/parts", "other"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        func document(_ reference: String) -> String {
            "openapi: 3.0.0\ninfo: { title: T }\nservers: [{ url: http://h }]\npaths: { /a: { get: { $ref: \(reference) } } }\n"
        }
        let operation = "summary: Found"
        for name in ["api/parts/get.yml", "api/.hidden.yml", "other/get.yml"] { try directory.write(name, operation) }
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("api/link.yml"), withDestinationPath: directory.file("other/get.yml"))
        let file = directory.file("api/openapi.yaml")
        for (reference, isOwn) in [
            ("parts/get.yml", true), ("parts/../parts/get.yml", true), ("../other/get.yml", false), (".hidden.yml", false),
            ("link.yml", false), (directory.file("other/get.yml"), false),
        ] {
            try directory.write("api/openapi.yaml", document(reference))
            let run = await CommandLineRun.run(["import", file])
            #expect(run.output.contains("name: Found") == isOwn, "\(reference)")
            #expect(
                run.errors.contains("it isn't a file of the document's directory; --trust reads it all the same") == !isOwn,
                "\(reference): \(run.errors)")
            let trusted = await CommandLineRun.run(["import", file, "--trust"])
            #expect(trusted.output.contains("name: Found"), "\(reference): \(trusted.errors)")
        }
    }

    @Test func `the end says what to set, and where`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "t.yaml",
            """
            openapi: 3.0.0
            info: { title: T }
            servers: [{ url: http://h }]
            paths:
              /a/{id}:
                get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
                post: { requestBody: { content: { application/octet-stream: {} } } }
            """)
        let run = await CommandLineRun.run(["import", directory.file("t.yaml"), "-o", directory.file("out/")])
        #expect(
            run.errors == """
                Imported 2 requests from OpenAPI.
                These variables have values made up by their types. Set your own under `variables` in \(directory.file("out"))/_collection.yaml:
                  id
                These variables have no value, and are asked for when they are needed. Set them under `variables` in \(directory.file("out"))/_collection.yaml:
                  file

                """)
    }

    @Test(
        arguments: [
            ([], "", "turnstone: import takes a file: turnstone import FILE. `turnstone import --help` shows examples."),
            (["/nowhere/x.json"], "", "turnstone: Can't read /nowhere/x.json. Does it exist, and may you read it?"),
            (["-"], "", "turnstone: -:1:1: is empty"),
            (["-"], "{", "turnstone: -:1:2: this is not JSON: the text ends too early"),
            (["-"], "a: b", "turnstone: -:1:1: is of no kind that can be imported. There are KINDS; --from says which one it is"),
            (
                ["-"], "a: [",
                "turnstone: -:2:1: this is not YAML: did not find expected node content (while parsing a flow node that starts in line 2)"
            ),
        ]) func `what can't be imported is said with its place`(words: [String], input: String, error: String) async
    {
        let run = await CommandLineRun.run(["import"] + words, input: input)
        #expect(run.output == "")
        #expect(
            run.errors.replacing(ImportKind.list, with: "KINDS").replacing(
                ImportKind.allCases.map(\.rawValue).joined(separator: ", "), with: "KINDS")
                == error + "\n")
        #expect(run.status == (words.first == "/nowhere/x.json" ? .file : .usage))
    }
}
