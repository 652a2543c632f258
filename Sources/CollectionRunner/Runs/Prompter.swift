package import RequestCollections

/// Asks a person for what a template needs.
package protocol Prompter: Sendable {
    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String
    /// - Returns: one of the options.
    func choose(_ select: SelectRequirement) async throws(PromptError) -> String
    /// Shows what to do elsewhere, and returns as soon as it is shown.
    ///
    /// - Parameter decline: ends the waiting for it. May be called at any time, also never.
    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError)
    /// It is done, or was given up.
    func hide(_ notice: SignInNotice) async
}

extension Prompter {
    /// For those who can only ask.
    package func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        throw PromptError("a sign-in for \(notice.server) is needed, and it can't be shown here")
    }

    package func hide(_ notice: SignInNotice) async {}
}

/// Why there is no answer: nobody is there, or they declined.
package struct PromptError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
