/// Why a request can't be sent: found before anything is.
package struct ResolutionError: Hashable, Sendable, Error, CustomStringConvertible {
    package var code: Code
    /// What is wrong, on what, and the way out.
    package var message: String
    /// Where it stands; `nil` for what isn't in a file, such as the name of an environment that was asked for.
    package var location: SourceLocation?
    /// What to get before trying again, with code `unmet`.
    package var requirements: [UnmetRequirement]

    package init(
        _ code: Code, _ message: String, at location: SourceLocation? = nil, requirements: [UnmetRequirement] = []
    ) {
        self.code = code
        self.message = message
        self.location = location
        self.requirements = requirements
    }

    package var description: String { location.map { "\($0): \(message)" } ?? message }

    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No environment has this name.
        case environment
        /// The request has problems in its file.
        case definition
        case template
        /// Something has no value.
        case variable
        /// Variables that need each other.
        case cycle
        /// Secrets and answers are needed that weren't handed in: ``requirements``.
        case unmet
        /// A secret would go where it may not.
        case notAllowed
        /// A secret can't be read, a command failed, nobody answered.
        case secret
        case url
        case header
        case authentication
        case body
        case file
        /// The format has it, and it can't be sent yet.
        case unsupported
    }
}

/// A requirement without an answer, and the place that has it.
package struct UnmetRequirement: Hashable, Sendable {
    package var requirement: TemplateRequirement
    package var location: SourceLocation?

    package init(_ requirement: TemplateRequirement, at location: SourceLocation?) {
        self.requirement = requirement
        self.location = location
    }
}
