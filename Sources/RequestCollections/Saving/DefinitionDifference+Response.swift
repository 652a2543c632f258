/// What a request expects.
extension DefinitionDifference {
    /// One entry for each thing that is expected: `status: 200`, `header: { etag: exists }`, `body: { .id: exists }`.
    func expectations() throws(CollectionProblem) -> DesiredValue? {
        guard !draft.expectations.isEmpty else { return nil }
        let old = node["expect"]
        var entries: [DesiredEntry] = []
        var written: Set<ExpectationSubject> = []
        for expectation in draft.expectations where written.insert(expectation.subject).inserted {
            let same = try expectations(about: expectation.subject)
            let (key, name) = expectation.subject.place
            let index = entries.firstIndex { $0.key == key }
            let oldIndex = old?.pairs?.firstIndex { $0.key.text == key }
            let oldValue = oldIndex.flatMap { old?.pairs?[$0].value }
            guard let name else {
                if index != nil { throw twice(expectation) }
                entries.append(DesiredEntry(source: oldIndex, key: key, value: value(of: same, keeping: oldValue)))
                continue
            }
            let oldEntry = oldValue?.pairs?.firstIndex { $0.key.text == name }
            let old = oldEntry.flatMap { oldValue?.pairs?[$0].value }
            if key == "cookie", let index, case .map(let written, _) = entries[index].value,
                written.contains(where: { $0.key == name })
            {
                continue  // With the first expectation of this cookie.
            }
            let value = try key == "cookie" ? cookie(name, keeping: old) : self.value(of: same, keeping: old)
            let entry = DesiredEntry(source: oldEntry, key: name, value: value)
            guard let index else {
                entries.append(DesiredEntry(source: oldIndex, key: key, value: .map([entry], .automatic)))
                continue
            }
            guard case .map(var inner, let layout) = entries[index].value, !inner.contains(where: { $0.key == name }) else {
                throw twice(expectation)
            }
            inner.append(entry)
            entries[index].value = .map(inner, layout)
        }
        return .map(entries, .block)
    }

    /// What is expected of one cookie: its value alone, or a map of it and of the attributes.
    private func cookie(_ name: String, keeping old: YAMLNode?) throws(CollectionProblem) -> DesiredValue {
        let expectations = draft.expectations.filter { $0.subject.place == ("cookie", name) }
        let pairs = old?.pairs ?? []
        let words = pairs.indices.filter { !FormatTable.isCookieFact(pairs[$0].key.text ?? "") }
        let isValueAlone = expectations.allSatisfy { $0.subject == .cookie(name) }
        if isValueAlone, words.count == pairs.count {
            return self.value(of: try self.expectations(about: .cookie(name)), keeping: old)
        }
        var entries: [DesiredEntry] = []
        var written: Set<ExpectationSubject> = []
        for expectation in expectations where written.insert(expectation.subject).inserted {
            let same = try self.expectations(about: expectation.subject)
            var fact = "value"
            if case .cookieAttribute(_, let attribute) = expectation.subject { fact = attribute.rawValue }
            // The words for the value may stand beside the attributes.
            if fact == "value", words.count < pairs.count, !words.isEmpty, areStored(same) {
                entries += words.map { DesiredEntry(source: $0, key: pairs[$0].key.text ?? "", value: .keep(pairs[$0].value)) }
                continue
            }
            let place = pairs.firstIndex { $0.key.text == fact }
            let value = self.value(of: same, keeping: place.map { pairs[$0].value })
            // What takes the place of words keeps the comment beside them.
            entries.append(DesiredEntry(source: place ?? (fact == "value" ? words.first : nil), key: fact, value: value))
        }
        if isValueAlone, entries.map(\.key) == ["value"] { return value(of: expectations, keeping: nil) }
        return .map(entries, .automatic)
    }

    /// A file has one entry for a thing; the body is expected as a whole or by filters.
    private func twice(_ expectation: ExpectationDefinition) -> CollectionProblem {
        CollectionProblem(
            location: expectation.location,
            message:
                "`\(expectation.subjectText)` can't be written beside what is expected of the same thing; a list is several values "
                + "of which one holds: [200, 204]")
    }

    /// - Throws: for several without steps, which a file says in one expectation.
    private func expectations(about subject: ExpectationSubject) throws(CollectionProblem) -> [ExpectationDefinition] {
        let same = draft.expectations.filter { $0.subject == subject }
        if same.count > 1, same.allSatisfy({ $0.steps.isEmpty }) { throw twice(same[1]) }
        return same
    }

    /// Whether the file says these, and nothing more, of their subject.
    private func areStored(_ expectations: [ExpectationDefinition]) -> Bool {
        let old = stored.expectations.filter { $0.subject == expectations.first?.subject }
        return old.count == expectations.count
            && zip(old, expectations).allSatisfy { $0.steps == $1.steps && $0.matcher == $1.matcher }
    }

    /// - Parameter expectations: those about one subject.
    private func value(of expectations: [ExpectationDefinition], keeping old: YAMLNode?) -> DesiredValue {
        if let old, areStored(expectations) { return .keep(old) }
        // In one row where that is possible, as people write it.
        let row: DesiredValue? =
            if expectations.count == 1, let only = expectations.first, only.steps.isEmpty, only.subject != .contract {
                only.matcher.desired(only.subject.kind)
            } else {
                nil
            }
        return row ?? ExpectationWriter.value(of: expectations)
    }
}
