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
            "expect: { status: [exists, 1..5, '!= 3', /2../, not 2xx, '> {{a}}'], size: [1KB, 1..5, '< 2 MiB', 3] }",
            "expect: { time: { total: [1s, 10ms..2s, '<1s', not < 1s, '< {{a}}ms', missing] }, attempts: ['<= 2', 2, '{{a}}'] }",
            "expect: { body: { .a: { not: { length: '> 1' } }, '.b | length': 5 }, tls: { valid-for: '> 14d', verified: true } }",
            "timeouts: { idle: 50ms, connect: 0.05s, attempt: 1m }", "capture: { a: 'header:etag', b: status, c: '[.a] | first' }",
            "capture: { ä_1.b-c: body }", "x-note: [1, { a: b }]", "body: { graphql: { file: a } }", "hydrate: sign it",
            "auth: { oauth2: { token-url: http://h/, client-id: a, client-secret: b } }", "expect: { body: { equals: x } }",
            "proxy: 'http://h:3128'", "proxy: ''", "proxy: '{{p}}'", "redirects: { max: 0 }",
            "expect: { error: [timeout, dns, missing, /reset/, tls.failed, not connection, '{{e}}'] }",
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
            "redirects: { follow: sometimes }", "tls: { verify: 1 }", "http: 4", "response: { limit: much }", "priority: urgent",
            "auth: { baisc: {} }", "auth: { basic: { usr: x } }", "body: { jsno: {} }", "body: { text: [a] }",
            "retry: { attempts: 0 }",
            "retry: { on: sometimes }", "needs: { login: { max-age: soon } }", "expect: { statsu: 200 }",
            "expect: { time: { waiting: '< 1s' } }", "expect: { body: { .a: { typ: array } } }", "expect: { status: [] }",
            "mock: { delay: long }", "mock: { status: 42 }", "capture: { a: { form: x } }", "name: [a]",
            "timeouts: { idle: 0ms }", "timeouts: { idle: 0s }", "timeouts: { idle: 0.00s }", "timeouts: { connect: -1s }",
            "expect: { size: '< 1.5 MiB' }",
            "expect: { error: nope }", "expect: { error: [timeout, nope] }", "expect: { error: 5 }", "redirects: { max: -1 }",
            "proxy: 5",
            "proxy: true", "expect: { header: { a: { each: x } } }", "expect: { header: { a: { not: { type: string } } } }",
            "expect: { body: { .a: { all: [] } } }", "expect: { body: { .a: { one-of: [] } } }",
            "redirects: { max: 1.5 }", "retry: { attempts: 1000 }", "retry: { on: 999 }", "retry: { on: [6xx] }",
            "retry: { backoff: { factor: x } }", "retry: { backoff: { first: -1s } }",
            "mock: { status: 199 }", "mock: { rate: -5 }", "mock: { body: a, file: b }",
            "body: { text: a, json: b }", "body: {}", "body: some text", "body: [a]",
            "post: http://x/", "url: http://x/", "method: PUT", "query: http://x/",
            "capture: { a: b }", "capture: { a: 5 }", "capture: { a: { secret: true } }", "capture: { a: { from: nothing } }",
            "capture: { 1a: .b }", "capture: { a: 'header:' }",
            "expect: { status: ok }", "expect: { status: {} }", "expect: { status: '> x' }", "expect: { status: true }",
            "expect: { status: [200, ok] }", "expect: { time: { total: 300 } }", "expect: { time: { total: '< 300' } }",
            "expect: { time: { total: soon } }", "expect: { time: 3s }", "expect: { size: '> 1s' }", "expect: { size: much }",
            "expect: { attempts: many }", "expect: { body: {} }", "expect: { body: { .a: { each: {} } } }",
            "expect: { body: { .a: { type: text } } }", "expect: { body: { .a: { length: x } } }",
            "expect: { body: { .a: { one-of: 5 } } }", "expect: { body: { .a: { exists: maybe } } }",
            "expect: { tls: { valid-for: 14 } }", "expect: { header: [a] }",
            "auth: {}", "auth: { bearer: a, netrc: b }", "auth: { basic: x }", "auth: { api-key: { name: a } }",
            "auth: { api-key: { name: a, value: b, in: body } }", "auth: { oauth2: {} }",
            "auth: { oauth2: { token-url: http://h/ } }",
            "auth: { oauth2: { grant: nope, token-url: http://h/, client-id: a } }",
            "auth: { oauth2: { token-url: http://h/, client-id: a } }",
            "auth: { oauth2: { grant: password, token-url: http://h/, client-id: a, user: b } }",
            "auth: { aws-sigv4: { access-key: a } }", "auth: basic",
            "tls: { min-version: 1.4 }", "tls: { pins: x }", "headers: { a: { value: [b] } }", "headers: { a: [[b]] }",
            "cookies: [a]",
            "tags: a", "needs: { login: 5 }", "needs: { login: { max-age: 5 } }", "hydrate: ''", "hydrate: []", "hydrate: { a: b }",
            "response: { limit: -1 }", "response: { keep: disk }", "resolve: h:80:1", "compression: yes", "http: 1", "proxy: [a]",
            "query: { a: { b: c } }", "path: [a]", "body: { graphql: {} }", "body: { graphql: { query: a, file: b } }",
            "body: { multipart: { a: { value: b, file: c } } }", "body: { form: [a] }",
        ])
    func `what the reader refuses is refused`(line: String) throws {
        let collection = RequestCollection.requests("  login: { get: http://h/ }\n  a: { get: http://h/, \(line) }\n")
        #expect(collection.problems != [])
        #expect(try !Self.accepts("get: http://h/\n\(line)"))
        #expect(try !Self.accepts("turnstone: 1\nrequests: { f: { requests: { a: { get: http://h/, \(line) } } } }"))
    }

    @Test func `a request has a method with its URL, and variables have names that templates can use`() throws {
        for text in ["url: http://h/", "method: PUT", "name: a", "query: { a: b }", "get: http://h/\nurl: http://h/"] {
            #expect(try !Self.accepts("turnstone: 1\nrequests:\n  a:\n    \(text.replacing("\n", with: "\n    "))"), "\(text)")
        }
        for text in ["method: PUT\nurl: http://h/", "query: http://h/", "get: http://h/\nquery: { a: b }"] {
            #expect(try Self.accepts("turnstone: 1\nrequests:\n  a:\n    \(text.replacing("\n", with: "\n    "))"), "\(text)")
            #expect(try Self.accepts(text), "\(text)")
        }
        #expect(try !Self.accepts("turnstone: 1\nvariables: { 1a: x }"))
        #expect(try !Self.accepts("turnstone: 1\nenvironments: { a: { 'b c': x } }"))
        #expect(
            try Self.accepts(
                "turnstone: 1\nx-a: &a { b: 1 }\nvariables: { <<: *a, a.b-c_1: x }\nenvironments: { a: { extends: b }, b: }"))
    }

    @Test func `every key of the reader's tables is in it, with what it does`() throws {
        let definitions = try #require(Self.schema?["$defs"])
        let tables: [FormatTable] = [
            .collection, .folder, .request, .defaults, .body, .graphql, .row, .part, .auths, .need, .capture, .expect, .times,
            .tlsFacts, .matcher, .mock,
        ]
        let maps = FormatTable.settings.flatMap(\.takes.tables)
        #expect(maps.map(\.subject) == ["timeouts", "retry", "backoff", "redirects", "tls", "connection", "response", "delay"])
        for table in tables + maps + FormatTable.auths.keys.flatMap(\.takes.tables) {
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

extension FormatShape {
    /// Those of the maps in it.
    fileprivate var tables: [FormatTable] {
        switch self {
        case .keys(let table): [table] + table.keys.flatMap(\.takes.tables)
        case .either(let shapes): shapes.flatMap(\.tables)
        default: []
        }
    }
}
