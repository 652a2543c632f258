/// An edit of a request that is not in its file yet: what it was made from, and what it became.
package struct RequestEdit: Hashable, Sendable, Codable {
    package var base: RequestDefinition
    package var edited: RequestDefinition

    package init(from base: RequestDefinition, to edited: RequestDefinition) {
        self.base = base
        self.edited = edited
    }
}

extension RequestEdit {
    /// The edit brought onto what another program has made of the request meanwhile.
    ///
    /// Both are compared with the base, entry by entry: what only one of them changed, or both in the same way, is as that one says.
    ///
    /// | | is one entry |
    /// |---|---|
    /// | `get: URL`, or `method` and `url` | both together: another method for another URL was meant by nobody |
    /// | `path query headers cookies`, a form, a multipart body | all of one name |
    /// | a JSON body that stands as YAML | each member; a list is one |
    /// | settings | each key |
    /// | anything else, a text of many lines included | the whole value |
    ///
    /// - Parameter yielding: entries that are to be as theirs are, whatever the edit says.
    /// - Returns: theirs with the edit in it. An entry that both changed is as the edit says, and one of the conflicts.
    package func rebased(
        onto theirs: RequestDefinition, yielding: Set<String> = []
    ) -> (definition: RequestDefinition, conflicts: [EditConflict]) {
        guard let said = try? (base: base.said(), mine: edited.said(), theirs: theirs.said()) else { return (edited, []) }
        if said.base == said.theirs { return (edited.placed(like: theirs), []) }
        if said.base == said.mine { return (theirs, []) }
        var conflicts: [EditConflict] = []
        let merge = EntryMerge { entry in
            if !entry.isMine || yielding.contains(entry.name) { return .theirs }
            if entry.isTheirs { conflicts.append(EditConflict(entry)) }
            return .mine
        }
        let merged = merge.merged(.value(said.base), said.mine, said.theirs, .request)
        return (edited.saying(merged, said.mine, or: theirs, said.theirs), conflicts)
    }
}

extension RequestDefinition {
    /// The same with some entries as another version of the request says them.
    package func taking(_ entries: Set<String>, from other: RequestDefinition) -> RequestDefinition {
        guard let said = try? (mine: self.said(), theirs: other.said()) else { return self }
        // Compared with itself it has changed nothing, and the other one whatever differs.
        let merge = EntryMerge { entries.contains($0.name) ? .theirs : .mine }
        return saying(merge.merged(.value(said.mine), said.mine, said.theirs, .request), said.mine, or: other, said.theirs)
    }

    /// The request that says what a merge of this one with another has come to.
    fileprivate func saying(
        _ merged: DesiredValue?, _ said: DesiredValue, or other: RequestDefinition, _ theirs: DesiredValue
    ) -> RequestDefinition {
        if merged == theirs { return other }
        if merged == said { return placed(like: other) }
        return merged.flatMap { try? RequestDefinition(saying: $0, like: other) } ?? self
    }

    /// Where the file has it by now.
    fileprivate func placed(like other: RequestDefinition) -> RequestDefinition {
        var definition = self
        definition.place(like: other)
        definition.problems = other.problems
        return definition
    }
}

/// An entry of a request that an edit and another program have changed from the same value to different ones.
package struct EditConflict: Hashable, Sendable {
    /// As the file names it: `url`, `headers.accept`, `timeouts.idle`.
    package var entry: String
    /// For people. `nil`: it isn't there.
    package var base: String?
    package var mine: String?
    package var theirs: String?

    package init(entry: String, base: String?, mine: String?, theirs: String?) {
        self.entry = entry
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }

    init(_ entry: EntryMerge.Entry) {
        self.init(
            entry: entry.name, base: entry.base?.shown(at: entry.name), mine: entry.mine?.shown(at: entry.name),
            theirs: entry.theirs?.shown(at: entry.name))
    }
}
