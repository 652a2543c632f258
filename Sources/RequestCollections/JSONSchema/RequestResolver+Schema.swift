import Base

extension RequestResolver {
    /// With what the file says, and those that it refers to.
    ///
    /// - Returns: without it where nobody has allowed a file to be read.
    mutating func loaded(_ reference: SchemaReference, at location: SourceLocation) throws(ResolutionError) -> SchemaReference {
        var loaded = reference
        loaded.path = try scope.text(reference.path, at: location).text
        let path = joined(RequestCollections.directory(of: location.path), loaded.path)
        guard let value = try document(path, of: loaded.path, at: location) else { return loaded }
        var isWhole = true
        do throws(JSONSchemaError) {
            loaded.schema = try JSONSchema(value, at: path) { (other) throws(JSONSchemaError) in
                do throws(ResolutionError) {
                    if let value = try document(other, of: other, at: location) { return value }
                    // What may not be read is asked for, all at once.
                    isWhole = false
                    return .boolean(true)
                } catch {
                    throw JSONSchemaError(error.message)
                }
            }
        } catch {
            // Nothing is known of what wasn't read.
            guard isWhole else { return loaded }
            throw ResolutionError(.definition, "the schema \(loaded.path): \(error.message)", at: location)
        }
        return loaded
    }

    /// A file in JSON or YAML; `nil` when nobody has allowed it.
    private mutating func document(
        _ path: String, of name: String, at location: SourceLocation
    ) throws(ResolutionError) -> JSONValue? {
        try bytes(of: path, for: "schema", at: location).map { bytes throws(ResolutionError) in
            try Self.value(bytes, called: name, "schema", at: location)
        }
    }

    mutating func bytes(
        of path: String, for purpose: String, at location: SourceLocation
    ) throws(ResolutionError) -> [UInt8]? {
        guard let file = scope.file(path, for: purpose, at: location) else { return nil }
        do throws(CollectionFileError) {
            return try file.read(limit: TemplateEnvironment.mostFileBytes)
        } catch {
            throw ResolutionError(.file, "the \(purpose) \(error)", at: location)
        }
    }

    static func value(
        _ bytes: [UInt8], called name: String, _ purpose: String, at location: SourceLocation
    ) throws(ResolutionError) -> JSONValue {
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            do throws(CollectionProblem) {
                return try ForeignYAML.parse(bytes, path: name)
            } catch {
                let line = error.location.line
                throw ResolutionError(.definition, "the \(purpose) \(name), line \(line): \(error.message)", at: location)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), let value = JSONParser.parse(text) else {
            throw ResolutionError(.definition, "the \(purpose) \(name) isn't JSON", at: location)
        }
        return value
    }
}
