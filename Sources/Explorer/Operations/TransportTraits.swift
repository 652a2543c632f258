/// What the transport does by itself.
struct TransportTraits: Sendable {
    /// What it adds to what has none of its own.
    var userAgent: String?
    /// Names of codings, for responses that may be compressed.
    var contentCodings: [String] = []
    /// Requests that have a mock are answered by it; the screen says so.
    var usesMocks = false
}
