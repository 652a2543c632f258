extension NetworkError {
    /// TNL's numbers where TNL has one; ours from 400. Open: a new code breaks nobody's `switch`.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        // MARK: Requests (1xx)

        public static let invalidRequest = Code(rawValue: 101)
        public static let invalidURL = Code(rawValue: 102)
        public static let invalidMethod = Code(rawValue: 103)

        // MARK: Operations (2xx)

        public static let cancelled = Code(rawValue: 201)
        public static let operationTimedOut = Code(rawValue: 202)
        public static let attemptTimedOut = Code(rawValue: 203)
        public static let idleTimedOut = Code(rawValue: 204)
        public static let hydrationFailed = Code(rawValue: 207)
        public static let fileFailed = Code(rawValue: 209)
        public static let authorizationFailed = Code(rawValue: 216)

        // MARK: Transports (4xx; no numbers in TNL, whose transport has errors of its own)

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
        public static let contentDecodingFailed = Code(rawValue: 410)
        public static let limitExceeded = Code(rawValue: 411)
        public static let tooManyRedirects = Code(rawValue: 412)
        public static let redirectFailed = Code(rawValue: 413)
        public static let resendRefused = Code(rawValue: 414)
        public static let bodyReadFailed = Code(rawValue: 415)
        public static let unsupported = Code(rawValue: 416)
        public static let invalidQueue = Code(rawValue: 417)
        /// No interface that is up has a way out: the machine isn't connected (TNL's NSURLError −1009).
        public static let notConnected = Code(rawValue: 418)
        public static let transportFailed = Code(rawValue: 499)

        /// A timeout of the operation, an attempt, idleness or connecting (TMO-6, and ours).
        public var isTimeout: Bool {
            switch self {
            case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: true
            default: false
            }
        }

        /// Never followed by a retry (section 1.19).
        public var isTerminal: Bool {
            switch self {
            case .cancelled, .operationTimedOut, .hydrationFailed, .authorizationFailed, .invalidRequest, .invalidURL,
                .invalidMethod:
                true
            default: false
            }
        }
    }
}
