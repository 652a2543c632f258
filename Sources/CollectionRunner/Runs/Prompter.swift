package import RequestCollections

/// Asks a person for what a template needs.
package protocol Prompter: Sendable {
    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String
    /// - Returns: one of the options.
    func choose(_ select: SelectRequirement) async throws(PromptError) -> String
}

/// Why there is no answer: nobody is there, or they declined.
package struct PromptError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
