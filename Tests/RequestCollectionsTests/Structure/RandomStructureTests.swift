import NetworkLayerTesting
import Testing

@testable import RequestCollections

/// Random trees and random changes of them, from fixed seeds: written, read again, and compared with what was asked for; and every line
/// that isn't the entry's own is where it was.
@Suite struct RandomStructureTests {
    @Test(arguments: 0..<240)
    func `a random change of a random tree gives that tree, and touches nothing else`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &+ 77)
        let text = RandomCollection.tree(&random)
        let directory = try TemporaryDirectory(["random.yaml": text])
        var collection = try RequestCollection.load(path: directory.path("random.yaml"))
        try #require(collection.problems == [], "seed \(seed)\n\(text)")
        var count = 0
        for step in 0..<6 {
            guard let edit = CollectionEdit.random(in: collection, step, &random) else { continue }
            let before = try directory.read("random.yaml")
            let what = "seed \(seed): \(edit)\n\(before)"
            let isAlone = collection.level(of: edit.id.parent).count == 1
            let change: CollectionChange
            do {
                change = try collection.applying(edit)
            } catch let problem as CollectionProblem {
                #expect(Self.refusals.contains { problem.message.contains($0) }, "\(problem) \(what)")
                count += 1
                continue
            }
            try change.write()
            let after = try directory.read("random.yaml")
            collection = try RequestCollection.load(path: directory.path("random.yaml"))
            #expect(collection.nodes == change.collection.nodes, "\(what)")
            #expect(after.utf8.contains(0x0D) == before.utf8.contains(0x0D), "\(what)")
            #expect(after.hasPrefix("\u{FEFF}") == before.hasPrefix("\u{FEFF}"), "\(what)")
            try expectNothingElse(edit, before, after, what, isAlone: isAlone)
            count += 1
        }
        #expect(count > 0, "seed \(seed): nothing could be done\n\(text)")
    }

    /// What a form in the file can't take, said before anything is written.
    private static let refusals = [
        "written in a form that can't be moved without changing more than it",
        "these requests stand between brackets", "already; choose another name",
    ]

    /// One part of the file is another one, and the rest is as it was; what moves has two such parts.
    ///
    /// - Parameter isAlone: nothing else is in its folder, which has `{}` afterwards.
    private func expectNothingElse(
        _ edit: CollectionEdit, _ before: String, _ after: String, _ what: String, isAlone: Bool
    ) throws {
        let old = Array(before.utf8)
        let new = Array(after.utf8)
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        let shared = min(prefix + suffix, old.count, new.count)
        switch edit {
        case .add, .addFolder, .duplicate:
            // `{}` gives way to the first.
            #expect(shared >= old.count - 8, "\(what)\n\(after)")
        case .remove:
            if isAlone {
                #expect(Set(Self.words(after)).isSubset(of: Self.words(before)), "\(what)\n\(after)")
            } else {
                #expect(shared == new.count, "\(what)\n\(after)")
            }
        case .rename(let id, let name):
            #expect(old.count - shared <= id.name.utf8.count + 2, "\(what)\n\(after)")
            #expect(new.count - shared <= name.utf8.count + 2, "\(what)\n\(after)")
        case .reorder, .move: break
        }
        switch edit {
        case .reorder, .move:
            #expect(Self.words(before) == Self.words(after), "\(what)\n\(after)")
        default: break
        }
    }

    /// All that isn't space, `{}` or the comma between two, in any order.
    private static func words(_ text: String) -> [Substring] {
        text.replacing("{}", with: "").split { " \n\r,{}".contains($0) || $0 == "\r\n" }.sorted()
    }
}

extension RequestCollection {
    fileprivate func level(of folder: RequestID?) -> [Node] {
        guard let folder, case .folder(let found)? = node(folder) else { return nodes }
        return found.nodes
    }
}

extension CollectionEdit {
    fileprivate static func random(
        in collection: RequestCollection, _ step: Int, _ random: inout SeededGenerator
    ) -> CollectionEdit? {
        var ids: [RequestID] = []
        var folders: [RequestID?] = [nil]
        func collect(_ nodes: [RequestCollection.Node]) {
            for node in nodes {
                ids.append(node.id)
                if case .folder(let folder) = node {
                    folders.append(folder.id)
                    collect(folder.nodes)
                }
            }
        }
        collect(collection.nodes)
        let folder = folders.randomElement(using: &random)!
        let name = ["n\(step)", "n \(step)", "\(step)", "ü#\(step)"].randomElement(using: &random)!
        let id = ids.randomElement(using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .addRequest(folder.child(name), method: "GET", url: RandomCollection.value(&random))
        case 1: return .addFolder(folder.child(name))
        case 2: return id.map { .duplicate($0, as: name) }
        case 3: return id.map { .rename($0, to: name) }
        case 4: return id.map { .remove($0) }
        case 5, 6:
            guard let id else { return nil }
            let siblings = ids.filter { $0.parent == id.parent && $0 != id }
            return .reorder(id, before: siblings.randomElement(using: &random))
        default:
            guard let id, folder?.moved(from: id, to: id) == nil else { return nil }
            return .move(id, into: folder)
        }
    }
}
