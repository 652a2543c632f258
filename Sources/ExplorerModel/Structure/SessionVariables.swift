package import Interchange
package import NetworkLayer
package import RequestCollections

/// Values that a person gave to variables of collections for as long as the explorer runs: they win over the files, and stand in none.
package struct SessionVariables: Hashable, Sendable {
    /// By collection's path and variable's name.
    private var values: [String: [String: PastedRequest.Value]] = [:]

    package init() {}

    package subscript(collection: String) -> [String: PastedRequest.Value] {
        get { values[collection] ?? [:] }
        set { values[collection] = newValue }
    }

    /// The names of secrets by what they are, so that a secret that comes twice is one.
    func knownSecrets(in collection: String) -> [String: String] {
        Dictionary(self[collection].filter(\.value.isSecret).map { ($0.value.text, $0.key) }) { first, _ in first }
    }
}

extension ExplorerState {
    /// What stands over the variables of a collection: what the program was started with, and what was given since.
    package func givenVariables(
        in collection: String
    ) -> (texts: [String: String], values: [String: JSONValue], secrets: [String: [OriginPattern]]) {
        let session = sessionVariables[collection]
        let texts = session.mapValues(\.text).merging(variables) { $1 }
        return (
            texts, texts.mapValues(JSONValue.string),
            session.filter { $0.value.isSecret && variables[$0.key] == nil }.mapValues(\.origins)
        )
    }
}
