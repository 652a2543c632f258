import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension NetworkEvent {
    /// One of every kind, in an order that could be.
    static let everyKind: [NetworkEvent] = {
        let date = Date(timeIntervalSince1970: 1_795_212_847.5)
        var request = Request("https://me:pw@localhost:8443/start?q=1", .post)
        request.headers = [.authorization: "Bearer abc", .accept: "*/*"]
        request.body = .data(Data("hello".utf8))
        let head = ResponseHead(
            status: .init(code: 302, reasonPhrase: "Found"), version: "HTTP/2",
            headers: [.location: "/next", .setCookie: "sid=1; Path=/"])
        let connection = ConnectionInfo(
            id: 3, isReused: false, localAddress: "127.0.0.1:50000", remoteAddress: "127.0.0.1:8443", httpVersion: "HTTP/2")
        let certificate = Certificate(
            subject: "CN=localhost", issuer: "CN=Authority", serialNumber: "1", notBefore: date, notAfter: date,
            alternativeNames: ["DNS:localhost"], sha256: "ab")
        let tls = TLSInfo(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", applicationProtocol: "h2", chain: [certificate],
            verificationFailure: nil, isVerified: true)
        let error = NetworkError(
            .idleTimedOut, phase: .body, type: "timeout.idle", message: "nothing came for 1 s \u{1B}", systemErrno: 110,
            curlCode: 28)
        var attempt = AttemptMetrics(number: 1, kind: .initial, request: request, start: .at(1000))
        attempt.end = .at(9000)
        attempt.disposition = .redirecting
        attempt.head = head
        attempt.phases = Phases(queue: .init(1000, 1100), dns: .init(1100, 1500), send: .init(1500, 1600), wait: .init(1600, 8000))
        attempt.connection = connection
        attempt.resends = 1
        attempt.bytes = ByteCounts(requestHead: 1, requestBody: 2, responseHead: 3, responseBody: 4, decodedResponseBody: 5)
        let hop = RedirectHop(
            location: "http://other/next", decision: .followed, droppedHeaders: ["Authorization"], newMethod: "GET",
            isDowngrade: true)
        let timeouts = Timeouts(connect: nil, idle: .seconds(30), attempt: .seconds(60), operation: .milliseconds(1500))

        let kinds: [(Int64, Kind)] = [
            (0, .enqueued(queue: "main", date: date, timeouts: timeouts)),
            (10, .transition(from: .idle, to: .waiting(.concurrencyLimit))),
            (1000, .attemptStarted(.initial, request)),
            (1100, .resolveStarted(host: "localhost")),
            (1500, .resolveEnded),
            (1500, .connectStarted(address: "[::1]:8443")),
            (1501, .connectFailed(address: "[::1]:8443", errno: 111)),
            (1502, .connectEnded),
            (1503, .tlsStarted),
            (1504, .tlsEnded(tls)),
            (1505, .connectionAcquired(connection)),
            (1506, .resent),
            (1507, .requestHeadSent("POST /start HTTP/2\r\n\r\n")),
            (1508, .uploadProgress(TransferProgress(bytes: 5, expected: 5))),
            (1509, .requestSent),
            (1510, .informational(ResponseHead(status: .init(code: 103, reasonPhrase: ""), version: "HTTP/2"))),
            (8000, .head(head)),
            (8500, .downloadProgress(TransferProgress(bytes: 12_345))),
            (8900, .redirect(hop)),
            (9000, .attemptEnded(attempt)),
            (1_240_003, .completed(.failed, error)),
        ]
        return kinds.enumerated().map { index, entry in
            NetworkEvent(
                operation: OperationID(rawValue: 7), attempt: (2..<20).contains(index) ? 1 : nil, sequence: index,
                time: .at(entry.0), kind: entry.1)
        }
    }()
}
