package import RequestCollections

/// Reads secrets from where the file says they are.
package protocol SecretSource: Sendable {
    func read(_ secret: PermittedSecret) async throws(SecretError) -> String
}

/// Why a secret can't be read. Never has a part of the secret in it.
package struct SecretError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
