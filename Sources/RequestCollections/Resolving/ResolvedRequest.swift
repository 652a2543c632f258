package import NetworkLayer

/// A request with everything filled in: ready for a ``NetworkLayer/RequestOperation``.
package struct ResolvedRequest: Sendable {
    package var id: RequestID
    package var request: Request
    package var configuration: RequestConfiguration
    package var priority: Priority
    /// Where each value that is sent comes from, in the order in which they were looked up.
    package var origins: [ValueOrigin]
    /// Texts that no screen, log or report may show, in each form in which they are sent.
    package var secrets: Set<String>
}

extension RequestCollection {
    /// What is sent for a definition: defaults merged in, templates filled in.
    ///
    /// - Parameters:
    ///   - definition: also one that was edited and isn't saved.
    ///   - environment: `nil` for the collection's variables alone.
    ///   - variables: win over everything in the file, and are taken as they stand.
    ///   - secrets: those read so far; an error with code `missingSecret` names the next one.
    package func resolve(
        _ definition: RequestDefinition, environment: String?, variables: [String: String] = [:],
        secrets: SecretValues = .known([:])
    ) throws(ResolutionError) -> ResolvedRequest {
        var resolver = try RequestResolver(
            definition, in: self, scope: VariableScope(self, environment: environment, given: variables, secrets: secrets))
        return try resolver.resolve()
    }
}
