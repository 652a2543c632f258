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
        ("F.Yml", "its name ends in `.Yml`", "F.yml"),
    ])
    func `a name that no request can have is told of, with one that it can`(name: String, reason: String, better: String) throws {
        let found = try warnings([name: "get: http://h/\n", "a/x.yaml": "get: http://h/\n"])
        #expect(found == ["\(name): this file isn't read as a request, since \(reason); rename it, such as to `\(better)`"])
    }

    @Test func `a file that is nearly the collection's own is told of as such`() throws {
        #expect(
            try warnings(["_collection.yml": "name: x\n", "a/_folder.YAML": "name: x\n", "a/x.yaml": "get: http://h/\n"]) == [
                "_collection.yml: this file isn't read, since _collection.yaml beside it is the collection's; keep one of them",
                "a/_folder.YAML: this file isn't read, since the name of a folder's own is `_folder.yaml`; rename it",
            ])
    }

    @Test func `in a directory of collections a line below begins any name`() throws {
        let collection = "turnstone: 1\n"
        let directory = try TemporaryDirectory(["_shop.yaml": collection, "_collection.yml": collection, "a.b.yaml": collection])
        let warned = RequestCollection.passedOver(at: directory.path).map { $0.location.path.split(separator: "/").last }
        #expect(warned == ["a.b.yaml"])
        #expect(try RequestCollection.collections(at: directory.path).count == 2)
    }

    @Test func `what doesn't read like a request, is hidden or no YAML is where it belongs`() throws {
        let found = try warnings([
            "create.yaml": "post: http://h/\nbody: { file: create.body.yaml }\n", "create.body.yaml": "a: 1\n",
            "create.body.json": "{}",
            "each.yaml": "post: http://h/\nfor-each: { case: [a] }\nbody: { file: '{{case}}.v1.yaml' }\n", "a.v1.yaml": "a: 1\n",
            ".hidden.yaml": "a: 1\n", "notes.v1.md": "x",
        ])
        #expect(found == [])
    }
}
