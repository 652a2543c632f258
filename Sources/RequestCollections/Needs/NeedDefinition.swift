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
