/// What one text of a body is.
package enum BodyPart: Hashable, Sendable {
    case text
    /// JSON as a text, with templates inside: a whole body, or the variables of a GraphQL query.
    case json
    /// The name of a field or part.
    case name
    /// The value of the field of this name.
    case field(String)
    /// The content of the part of this name.
    case part(String)
    /// A path.
    case file
    case fileName, contentType
    case query, operation
}

extension BodyDefinition {
    /// Changes every text: each of them may have templates. Whatever reads or changes texts of a body goes this way.
    package func mapTexts(_ change: (BodyPart, inout String) -> Void) -> BodyDefinition {
        func changed(_ text: String, _ part: BodyPart) -> String {
            var text = text
            change(part, &text)
            return text
        }
        switch self {
        case .none: return self
        case .text(let text): return .text(changed(text, .text))
        case .json(let text): return .json(changed(text, .json))
        case .file(let path): return .file(changed(path, .file))
        case .form(var rows):
            for index in rows.indices {
                let name = rows[index].name
                change(.name, &rows[index].name)
                change(.field(name), &rows[index].value)
            }
            return .form(rows)
        case .multipart(var parts):
            for index in parts.indices {
                let name = parts[index].name
                change(.name, &parts[index].name)
                parts[index].fileName = parts[index].fileName.map { changed($0, .fileName) }
                parts[index].contentType = parts[index].contentType.map { changed($0, .contentType) }
                switch parts[index].content {
                case .text(let text): parts[index].content = .text(changed(text, .part(name)))
                case .file(let path): parts[index].content = .file(changed(path, .file))
                }
            }
            return .multipart(parts)
        case .graphql(var graphql):
            switch graphql.query {
            case .text(let text): graphql.query = .text(changed(text, .query))
            case .file(let path): graphql.query = .file(changed(path, .file))
            }
            graphql.operation = graphql.operation.map { changed($0, .operation) }
            graphql.variables = graphql.variables.map { changed($0, .json) }
            return .graphql(graphql)
        }
    }

    /// Of what is sent.
    var texts: [String] {
        var texts: [String] = []
        _ = withoutDisabled.mapTexts { texts.append($1) }
        return texts
    }

    private var withoutDisabled: BodyDefinition {
        switch self {
        case .form(let rows): .form(rows.filter(\.isEnabled))
        case .multipart(let parts): .multipart(parts.filter(\.isEnabled))
        case .none, .text, .json, .file, .graphql: self
        }
    }
}
