public import Base
import HTTPTypes

/// The dictionary form of metrics, with TNL's keys (MET-1, MET-3): seconds for durations, seconds since 1970 for times; a key is
/// absent where there is nothing to say.
extension OperationMetrics {
    /// - Parameter verbose: with the attempts' headers and everything that was measured, not only with what a line of a log shows.
    public func dictionaryDescription(verbose: Bool = false) -> [String: PlainValue] {
        var dictionary: [String: PlainValue] = ["complete": .boolean(completed != nil)]
        dictionary["duration"] = .seconds(total)
        dictionary["attemptTime"] = .seconds(currentAttempt?.duration)
        dictionary["queueTime"] = .seconds(queued)
        dictionary["allAttemptsTime"] = .seconds(allAttempts)
        dictionary["attemptCount"] = .integer(Int64(attempts.count))
        dictionary["retryCount"] = .integer(Int64(retryCount))
        dictionary["redirectCount"] = .integer(Int64(redirectCount))
        if verbose || attempts.count > 1 {
            dictionary["attempts"] = .list(
                attempts.map { .object($0.dictionaryDescription(verbose: verbose, date: date(of:))) })
        }
        return dictionary
    }
}

extension AttemptMetrics {
    /// - Parameter date: the wall clock at a time of the operation: ``OperationMetrics/date(of:)``.
    public func dictionaryDescription(
        verbose: Bool = false, date: (MonotonicTime) -> Date
    ) -> [String: PlainValue] {
        var info: [String: PlainValue] = ["id": .integer(Int64(number)), "type": .text(kind.rawValue)]
        info["duration"] = .seconds(duration)
        var dictionary: [String: PlainValue] = ["attemptInfo": .object(info)]
        dictionary["other"] = .object(other(date: date))
        if verbose {
            dictionary["zRequest"] = .object(requestDescription)
            dictionary["zResponse"] = responseDescription.map(PlainValue.object)
            dictionary["transactionMetrics"] = .object(transactionDescription)
            let metadata = metadata.dictionaryDescription
            if !metadata.isEmpty { dictionary["metaData"] = .object(metadata) }
        }
        return dictionary
    }

    private func other(date: (MonotonicTime) -> Date) -> [String: PlainValue] {
        var other: [String: PlainValue] = ["timeStart": .number(date(start).timeIntervalSince1970)]
        other["timeEnd"] = end.map { .number(date($0).timeIntervalSince1970) }
        other["statusCode"] = head.map { .integer(Int64($0.status.code)) }
        other["error"] = error.map { .object(["code": .integer(Int64($0.code.rawValue)), "type": .text($0.type)]) }
        if !apiErrors.isEmpty { other["apiErrors"] = .list(apiErrors.map(PlainValue.text)) }
        other["parseErrors"] = bodyParseError.map { .list([.text($0.message)]) }
        other["reachStatus"] = network.map { .integer(Int64($0.reachability.rawValue)) }
        other["reachFlags"] = network.map { .integer(Int64($0.flags.rawValue)) }
        other["captivePortalStatus"] = network.map { .integer(Int64($0.captivePortal.rawValue)) }
        return other
    }

    private var requestDescription: [String: PlainValue] {
        var description: [String: PlainValue] = [
            "method": .text(request.method.rawValue), "URL": .text(request.url.absoluteString),
            "headers": .object(Redaction.standard.fields(request.headers).mapValues(PlainValue.text)),
        ]
        description["bodyLength"] = request.body.length.map(PlainValue.integer)
        return description
    }

    private var responseDescription: [String: PlainValue]? {
        head.map { head in
            [
                "statusCode": .integer(Int64(head.status.code)), "URL": .text(request.url.absoluteString),
                "headers": .object(Redaction.standard.fields(head.headers).mapValues(PlainValue.text)),
            ]
        }
    }

    /// TNL's names for what Apple measures, filled from our phases (MET-6).
    private var transactionDescription: [String: PlainValue] {
        var description: [String: PlainValue] = ["load": .text(source.rawValue), "URL": .text(request.url.absoluteString)]
        description["protocol"] = (head?.version ?? connection?.httpVersion).map(PlainValue.text)
        if let connection {
            description["newConnection"] = .boolean(!connection.isReused)
            description["proxy"] = .boolean(connection.proxy != nil)
            (description["localAddress"], description["localPort"]) = Self.parts(of: connection.localAddress)
            (description["remoteAddress"], description["remotePort"]) = Self.parts(of: connection.remoteAddress)
        }
        description["header_tx"] = .integer(bytes.requestHead)
        description["body_tx"] = .integer(bytes.requestBody)
        description["header_rx"] = .integer(bytes.responseHead)
        description["body_rx"] = .integer(bytes.responseBody)
        description["body_bytes"] = .integer(bytes.decodedResponseBody)
        description["tlsVersion"] = tls?.version.map(PlainValue.text)
        description["tlsCSuite"] = tls?.cipher.map(PlainValue.text)
        description["statusCode"] = head.map { .integer(Int64($0.status.code)) }
        description["expensive"] = network?.isExpensive.map(PlainValue.boolean)
        description["constrained"] = network.map { .boolean($0.flags.contains(.constrained)) }
        description["dns"] = .seconds(phases.dns?.duration)
        description["tcp"] = .seconds(phases.connect?.duration)
        description["secure"] = .seconds(phases.tls?.duration)
        // As Apple has it: the handshake is a part of it.
        description["connect"] = .seconds(phases.connect.map { (phases.tls?.end ?? $0.end) - $0.start })
        description["request"] = .seconds(phases.send?.duration)
        description["server"] = .seconds(phases.wait?.duration)
        description["response"] = .seconds(phases.receive?.duration)
        description["total"] = .seconds(duration)
        return description
    }

    /// `address:port`, taken apart; a path is an address without a port.
    private static func parts(of address: String) -> (PlainValue?, PlainValue?) {
        guard let colon = address.lastIndex(of: ":"), let port = Int64(address[address.index(after: colon)...]) else {
            return (.text(address), nil)
        }
        return (.text(String(address[..<colon])), .integer(port))
    }
}

extension AttemptMetadata {
    /// Only what is there, by TNL's keys; bytes up to 256 of them in base64 (MET-4).
    public var dictionaryDescription: [String: PlainValue] {
        var description: [String: PlainValue] = [:]
        description["HTTPVersion"] = httpVersion.map(PlainValue.text)
        description["sessionId"] = connection.map { .integer(Int64($0)) }
        description["taskResumeLatency"] = .seconds(startLatency)
        description["responseLowercaseHeaders"] = responseHeaders.map { headers in
            .object(Redaction.standard.values(headers).mapValues(PlainValue.text))
        }
        description["layer8BodyBytesReceived"] = bodyBytesReceived.map(PlainValue.integer)
        description["layer8BodyBytesTransmitted"] = bodyBytesSent.map(PlainValue.integer)
        description["serverResponseTime"] = .seconds(serverResponseTime)
        description["localCacheHit"] = isLocalCacheHit.map(PlainValue.boolean)
        description["responseBodyHashAlgorithm"] = bodyHashAlgorithm.map(PlainValue.text)
        description["responseBodyHash"] = bodyHash.map { bytes in
            .text(bytes.count <= 256 ? bytes.base64EncodedString() : "\(bytes.count) bytes")
        }
        description["requestContentLength"] = requestContentLength.map(PlainValue.integer)
        description["requestEncodingLatency"] = .seconds(requestEncodingLatency)
        description["requestOriginalContentLength"] = requestOriginalContentLength.map(PlainValue.integer)
        description["responseContentLength"] = responseContentLength.map(PlainValue.integer)
        description["responseDecodingLatency"] = .seconds(responseDecodingLatency)
        description["responseDecodedContentLength"] = responseDecodedContentLength.map(PlainValue.integer)
        description["responseContentDownloadDuration"] = .seconds(responseDownloadDuration)
        return description
    }
}

extension PlainValue {
    fileprivate static func seconds(_ duration: Duration?) -> PlainValue? {
        duration.map { .number($0.inSeconds) }
    }
}
