/// What a request expects.
extension DefinitionDifference {
    /// One entry for each thing that is expected: `status: 200`, `header: { etag: exists }`, `body: { .id: exists }`.
    func expectations() throws(CollectionProblem) -> DesiredValue? {
        guard !draft.expectations.isEmpty else { return nil }
        let old = node["expect"]
        var entries: [DesiredEntry] = []
        for expectation in draft.expectations {
            let (key, name) = expectation.subject.place
            if case .cookieAttribute = expectation.subject {
                throw CollectionProblem(
                    location: expectation.location,
                    message: "`\(expectation.subjectText)` can't be written from here; edit it in the file")
            }
            let index = entries.firstIndex { $0.key == key }
            let oldIndex = old?.pairs?.firstIndex { $0.key.text == key }
            let oldValue = oldIndex.flatMap { old?.pairs?[$0].value }
            guard let name else {
                if index != nil { throw twice(expectation) }
                entries.append(DesiredEntry(source: oldIndex, key: key, value: value(of: expectation, keeping: oldValue)))
                continue
            }
            let oldEntry = oldValue?.pairs?.firstIndex { $0.key.text == name }
            let value = value(of: expectation, keeping: oldEntry.flatMap { oldValue?.pairs?[$0].value })
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

    /// A file has one entry for a thing; the body is expected as a whole or by filters.
    private func twice(_ expectation: ExpectationDefinition) -> CollectionProblem {
        CollectionProblem(
            location: expectation.location,
            message:
                "`\(expectation.subjectText)` can't be written beside what is expected of the same thing; a list is several values "
                + "of which one holds: [200, 204]")
    }

    private func value(of expectation: ExpectationDefinition, keeping old: YAMLNode?) -> DesiredValue {
        let isSame = stored.expectations.contains {
            $0.subject == expectation.subject && $0.steps == expectation.steps && $0.matcher == expectation.matcher
        }
        if let old, isSame { return .keep(old) }
        // In one row where that is possible, as people write it.
        let row =
            expectation.steps.isEmpty && expectation.subject != .contract
            ? expectation.matcher.desired(expectation.subject.kind) : nil
        return row ?? ExpectationWriter.value(of: expectation)
    }
}
