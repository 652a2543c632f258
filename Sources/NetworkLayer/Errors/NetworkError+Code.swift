extension NetworkError {
    /// TNL's numbers where TNL has one; ours from 400. What TNL has, and nothing here reports, stays taken: 100, 104, 105, 211 and 300.
    public enum Code: Int, Sendable, Hashable, Codable, CaseIterable {
        // MARK: Requests (1xx)

        /// The request can't be sent as it is, such as with a name that no header field can have.
        case invalidRequest = 101
        /// The URL isn't one that a request can go to.
        case invalidURL = 102
        /// The method isn't a token (RFC 9110, section 9.1).
        case invalidMethod = 103

        // MARK: Operations (2xx)

        /// TNL's: an operation failed for a reason without a code. The network layer never makes it; a program may.
        case operationFailed = 200
        /// The operation was cancelled; ``CancelSource`` says by what.
        case cancelled = 201
        /// The operation took longer than its timeout, all attempts and waits included. No retry follows.
        case operationTimedOut = 202
        /// An attempt took longer than its timeout.
        case attemptTimedOut = 203
        /// Nothing arrived for as long as the idle timeout.
        case idleTimedOut = 204
        /// A callback took longer than its timeout. No retry policy is asked.
        case callbackTimedOut = 205
        /// The operation has no request. No retry follows.
        case requestNotProvided = 206
        /// A hydrator threw an error, which is the cause. No retry follows.
        case hydrationFailed = 207
        /// A hydrator's request failed validation, which is the cause. No retry follows.
        case invalidHydratedRequest = 208
        /// A file could not be made, opened or read.
        case fileFailed = 209
        /// A piece of the body could not be written to its file.
        case appendFailed = 210
        /// A challenge handler ended the operation.
        case challengeCancelled = 212
        /// The request has a `Content-Encoding` that isn't its encoder's.
        case contentEncodingMismatch = 213
        /// A ``ContentEncoder`` threw an error, which is the cause.
        case contentEncodingFailed = 214
        /// The body of the response could not be decoded, or ended too early for its coding.
        case contentDecodingFailed = 215
        /// An authorizer or a signer failed, or a proxy asks for credentials. No retry follows.
        case authorizationFailed = 216

        // MARK: What all operations share (3xx)

        /// The host sanitizer blocks the host.
        case hostBlocked = 301

        // MARK: Transports and conveniences (4xx; no numbers in TNL, whose transport has errors of its own)

        /// The host's name has no address.
        case nameNotResolved = 400
        /// The proxy's name has no address.
        case proxyNotResolved = 401
        /// No connection could be made; ``NetworkError/systemErrno`` says why, where the system did.
        case cannotConnect = 402
        /// No connection, or no address, was there within the time for connecting.
        case connectTimedOut = 403
        /// The connection broke before the answer was complete.
        case connectionLost = 404
        /// TLS failed, but not over a certificate.
        case tlsFailed = 405
        /// The server's certificate isn't trusted.
        case certificateRejected = 406
        /// No pinned key or certificate is in the server's chain. No retry follows.
        case pinMismatch = 407
        /// Our own certificate can't be used, or the server refused it or asks for one.
        case clientCertificateFailed = 408
        /// The server broke the protocol of HTTP, such as with an empty response.
        case protocolViolation = 409
        /// The response is larger than ``ResponseLimits`` allow, or more of it came than is kept for a slow reader.
        case limitExceeded = 411
        /// There were more redirects than the request follows.
        case tooManyRedirects = 412
        /// A redirect leads to no http or https URL, to a scheme that isn't allowed, or from https to http where that is refused.
        case redirectFailed = 413
        /// The connection died, and the request may not be sent a second time by itself: see ``ResendRule``.
        case resendRefused = 414
        /// The body of the request could not be read.
        case bodyReadFailed = 415
        /// The transport, or the operation, can't do what was asked of it.
        case unsupported = 416
        /// The identifier of a queue isn't valid, or there is another queue with it; or its limits let nothing be sent.
        case invalidQueue = 417
        /// The system has no route to the address: the machine isn't connected (TNL's NSURLError −1009; ENETUNREACH, ENETDOWN).
        case notConnected = 418
        /// The way out is a modem's, and ``TransportOptions/allowsCellularAccess`` doesn't want it.
        case cellularNotAllowed = 419
        /// An answer arrived, but its status isn't one of success, and the caller had asked for one: ``Response/requireSuccess()``.
        case unsuccessfulStatus = 420
        /// The body isn't what a ``ResponseDecoder`` was to read from it.
        case cannotDecode = 421
        /// A ``Transformer`` could not make its value.
        case transformationFailed = 422
        /// A relative path was to be requested, and no environment says of where.
        case environmentNotSet = 423
        /// Parameters that have no form where they were to go.
        case invalidParameters = 424
        /// A ``RequestMiddleware`` could not process the response.
        case middlewareFailed = 425
        /// Operations would wait for each other for ever.
        case dependencyCycle = 426
        /// The queue accepts no more waiting operations.
        case queueFull = 427
        /// A streamed body broke off, and the server has no rest for what was handed out.
        case cannotResume = 428
        /// A download can't get its name: the directory isn't there or may not be written, or there is a directory of that name.
        case downloadedFileCannotBeSaved = 429
        /// A secret would go to an origin that it isn't for.
        case secretWithheld = 430
        /// The peer closed a session with a code that says that something went wrong; the code is in ``Detail/closeCode``.
        case sessionClosed = 431
        /// A failure of the transport that has no code of its own.
        case transportFailed = 499

        // MARK: Others (99xx)

        /// An error that is none of ours, as the cause of one that is.
        case other = 9900
        /// The host sanitizer returned an empty host, or a text that is no host. No retry follows.
        case hostCannotBeEmpty = 9901

        /// Policy ``CachePolicy/dontLoad``, and nothing stored; the number of Foundation's `NSURLErrorCannotLoadFromNetwork`, which TNL
        /// reports (RTY-8).
        case cannotLoadFromNetwork = -2000

        /// A timeout of the operation, an attempt, idleness or connecting; not that of a callback (TMO-6, and ours).
        package var isTimeout: Bool {
            switch self {
            case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: true
            default: false
            }
        }

        /// Never followed by a retry (section 1.19).
        package var isTerminal: Bool {
            switch self {
            case .cancelled, .operationTimedOut, .requestNotProvided, .hydrationFailed, .invalidHydratedRequest,
                .authorizationFailed, .hostCannotBeEmpty, .pinMismatch, .secretWithheld:
                true
            default: (100..<200).contains(rawValue)
            }
        }
    }
}
