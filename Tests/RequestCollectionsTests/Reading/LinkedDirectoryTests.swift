import Foundation
import Testing

@testable import RequestCollections

/// A collection that somebody else has packed may have links in it, and opening it reads nothing beside it.
@Suite struct LinkedDirectoryTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory([
            "repo/.git/config": "[x]", "repo/.git/a.yaml": "get: http://h.test/\n", "repo/shop/_collection.yaml": "turnstone: 1\n",
            "repo/shop/own.yaml": "get: http://h.test/\n", "repo/shared/a.yaml": "get: http://h.test/\n",
            "elsewhere/a.yaml": "get: http://h.test/\n", "elsewhere/_folder.yaml": "name: Stolen\n",
        ])
        path = RealPath.of(directory.path)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/repo/shop/\(name)", withDestinationPath: target)
    }

    private func read() throws -> (requests: [String], problems: [String]) {
        let collection = try RequestCollection.load(path: "\(path)/repo/shop")
        return (
            collection.requests.map(\.id.rawValue),
            collection.problems.map { "\($0.location.path) \($0.message)".replacing("\(path)/", with: "") }
        )
    }

    private static func refusal(_ name: String, _ target: String) -> String {
        "repo/shop/\(name) leads to \(target), outside of the collection and its repository, and isn't read; put a copy there"
    }

    @Test(.timeLimit(.minutes(1)))
    func `a link to the whole disk isn't gone into`() throws {
        try link("disk", to: "/")
        try link("process", to: "/proc/self")
        let (requests, problems) = try read()
        #expect(requests == ["own"])
        #expect(problems.count == 2)
        #expect(problems.first == Self.refusal("disk", "/"))
    }

    @Test func `what lies elsewhere or is hidden isn't read`() throws {
        try link("a", to: "\(path)/elsewhere")
        try link("b.yaml", to: "\(path)/elsewhere/a.yaml")
        try link("c", to: "../.git")
        try link("d.yaml", to: "../.git/a.yaml")
        try directory.write("get: http://h.test/\n", to: "repo/shop/e/x.yaml")
        try link("e/_folder.yaml", to: "\(path)/elsewhere/_folder.yaml")
        // No request, so nobody cares.
        try link("note.txt", to: "\(path)/elsewhere/a.yaml")
        let (requests, problems) = try read()
        #expect(requests == ["e/x", "own"])
        #expect(
            problems == [
                Self.refusal("a", "elsewhere"), Self.refusal("b.yaml", "elsewhere/a.yaml"), Self.refusal("c", "repo/.git"),
                Self.refusal("d.yaml", "repo/.git/a.yaml"), Self.refusal("e/_folder.yaml", "elsewhere/_folder.yaml"),
            ])
    }

    @Test func `what lies in the same repository is`() throws {
        try link("shared", to: "../shared")
        try link("copy.yaml", to: "own.yaml")
        let (requests, problems) = try read()
        #expect(requests == ["copy", "own", "shared/a"])
        #expect(problems == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `links that lead on and on come to an end`() throws {
        for level in 0..<40 {
            try directory.write("get: http://h.test/\n", to: "repo/shop/l\(level)/x.yaml")
            guard level > 0 else { continue }
            for name in ["a", "b"] { try link("l\(level - 1)/\(name)", to: "\(path)/repo/shop/l\(level)") }
        }
        let (requests, problems) = try read()
        #expect(requests.count < 50_000)
        #expect(problems.contains { $0.hasSuffix("links lead to more than 1000 directories; take some away") })
    }
}
