import OrderedCollections

extension EntryMerge {
    func body(_ choose: Choice) -> BodyDefinition? {
        switch (base.body, mine.body, theirs.body) {
        case (.form(let base), .form(let mine), .form(let theirs)): return .form(rows("body.form", base, mine, theirs, choose))
        case (.multipart(let base), .multipart(let mine), .multipart(let theirs)):
            func rows(_ parts: [BodyDefinition.Part]) -> [PartEntry] { parts.map(PartEntry.init) }
            return .multipart(self.rows("body.multipart", rows(base), rows(mine), rows(theirs), choose).map(\.part))
        case (.json(let base), .json(let mine), .json(let theirs)): return .json(json(base, mine, theirs, choose))
        default:
            return plain(choose)
        }
    }

    private func plain(_ choose: Choice) -> BodyDefinition? {
        func plain(_ definition: RequestDefinition) -> BodyDefinition? { definition.withoutLocations.body }
        let (base, ours, others) = (plain(base), plain(mine), plain(theirs))
        let side = side("body", isMine: base != ours, isTheirs: base != others, isSame: ours == others, choose) {
            (base?.conflictText, ours?.conflictText, others?.conflictText)
        }
        return side == .mine ? mine.body : theirs.body
    }

    /// Member by member where the text has no layout of its own: as the reader makes it from YAML.
    private func json(_ base: String, _ mine: String, _ theirs: String, _ choose: Choice) -> String {
        let values = [base, mine, theirs].map(JSONParser.parse)
        guard let old = values[0], let ours = values[1], let others = values[2],
            [base, theirs] == [old, others].map({ $0.text(pretty: true) })
        else { return choice("body", base, mine, theirs, choose) { $0 } }
        let merged = json("body.json", old, ours, others, choose)
        return merged == ours ? mine : merged?.text(pretty: true) ?? theirs
    }

    private func json(_ name: String, _ base: JSONValue?, _ mine: JSONValue?, _ theirs: JSONValue?, _ choose: Choice) -> JSONValue?
    {
        guard case .object(let base)? = base, case .object(let mine)? = mine, case .object(let theirs)? = theirs,
            [base, mine, theirs].allSatisfy({ Set($0.map(\.name)).count == $0.count })
        else { return choice(name, base, mine, theirs, choose) { $0?.text(pretty: false) } }
        func value(_ name: String, of members: [JSONValue.Member]) -> JSONValue? { members.first { $0.name == name }?.value }
        let names = order(base.map(\.name), mine.map(\.name), theirs.map(\.name))
        return .object(
            names.compactMap { key in
                json("\(name).\(key)", value(key, of: base), value(key, of: mine), value(key, of: theirs), choose)
                    .map { JSONValue.Member(name: key, value: $0) }
            })
    }
}

/// A part has no place in the file: saving finds it by its name.
private struct PartEntry: NamedEntry {
    var part: BodyDefinition.Part
    var name: String {
        get { part.name }
        set { part.name = newValue }
    }

    var location: SourceLocation? {
        get { nil }
        set {}
    }

    var text: String {
        let content =
            switch part.content {
            case .text(let text): text
            case .file(let path): "the file \(path)"
            }
        return part.isEnabled ? content : "\(content) (off)"
    }
}

extension BodyDefinition {
    /// For people.
    fileprivate var conflictText: String {
        switch self {
        case .form(let rows): rows.map { "\($0.name)=\($0.text)" }.joined(separator: "&")
        case .multipart(let parts): parts.map { PartEntry(part: $0).text }.joined(separator: ", ")
        case .file(let path): "the file \(path)"
        case .graphql(let graphql):
            switch graphql.query {
            case .text(let text): text
            case .file(let path): "the file \(path)"
            }
        default: text ?? kind.name
        }
    }
}
