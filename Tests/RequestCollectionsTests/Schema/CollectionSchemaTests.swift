import Foundation
import SchemaTesting
import Testing

@testable import RequestCollections

@Suite struct CollectionSchemaTests {
    private static let schema = JSONParser.parse(CollectionSchema.text())

    private static func accepts(_ yaml: String) throws -> Bool {
        let document = try YAMLDocument(path: "a.yaml", bytes: Array(yaml.utf8))
        let value = try JSONValue(try #require(document.root), in: "a.yaml")
        return SchemaValidator(root: try #require(schema)).accepts(value)
    }

    @Test func `every file that ships is accepted`() throws {
        let files = FileManager.default.enumerator(atPath: ShippedCollections.directory)?.compactMap { $0 as? String } ?? []
        let names = files.filter { $0.hasSuffix(".yaml") }
        #expect(names.count > 50)
        for name in names {
            let text = try String(contentsOfFile: "\(ShippedCollections.directory)/\(name)", encoding: .utf8)
            #expect(try Self.accepts(text), "\(name)")
        }
    }

    @Test(
        arguments: [
            "retry: none", "retry: { attempts: 3, on: [5xx, timeout, 503], backoff: { first: 1s, factor: 1.5, jitter: full } }",
            "http: 1.1", "http: 2", "timeouts: { idle: never, connect: 1.5s }", "needs: [a, b]",
            "needs: { a: { max-age: 1h }, b: }",
            "capture: { a: .b, c: { from: header:x, secret: true } }", "mock: { status: 503, delay: 1s..2s, rate: 10 KB }",
            "expect: { status: [2xx, 304], body: { .a: { type: array, length: '> 1' }, .b: [1, ~] }, time: { total: '< 1s' } }",
            "expect: { body: /ok/ }", "auth: { api-key: { name: a, value: b } }", "auth: netrc", "body: none",
            "body: { graphql: { query: a, variables: { x: [1] } } }", "headers: { a: , b: [1, { value: x, enabled: false }] }",
            "priority: high", "response: { limit: 1MiB, hash: sha256 }", "query: { a: 1 }", "hydrate: [a, b]",
        ])
    func `what the reader takes is accepted`(line: String) throws {
        let collection = RequestCollection.requests("  b: { get: http://h/ }\n  a: { get: http://h/, \(line) }\n")
        #expect(collection.problems.filter { !$0.message.contains("isn't there") && !$0.message.contains("circle") } == [])
        #expect(try Self.accepts("get: http://h/\n\(line)"))
        #expect(try Self.accepts("turnstone: 1\nrequests: { f: { requests: { a: { get: http://h/, \(line) } } } }"))
    }

    @Test(
        arguments: [
            "gett: x", "headers: [a]", "headers: { a: { valeu: b } }", "timeouts: { idle: 5 }", "timeouts: { ilde: 5s }",
            "redirects: { follow: sometimes }", "tls: { verify: 1 }", "http: 3", "response: { limit: much }", "priority: urgent",
            "auth: { baisc: {} }", "auth: { basic: { usr: x } }", "body: { jsno: {} }", "body: { text: [a] }",
            "retry: { attempts: 0 }",
            "retry: { on: sometimes }", "needs: { login: { max-age: soon } }", "expect: { statsu: 200 }",
            "expect: { time: { waiting: '< 1s' } }", "expect: { body: { .a: { typ: array } } }", "expect: { status: [] }",
            "mock: { delay: long }", "mock: { status: 42 }", "capture: { a: { form: x } }", "name: [a]",
        ])
    func `what the reader refuses is refused`(line: String) throws {
        let collection = RequestCollection.requests("  login: { get: http://h/ }\n  a: { get: http://h/, \(line) }\n")
        #expect(collection.problems != [])
        #expect(try !Self.accepts("get: http://h/\n\(line)"))
        #expect(try !Self.accepts("turnstone: 1\nrequests: { f: { requests: { a: { get: http://h/, \(line) } } } }"))
    }

    @Test func `every key of the reader's tables is in it, with what it does`() throws {
        let definitions = try #require(Self.schema?["$defs"])
        let tables: [FormatTable] = [
            .collection, .folder, .request, .defaults, .timeouts, .redirects, .tls, .response, .retry, .backoff, .body, .graphql,
            .row,
            .part, .auths, .credentials, .apiKey, .awsSigV4, .oauth2, .need, .capture, .expect, .times, .tlsFacts, .matcher, .mock,
        ]
        for table in tables {
            let names = table.keys.map(\.name)
            let definition = (definitions.names ?? []).lazy.compactMap { definitions[$0]?["properties"] }.first {
                $0.names == names
            }
            for key in table.keys {
                #expect(definition?[key.name]?["description"] == .string(key.doc), "\(key.name) of \(table.subject)")
            }
        }
    }
}
