import Base
import HTTPTypes

extension AttemptMetrics {
    /// What follows from the connection, the head, the phases, the bytes and what the coders, the cache and the digest did.
    public var metadata: AttemptMetadata {
        var known = AttemptMetadata()
        known.httpVersion = head?.version ?? connection?.httpVersion
        known.connection = connection?.id
        known.startLatency = phases.queue.map(\.duration).flatMap { $0 > .seconds(1) ? $0 : nil }
        known.responseDownloadDuration = phases.receive?.duration
        if let head {
            known.responseHeaders = head.lowercasedHeaders
            known.serverResponseTime = head.serverResponseTime
            known.bodyBytesReceived = bytes.responseBody
            known.responseContentLength = bytes.responseBody
            known.responseDecodedContentLength = coding?.responseDecodedContentLength ?? bytes.decodedResponseBody
            known.isLocalCacheHit = isLocalCacheHit
        }
        if head != nil { known.isLocalCacheHit = isLocalCacheHit }
        known.bodyHashAlgorithm = bodyHash?.algorithm.rawValue
        known.bodyHash = bodyHash.map { Data($0.bytes) }
        if connection != nil {
            known.bodyBytesSent = bytes.requestBody
            if request.body != .none { known.requestContentLength = bytes.requestBody }
        }
        known.requestEncodingLatency = coding?.requestEncodingLatency
        known.requestOriginalContentLength = coding?.requestOriginalContentLength
        known.responseDecodingLatency = coding?.responseDecodingLatency
        known.bodyHashAlgorithm = bodyHash?.algorithm.rawValue
        known.bodyHash = bodyHash.map { Data($0.bytes) }
        return known
    }
}

extension ResponseHead {
    /// The fields by lower-case name, several of one name joined by `, ` (RSP-2).
    public var lowercasedHeaders: [String: String] {
        var fields: [String: String] = [:]
        for field in headers {
            fields[field.name.canonicalName, default: ""] += (fields[field.name.canonicalName] == nil ? "" : ", ") + field.value
        }
        return fields
    }

    /// `x-response-time: 12` or `12.5ms`: the milliseconds that the server says it worked.
    var serverResponseTime: Duration? {
        guard let name = HTTPField.Name("x-response-time"), let text = headers[name] else { return nil }
        let number = text.hasSuffix("ms") ? String(text.dropLast(2)) : text
        guard let milliseconds = Double(number.filter { $0 != " " }), (0..<1e9).contains(milliseconds) else { return nil }
        return .nanoseconds(Int64(milliseconds * 1e6))
    }
}
