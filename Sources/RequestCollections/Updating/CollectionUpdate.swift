import NetworkLayer

/// A collection, and a newer version of what it was imported from: the import is merged into the files, and whatever was edited in them
/// since the last import stays.
///
/// A request that nobody has edited gets the import's text, as it would stand in a new collection. One that was edited is merged entry by
/// entry, by ``MergeScope``: an entry that only one side has changed is as that side says, and of one that both have changed the
/// collection's stays and is named. Comments and the order of what is there stay.
package struct CollectionUpdate {
    let mine: RequestCollection
    let base: ImportBase
    let identities: [RequestID: String]
    let form: RequestCollection.Form
    /// Places of which the import's values are taken: ids, or ids and entries.
    let yielding: [String]
    let old: UpdateSide
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
    /// - Throws: when a file isn't any more what the collection was read from, or has a form that can't be edited.
    package init(
        of mine: RequestCollection, to theirs: RequestCollection, identities: [RequestID: String], base: ImportBase?,
        yielding: [String] = []
    ) throws {
        self.mine = mine
        self.base = base ?? .none
        self.identities = identities
        self.yielding = yielding
        form = mine.isFile ? .file : .directory
        if mine.isFile {
            old = try UpdateSide(FileTree(path: mine.path, bytes: mine.bytes(of: mine.path)))
        } else {
            old = UpdateSide(mine, try UpdateSide.documents(of: mine, from: .onDisk))
        }
        let new = try UpdateSide(new: theirs, form)
        let plan = UpdatePlan(
            mine: old, theirs: new, identities: identities, base: self.base, yields: { Self.yields(yielding, $0.rawValue) })
        places = plan.places.filter { $0.key != $0.value }
        let ids = Set((old.nodes + new.nodes).map(\.id.rawValue))
        let heads = Set(((old.root.pairs ?? []) + (new.root.pairs ?? [])).compactMap(\.key.text))
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
        try change(to: theirs, frozen: [])
    }

    private func change(
        to theirs: RequestCollection, frozen: Set<RequestID>
    ) throws -> (change: CollectionChange, report: UpdateReport) {
        let theirs = theirs.named(places)
        let new = try UpdateSide(new: theirs, form)
        let plan = UpdatePlan(mine: old, theirs: new, identities: identities, base: base) {
            Self.yields(yielding, $0.rawValue)
        }
        var merge = UpdateMerge(plan: plan, theirs: theirs, yielding: yielding, frozen: frozen)
        try merge.mergeValues()
        let steps = mine.isFile ? try fileSteps(merge) : try directorySteps(merge)
        let files = CollectionFiles(after: steps)
        let after = try RequestCollection.load(path: mine.path, from: files)
        let invalid = merge.changed.filter { id in
            after.request(plan.moved[id] ?? id)?.problems.isEmpty == false && mine.request(id)?.problems.isEmpty == true
        }
        guard invalid.isEmpty || !frozen.isDisjoint(with: invalid) else {
            return try change(to: theirs, frozen: frozen.union(invalid))
        }
        try verify(after, files, merge)
        let known = Set(mine.problems.map(\.message))
        var report = merge.report
        report.remarks = after.problems.filter { !known.contains($0.message) }.map(\.description) + inherited(after, plan)
        let base = ImportBase(new, places: plan.places, identities: identities)
        let all = steps + (try base.step(at: ImportBase.path(of: mine.path, form)).map { [$0] } ?? [])
        return (CollectionChange(steps: all, collection: after), report)
    }

    /// What is read again must be what was wanted, in every request and folder.
    private func verify(_ after: RequestCollection, _ files: CollectionFiles, _ merge: UpdateMerge) throws {
        let now =
            mine.isFile
            ? try UpdateSide(FileTree(path: mine.path, bytes: files.read(mine.path)))
            : UpdateSide(after, try UpdateSide.documents(of: after, from: files))
        let expected = merge.expected
        func refuse(_ what: String, _ location: SourceLocation) -> CollectionProblem {
            CollectionProblem(
                location: location,
                message: "\(what) is written in a form that can't be merged in place; nothing was written. Edit it in the file, or "
                    + "import into another name and compare")
        }
        let start = SourceLocation(path: mine.path, line: 1, column: 1)
        guard now.head == expected.head else { throw refuse("what the collection says for all requests", start) }
        for node in now.nodes where expected.nodes[node.id] != node.digest {
            throw refuse("`\(node.id)`", mine.request(node.id)?.location ?? start)
        }
        guard now.nodes.count == expected.nodes.count else { throw refuse("the tree of requests", start) }
    }

    /// Requests that only the collection has, and that send something else now because their folders do.
    private func inherited(_ after: RequestCollection, _ plan: UpdatePlan) -> [String] {
        let known = Set(plan.places.values)
        return mine.requests.filter { !known.contains($0.id) }.compactMap { request in
            guard let now = after.request(request.id), let old = try? mine.merged(request), let new = try? after.merged(now) else {
                return nil
            }
            var what: [String] = []
            if old.auth != new.auth { what.append("auth") }
            if old.headers != new.headers { what.append("headers") }
            if old.query != new.query { what.append("query") }
            guard !what.isEmpty else { return nil }
            return "\(request.id), which is yours: its \(what.joined(separator: " and ")) changed with the defaults around it"
        }
    }
}

extension RequestCollection {
    /// With the names that requests and folders have in the source, where their ids don't say them.
    fileprivate func named(_ places: [RequestID: RequestID]) -> RequestCollection {
        func named(_ nodes: [Node]) -> [Node] {
            nodes.map { node in
                switch node {
                case .request(let shared):
                    var request = shared.wrappedValue
                    if let place = places[request.id], place.name != request.id.name, request.name == nil {
                        request.name = String(request.id.name)
                    }
                    return .request(request)
                case .folder(var folder):
                    if let place = places[folder.id], place.name != folder.id.name, folder.name == nil {
                        folder.name = String(folder.id.name)
                    }
                    folder.nodes = named(folder.nodes)
                    return .folder(folder)
                }
            }
        }
        guard !places.isEmpty else { return self }
        var copy = self
        copy.nodes = named(nodes)
        return copy
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
    package var moved: [(from: RequestID, to: RequestID)] { moves.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }
    var moves: [RequestID: RequestID] = [:]
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
