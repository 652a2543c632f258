import Base
import CollectionRunner
import Dispatch
import NetworkLayer
import RequestCollections
import Synchronization

extension EffectPerformer {
    /// Finds out what the open collections want when something has changed that it depends on. Beside the loop and in no hurry: files
    /// are read for it.
    func findWants(of state: ExplorerState) {
        guard state.trustQuestion != trustQuestion else { return }
        trustQuestion = state.trustQuestion
        let drafts = state.drafts.entries.mapValues(\.current)
        for path in state.collectionPaths {
            guard let collection = state.workspace[path] else { continue }
            let environment = state.workspace.environments[path]
            let variables = state.givenVariables(in: path).values
            judging.async { [trust, usesMocks = state.transport.usesMocks] in
                let definitions = collection.sharedRequests { _ in true }.map { definition in
                    drafts[RequestReference(collection: path, id: definition.id)].map { Shared(wrappedValue: $0) } ?? definition
                }
                let wants = collection.wantsByRequest(
                    definitions, environment: environment, variables: variables, usesMocks: usesMocks)
                trust.tell(of: collection, .collection(wants))
            }
        }
    }

    /// The same for one request, which was edited.
    func findWants(of reference: RequestReference, in state: ExplorerState) {
        guard let collection = state.workspace[reference.collection], let definition = state.definition(of: reference) else {
            return
        }
        let environment = state.workspace.environments[reference.collection]
        let variables = state.givenVariables(in: reference.collection).values
        judging.async { [trust, usesMocks = state.transport.usesMocks] in
            let wants = collection.wants(of: [definition], environment: environment, variables: variables, usesMocks: usesMocks)
            trust.tell(of: collection, .request(definition.id, wants))
        }
    }

    func askTrust(in path: String, of state: ExplorerState) {
        guard let collection = state.workspace[path] else { return }
        let environment = state.workspace.environments[path]
        let variables = state.givenVariables(in: path).values
        Task.detached(priority: .userInitiated) { [trust, mailbox, usesMocks = state.transport.usesMocks] in
            trust.keeper.reread()
            let wants = collection.wants(
                of: collection.sharedRequests { _ in true }, environment: environment, variables: variables, usesMocks: usesMocks)
            let standing = trust.keeper.trust(in: collection)
            if standing.isNever {
                let way = "take it back: turnstone trust \(path) --remove"
                mailbox.post(.notice(Notice(.warning, "you said never to \(collection.name); \(way)")))
            } else if standing.open(wants).isEmpty {
                let text = wants.isEmpty ? "\(collection.name) wants nothing" : "all that \(collection.name) wants is allowed"
                mailbox.post(.notice(Notice(.info, text)))
            } else {
                _ = await trust.keeper.ask(for: wants, of: collection)
            }
            trust.tell(of: collection)
        }
    }

    /// Asks for what the request wants, and tells the loop what is allowed then.
    nonisolated static func admit(
        _ job: RunJob, _ runner: CollectionRunner, _ trust: TrustTelling
    ) async throws(RunFailure) -> RunPlan {
        defer { trust.tell(of: job.collection) }
        return try await runner.admit(job)
    }
}

/// Tells the loop what is allowed; of two who do so at a time the one who knows more comes last.
final class TrustTelling: Sendable {
    let keeper: TrustKeeper
    private let mailbox: Mailbox
    /// The standing that the loop was last told of, by the collection's path.
    private let told = Mutex<[String: TrustStanding]>([:])

    init(_ keeper: TrustKeeper, _ mailbox: Mailbox) {
        self.keeper = keeper
        self.mailbox = mailbox
    }

    func tell(of collection: RequestCollection, _ subject: TrustFinding.Subject = .standing) {
        told.withLock { told in
            let standing = TrustStanding(
                keeper.trust(in: collection), allowed: keeper.allowed(in: collection))
            if case .standing = subject, told[collection.path] == standing { return }
            told[collection.path] = standing
            mailbox.post(.trustFound(TrustFinding(collection.path, standing, subject)))
        }
    }
}
