/// An answer without the network, when mocks are on.
package struct MockDefinition: Hashable, Sendable, Codable {
    package var status: Int?
    package var headers: [RequestDefinition.Row] = []
    package var body: Body?
    /// Before anything; drawn anew for each request.
    package var delay: ClosedRange<Duration>?
    /// Before the head, and the least time between two pieces of the body.
    package var latency: Duration?
    /// Bytes a second.
    package var rate: Int?
    /// A failure in place of the answer.
    package var error: FailureKind?
    package var location: SourceLocation

    package init(location: SourceLocation) { self.location = location }

    package enum Body: Hashable, Sendable, Codable {
        case text(String)
        /// In JSON, with templates.
        case json(String)
        /// Relative to the file that names it.
        case file(String)
    }

    /// The kinds that a mock can fail with.
    static let errors: [FailureKind] = [.timeout, .dns, .connection, .tls, .protocol]
}
