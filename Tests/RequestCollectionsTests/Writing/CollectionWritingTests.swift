import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct CollectionWritingTests {
    private static let text = #"""
        turnstone: 1
        name: Shop
        description: |-
          Two lines,
          the second here.
        variables:
          host: http://127.0.0.1
          count: 3
          zip: "01234"
          none: null
          list: [a, { b: 1 }]
          token: { secret: { env: TOKEN } }
          pin: { secret: { prompt: "Your PIN?" } }
          key: { secret: { command: [pass, show, key] } }
        environments:
          local: {}
          live: { extends: local, host: https://live }
        defaults:
          headers:
            accept: application/json
            x-gone: null
          auth: { bearer: "{{token}}" }
        requests:
          a:
            name: 'A: first'
            tags: [x, "y, z"]
            post: "{{host}}/a/:id"
            path: { id: 1 }
            query:
              n: [1, { value: 2, enabled: false }]
              empty: ""
            cookies: { c: "{{pin}}" }
            auth: { basic: { user: u, password: "{{token}}" } }
            body: { json: { a: [1, "1", null], b: {} } }
            timeouts: { connect: 2s }
            tls: { verify: false }
            retry: { attempts: 3, on: [5xx, timeout], backoff: { first: 1s, factor: 2.5, max: 10s, jitter: full }, retry-after: ignore }
            needs: { folder/b: { max-age: 1h } }
            hydrate: [sign, "{{token}}"]
            capture: { t: { from: .t, secret: true, default: 1 } }
            expect:
              status: [2xx, 304, "> 400"]
              header: { content-type: /json/i, etag: exists, x: "exists", y: not "a", z: { starts-with: " b" } }
              body:
                .id: exists
                .total: "> 0"
                .list: { all: [{ length: "> 1" }, { each: is string }], }
                '.a, .b': { one-of: [1, "1", null, [2]] }
                .c: { matches: "a, [b]: " }
                .d: { contains: { e: 1 } }
                .f: /a+/i
                .g: { type: object }
                .h: { exists: false }
                .n: null
              time: { total: "< 2s", wait: 10ms..1s }
              size: "<= 10KB"
              tls: { valid-for: "> 14d", verified: true }
              error: missing
          folder:
            name: Folder
            requests:
              b:
                method: PURGE
                url: http://h/
                body: { form: { a: b, c: null } }
                needs: c
              c:
                query: http://h/
                body:
                  multipart:
                    p: text
                    f: [{ file: a.png }, { file: b.png, filename: c.png, type: image/png }]
              d:
                get: http://h/
                auth: { oauth2: { token-url: http://t, client-id: c, client-secret: "{{key}}" } }
                body:
                  graphql:
                    query: |
                      query Q {
                        a
                      }
                    operation: Q
                    variables: { a: 1 }
              e:
                get: http://h/
                body: { json: '"text"' }
                auth: netrc
                hydrate: sign it | tee x
                expect: { body: contains it }
                mock: { status: 404, headers: { a: b }, body: { c: [1] }, delay: 10ms..2s, latency: 1s, rate: 10KB }
              empty:
                name: Empty
                requests: {}
        """#

    @Test func `a collection is written as values, and reads back the same`() throws {
        let collection = RequestCollection.of(Self.text)
        #expect(collection.problems == [])
        let text = try collection.text()
        let read = RequestCollection.of(text)
        #expect(read.problems == [])
        #expect(read.others(than: nil) == collection.others(than: nil))
        #expect(try read.text() == text)
    }

    @Test func `short maps are in one line, and quotes are where they are needed`() throws {
        let text = try RequestCollection.of(Self.text).text()
        #expect(
            text.split(separator: "requests:\n", maxSplits: 1)[0] == #"""
                turnstone: 1
                name: Shop
                description: |-
                  Two lines,
                  the second here.
                variables:
                  host: http://127.0.0.1
                  count: 3
                  zip: "01234"
                  none: null
                  list: [a, { b: 1 }]
                  token: { secret: { env: TOKEN } }
                  pin: { secret: { prompt: "Your PIN?" } }
                  key: { secret: { command: [pass, show, key] } }
                environments:
                  local: {}
                  live: { extends: local, host: https://live }
                defaults:
                  headers: { accept: application/json, x-gone: null }
                  auth: { bearer: "{{token}}" }

                """#)
    }

    @Test func `as a directory it has a file for each request`() throws {
        let directory = try TemporaryDirectory()
        var collection = RequestCollection.of(Self.text)
        collection.path = directory.path + "/shop"
        let change = try collection.writing(as: .directory)
        try change.write()
        let read = try RequestCollection.load(path: collection.path)
        #expect(read.problems == [])
        #expect(
            read.requests.map(\.id.rawValue) == ["a", "folder/b", "folder/c", "folder/d", "folder/e"])
        #expect(
            try String(contentsOfFile: collection.path + "/folder/b.yaml", encoding: .utf8)
                == "method: PURGE\nurl: http://h/\nbody: { form: { a: b, c: null } }\nneeds: c\n")
        #expect(try String(contentsOfFile: collection.path + "/folder/_folder.yaml", encoding: .utf8) == "name: Folder\n")
        #expect(read.others(than: nil) == change.collection.others(than: nil))
    }

    @Test func `what the writer can't say is refused`() {
        var collection = RequestCollection.of(Self.text)
        guard case .request(let saved) = collection.nodes[0] else { return }
        var request = saved.wrappedValue
        request.settings.followRedirects = .delegate
        collection.nodes[0] = .request(request)
        let refused = collection
        #expect(throws: CollectionProblem.self) { try refused.text() }
    }

    @Test(arguments: [
        ("[", "x.json:1:2: this is not JSON: the text ends too early"),
        ("{\n  \"é\": 1,\n  b: 2 }", "x.json:3:3: this is not JSON: `b:` can't stand here"),
        ("[\"a", "x.json:1:2: this is not JSON: a string with no end, or with an escape that JSON doesn't know"),
        (String(repeating: "[", count: 600), "x.json:1:514: this is not JSON: lists and maps are nested more than 512 deep"),
    ]) func `JSON says where it ends to be JSON`(text: String, problem: String) {
        do throws(CollectionProblem) {
            _ = try JSONParser.document(Array(text.utf8), path: "x.json")
            Issue.record("it was read")
        } catch {
            #expect("\(error)" == problem)
        }
    }

    @Test func `YAML of others has merge keys and anchors`() throws {
        let value = try ForeignYAML.parse(
            Array("a: &a { x: 1, y: two }\nb: { <<: *a, y: !!str 3, z: .inf }\n".utf8), path: "x.yaml")
        #expect(value.text(pretty: false) == #"{"a":{"x":1,"y":"two"},"b":{"x":1,"y":"3","z":".inf"}}"#)
    }
}
