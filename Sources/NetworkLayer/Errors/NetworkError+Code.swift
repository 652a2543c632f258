extension NetworkError {
    /// TNL's numbers where TNL has one; ours from 400. Open: a new code breaks nobody's `switch`.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        // MARK: Requests (1xx)

        public static let requestFailed = Code(rawValue: 100)
        public static let invalidRequest = Code(rawValue: 101)
        public static let invalidURL = Code(rawValue: 102)
        public static let invalidMethod = Code(rawValue: 103)
        /// TNL's: a download to a file could carry no body. Here it can (REQ-6); the number stays taken.
        public static let bodyWithDownload = Code(rawValue: 104)
        /// TNL's: what a background session refused. There is none on Linux; the number stays taken.
        public static let invalidBackgroundRequest = Code(rawValue: 105)

        // MARK: Operations (2xx)

        public static let operationFailed = Code(rawValue: 200)
        public static let cancelled = Code(rawValue: 201)
        public static let operationTimedOut = Code(rawValue: 202)
        public static let attemptTimedOut = Code(rawValue: 203)
        public static let idleTimedOut = Code(rawValue: 204)
        public static let callbackTimedOut = Code(rawValue: 205)
        public static let requestNotProvided = Code(rawValue: 206)
        public static let hydrationFailed = Code(rawValue: 207)
        public static let invalidHydratedRequest = Code(rawValue: 208)
        public static let fileFailed = Code(rawValue: 209)
        public static let appendFailed = Code(rawValue: 210)
        /// The transport was shut down under the operation.
        public static let sessionInvalidated = Code(rawValue: 211)
        public static let challengeCancelled = Code(rawValue: 212)
        public static let contentEncodingMismatch = Code(rawValue: 213)
        public static let contentEncodingFailed = Code(rawValue: 214)
        public static let contentDecodingFailed = Code(rawValue: 215)
        public static let authorizationFailed = Code(rawValue: 216)

        // MARK: What all operations share (3xx)

        public static let globalFailure = Code(rawValue: 300)
        public static let hostBlocked = Code(rawValue: 301)

        // MARK: Transports and conveniences (4xx; no numbers in TNL, whose transport has errors of its own)

        public static let nameNotResolved = Code(rawValue: 400)
        public static let proxyNotResolved = Code(rawValue: 401)
        public static let cannotConnect = Code(rawValue: 402)
        public static let connectTimedOut = Code(rawValue: 403)
        public static let connectionLost = Code(rawValue: 404)
        public static let tlsFailed = Code(rawValue: 405)
        public static let certificateRejected = Code(rawValue: 406)
        public static let pinMismatch = Code(rawValue: 407)
        public static let clientCertificateFailed = Code(rawValue: 408)
        public static let protocolViolation = Code(rawValue: 409)
        public static let limitExceeded = Code(rawValue: 411)
        public static let tooManyRedirects = Code(rawValue: 412)
        public static let redirectFailed = Code(rawValue: 413)
        public static let resendRefused = Code(rawValue: 414)
        public static let bodyReadFailed = Code(rawValue: 415)
        public static let unsupported = Code(rawValue: 416)
        public static let invalidQueue = Code(rawValue: 417)
        /// The system has no route to the address: the machine isn't connected (TNL's NSURLError −1009; ENETUNREACH, ENETDOWN).
        public static let notConnected = Code(rawValue: 418)
        /// The way out is a modem's, and ``TransportOptions/allowsCellularAccess`` doesn't want it.
        public static let cellularNotAllowed = Code(rawValue: 419)
        /// An answer arrived, but its status is none of success, for who asked for one: ``Response/requireSuccess()``.
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
        /// As many operations wait as the queue takes.
        public static let queueFull = Code(rawValue: 427)
        /// A streamed body broke off, and the server has no rest for what was handed out.
        public static let cannotResume = Code(rawValue: 428)
        /// A download can't get its name: the directory isn't there or may not be written, or there is a directory of that name.
        public static let downloadedFileCannotBeSaved = Code(rawValue: 429)
        /// A secret would go to an origin that it isn't for.
        public static let secretWithheld = Code(rawValue: 430)
        public static let transportFailed = Code(rawValue: 499)

        // MARK: Others (99xx)

        /// An error that is none of ours, as the cause of one that is.
        public static let other = Code(rawValue: 9900)
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
