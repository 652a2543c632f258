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

extension BodyDefinition.Part {
    func mapTexts(_ change: (BodyPart, inout String) -> Void) -> Self {
        var changed = self
        change(.name, &changed.name)
        if var name = fileName {
            change(.fileName, &name)
            changed.fileName = name
        }
        if var type = contentType {
            change(.contentType, &type)
            changed.contentType = type
        }
        switch content {
        case .text(var text):
            change(.part(name), &text)
            changed.content = .text(text)
        case .file(var path):
            change(.file, &path)
            changed.content = .file(path)
        }
        return changed
    }
}

extension BodyDefinition.GraphQL {
    func mapTexts(_ change: (BodyPart, inout String) -> Void) -> Self {
        var changed = self
        switch query {
        case .text(var text):
            change(.query, &text)
            changed.query = .text(text)
        case .file(var path):
            change(.file, &path)
            changed.query = .file(path)
        }
        if var operation {
            change(.operation, &operation)
            changed.operation = operation
        }
        if var variables {
            change(.json, &variables)
            changed.variables = variables
        }
        return changed
    }
}
