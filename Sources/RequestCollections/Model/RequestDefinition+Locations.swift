extension RequestDefinition {
    /// The same without the places in the file, which move with every line above: what counts when two are compared.
    package var withoutLocations: RequestDefinition { mappingLocations { _ in nil } }

    /// The same in other places; `nil`: in none.
    package func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> RequestDefinition {
        var copy = self
        func map(_ location: inout SourceLocation) { location = change(location) ?? .none }
        map(&copy.location)
        copy.places = copy.places.compactMapValues(change)
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] { copy[keyPath: rows].mapLocations(change) }
        copy.variables.mapLocations(change)
        if case .form(var rows) = copy.body {
            rows.mapLocations(change)
            copy.body = .form(rows)
        }
        if let when = copy.when { copy.when = when.mappingLocations(change) }
        if let forEach = copy.forEach { copy.forEach = forEach.mappingLocations(change) }
        copy.needs.mapLocations(change)
        copy.tearDown.mapLocations(change)
        if var hydrate = copy.hydrate {
            map(&hydrate.location)
            copy.hydrate = hydrate
        }
        for index in copy.captures.indices { map(&copy.captures[index].location) }
        for index in copy.expectations.indices { map(&copy.expectations[index].location) }
        if var until = copy.until {
            map(&until.location)
            for index in until.conditions.indices { map(&until.conditions[index].location) }
            for index in until.giveUp.indices { map(&until.giveUp[index].location) }
            copy.until = until
        }
        if var mock = copy.mock {
            map(&mock.location)
            mock.headers.mapLocations(change)
            copy.mock = mock
        }
        for index in copy.problems.indices { map(&copy.problems[index].location) }
        return copy
    }
}

extension [RequestDefinition.Row] {
    fileprivate mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = self[index].location.flatMap(change) }
    }
}

extension [VariableDefinition] {
    var withoutLocations: [VariableDefinition] {
        var copy = self
        copy.mapLocations { _ in nil }
        return copy
    }

    fileprivate mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = change(self[index].location) ?? .none }
    }
}

extension [NeedDefinition] {
    mutating func mapLocations(_ change: (SourceLocation) -> SourceLocation?) {
        for index in indices { self[index].location = change(self[index].location) ?? .none }
    }
}

extension SourceLocation {
    package static let none = SourceLocation(path: "", line: 0, column: 0)
}
