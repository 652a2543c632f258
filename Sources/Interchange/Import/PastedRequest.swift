import Base
package import NetworkLayer
package import RequestCollections

/// A request as people paste it: a command for curl, or a URL. Nothing of it is run, and no file is read.
package struct PastedRequest: Hashable, Sendable {
    /// Its id is a key made of its method and path, on the top level.
    package var definition: RequestDefinition
    /// What the text gives to variables of ``definition`` and no file may have: secrets, and what the shell's variables stand for.
    package var values: [String: Value]
    /// What isn't carried over, or has to be known.
    package var notes: [String]

    package struct Value: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        package var text: String
        package var isSecret: Bool
        /// Where a secret may go: the origin of the URL that stood beside it.
        package var origins: [OriginPattern]

        package init(_ text: String, isSecret: Bool, origins: [OriginPattern] = []) {
            self.text = text
            self.isSecret = isSecret
            self.origins = origins
        }

        package var description: String { isSecret ? "••••••" : text }
        package var customMirror: Mirror { Mirror(self, children: ["value": description]) }
    }

    /// - Parameters:
    ///   - known: the variables that secrets have already where it goes, by the secrets' texts.
    ///   - taken: all names that mean something there.
    /// - Throws: why a command can't be read.
    package init(
        _ text: String, known: [String: String] = [:], taken: Set<String> = []
    ) throws(CollectionProblem) {
        // An option in front keeps braces and brackets of a URL as they are.
        let url = Self.url(in: text).map { ($0.method, Self.withVariables($0.url)) }.map {
            "curl -g -X \($0) '\($1.replacing(scalars: "'", with: "%27"))'"
        }
        let source = ImportSource(path: "what was pasted", text: url ?? text)
        var read = try CurlImport.read(source, source.script(), keepsLayout: true)
        let commands = read.nodes.count
        read.nodes.removeLast(commands - 1)
        if url != nil { read.nodes.forEachRequest { request, _ in request.definition.settings.dropCurlDefaults() } }
        var options = ImportOptions(path: source.path)
        options.knownSecrets = known
        options.takenNames = taken
        options.leavesUnset = true
        let assembled = try read.assembled(options)
        guard let definition = assembled.collection.requests.first else { throw source.problem("has no request in it") }
        self.definition = definition
        let origins = URL(international: definition.url).flatMap { Origin($0) }.map { [OriginPattern($0)] } ?? []
        values = assembled.secretValues.mapValues { Value($0, isSecret: true, origins: origins) }
        for variable in assembled.collection.variables {
            if case .text(let text) = variable.value { values[variable.name] = Value(text, isSecret: false) }
        }
        notes = assembled.notes.filter(\.isLoss).map(\.text)
        if commands > 1 {
            notes.append("only the first of \(commands) commands is taken; `turnstone import` makes a collection of all of them")
        }
    }

    /// Pages write `{id}` for what is to be filled in.
    private static func withVariables(_ url: String) -> String {
        url.replacing(/\{\{.*?\}\}|\{([A-Za-z_][A-Za-z0-9_.-]*)\}/) { match in match.1.map { "{{\($0)}}" } ?? String(match.0) }
    }

    /// Whether a text is a command for curl or a URL.
    package static func isOne(_ text: String) -> Bool { isCommand(text) || url(in: text) != nil }

    /// Whether a text is a command for curl.
    package static func isCommand(_ text: String) -> Bool { CurlImport.isCommand(text) }

    /// `https://example.com/`, or with a method in front.
    private static func url(in text: String) -> (method: String, url: String)? {
        guard let match = text.trimmingSpace.wholeMatch(of: /(?:([A-Z]+)[ \t]+)?((?i:https?):\/\/[^\s\/?#"'<>]\S*)/) else {
            return nil
        }
        return (match.1.map(String.init) ?? "GET", String(match.2))
    }
}
