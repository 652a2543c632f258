import OrderedCollections

/// Puts one request together from two that were made from the same one: asks for every entry in which the three differ which of the two
/// it is to be.
///
/// The result is theirs, places in the file included, with what is chosen of mine put into it.
struct EntryMerge {
    let base: RequestDefinition
    let mine: RequestDefinition
    let theirs: RequestDefinition

    enum Side { case mine, theirs }

    /// An entry in which at least one of the two isn't the base.
    struct Entry {
        var name: String
        /// What theirs calls it now.
        var alias: String?
        /// Whether mine differs from the base.
        var isMine: Bool
        /// Whether theirs differs from the base, and from mine.
        var isTheirs: Bool
        fileprivate var texts: () -> (base: String?, mine: String?, theirs: String?)

        func conflict() -> EditConflict {
            let texts = texts()
            return EditConflict(entry: name, alias: alias, base: texts.base, mine: texts.mine, theirs: texts.theirs)
        }
    }

    typealias Choice = (Entry) -> Side

    func merged(_ choose: Choice) -> RequestDefinition {
        var result = rest(choose)
        let target = \RequestDefinition.target
        result.target = choice("url", base[keyPath: target], mine[keyPath: target], theirs[keyPath: target], choose) { $0.text }
        result.name = choice("name", base.name, mine.name, theirs.name, choose) { $0 }
        result.description = choice("description", base.description, mine.description, theirs.description, choose) { $0 }
        result.tags = choice("tags", base.tags, mine.tags, theirs.tags, choose) { $0.joined(separator: ", ") }
        for (name, rows) in [("path", \RequestDefinition.path), ("query", \.query), ("headers", \.headers), ("cookies", \.cookies)]
        {
            result[keyPath: rows] = self.rows(name, base[keyPath: rows], mine[keyPath: rows], theirs[keyPath: rows], choose)
        }
        result.auth = choice("auth", base.auth, mine.auth, theirs.auth, choose) { $0?.kindName }
        result.body = body(choose)
        for key in Self.keys {
            let side = side(
                key.rawValue, isMine: !base.isSame(key, as: mine), isTheirs: !base.isSame(key, as: theirs),
                isSame: mine.isSame(key, as: theirs), choose
            ) { (base.typed(key), mine.typed(key), theirs.typed(key)) }
            result.take(key, from: side == .mine ? mine : theirs)
        }
        for field in SettingField.all {
            let side = side(
                field.key, isMine: !field.isSame(in: base.settings, mine.settings),
                isTheirs: !field.isSame(in: base.settings, theirs.settings),
                isSame: field.isSame(in: mine.settings, theirs.settings), choose
            ) { (field.text(in: base.settings), field.text(in: mine.settings), field.text(in: theirs.settings)) }
            field.copy(from: side == .mine ? mine.settings : theirs.settings, to: &result.settings)
        }
        return result
    }

    /// Those that have no lines of their own above.
    fileprivate static let keys: [TypedKey] = TypedKey.flow + [.variables]

    /// Theirs, or mine in their places when everything that has no name here (checks, captures, needs) is to be mine.
    private func rest(_ choose: Choice) -> RequestDefinition {
        let side = side(
            "the rest of it", isMine: base.withoutMergeable != mine.withoutMergeable,
            isTheirs: base.withoutMergeable != theirs.withoutMergeable, isSame: mine.withoutMergeable == theirs.withoutMergeable,
            choose
        ) { (nil, nil, nil) }
        guard side == .mine else { return theirs }
        var result = mine
        (result.id, result.location, result.places, result.problems) = (theirs.id, theirs.location, theirs.places, theirs.problems)
        return result
    }

    // MARK: One entry

    func choice<Value: Equatable>(
        _ name: String, _ base: Value, _ mine: Value, _ theirs: Value, _ choose: Choice, text: @escaping (Value) -> String?
    ) -> Value {
        let side = side(name, isMine: base != mine, isTheirs: base != theirs, isSame: mine == theirs, choose) {
            (text(base), text(mine), text(theirs))
        }
        return side == .mine ? mine : theirs
    }

    func side(
        _ name: String, alias: String? = nil, isMine: Bool, isTheirs: Bool, isSame: Bool, _ choose: Choice,
        texts: @escaping () -> (base: String?, mine: String?, theirs: String?)
    ) -> Side {
        if isSame || !isMine && !isTheirs { return .theirs }
        return choose(Entry(name: name, alias: alias, isMine: isMine, isTheirs: isTheirs, texts: texts))
    }
}

extension RequestDefinition {
    fileprivate struct Target: Equatable {
        var method: String
        var url: String

        var text: String { "\(method) \(url)" }
    }

    fileprivate var target: Target {
        get { Target(method: method, url: url) }
        set { (method, url) = (newValue.method, newValue.url) }
    }

    /// What no entry of a merge stands for.
    fileprivate var withoutMergeable: RequestDefinition {
        var copy = withoutLocations
        copy.id = RequestID(rawValue: "")
        copy.target = Target(method: "", url: "")
        (copy.name, copy.description, copy.tags) = (nil, nil, [])
        (copy.path, copy.query, copy.headers, copy.cookies) = ([], [], [], [])
        (copy.auth, copy.body) = (nil, nil)
        copy.problems = []
        for key in EntryMerge.keys { copy.take(key, from: RequestDefinition(id: id, method: "", url: "", location: location)) }
        for field in SettingField.all { field.copy(from: RequestSettings(), to: &copy.settings) }
        return copy
    }
}
