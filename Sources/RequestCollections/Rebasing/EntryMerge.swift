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
        var result = theirs
        let target = \RequestDefinition.target
        result.target = choice("url", base[keyPath: target], mine[keyPath: target], theirs[keyPath: target], choose) { $0.text }
        for (name, rows) in [("path", \RequestDefinition.path), ("query", \.query), ("headers", \.headers), ("cookies", \.cookies)]
        {
            result[keyPath: rows] = self.rows(name, base[keyPath: rows], mine[keyPath: rows], theirs[keyPath: rows], choose)
        }
        result.body = body(choose)
        let (was, ours, others) = (base.withoutLocations, mine.withoutLocations, theirs.withoutLocations)
        for key in RequestKey.all where !Self.apart.contains(key) {
            let side = side(
                key.name, isMine: !key.isSame(was, ours), isTheirs: !key.isSame(was, others), isSame: key.isSame(ours, others),
                choose
            ) { (base.shown(key), mine.shown(key), theirs.shown(key)) }
            key.copy(side == .mine ? mine : theirs, &result)
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

    /// Those that are merged row by row, or member by member.
    private static let apart: Set<RequestKey> = [.path, .query, .headers, .cookies, .body]

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

    /// For people; `nil`: nothing is said. What is secret in it isn't said.
    fileprivate func shown(_ key: RequestKey) -> String? {
        if key == .auth { return auth?.kindName }
        let text = typed(key)
        return text.isEmpty ? nil : text
    }
}
