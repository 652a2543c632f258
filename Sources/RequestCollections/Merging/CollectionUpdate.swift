import NetworkLayer

/// A collection, and a newer version of what it was imported from: the import is merged into the files, and whatever was edited in them
/// since the last import stays.
///
/// It is the merge that saving has, ``EntryMerge``: an entry that only one side has changed is as that side says, and of one that both have
/// changed the collection's stays and is named. Comments, the order and the places of what is there stay.
package struct CollectionUpdate {
    private let mine: RequestCollection
    private let base: ImportBase
    private let identities: [RequestID: String]
    /// Places of which the import's values are taken: ids, or ids and entries.
    private let yielding: [String]
    private let side: UpdateSide
    /// Where each request of the import is afterwards, if not where the import has it: names of requests in the import follow.
    package let places: [RequestID: RequestID]
    /// What neither side has of ``yielding``, with the name that was probably meant.
    package let unknown: [String]

    /// - Parameters:
    ///   - mine: as it is on the disk.
    ///   - theirs: what the import makes; its path is that of the collection.
    ///   - identities: what the sources know requests by.
    ///   - base: of the last import; `nil`: it isn't known. Then whatever differs is kept.
    ///   - yielding: `orders/create`, `orders/create query.limit`, `variables.host`: there the import's values are taken.
    package init(
        of mine: RequestCollection, to theirs: RequestCollection, identities: [RequestID: String], base: ImportBase?,
        yielding: [String] = []
    ) throws {
        self.mine = mine
        self.base = base ?? .none
        self.identities = identities
        self.yielding = yielding
        side = try UpdateSide(mine)
        let new = try UpdateSide(theirs)
        let plan = UpdatePlan(mine: side, theirs: new, identities: identities, base: self.base) {
            Self.yields(yielding, $0.rawValue)
        }
        places = plan.places.filter { $0.key != $0.value }
        let ids = Set((side.nodes + new.nodes).map(\.id.rawValue))
        let heads = Set(
            [side.head, new.head].flatMap { head -> [String] in
                if case .map(let entries, _) = head { entries.map(\.key) } else { [] }
            })
        unknown = yielding.filter { wanted in
            !ids.contains(String(wanted.prefix { $0 != " " })) && !heads.contains(String(wanted.prefix { $0 != "." }))
        }.map { "\($0)`\(suggestion(for: $0, in: ids.sorted()))" }
    }

    /// Whether a place, or what it is in, is among those that yield.
    static func yields(_ yielding: [String], _ place: String) -> Bool {
        yielding.contains { wanted in
            guard place.hasPrefix(wanted) else { return false }
            let rest = place.dropFirst(wanted.count)
            return rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix(" ") || rest.hasPrefix(".")
        }
    }

    /// What has to change on disk, and what is to be told about it. The base comes last: after a crash before it, the same update goes on.
    ///
    /// - Parameter theirs: the import again, with references to where its requests are afterwards.
    /// - Throws: when a file isn't any more what it was, or can't be merged in place. Nothing is written in any case.
    package func change(to theirs: RequestCollection) throws -> (change: CollectionChange, report: UpdateReport) {
        let new = try UpdateSide(theirs)
        let plan = UpdatePlan(mine: side, theirs: new, identities: identities, base: base) { Self.yields(yielding, $0.rawValue) }
        var report = UpdateReport()
        let merged = merged(plan, &report)
        let steps = try mine.isFile ? fileSteps(plan, merged, theirs) : directorySteps(plan, merged, theirs)
        let after = try RequestCollection.load(path: mine.path, from: CollectionFiles(after: steps))
        try verify(UpdateSide(after), plan, merged)
        report.added = new.nodes.filter { plan.added.contains($0.id) && !$0.isFolder }.compactMap { plan.places[$0.id] }
        report.removed = side.nodes.filter { plan.removed.contains($0.id) && !$0.isFolder }.map(\.id)
        report.kept = plan.kept.filter { side[$0]?.isFolder == false }
        let known = Set(mine.problems.map(\.message))
        report.remarks = after.problems.filter { !known.contains($0.message) }.map(\.description)
        let next = ImportBase(new, places: plan.places, identities: identities)
        let form: RequestCollection.Form = mine.isFile ? .file : .directory
        let all = steps + (try next.step(at: ImportBase.path(of: mine.path, form)).map { [$0] } ?? [])
        return (CollectionChange(steps: all, collection: after), report)
    }

    // MARK: What requests, folders and the collection say

    /// What changes, by id in the collection; `nil`: the collection itself.
    private typealias Merged = [RequestID?: DesiredValue]

    private func merged(_ plan: UpdatePlan, _ report: inout UpdateReport) -> Merged {
        var merged: Merged = [:]
        merged[nil] = merge(nil, side.head, plan.theirs.head, base: base.head, .collection, &report)
        for node in plan.theirs.nodes {
            let known = plan.bases[node.id].map { base.entries[$0] }
            if plan.deleted.contains(node.id), let known, known.values != node.digest {
                report.conflicts.append(
                    .init(
                        place: known.id.rawValue, mine: nil, theirs: node.said[RequestDefinition.target]?.shown(at: "") ?? "changed"
                    ))
            }
            guard let id = plan.mine(of: node.id), let own = side[id] else { continue }
            merged[id] = merge(id, own.said, node.said, base: known?.values, node.isFolder ? .folder : .request, &report)
        }
        return merged
    }

    /// - Returns: `nil` when nothing changes.
    private func merge(
        _ id: RequestID?, _ own: DesiredValue, _ new: DesiredValue, base: ValueDigest?, _ scope: MergeScope,
        _ report: inout UpdateReport
    ) -> DesiredValue? {
        func place(_ entry: String) -> String { id.map { "\($0) \(entry)" } ?? entry }
        var changes: [String] = []
        var conflicts: [UpdateReport.Conflict] = []
        let merge = EntryMerge { entry in
            // The import doesn't decide about keys that it doesn't know.
            let isYielding = Self.yields(yielding, place(entry.name)) && (entry.mine != nil || entry.isMine)
            if !isYielding {
                if !entry.isMine { return .theirs }
                if entry.isTheirs {
                    conflicts.append(
                        .init(
                            place: place(entry.name), mine: entry.theirs?.shown(at: entry.name),
                            theirs: entry.mine?.shown(at: entry.name)))
                    return .theirs
                }
            }
            changes.append(entry.name)
            return .mine
        }
        let merged = merge.merged(.digest(base), new, own, scope)
        if scope == .request, let merged, merged != own, let id, let request = mine.request(id),
            (try? RequestDefinition(saying: merged, like: request))?.problems.isEmpty != true
        {
            conflicts = [
                .init(
                    place: id.rawValue, mine: own[RequestDefinition.target]?.shown(at: ""),
                    theirs: "a request that can't be put together with it")
            ]
            changes = []
        }
        report.conflicts += conflicts
        guard let merged, !changes.isEmpty, merged != own else { return nil }
        report.changed.append(.init(place: id?.rawValue ?? "", entries: changes))
        return merged
    }

    /// What is read again must be what was wanted, in every request and folder.
    private func verify(_ now: UpdateSide, _ plan: UpdatePlan, _ merged: Merged) throws {
        func refuse(_ what: String, _ id: RequestID?) -> CollectionProblem {
            CollectionProblem(
                location: id.flatMap { mine.request($0)?.location } ?? SourceLocation(path: mine.path, line: 1, column: 1),
                message: "\(what) is written in a form that can't be merged in place; nothing was written. Edit it in the file, or "
                    + "import into another name and compare")
        }
        guard ValueDigest(now.head, .collection) == ValueDigest(merged[nil] ?? side.head, .collection) else {
            throw refuse("what the collection says for all requests", nil)
        }
        var expected = Dictionary(uniqueKeysWithValues: side.nodes.map { ($0.id, merged[$0.id] ?? $0.said) })
        for id in plan.removed { expected[id] = nil }
        var new: Set<RequestID> = []
        for node in plan.theirs.nodes where plan.added.contains(node.id) {
            guard let place = plan.places[node.id] else { continue }
            expected[place] = node.said
            new.insert(place)
        }
        for node in now.nodes where !node.isFolder || !new.contains(node.id) {
            guard let said = expected[node.id], node.digest == ValueDigest(said, node.isFolder ? .folder : .request) else {
                throw refuse("`\(node.id)`", node.id)
            }
        }
        guard now.nodes.count == expected.count else { throw refuse("the tree of requests", nil) }
    }

    // MARK: One file

    /// First what requests say, then what comes and goes, on the text that the first leaves.
    private func fileSteps(_ plan: UpdatePlan, _ merged: Merged, _ theirs: RequestCollection) throws -> [CollectionChange.Step] {
        let before = try mine.bytes(of: mine.path)
        let tree = try FileTree(path: mine.path, bytes: before)
        var editor = tree.editor
        for (id, value) in merged {
            guard let id else {
                let place = SpliceEditor.Place(head: editor.source.start(of: tree.root), indent: 0, isFlow: tree.root.isFlow)
                try editor.update(tree.root, to: .replacing(tree.root, side.head, with: value), at: place)
                continue
            }
            let (map, index) = try tree.place(of: id)
            let entry = map.entries[index]
            try tree.requireAlone(entry.value)
            let place = SpliceEditor.Place(head: entry.head, indent: editor.source.column(entry.start), isFlow: map.isFlow)
            try editor.update(entry.value, to: try desired(id, value, over: entry.value), at: place)
        }
        var bytes = try applied(editor)
        if !plan.added.isEmpty || !plan.removed.isEmpty {
            let tree = try FileTree(path: mine.path, bytes: bytes)
            var editor = tree.editor
            let folders = side.nodes.reversed().filter { $0.isFolder && !plan.removed.contains($0.id) }.map {
                RequestID?.some($0.id)
            }
            for folder in folders + [nil] {
                let map = try tree.map(of: folder)
                let removed = Set(
                    map.entries.indices.filter { plan.removed.contains(folder.child(map.entries[$0].key?.text ?? "")) })
                var pieces: [(piece: EntryPiece, after: Int?)] = []
                var last: Int?
                for (id, place, after) in plan.additions(to: folder) {
                    // Behind one that is new as well.
                    if let after, let index = map.index(of: String(after.name)) { last = index } else if after == nil { last = nil }
                    pieces.append((try piece(id, place, plan, theirs, tree.editor.renderer), last))
                }
                for edit in try map.edits(inserting: pieces, removing: removed) { editor.replace(edit.range, with: edit.text) }
            }
            bytes = try applied(editor)
        }
        return bytes == before ? [] : [.replace(mine.path, before: before, after: bytes)]
    }

    /// A request or folder of the import, with what comes into it.
    private func piece(
        _ id: RequestID, _ place: RequestID, _ plan: UpdatePlan, _ theirs: RequestCollection, _ renderer: ValueRenderer
    ) throws(CollectionProblem) -> EntryPiece {
        let writer = CollectionWriter(theirs)
        if let request = theirs.request(id) {
            return EntryPiece(
                .map(try writer.writer(of: request).entries(), layout: .block), key: String(place.name), renderer: renderer)
        }
        let head = try writer.folder(id).map { folder throws(CollectionProblem) in try writer.head(of: folder) } ?? []
        let inside = plan.additions(to: place)
        var piece = EntryPiece(
            .map(head + [("requests", .map([], .flow))], layout: .block), key: String(place.name), renderer: renderer)
        guard !inside.isEmpty else { return piece }
        let prefix = String(repeating: " ", count: renderer.step)
        piece.lines[piece.lines.count - 1] = prefix + "requests:"
        for (id, place, _) in inside {
            piece.lines += try self.piece(id, place, plan, theirs, renderer).lines(indent: 2 * renderer.step, renderer: renderer)
        }
        return piece
    }

    // MARK: A directory

    private func directorySteps(
        _ plan: UpdatePlan, _ merged: Merged, _ theirs: RequestCollection
    ) throws -> [CollectionChange.Step] {
        let writer = CollectionWriter(theirs)
        var steps: [CollectionChange.Step] = []
        var last: [CollectionChange.Step] = []
        func change(_ id: RequestID?, _ file: String, _ new: CollectionWriter.Entries) throws {
            guard let value = merged[id] else { return }
            guard mine.files[file] != nil else { return steps.append(.create(file, Array(writer.text(new).utf8))) }
            let before = try mine.bytes(of: file)
            let document = try YAMLDocument(path: file, bytes: before)
            guard let root = document.root else { return }
            var editor = SpliceEditor(document)
            let desired =
                try id.flatMap { side[$0]?.isFolder == false ? $0 : nil }.map { try self.desired($0, value, over: root) }
                ?? .replacing(root, id.map { side[$0]?.said } ?? side.head, with: value)
            try editor.update(root, to: desired, at: .init(head: editor.source.start(of: root), indent: 0, isFlow: root.isFlow))
            let after = try applied(editor)
            if after != before { steps.append(.replace(file, before: before, after: after)) }
        }
        try change(nil, joined(mine.path, RequestCollection.mainFile), try writer.head())
        for node in plan.theirs.nodes {
            guard let place = plan.places[node.id] else { continue }
            let path = mine.directory(of: place)
            let isAdded = plan.added.contains(node.id)
            if let folder = writer.folder(node.id) {
                let head = try writer.head(of: folder)
                guard isAdded else {
                    try change(place, joined(path, "_folder.yaml"), head)
                    continue
                }
                if !FileContents.isDirectory(path) { steps.append(.createDirectory(path)) }
                let isEmpty = plan.additions(to: place).isEmpty
                guard !head.isEmpty || isEmpty else { continue }
                let text = writer.text(head.isEmpty ? [("name", .scalar(folder.name ?? String(place.name), .text))] : head)
                steps.append(.create(joined(path, "_folder.yaml"), Array(text.utf8)))
            } else if isAdded, let request = theirs.request(node.id) {
                steps.append(.create(path + ".yaml", Array(writer.text(try writer.writer(of: request).entries()).utf8)))
            } else if let request = mine.request(place) {
                try change(place, request.location.path, [])
            }
        }
        for node in side.nodes.reversed() where plan.removed.contains(node.id) {
            if let request = mine.request(node.id) {
                last.append(.remove(request.location.path, before: try mine.bytes(of: request.location.path)))
                continue
            }
            let directory = mine.directory(of: node.id)
            let file = joined(directory, "_folder.yaml")
            if mine.files[file] != nil { last.append(.remove(file, before: try mine.bytes(of: file))) }
            last.append(.removeDirectory(directory))
        }
        return steps + last
    }

    // MARK: Bytes

    /// What is to stand in a request's map.
    private func desired(_ id: RequestID, _ value: DesiredValue, over node: YAMLNode) throws(CollectionProblem) -> DesiredValue {
        guard let stored = mine.request(id) else { return .replacing(node, side[id]?.said, with: value) }
        let draft = try RequestDefinition(saying: value, like: stored)
        return try DefinitionDifference(stored: stored, draft: draft, node: node).desired()
    }

    private func applied(_ editor: SpliceEditor) throws(CollectionProblem) -> [UInt8] {
        guard let after = editor.source.applying(editor.edits) else {
            throw CollectionProblem(
                location: SourceLocation(path: editor.path, line: 1, column: 1),
                message: "the file has a form that can't be merged in place; nothing was written")
        }
        return after
    }
}

/// What an update does, for people.
package struct UpdateReport: Hashable, Sendable {
    package struct Conflict: Hashable, Sendable {
        /// `orders/create query.limit`, `variables.host`.
        package var place: String
        /// `nil`: it isn't there.
        package var mine: String?
        package var theirs: String?
    }

    package struct Changed: Hashable, Sendable {
        package var place: String
        package var entries: [String]
    }

    package var added: [RequestID] = []
    package var changed: [Changed] = []
    package var removed: [RequestID] = []
    /// Gone in the source, and edited.
    package var kept: [RequestID] = []
    package var conflicts: [Conflict] = []
    package var remarks: [String] = []

    package init() {}

    package var isEmpty: Bool { self == UpdateReport() }

    /// Whether anything was changed at a place that yields.
    package func changes(at place: String) -> Bool {
        let entries = changed.flatMap { changed in
            changed.entries.map { changed.place.isEmpty ? $0 : "\(changed.place) \($0)" }
        }
        let ids = (added + removed).map(\.rawValue) + changed.map(\.place)
        return (entries + ids).contains { CollectionUpdate.yields([place], $0) }
    }
}
