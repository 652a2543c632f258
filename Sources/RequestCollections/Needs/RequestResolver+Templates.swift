import NetworkLayer

extension RequestResolver {
    /// Every text that is filled in before the request is sent, wherever it stands: in the request, or in what folders give it.
    var templates: [(text: String, location: SourceLocation?)] {
        var texts: [(String, SourceLocation?)] = []
        func add(_ text: String?, _ location: SourceLocation?) {
            if let text { texts.append((text, location)) }
        }
        func place(_ key: String) -> SourceLocation { definition.places[key] ?? definition.location }
        for condition in conditions.flatMap(\.when.allConditions) {
            add("{{\(condition.variable)}}", condition.location)
            for text in condition.matcher.texts { add(text, condition.location) }
        }
        if case .list(let name)? = definition.forEach?.source { add("{{\(name)}}", definition.forEach?.location) }
        add(definition.url, place("url"))
        for row in definition.path where row.isEnabled { add(row.value, row.location) }
        let headers = merged(\.headers, ignoringCase: true)
        for (row, _) in merged(\.query, ignoringCase: false) + headers + merged(\.cookies, ignoringCase: false) {
            add(row.name, row.location)
            add(row.value, row.location)
        }
        // An `authorization` header that stands in the file wins.
        if let (auth, level) = effectiveAuth, !headers.contains(where: { $0.row.name.lowercased() == "authorization" }) {
            for text in auth.texts { add(text, level.places["auth"]) }
        }
        for text in definition.body?.texts ?? [] { add(text, place("body")) }
        for field in levelsWithSettings.isEmpty ? [] : SettingField.all {
            guard let level = level(saying: field) else { continue }
            for text in field.texts(in: level.settings) { add(text, level.places[field.key]) }
        }
        for word in definition.hydrate?.words ?? [] { add(word, definition.hydrate?.location) }
        for expectation in definition.allExpectations {
            for text in expectation.matcher.texts { add(text, expectation.location) }
        }
        for text in definition.mock?.templates ?? [] { add(text, definition.mock?.location) }
        return texts.filter { Template.isIn($0.0) }
    }
}

extension MockDefinition {
    fileprivate var templates: [String] {
        let body: [String] =
            switch self.body {
            case nil: []
            case .text(let text), .json(let text), .file(let text): [text]
            }
        return headers.filter(\.isEnabled).flatMap { [$0.name, $0.value] } + body
    }
}
