import Testing

@testable import RequestCollections

/// Files with merge keys, tags, directives and several documents: the tree is changed and their bytes stay, or the change is refused
/// before anything is written.
@Suite struct ConstructTests {
    struct Construct: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        /// The edits that are refused, each by its name and with the sentence.
        var refused: [String: String] = [:]
    }

    static let edits: [(name: String, edit: CollectionEdit)] = [
        ("remove", .remove("b")), ("rename", .rename("b", to: "c")), ("duplicate", .duplicate("b", as: "c")),
        ("reorder", .reorder("b", before: "a")), ("move", .move("b", into: "f")),
        ("add a request", .addRequest("c", method: "GET", url: "http://h/c")), ("add a folder", .addFolder("g")),
    ]

    static let constructs: [Construct] = [
        Construct(
            testDescription: "a merge key in a neighbour",
            text: """
                turnstone: 1
                variables: { d: &d { x: 1 } }
                requests:
                  a: { <<: *d, get: http://h/a }   # kept
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }

                """),
        Construct(
            testDescription: "a merge key among the requests",
            text: """
                turnstone: 1
                x-more: &d { m: { get: http://h/m } }
                requests:
                  <<: *d   # kept
                  a: { get: http://h/a }
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }

                """,
            refused: Dictionary(
                uniqueKeysWithValues: edits.map {
                    ($0.name, "shop.yaml:4:3: a part of this comes from `<<`, which can't be edited in place; edit it in the file")
                })),
        Construct(
            testDescription: "a tag on the request itself",
            text: """
                turnstone: 1
                requests:
                  a: { get: http://h/a }
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: !!map { get: http://h/b }   # tagged

                """),
        Construct(
            testDescription: "a tag that means nothing on a neighbour",
            text: """
                turnstone: 1
                requests:
                  a: !request { get: http://h/a }   # tagged
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }

                """),
        Construct(
            testDescription: "a tag on the map of requests",
            text: """
                turnstone: 1
                requests: !!map
                  a: { get: http://h/a }
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }

                """),
        Construct(
            testDescription: "a directive, and marks around the document",
            text: """
                %YAML 1.1
                --- # begins
                turnstone: 1
                requests:
                  a: { get: http://h/a }
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }
                ...
                # after the end

                """),
        Construct(
            testDescription: "a second document",
            text: """
                turnstone: 1
                requests:
                  a: { get: http://h/a }
                  f:
                    requests:
                      x: { get: http://h/x }
                  b: { get: http://h/b }
                ---
                turnstone: 1

                """,
            refused: Dictionary(
                uniqueKeysWithValues: edits.map { name, _ in
                    name.hasPrefix("add")
                        ? (name, "shop.yaml:8:1: a second document starts here; a file of a collection holds one")
                        : (name, "shop.yaml:1:1: the collection has no `b`")
                })),
    ]

    @Test(arguments: constructs, edits.map(\.name))
    func `a change of the tree leaves the construct as it is, or is refused before anything is written`(
        construct: Construct, name: String
    ) throws {
        let edit = try #require(Self.edits.first { $0.name == name }).edit
        let directory = try TemporaryDirectory(["shop.yaml": construct.text])
        let path = directory.path("shop.yaml")
        let before = try RequestCollection.load(path: path)
        let change: CollectionChange
        do {
            change = try before.applying(edit)
        } catch let problem as CollectionProblem {
            #expect(problem.description.replacing(path, with: "shop.yaml") == construct.refused[name])
            #expect(try directory.read("shop.yaml") == construct.text)
            return
        }
        #expect(construct.refused[name] == nil)
        try change.write()
        let text = try directory.read("shop.yaml")
        // Every line that isn't about `b`, or the folder that takes it, is there as it was and in its order.
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        for line in construct.text.split(separator: "\n", omittingEmptySubsequences: false)
        where !line.hasPrefix("  b:") {
            guard let index = rest.firstIndex(of: line) else {
                Issue.record("`\(line)` is gone from:\n\(text)")
                continue
            }
            rest = rest[(index + 1)...]
        }
        let now = try RequestCollection.load(path: path)
        #expect(now.requests.map(\.withoutLocations) == change.collection.requests.map(\.withoutLocations))
        #expect(now.problems.map(\.message) == before.problems.map(\.message))
    }
}
