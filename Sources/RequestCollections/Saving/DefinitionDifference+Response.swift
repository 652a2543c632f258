/// What a request expects.
extension DefinitionDifference {
    /// One entry for each thing that is expected: `status: 200`, `header: { etag: exists }`, `body: { .id: exists }`.
    func expectations() throws(CollectionProblem) -> DesiredValue? {
        guard !draft.expectations.isEmpty else { return nil }
        let old = node["expect"]
        var entries: [DesiredEntry] = []
        for expectation in draft.expectations {
            let (key, name) = expectation.subject.place
            let index = entries.firstIndex { $0.key == key }
            let oldIndex = old?.pairs?.firstIndex { $0.key.text == key }
            let oldValue = oldIndex.flatMap { old?.pairs?[$0].value }
            guard let name else {
                if index != nil { throw twice(expectation) }
                entries.append(DesiredEntry(source: oldIndex, key: key, value: value(of: expectation, keeping: oldValue)))
                continue
            }
            let oldEntry = oldValue?.pairs?.firstIndex { $0.key.text == name }
            let old = oldEntry.flatMap { oldValue?.pairs?[$0].value }
            if key == "cookie", let index, case .map(let written, _) = entries[index].value,
                written.contains(where: { $0.key == name })
            {
                continue  // With the first expectation of this cookie.
            }
            let value = try key == "cookie" ? cookie(name, keeping: old) : value(of: expectation, keeping: old)
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
        if isValueAlone, words.count == pairs.count, let value = expectations.first, expectations.count == 1 {
            return self.value(of: value, keeping: old)
        }
        var entries: [DesiredEntry] = []
        for expectation in expectations {
            var fact = "value"
            if case .cookieAttribute(_, let attribute) = expectation.subject { fact = attribute.rawValue }
            guard !entries.contains(where: { $0.key == fact }) else { throw twice(expectation) }
            // The words for the value may stand beside the attributes.
            if fact == "value", words.count < pairs.count, !words.isEmpty, isStored(expectation) {
                entries += words.map { DesiredEntry(source: $0, key: pairs[$0].key.text ?? "", value: .keep(pairs[$0].value)) }
                continue
            }
            let place = pairs.firstIndex { $0.key.text == fact }
            let value = value(of: expectation, keeping: place.map { pairs[$0].value })
            // What takes the place of words keeps the comment beside them.
            entries.append(DesiredEntry(source: place ?? (fact == "value" ? words.first : nil), key: fact, value: value))
        }
        if isValueAlone, entries.map(\.key) == ["value"] { return value(of: expectations[0], keeping: nil) }
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

    private func isStored(_ expectation: ExpectationDefinition) -> Bool {
        stored.expectations.contains {
            $0.subject == expectation.subject && $0.steps == expectation.steps && $0.matcher == expectation.matcher
        }
    }

    private func value(of expectation: ExpectationDefinition, keeping old: YAMLNode?) -> DesiredValue {
        if let old, isStored(expectation) { return .keep(old) }
        // In one row where that is possible, as people write it.
        let row =
            expectation.steps.isEmpty && expectation.subject != .contract
            ? expectation.matcher.desired(expectation.subject.kind) : nil
        return row ?? ExpectationWriter.value(of: expectation)
    }
}
