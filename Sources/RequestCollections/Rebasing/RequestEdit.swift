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
        var conflicts: [EditConflict] = []
        let definition = EntryMerge(base: base, mine: edited, theirs: theirs).merged { entry in
            if !entry.isMine || yielding.contains(entry.name) { return .theirs }
            if entry.isTheirs { conflicts.append(entry.conflict()) }
            return .mine
        }
        return (definition, conflicts)
    }
}

extension RequestDefinition {
    /// The same with some entries as another version of the request says them.
    package func taking(_ entries: Set<String>, from other: RequestDefinition) -> RequestDefinition {
        // Compared with itself it has changed nothing, and the other one whatever differs.
        EntryMerge(base: self, mine: self, theirs: other).merged { entries.contains($0.name) ? .theirs : .mine }
    }
}

/// An entry of a request that an edit and another program have changed from the same value to different ones.
package struct EditConflict: Hashable, Sendable {
    /// As the file names it: `url`, `headers.accept`, `timeouts.idle`.
    package var entry: String
    /// What theirs calls it now, when both gave it another name.
    package var alias: String?
    /// For people. `nil`: it isn't there.
    package var base: String?
    package var mine: String?
    package var theirs: String?

    package init(entry: String, alias: String? = nil, base: String?, mine: String?, theirs: String?) {
        self.entry = entry
        self.alias = alias
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}
