import Base
import CollectionRunner
import Dispatch
import Interchange
import NetworkLayer
import RequestCollections

extension EffectPerformer {
    /// Resolves, announces and enqueues, in this order: the state knows an operation before its first event. Several are resolved at the
    /// same time, and enter the queue in the order in which they were sent: see ``SendOrder``.
    ///
    /// - Parameter schema: what its answer is the schema of.
    func send(
        _ definition: RequestDefinition, in path: String, environment: String?, _ whatIf: WhatIf? = nil,
        schema: SchemaSource? = nil,
        of state: ExplorerState
    ) -> [ExplorerEvent] {
        var sent = SentRequest(
            definition, in: path, environment: environment, priority: definition.settings.priority ?? .normal)
        sent.whatIf = whatIf
        sent.isIntrospection = schema != nil
        guard let collection = state.workspace[path] else {
            return [.sendFailed(sent.reference, message: "the collection \(path) is not open")]
        }
        let given = state.givenVariables(in: path)
        let place = sends.join(sent)
        let task = Task.detached(priority: .userInitiated) {
            [runner, mailbox, operations, underWay, trust, cookies, schemas, sent] in
            // Does nothing when it has left already.
            defer { place.leave() }
            do throws(RunFailure) {
                var job = RunJob(
                    definition, in: collection, environment: environment, variables: given.values, secretVariables: given.secrets)
                job.usesFreshConnection = whatIf?.usesFreshConnection ?? false
                job.ignoresMock = whatIf?.ignoresMock ?? false
                job.note = schema == nil ? whatIf.map { "what if: \($0.words)" } : "schema"
                job.isAside = schema != nil
                job.turn = place
                let plan = try await EffectPerformer.admit(job, runner, trust)
                var result = try await runner.send(plan) { run in
                    operations.add(run)
                    mailbox.post(.operationEnqueued(run.id, sent))
                    underWay.enter()
                } enqueued: {
                    place.leave()
                }
                defer { underWay.leave() }
                // An old server answers with errors about what it doesn't know of schemas.
                if schema != nil, result.queryErrors != nil {
                    job.definition = definition.askingForOldSchema
                    result = try await runner.send(try await EffectPerformer.admit(job, runner, trust)) { run in
                        operations.add(run)
                        mailbox.post(.operationEnqueued(run.id, sent))
                    }
                }
                cookies.tell(of: path)
                if let schema {
                    let finding = result.response.map { schemas.keep($0, result.redactor, of: schema) }
                    mailbox.post(
                        .schemaFound(schema, finding ?? .failed("the schema wasn't asked for: \(result.failure?.message ?? "")")))
                }
                if let path = result.savedPath { mailbox.post(.notice(Notice(.success, "wrote the body to \(path)"))) }
                if let failure = result.failure, failure.reason == .save {
                    mailbox.post(.notice(Notice(.error, failure.message)))
                }
            } catch {
                cookies.tell(of: path)
                if let schema { mailbox.post(.schemaFound(schema, .failed("the schema wasn't asked for: \(error.message)"))) }
                if Task.isCancelled { return mailbox.post(.sendCancelled(sent.reference)) }
                switch error.reason {
                case .need: mailbox.post(.runStopped(sent, message: error.message, at: Date()))
                case .resolution(let code):
                    mailbox.post(
                        .sendFailed(
                            sent.reference, message: error.message, missing: error.variable, code: code, at: error.location))
                case .condition, .capture, .until, .demand, .save, .cancelled:
                    mailbox.post(
                        .sendFailed(sent.reference, message: error.message, missing: error.variable, at: error.location))
                }
            }
        }
        sends.begin(place, task)
        return []
    }

    func copy(
        _ definition: RequestDefinition, in path: String, environment: String?, as rendering: RequestRendering,
        of state: ExplorerState
    ) -> [ExplorerEvent] {
        let reference = RequestReference(collection: path, id: definition.id)
        guard let collection = state.workspace[path] else {
            return [.sendFailed(reference, message: "the collection \(path) is not open")]
        }
        let given = state.givenVariables(in: path)
        Task.detached { [runner, mailbox] in
            do throws(ResolutionError) {
                runner.trust.reread()
                switch rendering {
                case .curl:
                    // As it is exported: it works where it is pasted, and has no secret in it.
                    // A command of the collection stands in it only when it is allowed: whoever pastes it runs it.
                    let known = given.values.filter { given.secrets[$0.key] == nil }
                    let wants = collection.wants(of: [definition], environment: environment, variables: given.values)
                    let export = try CurlExport(
                        definition, in: collection, environment: environment, variables: known,
                        secretVariables: Set(given.secrets.keys),
                        runsCommands: runner.trust.trust(in: collection).open(wants).isEmpty)
                    let what = ([rendering.title] + export.notes).joined(separator: "; ")
                    mailbox.post(.effect(.copy(export.command, what: what)))
                case .url:
                    let resolved = try await runner.resolve(
                        RunJob(
                            definition, in: collection, environment: environment, variables: given.values,
                            secretVariables: given.secrets))
                    let url = resolved.redactor.text(resolved.request.url.absoluteString)
                    mailbox.post(.effect(.copy(Redaction.standard.url(url).map(\.text).joined(), what: rendering.title)))
                }
            } catch {
                mailbox.post(.sendFailed(reference, message: error.message))
            }
        }
        return []
    }
}
