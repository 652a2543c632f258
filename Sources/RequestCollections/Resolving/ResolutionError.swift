/// Why a request can't be sent: found before anything is.
package struct ResolutionError: Hashable, Sendable, Error, CustomStringConvertible {
    package var code: Code
    /// What is wrong, on what, and the way out.
    package var message: String
    /// Where it stands; `nil` for what isn't in a file, such as the name of an environment that was asked for.
    package var location: SourceLocation?
    /// The secret to read before trying again, with code `missingSecret`.
    package var missingSecret: SecretReference?

    package init(_ code: Code, _ message: String, at location: SourceLocation? = nil, missingSecret: SecretReference? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.missingSecret = missingSecret
    }

    package var description: String { location.map { "\($0): \(message)" } ?? message }

    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No environment has this name.
        case environment
        /// The request has problems in its file.
        case definition
        case template
        case variable
        /// A secret is needed that wasn't handed in.
        case missingSecret
        /// A secret can't be read.
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
