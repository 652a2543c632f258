import NetworkLayer
import RequestCollections
import TerminalUI

/// The open collections as one flat list, depth first, so that rows cost nothing to find.
///
/// Built when a collection is read; 10,000 requests take a few milliseconds. Opening a folder or typing a filter only
/// walks over it: see ``visibleEntries(closed:)`` and ``matches(_:)``.
struct RequestTree: Sendable {
    private(set) var entries: [Entry] = []
    private var positions: [RequestReference: Int] = [:]
    /// What the pane needs to show its longest name whole, with the method before it and the result behind it, borders included.
    private(set) var columns = 0
    /// What a filter looks into, all entries behind one another, in lower case.
    private var haystack: [UInt8] = []

    struct Entry: Sendable {
        var kind: Kind
        var reference: RequestReference
        var name: String
        var depth: Int
        /// The entry it lies in.
        var parent: Int?
        /// The index behind its last descendant.
        var end: Int
        fileprivate var searchable: Range<Int> = 0..<0
    }

    /// ` ● ✓ 200`
    private static let endColumns = 8

    enum Kind: Sendable {
        /// A row for a collection, which is there only when several are open.
        case collection
        case folder
        /// The node keeps the definition; an entry holds one word of it.
        case request(RequestCollection.Node)
        case problem(CollectionProblem)
        /// What hides nothing, such as a file that its name keeps from being a request.
        case warning(CollectionProblem)
    }

    init(_ collections: some Collection<RequestCollection> = []) {
        let isMany = collections.count > 1
        for collection in collections {
            let root =
                isMany
                ? append(.collection, RequestID(rawValue: ""), collection.name, in: collection.path, depth: 0, parent: nil) : nil
            append(collection.nodes, in: collection.path, depth: isMany ? 1 : 0, parent: root)
            // A request with problems is a row already.
            let shown = Set(entries.lazy.compactMap(\.definition).flatMap(\.problems))
            let problems = collection.problems.filter { !shown.contains($0) }.map { ($0, Kind.problem($0)) }
            for (problem, kind) in problems + collection.warnings.map({ ($0, Kind.warning($0)) }) {
                let file = problem.location.path.split(separator: "/").last.map(String.init) ?? problem.location.path
                let index = append(
                    kind, RequestID(rawValue: problem.description), file, in: collection.path, depth: isMany ? 1 : 0, parent: root)
                entries[index].end = index + 1
            }
            if let root { entries[root].end = entries.count }
        }
    }

    private mutating func append(_ nodes: [RequestCollection.Node], in collection: String, depth: Int, parent: Int?) {
        for node in nodes {
            let index: Int
            switch node {
            case .request(let definition):
                index = append(
                    .request(node), definition.id, definition.name ?? String(definition.id.name), in: collection, depth: depth,
                    parent: parent)
            case .folder(let folder):
                index = append(
                    .folder, folder.id, folder.name ?? String(folder.id.name), in: collection, depth: depth, parent: parent)
                append(folder.nodes, in: collection, depth: depth + 1, parent: index)
            }
            entries[index].end = entries.count
        }
    }

    @discardableResult
    private mutating func append(
        _ kind: Kind, _ id: RequestID, _ name: String, in collection: String, depth: Int, parent: Int?
    ) -> Int {
        let reference = RequestReference(collection: collection, id: id)
        var entry = Entry(kind: kind, reference: reference, name: name, depth: depth, parent: parent, end: entries.count + 1)
        let start = haystack.count
        haystack.append(contentsOf: "\(entry.method ?? "") \(id.rawValue) \(name)".lowercased().utf8)
        entry.searchable = start..<haystack.count
        positions[reference] = entries.count
        entries.append(entry)
        switch kind {
        case .problem, .warning: return entries.count - 1
        default: break
        }
        let isRequest = entry.method != nil
        // A border and a column of air at each side.
        columns = max(columns, 4 + 2 * depth + (isRequest ? 5 : 2) + DisplayWidth.of(name) + (isRequest ? Self.endColumns : 0))
        return entries.count - 1
    }

    func index(of reference: RequestReference) -> Int? { positions[reference] }

    func definition(of reference: RequestReference) -> RequestDefinition? {
        positions[reference].flatMap { entries[$0].definition }
    }

    /// The folders that it lies in, outermost first, without the collection.
    func folders(of reference: RequestReference) -> [RequestID] {
        var folders: [RequestID] = []
        var next = positions[reference].flatMap { entries[$0].parent }
        while let index = next {
            if case .folder = entries[index].kind { folders.append(entries[index].reference.id) }
            next = entries[index].parent
        }
        return folders.reversed()
    }

    /// The entries that aren't inside of a closed one.
    func visibleEntries(closed: Set<RequestReference>) -> [Int] {
        var visible: [Int] = []
        var index = 0
        while index < entries.count {
            visible.append(index)
            let isClosed = entries[index].isOpenable && closed.contains(entries[index].reference)
            index = isClosed ? entries[index].end : index + 1
        }
        return visible
    }

    /// The entries that match a filter, with the ones they lie in; all words must occur, in any order, in any case, in the
    /// method, the id, or the name. Everything below a folder that matches by itself is in.
    func matches(_ filter: String) -> [Int] {
        let words = filter.lowercased().split(separator: " ").map { Array($0.utf8) }
        guard !words.isEmpty else { return Array(entries.indices) }
        var matching: [Int] = []
        var shownParents: Set<Int> = []
        haystack.withUnsafeBufferPointer { haystack in
            for index in entries.indices where !entries[index].isOpenable {
                let text = UnsafeBufferPointer(rebasing: haystack[entries[index].searchable])
                guard words.allSatisfy({ text.contains($0) }) else { continue }
                var parents: [Int] = []
                var next = entries[index].parent
                while let parent = next, shownParents.insert(parent).inserted {
                    parents.append(parent)
                    next = entries[parent].parent
                }
                matching.append(contentsOf: parents.reversed())
                matching.append(index)
            }
        }
        return matching
    }
}

extension RequestTree.Entry {
    var isOpenable: Bool {
        switch kind {
        case .collection, .folder: true
        case .request, .problem, .warning: false
        }
    }

    var definition: RequestDefinition? {
        if case .request(.request(let definition)) = kind { definition.wrappedValue } else { nil }
    }

    var method: String? {
        if case .request(.request(let definition)) = kind { definition.method } else { nil }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares bytes: in UTF-8, no character begins inside another.
    fileprivate func contains(_ word: [UInt8]) -> Bool {
        guard let first = word.first, count >= word.count else { return word.isEmpty }
        candidates: for start in 0...(count - word.count) where self[start] == first {
            for offset in 1..<word.count where self[start + offset] != word[offset] { continue candidates }
            return true
        }
        return false
    }
}
