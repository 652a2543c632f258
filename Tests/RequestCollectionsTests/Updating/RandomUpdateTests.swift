import Foundation
import NetworkLayerTesting
import Testing

@testable import RequestCollections

/// Edits on both sides, by a seed: no edit is lost, and whatever doesn't conflict with one comes in.
@Suite struct RandomUpdateTests {
    /// A request as values: `nil` for one that isn't there.
    private struct Tree: Equatable {
        /// By folder and name, their rows; the order is the tree's.
        var requests: [(id: String, rows: [String: String])] = []

        static func == (left: Tree, right: Tree) -> Bool { left.text == right.text }

        subscript(_ id: String) -> [String: String]? { requests.first { $0.id == id }?.rows }

        var text: String {
            var text = "turnstone: 1\nname: Shop\nrequests:\n"
            for folder in ["a", "b"] {
                let inside = requests.filter { $0.id.hasPrefix(folder) }
                text += "  \(folder):\n    requests:" + (inside.isEmpty ? " {}\n" : "\n")
                for request in inside {
                    text += "      \(request.id.dropFirst(2)):\n        get: http://h/\(request.id)\n"
                    if request.rows.isEmpty { continue }
                    let rows = request.rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
                    text += "        query: { \(rows) }\n"
                }
            }
            return text
        }

        mutating func edit(_ random: inout SeededGenerator, _ side: String) {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = requests.indices.randomElement(using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    let folder = ["a", "b"].randomElement(using: &random) ?? "a"
                    let id = "\(folder)/\(side)\(Int.random(in: 0..<100, using: &random))"
                    let place = Int.random(in: 0...requests.count, using: &random)
                    if self[id] == nil { requests.insert((id, ["q": "new"]), at: place) }
                case 1: if let index { requests.remove(at: index) }
                case 2: if let index { requests[index].rows["\(side)\(Int.random(in: 0..<9, using: &random))"] = "1" }
                case 3: if let index, let key = requests[index].rows.keys.sorted().first { requests[index].rows[key] = nil }
                default:
                    if let index, let key = requests[index].rows.keys.sorted().randomElement(using: &random) {
                        requests[index].rows[key] = "\(side)-\(Int.random(in: 0..<3, using: &random))"
                    }
                }
            }
        }
    }

    @Test(arguments: 1...60) func `no edit is lost`(seed: Int) throws {
        let directory = try TemporaryDirectory()
        for form in RequestCollection.Form.allCases {
            var random = SeededGenerator(seed: UInt64(seed))
            let path = directory.path(form == .file ? "c.yaml" : "c")
            var base = Tree()
            for number in 0..<8 { base.requests.append(("\(number < 4 ? "a" : "b")/r\(number)", ["x": "0", "y": "0", "z": "0"])) }
            try CollectionUpdateTests.make(base.text, at: path, form)
            var (mine, theirs) = (base, base)
            mine.edit(&random, "m")
            theirs.edit(&random, "t")
            try write(mine, over: base, at: path, form)
            let report = try CollectionUpdateTests.update(theirs.text, at: path)
            let after = try RequestCollection.load(path: path)
            #expect(after.problems.isEmpty)
            let conflicts = Set(report.conflicts.map(\.place))
            for id in Set(base.requests.map(\.id) + mine.requests.map(\.id) + theirs.requests.map(\.id)) {
                let now = after.request(RequestID(rawValue: id)).map { request in
                    Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
                }
                let (b, m, t) = (base[id], mine[id], theirs[id])
                let note: Comment = "seed \(seed), \(form), \(id): \(report)"
                switch (m, t) {
                case (nil, nil): #expect(now == nil, note)
                case (nil, let t?): if b == nil { #expect(now == t, note) } else { #expect(now == nil, note) }
                case (let m?, nil): if b == nil || m != b { #expect(now == m, note) } else { #expect(now == nil, note) }
                case (let m?, let t?):
                    for key in Set(m.keys).union(t.keys).union(b?.keys.map { $0 } ?? []) {
                        let (own, new, old) = (m[key], t[key], b?[key])
                        let wanted = own == new || new == old || own != old ? own : new
                        #expect(now?[key] == wanted, note)
                        if own != new, own != old, new != old {
                            #expect(conflicts.contains { "\(id) query.\(key)".hasPrefix($0) }, note)
                        }
                    }
                }
            }
            let text = after.files.keys.sorted().map { FileManager.default.contents(atPath: $0) }
            try CollectionUpdateTests.update(theirs.text, at: path)
            #expect(after.files.keys.sorted().map { FileManager.default.contents(atPath: $0) } == text, "seed \(seed)")
        }
    }

    private func write(_ tree: Tree, over base: Tree, at path: String, _ form: RequestCollection.Form) throws {
        guard form == .directory else { return try Data(tree.text.utf8).write(to: URL(filePath: path)) }
        for request in base.requests where tree[request.id] == nil {
            try FileManager.default.removeItem(atPath: "\(path)/\(request.id).yaml")
        }
        for request in tree.requests where base[request.id] != request.rows {
            let rows = request.rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            let text = "get: http://h/\(request.id)\n" + (rows.isEmpty ? "" : "query: { \(rows) }\n")
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(request.id.prefix(1))", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(request.id).yaml"))
        }
    }
}
