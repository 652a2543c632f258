import Base
import HTTPTypes
import Synchronization

/// Asks the roles that take part in the preparation of an attempt: each in a task of its own (``RoleTasks``), which hands its answer to
/// the machine.
extension RequestOperation {
    typealias Answer = StateMachine.PreparationAnswer

    func participate(_ client: NetworkClient?) {
        var participants = client?.roles.participants ?? []
        if delegate.hydrator != nil { participants.insert(.hydrator) }
        if delegate.authorizer != nil { participants.insert(.authorizer) }
        if delegate.events != nil { participants.insert(.eventHandler) }
        handle(.participants(participants, transportCodings: client?.transport.contentCodings ?? []))
    }

    func ask(_ step: PreparationStep, about request: Request, number: Int, of client: NetworkClient?) {
        guard let client else { return }
        callRole { [self] in
            handle(.answered(await answer(step, request, client), number: number))
        }
    }

    private func answer(_ step: PreparationStep, _ request: Request, _ client: NetworkClient) async -> Answer {
        switch step {
        case .hydration: await hydrate(request)
        case .headers: await askHeaderProviders(request, client)
        case .contentEncoding: await encode(request, client)
        case .hostSanitizer: await sanitize(request, client)
        case .authorization: await authorize(request)
        case .readyToEnqueue: await becomeReady()
        case .validation, .revalidation, .configuration, .acceptEncoding: .done
        }
    }

    private func hydrate(_ request: Request) async -> Answer {
        guard let hydrator = delegate.hydrator else { return .done }
        do {
            return .hydrated(
                try await watched(hydrator, as: "RequestHydrator", "hydrate") { try await $0.hydrate(request, for: self) })
        } catch {
            return .failed(.hydrationFailed(error, by: hydrator))
        }
    }

    /// The provider that was added last has the last word (HDR-1).
    private func askHeaderProviders(_ request: Request, _ client: NetworkClient) async -> Answer {
        var defaults: HTTPFields = [:]
        var overrides: HTTPFields = [:]
        for provider in client.roles.headerProviders {
            let theirs = await watched(provider, as: "HeaderProvider", "defaultHeaders") {
                await $0.defaultHeaders(for: originalRequest, preparedAs: request)
            }
            defaults.merge(defaults: [:], overrides: theirs)
            let last = await watched(provider, as: "HeaderProvider", "overrideHeaders") {
                await $0.overrideHeaders(for: originalRequest, preparedAs: request)
            }
            overrides.merge(defaults: [:], overrides: last)
        }
        return .headers(defaults: defaults, overrides: overrides)
    }

    private func encode(_ request: Request, _ client: NetworkClient) async -> Answer {
        let encoder = core.withLock { $0.machine.configuration.contentCoding.encoder }
        guard let encoder, case .data(let body) = request.body else { return .done }
        let start = client.time.now
        do {
            let coded = try await watched(encoder, as: "ContentEncoder", "encode") { try $0.encode(body) }
            return .encoded(coded, latency: client.time.now - start)
        } catch {
            return .failed(.encodingFailed(error, by: encoder))
        }
    }

    private func sanitize(_ request: Request, _ client: NetworkClient) async -> Answer {
        guard let sanitizer = client.roles.hostSanitizer else { return .host(.keep) }
        let isRedirect = core.withLock { $0.machine.exchange != nil }
        return .host(
            await watched(sanitizer, as: "HostSanitizer", "sanitize") {
                await $0.sanitize(host: request.url.lowercasedHost ?? "", of: request, isRedirect: isRedirect)
            })
    }

    private func authorize(_ request: Request) async -> Answer {
        guard let authorizer = delegate.authorizer else { return .done }
        do {
            return .authorization(
                try await watched(authorizer, as: "RequestAuthorizer", "authorize") {
                    try await $0.authorize(request, for: self)
                })
        } catch {
            return .failed(.authorizationFailed(error, by: authorizer))
        }
    }

    /// The time that the handler's dependencies take doesn't count against the deadline for callbacks.
    private func becomeReady() async -> Answer {
        guard let handler = delegate.events else { return .done }
        let isRetry = core.withLock { $0.machine.preparation?.isRetry ?? false }
        let dependencies = await watched(handler, as: "RequestEventHandler", "readyToEnqueue") {
            await $0.readyToEnqueue(self, isRetry: isRetry)
        }
        // This awaits `end()` and not `response`: cancelling this operation must not cancel the others.
        for dependency in dependencies where dependency !== self { await dependency.end() }
        return .done
    }
}
