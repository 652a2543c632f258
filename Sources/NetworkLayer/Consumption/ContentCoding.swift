public import Base

/// How bodies are coded besides what the transport does by itself (section 1.7).
public struct ContentCoding: Sendable, Hashable {
    /// Codes the body of the request when it is in memory.
    public var encoder: (any ContentEncoder)?
    /// Decode the body of the response, each for its `Content-Encoding`; of two for the same, the first counts. What the
    /// transport decodes (gzip, deflate, br, zstd) can't be replaced.
    public var decoders: [any ContentDecoder] = []

    /// By default, bodies are sent plain and only the transport decodes.
    public init(encoder: (any ContentEncoder)? = nil, decoders: [any ContentDecoder] = []) {
        self.encoder = encoder
        self.decoders = decoders
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.encoder.map { AnyHashable($0) } == right.encoder.map { AnyHashable($0) }
            && left.decoders.map { AnyHashable($0) } == right.decoders.map { AnyHashable($0) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(encoder.map { AnyHashable($0) })
        hasher.combine(decoders.map { AnyHashable($0) })
    }
}

/// Codes the body of a request (ENC-1). Hashable, so that a configuration that has one can be compared.
public protocol ContentEncoder: Sendable, Hashable {
    /// The value of `Content-Encoding`.
    var contentEncoding: String { get }

    /// - Returns: the coded body; `nil` to send it plain, as when it would only grow.
    /// - Throws: whatever it likes; the attempt then fails with `contentEncodingFailed`, and a retry may bring another encoder.
    func encode(_ body: Data) throws -> Data?
}

/// Decodes bodies of responses (ENC-2). Hashable, so that a configuration that has one can be compared.
public protocol ContentDecoder: Sendable, Hashable {
    /// The value of `Content-Encoding`, whatever the case of its letters.
    var contentEncoding: String { get }

    /// Begins one body. What this or the decoding throws fails the attempt with `contentDecodingFailed`.
    func makeDecoding() throws -> any ContentDecoding
}

/// One body that is being decoded, piece by piece, on a thread of the transport's.
public protocol ContentDecoding: Sendable {
    /// - Returns: what can be told of the body so far; may be empty.
    mutating func decode(_ piece: Data) throws -> Data

    /// The body has ended.
    ///
    /// - Returns: what was held back.
    /// - Throws: when the body isn't complete.
    mutating func finish() throws -> Data
}

/// What coding did to the bodies of one attempt (ENC-3); `nil` where nothing was coded.
package struct CodingMetrics: Sendable, Hashable, Codable {
    /// How long the encoder took; `nil` where it did nothing.
    package var requestEncodingLatency: Duration?
    package var requestOriginalContentLength: Int64?
    package var requestEncodedContentLength: Int64?
    /// How long the decoder took over all pieces; `nil` where it did nothing.
    package var responseDecodingLatency: Duration?
    package var responseDecodedContentLength: Int64?

    package init(
        requestEncodingLatency: Duration? = nil, requestOriginalContentLength: Int64? = nil,
        requestEncodedContentLength: Int64? = nil, responseDecodingLatency: Duration? = nil,
        responseDecodedContentLength: Int64? = nil
    ) {
        self.requestEncodingLatency = requestEncodingLatency
        self.requestOriginalContentLength = requestOriginalContentLength
        self.requestEncodedContentLength = requestEncodedContentLength
        self.responseDecodingLatency = responseDecodingLatency
        self.responseDecodedContentLength = responseDecodedContentLength
    }
}

extension CodingMetrics {
    /// Its part of ``OperationMetrics/exchangeNumbers(_:)``.
    mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        func pass(_ latency: Duration?) -> Duration? {
            guard var nanoseconds = latency?.wholeNanoseconds else { return nil }
            exchange(&nanoseconds)
            return .nanoseconds(nanoseconds)
        }
        requestEncodingLatency = pass(requestEncodingLatency)
        requestOriginalContentLength?.pass(to: exchange)
        requestEncodedContentLength?.pass(to: exchange)
        responseDecodingLatency = pass(responseDecodingLatency)
        responseDecodedContentLength?.pass(to: exchange)
    }
}
