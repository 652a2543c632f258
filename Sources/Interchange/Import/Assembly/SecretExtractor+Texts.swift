import NetworkLayer
import RequestCollections

/// What has other things in it than a secret: addresses, bodies, notes, scripts. The last net, after everything that has a place of its
/// own in a collection was looked at.
extension SecretExtractor {
    mutating func extractSecrets(of collection: inout ImportedCollection) {
        collection.forEachVariable { variable, _ in extractSecrets(of: &variable) }
        collection.headers.mapValues { sent($0, "the collection") }
        collection.nodes.forEachFolder { folder, path in folder.headers.mapValues { sent($0, path.place) } }
        let hasExampleBodies = collection.hasExampleBodies
        collection.nodes.forEachRequest { request, path in
            let body = request.definition.body
            if hasExampleBodies { request.definition.body = nil }
            request.definition.mapTexts { sent($0, path.place) }
            if hasExampleBodies { request.definition.body = body } else { request.definition.mock?.mapTexts(untold) }
        }
        // By now all that is a secret anywhere is known.
        collection.name = untold(collection.name)
        collection.description = collection.description.map(untold)
        collection.comments = collection.comments.mapValues(untold)
        collection.scripts = collection.scripts.mapValues(untold)
        collection.nodes.forEachFolder { folder, _ in
            folder.name = untold(folder.name)
            folder.description = folder.description.map(untold)
            folder.comments = folder.comments.mapValues(untold)
            folder.scripts = folder.scripts.mapValues(untold)
        }
        collection.nodes.forEachRequest { request, _ in
            request.name = untold(request.name)
            request.key = request.key.map(untold)
            request.definition.description = request.definition.description.map(untold)
            request.comments = request.comments.mapValues(untold)
        }
    }

    private mutating func extractSecrets(of variable: inout ImportedVariable) {
        let name = variable.name
        variable.mapTexts { sent($0, "the variable \(name)") }
        variable.comment = variable.comment.map(untold)
    }

    /// What a request sends: a variable stands for the secret.
    private mutating func sent(_ text: String, _ place: String) -> String {
        SecretScanner.replace(in: text, known) { secret, name in
            var value = secret
            replace(&value, name, "\(name) in a text of \(place)")
            return value
        }
    }

    /// What only people read, and what was true of an answer once: a variable would be of no use.
    func untold(_ text: String) -> String { SecretScanner.replace(in: text, known) { _, _ in MockDefinition.hidden } }

    func untold(_ note: ImportNote) -> ImportNote {
        var note = note
        (note.place, note.text) = (untold(note.place), untold(note.text))
        return note
    }
}

extension [RequestDefinition.Row] {
    fileprivate mutating func mapValues(_ change: (String) -> String) {
        for index in indices { self[index].value = change(self[index].value) }
    }
}

extension MockDefinition {
    /// A saved response may hold what was true then; a variable for it would be of no use.
    mutating func hideSecrets() {
        for index in headers.indices where SecretName.matches(headers[index].name) { headers[index].value = Self.hidden }
        switch body {
        // What has JSON's form is JSON, whatever the response said of itself.
        case .json(let text), .text(let text):
            guard let value = JSONParser.parse(text) else { return }
            let hidden = Self.hidingSecrets(value)
            if hidden != value { body = .json(hidden.text(pretty: true)) }
        default: return
        }
    }

    static let hidden = "not-copied"

    private static func hidingSecrets(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(hidingSecrets))
        case .object(let members):
            .object(
                members.map { member in
                    let isSecret = member.value.nonEmpty != nil && SecretName.matches(member.name)
                    return .init(name: member.name, value: isSecret ? .string(hidden) : hidingSecrets(member.value))
                })
        default: value
        }
    }

    /// Changes every text of an answer.
    fileprivate mutating func mapTexts(_ change: (String) -> String) {
        headers.mapValues(change)
        switch body {
        case .text(let text): body = .text(change(text))
        case .json(let text):
            guard let value = JSONParser.parse(text) else { return body = .json(change(text)) }
            let changed = value.mapTexts(change)
            if changed != value { body = .json(changed.text(pretty: true)) }
        case .file, nil: break
        }
    }
}
