import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct MetricsDescriptionTests {
    /// Enqueued at 0 ms; a redirect from 10 to 60, and its second hop from 60 to 100.
    func story() -> OperationMetrics {
        var script = EventScript()
        script.start(at: 0)
        script.attempt(at: 10, .get("http://a.test/start", headers: [.authorization: "Bearer s3cret"]))
        script.connect(at: 10, dns: 5, tcp: 10, tls: (15, TLSInfo(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")))
        script.send(at: 40)
        script.head(at: 50, status: 302, headers: [.location: "/end", .setCookie: "id=1"])
        script.endAttempt(at: 60, .redirecting)
        script.attempt(at: 60, .get("http://a.test/end"), .redirect)
        script.connect(at: 60)
        script.send(at: 60)
        script.head(at: 90, status: 200, headers: [HTTPField.Name("x-response-time")!: "25"])
        script.endAttempt(at: 100)
        script.end(at: 100, .succeeded)
        return script.metrics
    }

    // MARK: The operation

    @Test func `MET-1 the parts of an operation's time, and its counts`() {
        let metrics = story()
        #expect(metrics.total == .milliseconds(100))
        #expect(metrics.queued == .milliseconds(10))
        #expect(metrics.allAttempts == .milliseconds(90))
        #expect(metrics.currentAttempt?.duration == .milliseconds(40))
        #expect(metrics.firstAttemptStart == EventScript.time(10))
        #expect([metrics.attempts.count, metrics.retryCount, metrics.redirectCount] == [2, 0, 1])
        #expect(metrics.completedDate == metrics.enqueuedDate?.addingTimeInterval(0.1))
    }

    @Test func `MET-1 the dictionary has TNL's keys`() {
        let dictionary = story().dictionaryDescription()
        #expect(
            dictionary.filter { $0.key != "attempts" } == [
                "complete": true, "duration": 0.1, "attemptTime": 0.04, "queueTime": 0.01, "allAttemptsTime": 0.09,
                "attemptCount": 2, "retryCount": 0, "redirectCount": 1,
            ])
        #expect(
            dictionary["attempts"]?[1] == [
                "attemptInfo": ["id": 2, "type": "redirect", "duration": 0.04],
                "other": ["statusCode": 200, "timeStart": 1_795_208_400.06, "timeEnd": 1_795_208_400.1],
            ])
    }

    @Test func `MET-1 an operation that hasn't begun says only that`() {
        #expect(
            OperationMetrics().dictionaryDescription()
                == ["complete": false, "attemptCount": 0, "retryCount": 0, "redirectCount": 0])
    }

    @Test func `MET-1 metrics can be made up for a test, event by event`() {
        var fake = OperationMetrics()
        for event in [
            NetworkEvent(
                operation: OperationID(rawValue: 1), sequence: 0, time: .zero,
                kind: .enqueued(queue: "q", date: Date(timeIntervalSince1970: 0), timeouts: .init())),
            NetworkEvent(
                operation: OperationID(rawValue: 1), sequence: 1, time: MonotonicTime(nanoseconds: 7),
                kind: .completed(.succeeded, nil)),
        ] { fake.apply(event) }
        #expect(fake.total == .nanoseconds(7))
    }

    @Test func `RDR-3 attempts are the first one, the redirects and the retries, counted apart`() {
        var script = EventScript()
        script.start()
        for (index, kind) in [AttemptKind.initial, .redirect, .redirect].enumerated() {
            script.attempt(at: Double(index), .get("http://a.test/"), kind)
            script.endAttempt(at: Double(index) + 0.5, kind == .initial ? .redirecting : .retrying)
        }
        script.move(at: 3, to: .waitingToRetry)
        script.move(at: 4, to: .preparing)
        script.attempt(at: 4, .get("http://a.test/"), .retry)
        #expect(script.metrics.redirectCount == 2)
        #expect(script.metrics.retryCount == 1)
        #expect(script.metrics.attempts.count == 1 + script.metrics.redirectCount + script.metrics.retryCount)
    }

    // MARK: Attempts

    @Test func `MET-2 an attempt has a number, a kind, its times, its request, its answer and its error`() {
        let attempts = story().attempts
        #expect(attempts.map(\.number) == [1, 2])
        #expect(attempts.map(\.kind) == [.initial, .redirect])
        #expect(attempts.map(\.disposition) == [.redirecting, .completing])
        #expect(attempts.map(\.head?.status.code) == [302, 200])
        #expect(attempts.map(\.request.url.path) == ["/start", "/end"])
        #expect(attempts.map(\.error) == [nil, nil])
        #expect(attempts.map(\.duration) == [.milliseconds(50), .milliseconds(40)])
    }

    @Test func `MET-3 an attempt's dictionary has TNL's keys, with secrets redacted`() {
        let metrics = story()
        let dictionary = metrics.attempts[0].dictionaryDescription(verbose: true, date: metrics.date(of:))
        #expect(Set(dictionary.keys) == ["attemptInfo", "other", "zRequest", "zResponse", "metaData", "transactionMetrics"])
        #expect(
            dictionary["zRequest"] == [
                "method": "GET", "URL": "http://a.test/start", "bodyLength": 0, "headers": ["Authorization": "<redacted>"],
            ])
        #expect(
            dictionary["zResponse"] == [
                "statusCode": 302, "URL": "http://a.test/start", "headers": ["Location": "/end", "Set-Cookie": "<redacted>"],
            ])
        #expect(dictionary["metaData"]?["responseLowercaseHeaders"] == ["location": "/end", "set-cookie": "<redacted>"])
        #expect(!"\(dictionary)".contains("s3cret"))
    }

    @Test func `MET-3 an error of an attempt is there by its number and type`() {
        var script = EventScript()
        script.start()
        script.attempt(at: 0, .get("http://a.test/"))
        let error = NetworkError(.cannotConnect, phase: .connection, type: "tcp.refused", message: "Nobody listens.")
        script.endAttempt(at: 2, error: error)
        let dictionary = script.metrics.attempts[0].dictionaryDescription(date: script.metrics.date(of:))
        #expect(dictionary["other"]?["error"] == ["code": 402, "type": "tcp.refused"])
        #expect(dictionary["other"]?["statusCode"] == nil)
    }

    @Test func `MET-3 what the network looked like is there by TNL's numbers`() {
        let metrics = story()
        var attempt = metrics.attempts[0]
        func told(_ part: String, _ keys: [String]) -> [PlainValue?] {
            let dictionary = attempt.dictionaryDescription(verbose: true, date: metrics.date(of:))
            return keys.map { dictionary[part]?[$0] }
        }
        let keys = ["reachStatus", "reachFlags", "captivePortalStatus"]
        #expect(told("other", keys) == [nil, nil, nil])
        attempt.network = NetworkConditions(
            reachability: .cellular, interfaces: [.init(name: "wwan0", kind: .cellular)], isExpensive: true, captivePortal: .captive
        )
        let flags: NetworkConditions.Flags = [.satisfied, .cellular, .expensive]
        #expect(told("other", keys) == [2, .integer(Int64(flags.rawValue)), 1])
        #expect(flags.rawValue == 66_561)
        #expect(told("transactionMetrics", ["expensive", "constrained"]) == [true, false])
    }

    @Test func `MET-6 the times of a transaction; what did not happen has no key`() {
        let metrics = story()
        let first = metrics.attempts[0].dictionaryDescription(verbose: true, date: metrics.date(of:))["transactionMetrics"]
        let times = ["dns", "tcp", "secure", "connect", "request", "server", "response", "total"].map { first?[$0] }
        #expect(times == [0.005, 0.01, 0.015, 0.025, 0.0, 0.01, 0.01, 0.05])
        #expect(first?["tlsVersion"] == "TLSv1.3")
        #expect(first?["newConnection"] == true)
        #expect(first?["remotePort"] == 8080)
        let second = metrics.attempts[1].dictionaryDescription(verbose: true, date: metrics.date(of:))["transactionMetrics"]
        #expect(["dns", "tcp", "secure", "connect", "tlsVersion"].map { second?[$0] } == [nil, nil, nil, nil, nil])
        #expect(second?["newConnection"] == false)
    }

    @Test func `MET-6 HAR has −1 for what did not happen, and TLS inside of connect`() {
        let attempts = story().attempts
        var first = HARTimings(Phases())
        (first.blocked, first.dns, first.connect, first.ssl) = (0, 5, 25, 15)
        (first.send, first.wait, first.receive) = (0, 10, 10)
        #expect(attempts[0].harTimings == first)
        #expect(first.total == 50)
        var second = HARTimings(Phases())
        (second.blocked, second.send, second.wait, second.receive) = (0, 0, 30, 10)
        #expect(attempts[1].harTimings == second)
        #expect([second.dns, second.connect, second.ssl] == [-1, -1, -1])
        #expect(HARTimings(Phases()).blocked == -1)
        #expect(HARTimings(Phases()).send == 0)
    }

    // MARK: Metadata

    @Test func `MET-4 an attempt's metadata follows from what happened`() {
        let metadata = story().attempts[1].metadata
        #expect(metadata.httpVersion == "HTTP/1.1")
        #expect(metadata.connection == 1)
        #expect(metadata.responseHeaders == ["x-response-time": "25"])
        #expect(metadata.serverResponseTime == .milliseconds(25))
        #expect(metadata.responseDownloadDuration == .milliseconds(10))
        #expect(metadata.startLatency == nil)
        #expect(metadata.bodyHash == nil)
    }

    @Test func `MET-4 a start that took more than a second is noted`() {
        var attempt = AttemptMetrics(number: 1, kind: .initial, request: .get("http://a.test/"), start: .zero)
        attempt.phases.queue = .init(start: .zero, end: EventScript.time(1000))
        #expect(attempt.metadata.startLatency == nil)
        attempt.phases.queue = .init(start: .zero, end: EventScript.time(1001))
        #expect(attempt.metadata.startLatency == .milliseconds(1001))
    }

    @Test(arguments: [("12", 12_000), ("12.5ms", 12_500), ("0", 0)])
    func `MET-4 the server's time is read in milliseconds`(text: String, microseconds: Int64) {
        let head = ResponseHead(status: .ok, headers: [HTTPField.Name("X-Response-Time")!: text])
        #expect(head.serverResponseTime == .microseconds(microseconds))
    }

    @Test(arguments: ["", "-1", "soon", "nan", "1e300"])
    func `MET-4 a time of the server that is none is left out`(text: String) {
        #expect(ResponseHead(status: .ok, headers: [HTTPField.Name("x-response-time")!: text]).serverResponseTime == nil)
    }

    @Test func `MET-4 bytes are written in base64, up to 256 of them`() {
        var metadata = AttemptMetadata()
        metadata.bodyHash = Data([1, 2, 3])
        metadata.bodyHashAlgorithm = "sha256"
        metadata.isLocalCacheHit = false
        metadata.requestEncodingLatency = .milliseconds(2)
        #expect(
            metadata.dictionaryDescription == [
                "responseBodyHash": "AQID", "responseBodyHashAlgorithm": "sha256", "localCacheHit": false,
                "requestEncodingLatency": 0.002,
            ])
        metadata.bodyHash = Data(repeating: 0, count: 257)
        #expect(metadata.dictionaryDescription["responseBodyHash"] == "257 bytes")
    }

    @Test func `T-META a field is there when it was set, and gone when it was cleared`() {
        var metadata = AttemptMetadata()
        #expect(metadata.dictionaryDescription == [:])
        metadata.httpVersion = "HTTP/2"
        metadata.bodyBytesSent = 0
        #expect(metadata.dictionaryDescription == ["HTTPVersion": "HTTP/2", "layer8BodyBytesTransmitted": 0])
        var other = metadata
        #expect(other == metadata)
        other.bodyBytesSent = nil
        #expect(other != metadata)
        #expect(other.dictionaryDescription == ["HTTPVersion": "HTTP/2"])
    }

    @Test func `T-META what coders, the cache and the digest did is among it`() {
        var attempt = story().attempts[1]
        attempt.coding = CodingMetrics()
        attempt.coding?.responseDecodedContentLength = 99
        attempt.coding?.requestEncodingLatency = .milliseconds(3)
        attempt.source = .validatedCache
        attempt.bodyHash = BodyHash(algorithm: .sha256, bytes: [1, 2])
        let metadata = attempt.metadata
        #expect(metadata.responseDecodedContentLength == 99)
        #expect(metadata.requestEncodingLatency == .milliseconds(3))
        #expect(metadata.isLocalCacheHit == true)
        #expect(metadata.bodyHashAlgorithm == "sha256")
        #expect(metadata.bodyHash == Data([1, 2]))
    }

    // MARK: Clocks

    @Test func `MET-5 durations are exact, and no clock that is set can change them`() throws {
        let metrics = story()
        let back = try JSONDecoder().decode(OperationMetrics.self, from: JSONEncoder().encode(metrics))
        #expect(back == metrics)
        #expect(metrics.date(of: EventScript.time(50)) == Date(timeIntervalSince1970: 1_795_208_400.05))
        #expect(metrics.attempts.map(\.duration) == [.milliseconds(50), .milliseconds(40)])
    }
}
