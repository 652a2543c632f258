@testable import Interchange
@testable import RequestCollections

/// A source, imported, written and read again.
struct ImportedText {
    var yaml: String
    /// Losses first: `- Orders / Create: the test script …`, then remarks: `Orders: …`.
    var notes: [String]
    var secrets: [String]
    /// As read back from the text.
    var collection: RequestCollection

    /// - Parameters:
    ///   - sources: path and text.
    ///   - kind: `nil`: found out.
    init(
        _ sources: [(path: String, text: String)], as kind: ImportKind? = nil, keepsSecrets: Bool = false
    ) throws {
        var collections: [ImportedCollection] = []
        for source in sources {
            let source = ImportSource(path: source.path, text: source.text)
            collections.append(try (kind ?? ImportKind.detect(source)).read(source))
        }
        var options = ImportOptions(path: "imported.yaml")
        options.keepsSecrets = keepsSecrets
        let assembled = try ImportedCollection.combined(collections).assembled(options)
        yaml = try assembled.collection.text()
        notes =
            assembled.notes.filter(\.isLoss).map { "- \($0.place.isEmpty ? "" : "\($0.place): ")\($0.text)" }
            + assembled.notes.filter { !$0.isLoss }.map { "\($0.place.isEmpty ? "" : "\($0.place): ")\($0.text)" }
        secrets = assembled.secrets.map { "\($0.variable): \($0.uses.joined(separator: ", "))" }
        collection = .of(yaml, path: "imported.yaml")
    }

    init(_ text: String, path: String = "shop.json", as kind: ImportKind? = nil, keepsSecrets: Bool = false) throws {
        try self.init([(path, text)], as: kind, keepsSecrets: keepsSecrets)
    }

    /// The request as it would be sent, as a command for curl; secrets are what a shell fills in.
    func command(_ id: String, environment: String? = nil, variables: [String: JSONValue] = [:]) throws -> String {
        guard let request = collection.request(RequestID(rawValue: id)) else { return "there is no \(id)" }
        return try CurlExport(request, in: collection, environment: environment, variables: variables).command
            .replacing(" \\\n  --location", with: "").replacing(" \\\n  --compressed", with: "")
    }
}
