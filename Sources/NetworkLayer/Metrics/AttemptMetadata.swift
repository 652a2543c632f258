public import Base

/// What an attempt's metrics say, in TNL's form: `TNLAttemptMetaData`, in which `has…` is an optional that is there (MET-4).
/// See ``AttemptMetrics/metadata``.
public struct AttemptMetadata: Sendable, Hashable, Codable {
    /// `HTTP/1.1`, `HTTP/2`, as the answer has it.
    public var httpVersion: String?
    /// The number of the connection: see ``ConnectionInfo/id``. TNL's `sessionId`.
    public var connection: Int?
    /// How long the transport took to begin, where that was more than a second. TNL's `taskResumeLatency`.
    public var startLatency: Duration?
    /// By lower-case name, several of one name joined by `, `.
    public var responseHeaders: [String: String]?
    /// Bytes of the bodies on the wire. TNL's `layer8BodyBytesReceived` and `…Transmitted`.
    public var bodyBytesReceived: Int64?
    /// As ``bodyBytesReceived``, of the request.
    public var bodyBytesSent: Int64?
    /// The milliseconds of the field `x-response-time`.
    public var serverResponseTime: Duration?
    /// Whether the body came from the cache.
    public var isLocalCacheHit: Bool?
    /// `sha256` …
    public var bodyHashAlgorithm: String?
    /// Over the decoded bytes of a body that came whole.
    public var bodyHash: Data?
    /// The body that was sent, after encoding.
    public var requestContentLength: Int64?
    /// The body before encoding.
    public var requestOriginalContentLength: Int64?
    /// How long the ``ContentCoding/encoder`` took.
    public var requestEncodingLatency: Duration?
    /// The body that was received, before decoding.
    public var responseContentLength: Int64?
    /// The body after decoding, in bytes.
    public var responseDecodedContentLength: Int64?
    /// How long the ``ContentCoding/decoders`` took in all; what the transport decodes isn't in it.
    public var responseDecodingLatency: Duration?
    /// From the first byte of the answer to the last.
    public var responseDownloadDuration: Duration?

    /// Nothing is known.
    public init() {}
}
