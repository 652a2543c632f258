package import NetworkLayer

/// A request that is run before another, as in `needs: { login: { max-age: 1h } }`, or that sets something up or tears it down.
package struct NeedDefinition: Hashable, Sendable, Codable {
    /// As it stands in the file: a neighbour's name, or the path of a request. ``RequestCollection/find(_:from:)`` finds it.
    package var name: String
    /// It isn't run again while its last success is younger than this; `nil`: it is run every time.
    package var maxAge: Duration?
    /// What becomes of the request that needs it when this one is skipped; `nil`: it is sent unless it takes a value from it.
    package var ifSkipped: IfSkipped?
    package var location: SourceLocation

    package enum IfSkipped: String, Hashable, Sendable, Codable, CaseIterable {
        /// It isn't sent, and that is a failure.
        case fail
    }

    package init(name: String, maxAge: Duration? = nil, ifSkipped: IfSkipped? = nil, location: SourceLocation) {
        self.name = name
        self.maxAge = maxAge
        self.ifSkipped = ifSkipped
        self.location = location
    }
}

/// A command that completes a request just before it is sent: signatures, tokens, what no template can make.
package struct HydrateDefinition: Hashable, Sendable, Codable {
    /// The program and its arguments, with templates. A text in the file is a line for `sh -c`.
    package var words: [String]
    package var location: SourceLocation

    package init(words: [String], location: SourceLocation) {
        self.words = words
        self.location = location
    }
}

/// What a run waits for before it enters the queue: something that may take as long as it likes. Runs that wait for the same go on together.
package enum RunWait: Hashable, Sendable {
    /// A person is asked for something.
    case person(String)
    /// A command runs whose output is a secret or another value.
    case command(String)
    /// A token of OAuth 2 is being got, from this server.
    case token(String)
    /// A request that it needs was sent by another run: both get its answer.
    case request(RequestID)
    /// A request that it needs is under way; `then` names those that are sent between that one and this.
    case operation(OperationID, then: [RequestID])
}
