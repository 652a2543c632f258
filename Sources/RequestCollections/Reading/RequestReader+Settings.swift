extension RequestReader {
    /// One key of ``SettingNode/all``. What has the wrong form was reported by the table's check, and is skipped here.
    func read(
        _ node: SettingNode, _ pair: YAMLPair, into settings: inout RequestSettings, places: inout KeyPlaces
    ) {
        if let field = node.field {
            field.read(pair.value, into: &settings)
            places[field.key] = location(pair.key)
        }
        guard !node.children.isEmpty else { return }
        for pair in pair.value.pairs ?? [] {
            guard let child = node.children.first(where: { $0.name == pair.key.text }) else { continue }
            read(child, pair, into: &settings, places: &places)
        }
    }
}
