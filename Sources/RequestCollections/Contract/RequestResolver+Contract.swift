import Base
import NetworkLayer
import Synchronization

extension RequestResolver {
    /// With what the document says. Many requests name the same one, and it may be large, so it is taken apart only when it has changed.
    ///
    /// - Returns: without it where nobody has allowed a file to be read.
    mutating func contract(_ reference: SchemaReference, at location: SourceLocation) throws(ResolutionError) -> SchemaReference {
        var loaded = reference
        loaded.path = try scope.text(reference.path, at: location).text
        let path = joined(RequestCollections.directory(of: location.path), loaded.path)
        guard let bytes = try bytes(of: path, for: "contract", at: location) else { return loaded }
        if let known = Self.known.withLock({ $0[path] }), known.files[path] == bytes {
            var isSame = true
            for (other, old) in known.files where other != path {
                guard let new = try self.bytes(of: other, for: "contract", at: location) else { return loaded }
                isSame = isSame && new == old
            }
            if isSame {
                loaded.contract = known
                return loaded
            }
        }
        let value = try Self.value(bytes, called: loaded.path, "contract", at: location)
        var isWhole = true
        do throws(JSONSchemaError) {
            let contract = try OpenAPIContract(value, at: path, bytes) { (other) throws(JSONSchemaError) in
                do throws(ResolutionError) {
                    if let bytes = try self.bytes(of: other, for: "contract", at: location) {
                        return (try Self.value(bytes, called: other, "contract", at: location), bytes)
                    }
                    // What may not be read is asked for, all at once.
                    isWhole = false
                    return (.object([]), [])
                } catch {
                    throw JSONSchemaError(error.message)
                }
            }
            guard isWhole else { return loaded }
            Self.known.withLock { known in
                if known.count >= Self.mostKnown { known = [:] }
                known[path] = contract
            }
            loaded.contract = contract
        } catch {
            // Nothing is known of what wasn't read.
            guard isWhole else { return loaded }
            throw ResolutionError(.definition, "the contract \(loaded.path): \(error.message)", at: location)
        }
        return loaded
    }

    /// Those that were read, by their paths.
    private static let known = Mutex<[String: OpenAPIContract]>([:])
    private static let mostKnown = 8

    /// - Throws: when the document has no operation that the request could ask for.
    func checkOperations(of expectations: [ExpectationDefinition], for url: URL) throws(ResolutionError) {
        let host = url.host(percentEncoded: false).flatMap { $0.unicodeScalars.contains("‹") ? nil : $0 }
        for expectation in expectations {
            guard expectation.subject == .contract, case .schema(let reference) = expectation.matcher,
                let contract = reference.contract,
                contract.operation(
                    definition.method, url.path(percentEncoded: true), at: host, isAny: { $0.unicodeScalars.contains("‹") })
                    == nil
            else { continue }
            let message = contract.complaint(
                definition.method, Self.withoutPlaceholders(URLCoding.percentDecoded(url.path(percentEncoded: true))),
                at: host)
            throw ResolutionError(
                .definition, "the contract \(reference.path) has no such operation: this is \(message)", at: expectation.location)
        }
    }

    /// `/orders/‹id of create›` as `/orders/…`
    private static func withoutPlaceholders(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.unicodeScalars.contains("‹") ? "…" : $0 }.joined(separator: "/")
    }
}
