package import NetworkLayer

/// A secret, as every value that is made of it knows it.
package struct SecretLabel: Hashable, Sendable {
    /// The variable's, or what a template says instead: `$SHOP_TOKEN` of `env("SHOP_TOKEN")`, the question of `prompt("Code")`.
    package var name: String
    package var source: Source
    /// The origins that the file names (`for:`); `nil`: that of the request into which it is written.
    package var origins: [OriginPattern]?

    package init(_ name: String, _ source: Source, for origins: [OriginPattern]? = nil) {
        self.name = name
        self.source = source
        self.origins = origins
    }

    /// How it was read.
    package enum Source: Hashable, Sendable {
        /// `{ secret: … }` of a variable; the environment's name when it stands in one.
        case reference(SecretReference, environment: String?)
        /// `env("SHOP_TOKEN")`
        case environmentVariable(String)
        /// `prompt("Code", secret: true)`
        case prompt(String)
        /// Something of this request's response.
        case response(RequestID)
        /// Given with `--var`, for a variable that the file calls a secret.
        case given
        /// Typed by a person, kept while the program runs, and only for the label's origins.
        case session
        /// It stands in the file as it is, where only credentials stand: `auth`.
        case literal

        /// The text under which it is allowed; `""` for what doesn't depend on the file.
        var text: String {
            switch self {
            case .reference(let reference, _): "\(reference)"
            case .environmentVariable(let name): "\(SecretReference.environment(name))"
            case .prompt(let message): "\(SecretReference.prompt(message))"
            case .response(let request): "the response of `\(request)`"
            case .given, .session, .literal: ""
            }
        }
    }
}

/// A secret that goes somewhere with a request.
package struct SecretUse: Hashable, Sendable {
    package var secret: SecretLabel
    package var part: Part
    /// Where the file sends it; `nil` while the address isn't known, because templates in it have no value yet.
    package var origin: Origin?

    package init(_ secret: SecretLabel, in part: Part, to origin: Origin?) {
        self.secret = secret
        self.part = part
        self.origin = origin
    }

    package enum Part: Hashable, Sendable {
        case url
        /// By its name in lower case.
        case header(String)
        case body
        /// A kind of `auth` that the transport speaks: `digest`, `ntlm`, `aws-sigv4`.
        case authentication(String)
        /// The request for a token of OAuth 2.
        case token
        case proxy
    }
}

extension SecretUse.Part: CustomStringConvertible {
    /// As a part of a sentence.
    package var description: String {
        switch self {
        case .url: "the URL"
        case .header(let name): "`\(name)`"
        case .body: "the body"
        case .authentication(let kind): "`auth: \(kind)`"
        case .token: "the request for a token"
        case .proxy: "the proxy"
        }
    }
}
