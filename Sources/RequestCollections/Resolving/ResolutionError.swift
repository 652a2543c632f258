/// Why a request can't be sent: found before anything is.
package struct ResolutionError: Hashable, Sendable, Error, CustomStringConvertible {
    package var code: Code
    /// What is wrong, on what, and the way out.
    package var message: String
    /// Where it stands; `nil` for what isn't in a file, such as the name of an environment that was asked for.
    package var location: SourceLocation?
    /// What to get before trying again, with code `unmet`.
    package var requirements: [UnmetRequirement]
    /// What nobody has allowed, with code `notAllowed`.
    package var wants: [NotedWant] = []
    /// What has no value, with code `variable`.
    package var variable: String?

    package init(
        _ code: Code, _ message: String, at location: SourceLocation? = nil, requirements: [UnmetRequirement] = []
    ) {
        self.code = code
        self.message = message
        self.location = location
        self.requirements = requirements
    }

    package init(refused wants: [NotedWant], by trust: Trust, in collection: RequestCollection) {
        let list = wants.map { "\($0.want.kind) \($0.want.subject)" }.joined(separator: ", and ")
        let way =
            trust.isNever
            ? "you said never; take it back: turnstone trust \(collection.path) --remove"
            : "allow it: turnstone trust \(collection.path)"
        self.init(.notAllowed, "it wants what isn't allowed: \(list); \(way)", at: wants.first?.location)
        self.wants = wants
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
        /// `when` doesn't hold.
        case condition
        /// Variables that need each other.
        case cycle
        /// Secrets and answers are needed that weren't handed in: ``requirements``.
        case unmet
        /// What is wanted of the machine isn't allowed, or a secret would go where it may not.
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
    /// For a secret: permission to read it.
    package var secret: PermittedSecret?
    /// For what takes a command: permission to run that.
    package var permit: Permission?
    /// The one that it is the value of.
    package var variable: String?
    package var location: SourceLocation?

    package init(
        _ requirement: TemplateRequirement, secret: PermittedSecret? = nil, permit: Permission? = nil, variable: String? = nil,
        at location: SourceLocation?
    ) {
        self.variable = variable
        self.requirement = requirement
        self.secret = secret
        self.permit = permit
        self.location = location
    }
}
