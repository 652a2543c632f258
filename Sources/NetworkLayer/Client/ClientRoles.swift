import Synchronization

/// The roles that take part in every operation of a client.
final class ClientRoles: Sendable {
    private let isEmpty = Atomic<Bool>(true)
    private let roles = Mutex(Roles())

    private struct Roles {
        var next = 0
        var providers: [(id: Int, provider: any HeaderProvider)] = []
        var hostSanitizer: (any HostSanitizer)?

        var isEmpty: Bool { providers.isEmpty && hostSanitizer == nil }
    }

    var hostSanitizer: (any HostSanitizer)? {
        get { roles.withLock { $0.hostSanitizer } }
        set { change { $0.hostSanitizer = newValue } }
    }

    /// In the order in which they are asked; the last one decides.
    var headerProviders: [any HeaderProvider] { roles.withLock { $0.providers.map(\.provider) } }

    func add(_ provider: any HeaderProvider) -> Registration {
        let id = change { roles in
            roles.providers.removeAll { $0.provider === provider }
            roles.next += 1
            roles.providers.append((roles.next, provider))
            return roles.next
        }
        return Registration { [weak self] in self?.change { roles in roles.providers.removeAll { $0.id == id } } }
    }

    /// Costs one load when there are none, because every operation asks.
    var participants: RequestOperation.Participants {
        if isEmpty.load(ordering: .acquiring) { return [] }
        return roles.withLock { roles in
            var participants: RequestOperation.Participants = []
            if !roles.providers.isEmpty { participants.insert(.headerProviders) }
            if roles.hostSanitizer != nil { participants.insert(.hostSanitizer) }
            return participants
        }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout Roles) -> Result) -> Result {
        roles.withLock { roles in
            let result = body(&roles)
            isEmpty.store(roles.isEmpty, ordering: .releasing)
            return result
        }
    }
}
