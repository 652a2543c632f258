extension DefinitionDifference {
    typealias Row = RequestDefinition.Row

    /// A map of rows; `nil` when there are none.
    ///
    /// A row knows by its location where it stood, so that one whose name was changed stays where it is. Rows of one name are
    /// one entry: a map can't have them apart.
    func rows(_ rows: [Row], replacing old: YAMLNode?) -> DesiredValue? {
        guard !rows.isEmpty else { return nil }
        let oldPairs = old?.pairs ?? []
        // The rows of each pair as they were read.
        let reader = RequestReader(path: path)
        let oldRows = oldPairs.map { pair in
            reader.rows(YAMLNode(content: .mapping([pair], isFlow: false), start: pair.key.start, end: pair.value.end))
        }
        let groups = Self.grouped(rows)
        var sources: [Int?] = groups.map { group in oldPairs.firstIndex { $0.key.text == group[0].name } }
        for index in groups.indices where sources[index] == nil {
            let places = Set(groups[index].compactMap(\.location))
            sources[index] = oldRows.indices.first { number in
                !sources.contains(number) && oldRows[number].contains { $0.location.map(places.contains) ?? false }
            }
        }
        let entries = zip(groups, sources).map { group, source in
            let value: DesiredValue
            if let source {
                value = self.value(group, replacing: oldPairs[source].value, oldRows: oldRows[source])
            } else {
                value = self.value(group)
            }
            return DesiredEntry(source: source, key: group[0].name, value: value)
        }
        return .map(entries, .block)
    }

    /// Rows of one name together, at the place of the first.
    static func grouped(_ rows: [Row]) -> [[Row]] {
        var groups: [[Row]] = []
        for row in rows {
            if let index = groups.firstIndex(where: { $0[0].name == row.name }) {
                groups[index].append(row)
            } else {
                groups.append([row])
            }
        }
        return groups
    }

    private func value(_ group: [Row]) -> DesiredValue {
        group.count == 1 ? value(group[0]) : .list(group.map { DesiredEntry(source: nil, key: "", value: value($0)) }, .automatic)
    }

    private func value(_ row: Row) -> DesiredValue {
        if row.isEnabled { return .scalar(row.value, .text) }
        return row.value.isEmpty ? .scalar("null", .literal) : off(.scalar(row.value, .text))
    }

    private func off(_ value: DesiredValue) -> DesiredValue {
        .map(
            [
                DesiredEntry(source: nil, key: "value", value: value),
                DesiredEntry(source: nil, key: "enabled", value: .scalar("false", .literal)),
            ], .flow)
    }

    private func value(_ group: [Row], replacing node: YAMLNode, oldRows: [Row]) -> DesiredValue {
        guard let items = node.items else {
            guard group.count > 1 else { return value(group[0], replacing: node, old: oldRows.first) }
            // One becomes several: the old one goes on in the list.
            let same = group.firstIndex { $0.isSame(as: oldRows.first) }
            return .list(
                group.enumerated().map { index, row in
                    DesiredEntry(source: nil, key: "", value: index == same ? .keep(node) : value(row))
                }, .automatic)
        }
        let sources = Self.match(oldRows.map(RowContent.init), group.map(RowContent.init))
        return .list(
            zip(group, sources).map { row, source in
                DesiredEntry(
                    source: source, key: "",
                    value: source.map { value(row, replacing: items[$0], old: oldRows[$0]) } ?? value(row))
            }, .automatic)
    }

    private func value(_ row: Row, replacing node: YAMLNode, old: Row?) -> DesiredValue {
        if row.isSame(as: old) { return .keep(node) }
        guard let pairs = node.pairs else {
            if row.isEnabled || row.value.isEmpty || row.value != old?.value { return value(row) }
            return off(.keep(node))
        }
        let number = pairs.firstIndex { $0.key.text == "value" }
        let isValueKept = row.value == old?.value && number.map { pairs[$0].value.text != nil } ?? false
        let value: DesiredValue = isValueKept ? .keep(pairs[number!].value) : .scalar(row.value, .text)
        if !row.isEnabled, row.value.isEmpty, node.isFlow { return self.value(row) }
        // Switched on again, it gets its short form back, unless it has comments or lines of its own.
        if row.isEnabled, node.isFlow, old?.isEnabled == false { return isValueKept ? shortForm(pairs[number!].value) : value }
        var entries = pairs.enumerated().map { index, pair in
            DesiredEntry(source: index, key: pair.key.text ?? "", value: .keep(pair.value))
        }
        if let number {
            entries[number].value = value
        } else {
            entries.insert(DesiredEntry(source: nil, key: "value", value: value), at: 0)
        }
        if row.isEnabled != old?.isEnabled {
            let flag = DesiredValue.scalar(row.isEnabled ? "true" : "false", .literal)
            if let index = entries.firstIndex(where: { $0.key == "enabled" }) {
                entries[index].value = flag
            } else {
                entries.append(DesiredEntry(source: nil, key: "enabled", value: flag))
            }
        }
        return .map(entries, .flow)
    }

    /// Quotes that only the brackets around it made necessary go with them. Around a template, people quote anyway.
    private func shortForm(_ node: YAMLNode) -> DesiredValue {
        guard case .scalar(let text, .doubleQuoted) = node.content, ScalarWriter.isPlainSafe(text, .text, isFlow: false),
            !ScalarWriter.isPlainSafe(text, .text, isFlow: true), !Template.isIn(text)
        else { return .keep(node) }
        return .scalar(text, .text)
    }

    private struct RowContent: Equatable {
        var value: String
        var isEnabled: Bool

        init(_ row: Row) {
            value = row.value
            isEnabled = row.isEnabled
        }
    }
}

extension RequestDefinition.Row {
    fileprivate func isSame(as other: Self?) -> Bool { value == other?.value && isEnabled == other?.isEnabled }
}
