/// A schema as an expectation names it.
package struct SchemaReference: Hashable, Sendable, Codable {
    /// Relative to the file that names it; a template.
    package var path: String
    /// What the file says, once the request is filled in.
    var schema: JSONSchema?
    /// The same of a document of OpenAPI, where that is named.
    var contract: OpenAPIContract?

    init(path: String) { self.path = path }

    func mapPath(_ change: (String) -> String) -> SchemaReference {
        var copy = self
        copy.path = change(path)
        return copy
    }

    private enum CodingKeys: CodingKey {
        case path
    }
}
