import Foundation
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
        var sources = TemplateEnvironment(processEnvironment: ProcessInfo.processInfo.environment)
        while true {
            do throws(ResolutionError) {
                let resolved = try collection.resolve(definition, environment: environment, variables: variables, with: sources)
                try Self.checkCanBeSent(resolved)
                return resolved
            } catch {
                // Only what is really needed is read, so that a request without secrets never waits for a command.
                let unmet = error.requirements.filter { sources.answers[$0.requirement] == nil }
                guard !unmet.isEmpty else { throw error }
                for need in unmet {
                    sources.answers[need.requirement] = try await answer(to: need, in: collection)
                }
            }
        }
    }

    private func answer(
        to need: UnmetRequirement, in collection: RequestCollection
    ) async throws(ResolutionError) -> TemplateAnswer {
        switch need.requirement {
        case .secret(let reference):
            return TemplateAnswer(
                .string(try await secret(reference, from: collection.directory, at: need.location)), isSecret: true)
        case .command(let command):
            return TemplateAnswer(.string(try await secret(.command(command.words), from: command.directory, at: need.location)))
        case .prompt, .select, .response:
            throw ResolutionError(
                .unsupported, "the request needs \(need.requirement), which can't be asked for here", at: need.location)
        }
    }

    /// Without its command or its token a request would be incomplete.
    private static func checkCanBeSent(_ resolved: ResolvedRequest) throws(ResolutionError) {
        if let hydrate = resolved.hydrate {
            throw ResolutionError(
                .unsupported,
                "`\(resolved.id)` has `hydrate`, which this program can't run yet; without it the request would be incomplete",
                at: hydrate.location)
        }
        if let authentication = resolved.authentication {
            let place = resolved.origins.first { $0.subject == .auth }?.location
            throw ResolutionError(
                .unsupported,
                "`\(authentication.kindName)` authentication can't be sent yet; use `basic`, `bearer` or `api-key`, or give an "
                    + "`authorization` header",
                at: place)
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
