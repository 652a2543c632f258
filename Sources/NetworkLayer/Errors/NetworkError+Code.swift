extension NetworkError {
    /// TNL's numbers where TNL has one; ours from 400. Open: a new code breaks nobody's `switch`. What TNL has, and nothing here reports,
    /// stays taken: 100, 104, 105, 211 and 300.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        /// TNL's number, or ours from 400; a number that isn't listed is legal.
        public let rawValue: Int

        /// A code of a transport's or a program's own, as well as those below.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        // MARK: Requests (1xx)

        /// The request can't be sent as it is, such as with a name that no header field can have.
        public static let invalidRequest = Code(rawValue: 101)
        /// The URL isn't one that a request can go to.
        public static let invalidURL = Code(rawValue: 102)
        /// The method isn't a token (RFC 9110, section 9.1).
        public static let invalidMethod = Code(rawValue: 103)

        // MARK: Operations (2xx)

        /// TNL's: an operation failed for a reason without a code. The network layer never makes it; a program may.
        public static let operationFailed = Code(rawValue: 200)
        /// The operation was cancelled; ``CancelSource`` says by what.
        public static let cancelled = Code(rawValue: 201)
        /// The operation took longer than its timeout, all attempts and waits included. No retry follows.
        public static let operationTimedOut = Code(rawValue: 202)
        /// An attempt took longer than its timeout.
        public static let attemptTimedOut = Code(rawValue: 203)
        /// Nothing arrived for as long as the idle timeout.
        public static let idleTimedOut = Code(rawValue: 204)
        /// A callback took longer than its timeout. No retry policy is asked.
        public static let callbackTimedOut = Code(rawValue: 205)
        /// The operation has no request. No retry follows.
        public static let requestNotProvided = Code(rawValue: 206)
        /// A hydrator threw an error, which is the cause. No retry follows.
        public static let hydrationFailed = Code(rawValue: 207)
        /// A hydrator's request failed validation, which is the cause. No retry follows.
        public static let invalidHydratedRequest = Code(rawValue: 208)
        /// A file could not be made, opened or read.
        public static let fileFailed = Code(rawValue: 209)
        /// A piece of the body could not be written to its file.
        public static let appendFailed = Code(rawValue: 210)
        /// A challenge handler ended the operation.
        public static let challengeCancelled = Code(rawValue: 212)
        /// The request has a `Content-Encoding` that isn't its encoder's.
        public static let contentEncodingMismatch = Code(rawValue: 213)
        /// A ``ContentEncoder`` threw an error, which is the cause.
        public static let contentEncodingFailed = Code(rawValue: 214)
        /// The body of the response could not be decoded, or ended too early for its coding.
        public static let contentDecodingFailed = Code(rawValue: 215)
        /// An authorizer or a signer failed, or a proxy asks for credentials. No retry follows.
        public static let authorizationFailed = Code(rawValue: 216)

        // MARK: What all operations share (3xx)

        /// The host sanitizer blocks the host.
        public static let hostBlocked = Code(rawValue: 301)

        // MARK: Transports and conveniences (4xx; no numbers in TNL, whose transport has errors of its own)

        /// The host's name has no address.
        public static let nameNotResolved = Code(rawValue: 400)
        /// The proxy's name has no address.
        public static let proxyNotResolved = Code(rawValue: 401)
        /// No connection could be made; ``NetworkError/systemErrno`` says why, where the system did.
        public static let cannotConnect = Code(rawValue: 402)
        /// No connection, or no address, was there within the time for connecting.
        public static let connectTimedOut = Code(rawValue: 403)
        /// The connection broke before the answer was complete.
        public static let connectionLost = Code(rawValue: 404)
        /// TLS failed, but not over a certificate.
        public static let tlsFailed = Code(rawValue: 405)
        /// The server's certificate isn't trusted.
        public static let certificateRejected = Code(rawValue: 406)
        /// No pinned key or certificate is in the server's chain. No retry follows.
        public static let pinMismatch = Code(rawValue: 407)
        /// Our own certificate can't be used, or the server refused it or asks for one.
        public static let clientCertificateFailed = Code(rawValue: 408)
        /// The server broke the protocol of HTTP, such as with an empty response.
        public static let protocolViolation = Code(rawValue: 409)
        /// The response is larger than ``ResponseLimits`` allow, or more of it came than is kept for a slow reader.
        public static let limitExceeded = Code(rawValue: 411)
        /// There were more redirects than the request follows.
        public static let tooManyRedirects = Code(rawValue: 412)
        /// A redirect leads to no http or https URL, to a scheme that isn't allowed, or from https to http where that is refused.
        public static let redirectFailed = Code(rawValue: 413)
        /// The connection died, and the request may not be sent a second time by itself: see ``ResendRule``.
        public static let resendRefused = Code(rawValue: 414)
        /// The body of the request could not be read.
        public static let bodyReadFailed = Code(rawValue: 415)
        /// The transport can't do what was asked of it.
        public static let unsupported = Code(rawValue: 416)
        /// The identifier of a queue isn't valid, or there is another queue with it.
        public static let invalidQueue = Code(rawValue: 417)
        /// The system has no route to the address: the machine isn't connected (TNL's NSURLError −1009; ENETUNREACH, ENETDOWN).
        public static let notConnected = Code(rawValue: 418)
        /// The way out is a modem's, and ``TransportOptions/allowsCellularAccess`` doesn't want it.
        public static let cellularNotAllowed = Code(rawValue: 419)
        /// An answer arrived, but its status isn't one of success, and the caller had asked for one: ``Response/requireSuccess()``.
        public static let unsuccessfulStatus = Code(rawValue: 420)
        /// The body isn't what a ``ResponseDecoder`` was to read from it.
        public static let cannotDecode = Code(rawValue: 421)
        /// A ``Transformer`` could not make its value.
        public static let transformationFailed = Code(rawValue: 422)
        /// A relative path was to be requested, and no environment says of where.
        public static let environmentNotSet = Code(rawValue: 423)
        /// Parameters that have no form where they were to go.
        public static let invalidParameters = Code(rawValue: 424)
        /// A ``RequestMiddleware`` could not process the response.
        public static let middlewareFailed = Code(rawValue: 425)
        /// Operations would wait for each other for ever.
        public static let dependencyCycle = Code(rawValue: 426)
        /// The queue accepts no more waiting operations.
        public static let queueFull = Code(rawValue: 427)
        /// A streamed body broke off, and the server has no rest for what was handed out.
        public static let cannotResume = Code(rawValue: 428)
        /// A download can't get its name: the directory isn't there or may not be written, or there is a directory of that name.
        public static let downloadedFileCannotBeSaved = Code(rawValue: 429)
        /// A secret would go to an origin that it isn't for.
        public static let secretWithheld = Code(rawValue: 430)
        /// A failure of the transport that has no code of its own.
        public static let transportFailed = Code(rawValue: 499)

        // MARK: Others (99xx)

        /// An error that is none of ours, as the cause of one that is.
        public static let other = Code(rawValue: 9900)
        /// The host sanitizer returned an empty host, or a text that is no host. No retry follows.
        public static let hostCannotBeEmpty = Code(rawValue: 9901)

        /// Policy ``CachePolicy/dontLoad``, and nothing stored; the number of Foundation's `NSURLErrorCannotLoadFromNetwork`, which TNL
        /// reports (RTY-8).
        public static let cannotLoadFromNetwork = Code(rawValue: -2000)

        /// A timeout of the operation, an attempt, idleness or connecting; not that of a callback (TMO-6, and ours).
        public var isTimeout: Bool {
            switch self {
            case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: true
            default: false
            }
        }

        /// Never followed by a retry (section 1.19).
        public var isTerminal: Bool {
            switch self {
            case .cancelled, .operationTimedOut, .requestNotProvided, .hydrationFailed, .invalidHydratedRequest,
                .authorizationFailed, .hostCannotBeEmpty, .pinMismatch, .secretWithheld:
                true
            default: (100..<200).contains(rawValue)
            }
        }
    }
}
