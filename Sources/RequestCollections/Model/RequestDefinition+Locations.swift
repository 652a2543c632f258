extension RequestDefinition {
    /// The same without the places in the file, which move with every line above: what counts when two are compared.
    package var withoutLocations: RequestDefinition {
        var copy = self
        copy.location = .none
        copy.places = [:]
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] { copy[keyPath: rows].removeLocations() }
        if case .form(var rows) = copy.body {
            rows.removeLocations()
            copy.body = .form(rows)
        }
        for index in copy.needs.indices { copy.needs[index].location = .none }
        copy.hydrate?.location = .none
        for index in copy.captures.indices { copy.captures[index].location = .none }
        for index in copy.expectations.indices { copy.expectations[index].location = .none }
        copy.until?.location = .none
        for index in copy.until?.conditions.indices ?? 0..<0 { copy.until?.conditions[index].location = .none }
        for index in copy.until?.giveUp.indices ?? 0..<0 { copy.until?.giveUp[index].location = .none }
        copy.mock?.location = .none
        copy.mock?.headers.removeLocations()
        for index in copy.problems.indices { copy.problems[index].location = .none }
        return copy
    }
}

extension [RequestDefinition.Row] {
    fileprivate mutating func removeLocations() {
        for index in indices { self[index].location = nil }
    }
}

extension SourceLocation {
    package static let none = SourceLocation(path: "", line: 0, column: 0)
}
