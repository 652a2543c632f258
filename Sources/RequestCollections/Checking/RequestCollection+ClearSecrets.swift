import NetworkLayer

extension RequestCollection {
    /// Texts that stand where credentials do, and look like some: whoever has the file has them, and so have all who get it later.
    ///
    /// A word without a digit, such as `lovelace`, may be an example.
    ///
    /// - Parameter definitions: the requests that are looked at, beside all that is for several.
    package func clearSecrets(in definitions: [RequestDefinition]) -> [CollectionProblem] {
        var found: [CollectionProblem] = []
        func look(_ name: String, _ text: String?, at location: SourceLocation) {
            guard let text, Self.looksSecret(text) else { return }
            found.append(
                CollectionProblem(
                    location: location,
                    message: "`\(name)` has what looks like a secret, in clear; a variable keeps it out of the file, as in "
                        + "`\(name): { secret: { env: NAME } }`, or in a header or `auth` its template"))
        }
        func look(_ auth: AuthDefinition?, at location: SourceLocation) {
            _ = auth?.mapTexts { part, text in if part.isSecret { look(part.key, text, at: location) } }
        }
        for variable in allVariables where Redaction.standard.redacts(variable: variable.name) {
            if case .text(let text) = variable.value { look(variable.name, text, at: variable.location) }
        }
        for defaults in [defaults] + folders.map(\.defaults) {
            for row in defaults.headers where Redaction.standard.redacts(row.name) { look(row.name, row.value, at: row.location) }
            if let place = defaults.places["auth"] { look(defaults.auth, at: place) }
        }
        for request in definitions {
            for row in request.headers where Redaction.standard.redacts(row.name) {
                look(row.name, row.value, at: row.location ?? request.location)
            }
            look(request.auth, at: request.places["auth"] ?? request.location)
        }
        return found
    }

    private static func looksSecret(_ text: String) -> Bool {
        // What stands before it is a scheme, as in `Bearer …`.
        guard !Template.isIn(text), let last = text.split(separator: " ").last else { return false }
        return text.contains("PRIVATE KEY-----")
            || last.utf8.count >= Redactor.shortestSearched && last.utf8.contains { (0x30...0x39).contains($0) }
    }
}
