import NetworkLayer

/// Credentials that stand in a file as they are, and belong nowhere else.
extension RequestDefinition {
    package static let keptCredential = "******"

    /// The definition without credentials that aren't templates, which the record of a run must not keep.
    package var withoutCredentials: RequestDefinition {
        mappingCredentials { _, text in text.isEmpty || Template.isIn(text) ? text : Self.keptCredential }
    }

    /// The definition for display, with a mask in place of credentials that aren't templates.
    package var maskingCredentials: RequestDefinition {
        mappingCredentials { _, text in text.isEmpty || Template.isIn(text) ? text : Redactor.mask }
    }

    /// The URL as it stands in the file, without credentials that stand there as they are.
    package var shownURL: String {
        Self.mappingSecrets(ofURL: url) { $0.isEmpty || Template.isIn($0) ? $0 : Redactor.mask }
    }

    private static func mappingSecrets(ofURL url: String, _ change: (String) -> String) -> String {
        let secrets = Redaction.standard.secrets(inURL: url[...])
        guard !secrets.isEmpty else { return url }
        var changed = ""
        var position = url.startIndex
        for range in secrets {
            changed += url[position..<range.lowerBound] + change(String(url[range]))
            position = range.upperBound
        }
        return changed + url[position...]
    }

    /// With those of the request as it is now in place of those that weren't kept.
    ///
    /// - Returns: `nil` when it has none where one is missing, or is for another server by now.
    package func restoringCredentials(from current: RequestDefinition?) -> RequestDefinition? {
        var known: [String: String] = [:]
        if let current, current.server == server {
            _ = current.mappingCredentials { key, text in
                known[key] = text
                return text
            }
        }
        var isComplete = true
        let restored = mappingCredentials { key, text in
            guard text == Self.keptCredential else { return text }
            if known[key] == nil { isComplete = false }
            return known[key] ?? text
        }
        return isComplete ? restored : nil
    }

    /// Whom it is for, as the file says it.
    private var server: Substring {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { !"/?#".contains($0) }
        // A name and a password before it are no part of it.
        return url[..<start] + (authority.pieces(at: "@").last ?? authority)
    }

    /// - Parameter change: gets each with a key that is the same in every version of the request.
    private func mappingCredentials(_ change: (_ key: String, _ text: String) -> String) -> RequestDefinition {
        var definition = self
        var counts: [String: Int] = [:]
        func key(_ place: String, _ name: String) -> String {
            let key = "\(place).\(name.lowercased())"
            counts[key, default: 0] += 1
            return "\(key).\(counts[key] ?? 0)"
        }
        func changed(url: String, _ place: String) -> String {
            Self.mappingSecrets(ofURL: url) { change(key(place, ""), $0) }
        }
        func json(_ text: String) -> String {
            var result = ""
            var position = text.startIndex
            for secret in Redaction.standard.secrets(inJSON: text.utf8) {
                result += text[position..<secret.range.lowerBound] + change(key("json", secret.name), String(text[secret.range]))
                position = secret.range.upperBound
            }
            return result + text[position...]
        }
        definition.url = changed(url: url, "url")
        definition.settings.proxy = settings.proxy.map { changed(url: $0, "proxy") }
        definition.settings.connection.preProxy = settings.connection.preProxy.map { changed(url: $0, "pre-proxy") }
        definition.settings.passphrase = settings.passphrase.map { change(key("passphrase", ""), $0) }
        for index in variables.indices {
            let name = variables[index].name
            switch variables[index].value {
            case .text(let text) where Redaction.standard.redacts(variable: name),
                .json(let text) where Redaction.standard.redacts(variable: name):
                definition.variables[index].value = .text(change(key("variables", name), text))
            case .text(let text): definition.variables[index].value = .text(changed(url: text, "variables.\(name)"))
            case .json(let text): definition.variables[index].value = .json(json(text))
            case .secret: break
            }
        }
        for index in headers.indices where Redaction.standard.redacts(headers[index].name) {
            definition.headers[index].value = change(key("headers", headers[index].name), headers[index].value)
        }
        for index in cookies.indices {
            definition.cookies[index].value = change(key("cookies", cookies[index].name), cookies[index].value)
        }
        for index in query.indices where Redaction.standard.redacts(parameter: query[index].name) {
            definition.query[index].value = change(key("query", query[index].name), query[index].value)
        }
        definition.body = body?.mapTexts { part, text in
            switch part {
            case .field(let name) where Redaction.standard.redacts(parameter: name): text = change(key("form", name), text)
            case .part(let name) where Redaction.standard.redacts(parameter: name): text = change(key("multipart", name), text)
            case .json: text = json(text)
            default: break
            }
        }
        definition.messages = messages.map { step in
            step.mapTexts { part, text in if part == .json { text = json(text) } }
        }
        let kind = auth?.kindName ?? ""
        definition.auth = auth?.mapTexts { part, text in
            if part.isSecret { text = change("auth.\(kind).\(part.key)", text) }
            if part.key == "token-url" { text = changed(url: text, "token-url") }
        }
        return definition
    }
}

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
        if var connection {
            change(.json, &connection)
            changed.connection = connection
        }
        for index in files.indices { change(.file, &changed.files[index].value) }
        return changed
    }
}
