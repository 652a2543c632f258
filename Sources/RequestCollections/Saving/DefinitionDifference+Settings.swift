extension DefinitionDifference {
    mutating func changeSettings() throws(CollectionProblem) {
        for setting in SettingNode.all where hasChanged(setting) {
            set(setting.name, try desired(setting, over: node[setting.name]))
        }
    }

    private func hasChanged(_ setting: SettingNode) -> Bool {
        setting.fields.contains { !$0.isSame(in: stored.settings, draft.settings) }
    }

    /// What is there keeps its order, and what is new comes behind it; `nil` when nothing is left.
    private func desired(_ setting: SettingNode, over old: YAMLNode?) throws(CollectionProblem) -> DesiredValue? {
        let written = try setting.field?.written(in: draft.settings, at: stored.location)
        switch written {
        case .text(let text): return .scalar(text, .text)
        case .literal(let text): return .scalar(text, .literal)
        case .texts(let texts): return self.texts(texts, old, layout: .automatic) ?? .list([], .flow)
        case .pairs(let pairs): return .map(pairs.map { ($0.key, .scalar($0.text, $0.isLiteral ? .literal : .text)) })
        case .map, nil: break
        }
        var entries = (old?.pairs ?? []).enumerated().map { number, pair in
            DesiredEntry(source: number, key: pair.key.text ?? "", value: .keep(pair.value))
        }
        for child in setting.children where hasChanged(child) {
            let index = entries.firstIndex { $0.key == child.name }
            guard let value = try desired(child, over: old?[child.name]) else {
                if let index { entries.remove(at: index) }
                continue
            }
            if let index {
                entries[index].value = value
            } else {
                entries.append(DesiredEntry(source: nil, key: child.name, value: value))
            }
        }
        if !entries.isEmpty { return .map(entries, .automatic) }
        return written == nil ? nil : .map([], .flow)
    }
}
