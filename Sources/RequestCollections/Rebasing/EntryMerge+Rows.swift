import OrderedCollections

/// An entry whose name others may have, too.
protocol NamedEntry: Equatable {
    var name: String { get set }
    var location: SourceLocation? { get set }
    /// For people.
    var text: String { get }
}

extension EntryMerge {
    /// Rows by name; those of one name are one entry.
    ///
    /// They are in the order of theirs, with what is new in mine behind what it is behind there; the other way round when only mine has
    /// another order.
    func rows<Row: NamedEntry>(_ group: String, _ base: [Row], _ mine: [Row], _ theirs: [Row], _ choose: Choice) -> [Row] {
        func byName(_ rows: [Row]) -> OrderedDictionary<String, [Row]> {
            OrderedDictionary(grouping: rows, by: \.name)
        }
        let (bases, mines, theirses) = (byName(base), byName(mine), byName(theirs))
        func text(_ rows: [Row]?) -> String? { rows.map { $0.map(\.text).joined(separator: ", ") } }
        func plain(_ rows: [Row]?) -> [Row]? {
            rows.map { rows in
                rows.map { row in
                    var row = row
                    row.location = nil
                    return row
                }
            }
        }
        var chosen: [String: [Row]] = [:]
        for name in Set(bases.keys).union(mines.keys).union(theirses.keys).sorted() {
            let (base, mine, theirs) = (plain(bases[name]), plain(mines[name]), plain(theirses[name]))
            let side = side("\(group).\(name)", isMine: base != mine, isTheirs: base != theirs, isSame: mine == theirs, choose) {
                (text(base), text(mine), text(theirs))
            }
            chosen[name] = side == .mine ? mines[name].map { placed($0, bases, theirses) } : theirses[name]
        }
        // What got another name here is gone there, or has a third one.
        for (old, new) in renamed(bases, mines) where theirses[old] == nil && theirses[new] == nil {
            let third = theirses.first { bases[$0.key] == nil && plain($0.value) == plain(renamed(bases[old], to: $0.key)) }?.key
            let alias = third.map { "\(group).\($0)" }
            let side = side("\(group).\(old)", alias: alias, isMine: true, isTheirs: true, isSame: false, choose) {
                func pair(_ name: String, _ rows: [Row]?) -> String { "\(name): \(text(rows) ?? "")" }
                return (pair(old, bases[old]), pair(new, mines[new]), third.map { pair($0, theirses[$0]) })
            }
            if side == .theirs { chosen[new] = nil } else if let third { chosen[third] = nil }
        }
        return order(Array(bases.keys), Array(mines.keys), Array(theirses.keys)).flatMap { chosen[$0] ?? [] }
    }

    /// A row of mine knows where it stands in their file: saving finds one with another name by that.
    private func placed<Row: NamedEntry>(
        _ rows: [Row], _ bases: OrderedDictionary<String, [Row]>, _ theirs: OrderedDictionary<String, [Row]>
    ) -> [Row] {
        rows.enumerated().map { index, row in
            var row = row
            let origin = origin(of: row, in: bases)
            let counterpart = theirs[origin?.name ?? row.name].flatMap { group in
                let index = origin?.index ?? index
                return group.indices.contains(index) ? group[index] : nil
            }
            row.location = counterpart?.location
            return row
        }
    }

    /// Where a row was before.
    private func origin<Row: NamedEntry>(
        of row: Row, in bases: OrderedDictionary<String, [Row]>
    ) -> (name: String, index: Int)? {
        guard let location = row.location else { return nil }
        return bases.lazy.compactMap { name, group in
            group.firstIndex { $0.location == location }.map { (name: name, index: $0) }
        }.first
    }

    /// The names that mine has given to what had others.
    private func renamed<Row: NamedEntry>(
        _ bases: OrderedDictionary<String, [Row]>, _ mines: OrderedDictionary<String, [Row]>
    ) -> [(old: String, new: String)] {
        mines.compactMap { new, rows in
            guard bases[new] == nil, let old = origin(of: rows[0], in: bases)?.name, mines[old] == nil else { return nil }
            return (old, new)
        }
    }

    private func renamed<Row: NamedEntry>(_ rows: [Row]?, to name: String) -> [Row]? {
        rows.map { rows in
            rows.map { row in
                var row = row
                row.name = name
                return row
            }
        }
    }

    /// The names of both sides, each once.
    func order(_ base: [String], _ mine: [String], _ theirs: [String]) -> [String] {
        let common = Set(base).intersection(mine).intersection(theirs)
        func isReordered(_ names: [String]) -> Bool { names.filter(common.contains) != base.filter(common.contains) }
        let isMine = isReordered(mine) && !isReordered(theirs)
        var result = isMine ? mine : theirs
        let other = isMine ? theirs : mine
        for (index, name) in other.enumerated() where !result.contains(name) {
            let before = other[..<index].last { result.contains($0) }
            result.insert(name, at: before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        return result
    }
}

extension RequestDefinition.Row: NamedEntry {
    var text: String { isEnabled ? value : "\(value) (off)" }
}
