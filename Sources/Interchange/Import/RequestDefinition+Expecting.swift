import RequestCollections

extension RequestDefinition {
    /// Adds what is expected; of one thing several may be, which must all hold.
    ///
    /// - Returns: whether a file can say it.
    mutating func expect(_ expectation: ExpectationDefinition) -> Bool {
        var all = expectations
        var expectation = expectation
        let whole = ExpectationSubject.filter("/(?s).*/")
        if expectation.subject == .body, !expectation.isAboutBytes, all.contains(where: { $0.subject == whole }) {
            expectation.subject = whole
        }
        if let index = all.firstIndex(where: { $0.subject == expectation.subject && $0.steps == expectation.steps }) {
            guard all[index].matcher != expectation.matcher else { return true }
            if case .all(let matchers) = all[index].matcher {
                all[index].matcher = .all(matchers + [expectation.matcher])
            } else {
                all[index].matcher = .all([all[index].matcher, expectation.matcher])
            }
        } else {
            all.append(expectation)
        }
        all = all.sideBySide
        if !Self.canHold([], all) {
            // Filters can't stand beside what is said of the whole text; but this expression finds that, too.
            guard all.contains(where: { $0.subject == .body }), all.allSatisfy({ $0.subject != .body || !$0.isAboutBytes }) else {
                return false
            }
            for index in all.indices where all[index].subject == .body { all[index].subject = whole }
            guard Self.canHold([], all) else { return false }
        }
        expectations = all
        return true
    }
}

extension ExpectationDefinition {
    /// Whether its steps take the bytes of the body, and not its text.
    fileprivate var isAboutBytes: Bool {
        switch steps.first {
        case .word(.md5)?, .word(.sha1)?, .word(.sha256)?, .word(.sha512)?, .word(.hex)?, .word(.gunzip)?, .word(.toBase64)?,
            .word(.toBase64url)?, .charset?:
            true
        default: false
        }
    }
}

extension [ExpectationDefinition] {
    /// Those about one thing side by side, and so those below one key, as a file has them; else in their order.
    fileprivate var sideBySide: [ExpectationDefinition] {
        let keys = map(\.subject.key)
        let names = map(\.subject.name)
        let order = indices.map { index in
            (keys.firstIndex(of: keys[index]) ?? index, names.firstIndex(of: names[index]) ?? index, index)
        }
        return indices.sorted { order[$0] < order[$1] }.map { self[$0] }
    }
}

extension ExpectationSubject {
    /// `header` of `header x-a`
    fileprivate var key: Substring { description.prefix { $0 != " " } }

    /// All of a cookie is in one map.
    fileprivate var name: String {
        switch self {
        case .cookie(let name), .cookieAttribute(let name, _): "cookie \(name)"
        default: description
        }
    }
}
