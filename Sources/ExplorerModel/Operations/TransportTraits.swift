/// What the transport does by itself.
package struct TransportTraits: Sendable {
    /// What it adds to what has none of its own.
    package var userAgent: String?
    /// Names of codings, for responses that may be compressed.
    package var contentCodings: [String] = []
    /// Requests that have a mock are answered by it; the screen says so.
    package var usesMocks = false
}
