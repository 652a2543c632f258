import NetworkLayer
import RequestCollections

extension RequestDefinition {
    /// Changes every text that may have templates.
    mutating func mapTexts(_ change: (String) -> String) {
        url = change(url)
        path.mapTexts(change)
        query.mapTexts(change)
        headers.mapTexts(change)
        cookies.mapTexts(change)
        auth = auth?.mapTexts(change)
        body = body?.mapTexts(change)
        for index in expectations.indices { expectations[index].matcher = expectations[index].matcher.mapTexts(change) }
    }

    /// Changes every path of a file.
    mutating func mapFiles(_ change: (String) -> String) {
        body = body?.mapTexts { part, text in
            if part == .file { text = change(text) }
        }
        settings.mapPaths(change)
    }
}

extension [RequestDefinition.Row] {
    mutating func mapTexts(_ change: (String) -> String) {
        for index in indices {
            self[index].name = change(self[index].name)
            self[index].value = change(self[index].value)
        }
    }
}

extension ImportedVariable {
    mutating func mapTexts(_ change: (String) -> String) {
        switch value {
        case .text(let text): value = .text(change(text))
        case .json(let json): value = .json(json.mapTexts(change))
        case .environment, .prompt: break
        }
    }
}

extension BodyDefinition {
    func mapTexts(_ change: (String) -> String) -> BodyDefinition {
        mapTexts { part, text in
            guard part == .json, let value = JSONValue.standingAsYAML(text) else {
                text = change(text)
                return
            }
            text = value.mapTexts(change).text(pretty: true)
        }
    }
}

extension AuthDefinition {
    func mapTexts(_ change: (String) -> String) -> AuthDefinition { mapTexts { $1 = change($1) } }
}
