package import NetworkLayer
package import RequestCollections
import Synchronization

/// Runs saved requests: reads the secrets they need, fills everything in, and makes the operation.
///
/// All of it happens off the caller's thread, because a secret may come from a command that takes its time.
package final class CollectionRunner: Sendable {
    package let queue: RequestOperationQueue
    private let secrets: any SecretSource
    /// What commands said: they are slow, and may ask for a password. Files and environment variables are read each time.
    private let remembered = Mutex<[RememberedSecret: String]>([:])

    private struct RememberedSecret: Hashable {
        var reference: SecretReference
        var directory: String
    }

    package init(queue: RequestOperationQueue, secrets: any SecretSource = SystemSecrets()) {
        self.queue = queue
        self.secrets = secrets
    }

    /// The operation for a definition, ready to be enqueued.
    package func operation(
        for definition: RequestDefinition, in collection: RequestCollection, environment: String?, variables: [String: String] = [:]
    ) async throws(ResolutionError) -> RequestOperation {
        operation(for: try await resolve(definition, in: collection, environment: environment, variables: variables))
    }

    /// The operation for what was resolved before, say to show it first.
    package func operation(for resolved: ResolvedRequest) -> RequestOperation {
        RequestOperation(resolved.request, configuration: resolved.configuration, priority: resolved.priority)
    }

    /// What would be sent, secrets included.
    package func resolve(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String?, variables: [String: String] = [:]
    ) async throws(ResolutionError) -> ResolvedRequest {
        var values: [SecretReference: String] = [:]
        while true {
            do throws(ResolutionError) {
                return try collection.resolve(definition, environment: environment, variables: variables, secrets: .known(values))
            } catch {
                // Only what is really needed is read, so that a request without secrets never waits for a command.
                guard let reference = error.missingSecret, values[reference] == nil else { throw error }
                values[reference] = try await secret(reference, from: collection.directory, at: error.location)
            }
        }
    }

    /// Asks every command again from now on.
    package func forgetSecrets() {
        remembered.withLock { $0 = [:] }
    }

    private func secret(
        _ reference: SecretReference, from directory: String, at location: SourceLocation?
    ) async throws(ResolutionError) -> String {
        let key = RememberedSecret(reference: reference, directory: directory)
        if let value = remembered.withLock({ $0[key] }) { return value }
        do throws(SecretError) {
            let value = try await secrets.read(reference, from: directory)
            if case .command = reference { remembered.withLock { $0[key] = value } }
            return value
        } catch {
            throw ResolutionError(.secret, error.message, at: location)
        }
    }
}
