public import FoundationEssentials

/// What an attempt's makers noted beside its phases: TNL's `TNLAttemptMetaData`, in which `has…` is an optional that is there (MET-4).
///
/// The preparation, the coders, the cache and the digest write ``AttemptMetrics/noted``; ``AttemptMetrics/metadata`` is that, and what
/// follows from the rest of the attempt.
public struct AttemptMetadata: Sendable, Hashable, Codable {
    public var httpVersion: String?
    /// The number of the connection: see ``ConnectionInfo/id``. TNL's `sessionId`.
    public var connection: Int?
    /// How long the transport took to begin, where that was more than a second. TNL's `taskResumeLatency`.
    public var startLatency: Duration?
    /// 0 … 1. TNL's `taskResumePriority`.
    public var startPriority: Double?
    /// By lower-case name, several of one name joined by `, `.
    public var responseHeaders: [String: String]?
    /// Bytes of the bodies on the wire. TNL's `layer8BodyBytesReceived` and `…Transmitted`.
    public var bodyBytesReceived: Int64?
    public var bodyBytesSent: Int64?
    /// The milliseconds of the field `x-response-time`.
    public var serverResponseTime: Duration?
    public var isLocalCacheHit: Bool?
    /// `sha256` …
    public var bodyHashAlgorithm: String?
    /// Over the decoded bytes of a body that came whole.
    public var bodyHash: Data?
    /// The body that was sent, after encoding.
    public var requestContentLength: Int64?
    /// The body before encoding.
    public var requestOriginalContentLength: Int64?
    public var requestEncodingLatency: Duration?
    /// The body that was received, before decoding.
    public var responseContentLength: Int64?
    public var responseDecodedContentLength: Int64?
    public var responseDecodingLatency: Duration?
    public var responseDownloadDuration: Duration?

    public init() {}

    /// These entries, and those of `other` where there is none here.
    func merged(over other: AttemptMetadata) -> AttemptMetadata {
        var merged = self
        func fill<Value>(_ path: WritableKeyPath<AttemptMetadata, Value?>) {
            if merged[keyPath: path] == nil { merged[keyPath: path] = other[keyPath: path] }
        }
        fill(\.httpVersion)
        fill(\.connection)
        fill(\.startLatency)
        fill(\.startPriority)
        fill(\.responseHeaders)
        fill(\.bodyBytesReceived)
        fill(\.bodyBytesSent)
        fill(\.serverResponseTime)
        fill(\.isLocalCacheHit)
        fill(\.bodyHashAlgorithm)
        fill(\.bodyHash)
        fill(\.requestContentLength)
        fill(\.requestOriginalContentLength)
        fill(\.requestEncodingLatency)
        fill(\.responseContentLength)
        fill(\.responseDecodedContentLength)
        fill(\.responseDecodingLatency)
        fill(\.responseDownloadDuration)
        return merged
    }
}
