import Synchronization

extension RequestOperation {
    /// Awaits a call of a role while the deadline for callbacks counts (TMO-5). What it answers is for the caller to hand on:
    /// the machine drops what comes too late.
    ///
    ///     await watched(decider, as: "RedirectDecider", "redirect") { await $0.redirect(...) }
    func watched<Role: Sendable, Answer: Sendable>(
        _ role: Role, as name: String, _ method: String, _ call: @Sendable (Role) async throws -> Answer
    ) async rethrows -> Answer {
        let number = core.withLock { core in
            core.callCount += 1
            return core.callCount
        }
        var tag = CallbackTag(type: "\(type(of: role as Any))", role: name, method: method)
        tag.phrase = (role as? any DescribedRole)?.roleDescription
        handle(.callbackBegan(tag, number: number))
        defer { handle(.callbackEnded(number: number)) }
        return try await call(role)
    }
}
