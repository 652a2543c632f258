import NetworkLayer
package import RequestCollections

/// Why there is no token.
package struct OAuth2Error: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the server calls it, such as `invalid_client` (RFC 6749, section 5.2); `nil` when the server didn't say.
    package var code: String?
    /// Without secrets.
    package var message: String
    /// Where `auth` stands.
    package var location: SourceLocation?

    init(_ message: String, code: String? = nil, at location: SourceLocation? = nil) {
        self.code = code
        self.message = message
        self.location = location
    }

    package var description: String { location.map { "\($0): \(message)" } ?? message }

    /// What a server says, for a sentence: on one line, not too long, and without anything that a terminal would obey.
    ///
    /// - Parameter redactor: takes secrets out before anything is cut off.
    static func quoted(_ text: String, hiding redactor: Redactor = Redactor()) -> String {
        let scalars = redactor.text(text).unicodeScalars.prefix(400).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether a refresh token that was answered so is of no use any more, and only a whole grant helps.
    var endsRefreshToken: Bool {
        switch code {
        case "invalid_grant", "invalid_token", "unauthorized_client", "unsupported_grant_type", "invalid_scope": true
        default: false
        }
    }
}
