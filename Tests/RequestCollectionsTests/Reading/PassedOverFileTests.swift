import Foundation
import Testing

@testable import RequestCollections

/// Files that lie in a directory as if they were requests, and that nobody would miss.
@Suite struct PassedOverFileTests {
    private func warnings(_ files: [String: String]) throws -> [String] {
        let directory = try TemporaryDirectory(["_collection.yaml": "turnstone: 1\n"].merging(files) { $1 })
        let collection = try RequestCollection.load(path: directory.path)
        #expect(collection.problems == [])
        return collection.warnings.map { "\($0.location.path.dropFirst(directory.path.count + 1)): \($0.message)" }
    }

    @Test(arguments: [
        ("orders.v2.yaml", "there is another dot in its name", "orders-v2.yaml"),
        ("a/b.c.yml", "there is another dot in its name", "b-c.yml"),
        ("_smoke.yaml", "its name begins with `_`", "smoke.yaml"), ("F.YAML", "its name ends in `.YAML`", "F.yaml"),
        ("F.Yml", "its name ends in `.Yml`", "F.yml"), ("_collection.yml", "that name ends in `.yaml`", "_collection.yaml"),
        ("a/_folder.YAML", "that name ends in `.yaml`", "_folder.yaml"),
    ])
    func `a name that no request can have is told of, with one that it can`(name: String, reason: String, better: String) throws {
        let found = try warnings([name: "get: http://h/\n", "a/x.yaml": "get: http://h/\n"])
        #expect(found == ["\(name): this file isn't read as a request, since \(reason); rename it, such as to `\(better)`"])
    }

    @Test func `what a request names, is hidden or no YAML is where it belongs`() throws {
        let found = try warnings([
            "create.yaml": "post: http://h/\nbody: { file: create.body.yaml }\n", "create.body.yaml": "a: 1\n",
            "create.body.json": "{}",
            "each.yaml": "post: http://h/\nfor-each: { case: [a] }\nbody: { file: '{{case}}.v1.yaml' }\n", "a.v1.yaml": "a: 1\n",
            ".hidden.yaml": "a: 1\n", "notes.v1.md": "x",
        ])
        #expect(found == [])
    }
}
