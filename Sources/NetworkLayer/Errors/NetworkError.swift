public import Base
public import HTTPTypes

/// What went wrong with a request: a code, the phase it happened in, a sentence for people, and the cause.
public struct NetworkError: Error, Sendable, Hashable, Codable {
    /// What to switch over, with a `default` for codes to come.
    public var code: Code
    /// Where in the life of the request it happened.
    public var phase: Phase
    /// One sentence that says what failed, on what, and what may help.
    public var message: String
    /// A stable name in the manner of W3C Network Error Logging: `dns.name_not_resolved`, `tcp.refused`, `tls.cert.date_invalid` …
    public var type: String
    /// The operating system's error number, where there is one.
    public var systemErrno: Int32?
    /// libcurl's code, where it came from there.
    package var curlCode: Int32?
    /// What asked for the cancellation, with code `cancelled`.
    public var cancelSource: CancelSource?
    /// The cause: what is wrong with a hydrated request, what a role threw; with a timeout of the operation or an attempt the
    /// error of the last attempt (section 5.4 of the reference: AHC#601).
    public var underlying: Underlying?
    /// What else is known, for people and logs. TNL's `userInfo`.
    public var details: [Detail: String]
    /// Most errors have none, and every error has room for it.
    private var answer: Answer?

    private indirect enum Answer: Sendable, Hashable, Codable {
        case response(UnsuccessfulResponse)
    }

    /// An error of a program's own, such as a policy's or a transport's; `type` is a name as ``ErrorType`` has them.
    public init(
        _ code: Code, phase: Phase, type: String, message: String, systemErrno: Int32? = nil, curlCode: Int32? = nil,
        cancelSource: CancelSource? = nil, underlying: NetworkError? = nil, details: [Detail: String] = [:]
    ) {
        self.code = code
        self.phase = phase
        self.type = type
        self.message = message
        self.systemErrno = systemErrno
        self.curlCode = curlCode
        self.cancelSource = cancelSource
        self.underlying = underlying.map(Underlying.init)
        self.details = details
    }

    /// What the server said, with code `unsuccessfulStatus`.
    public var response: UnsuccessfulResponse? {
        get {
            guard case .response(let response)? = answer else { return nil }
            return response
        }
        set { answer = newValue.map(Answer.response) }
    }

    /// Where in the life of a request it happened.
    public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
        /// In their order. `connection` includes what happens to one that is open; `body` is that of the response.
        case preparation, queue, dns, connection, tls, request, response, body
    }

    /// The name of a ``NetworkError/details`` entry. Open, as the codes are.
    public struct Detail: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The host of the server, or of the proxy that asked.
        public static let host = Detail(rawValue: "host")
        /// The calls of roles that had not come back when time ran out, each with how long that was, with commas between (TMO-6):
        /// `TokenHydrator<RequestHydrator>.hydrate (10 s)`.
        package static let timeoutTags = Detail(rawValue: "timeoutTags")
        /// The method of an authentication challenge.
        package static let challengeMethod = Detail(rawValue: "challengeMethod")
        /// What the credentials would have been for.
        package static let challengeRealm = Detail(rawValue: "challengeRealm")
        /// Why the challenge was cancelled, in the words of the code that cancelled it.
        package static let challengeContext = Detail(rawValue: "challengeContext")
        /// The subjects of the certificates that were shown, the server's own first, a line each.
        package static let certificateChain = Detail(rawValue: "certificateChain")
        /// The names of the authorities whose certificates the server takes from clients, as it sent them, a line each.
        package static let clientAuthorities = Detail(rawValue: "clientAuthorities")
        /// The status that was no success.
        public static let status = Detail(rawValue: "status")
        /// The code that a peer closed a session with.
        public static let closeCode = Detail(rawValue: "closeCode")
    }

    /// A ``NetworkError`` inside another.
    public indirect enum Underlying: Sendable, Hashable, Codable {
        /// The underlying error, boxed because a struct can't contain itself.
        case error(NetworkError)

        init(_ error: NetworkError) { self = .error(error) }

        /// The error itself.
        public var error: NetworkError {
            switch self {
            case .error(let error): error
            }
        }
    }
}

extension NetworkError: CustomStringConvertible {
    public var description: String { message }
}

extension NetworkError {
    /// Whether time ran out: that of the operation, an attempt, idleness or connecting.
    public var isTimeout: Bool { code.isTimeout }

    /// Whether somebody cancelled the operation: ``cancelSource`` says who.
    public var isCancelled: Bool { code == .cancelled }

    /// Whether no retry may follow.
    package var isTerminal: Bool { code.isTerminal }

    /// Whether somebody or something may be listening in, here or in any of the causes: a certificate or key that isn't the right
    /// one, a challenge that was cancelled, a step from https to http. TNL's `isNetworkSecurityError`.
    public var isNetworkSecurityError: Bool {
        switch code {
        case .challengeCancelled, .certificateRejected, .pinMismatch, .clientCertificateFailed: true
        default: type == ErrorType.downgrade || underlying?.error.isNetworkSecurityError ?? false
        }
    }

    /// This error, its cause, the cause of that, and so on.
    public var chain: [NetworkError] {
        [self] + (underlying?.error.chain ?? [])
    }

    /// Any error as one of ours, with code `other`, or `cancelled` for a `CancellationError`; one of ours stays what it is.
    package init(wrapping error: any Error, phase: Phase) {
        if let error = error as? NetworkError {
            self = error
        } else if error is CancellationError {
            self.init(.cancelled, phase: phase, type: ErrorType.abandoned, message: "It was cancelled.")
        } else {
            self.init(.other, phase: phase, type: ErrorType.unknown, message: "\(error)")
        }
    }
}

extension NetworkError: LocalizedError {
    /// ``message``: what `localizedDescription` of any error gives where it is one of ours.
    public var errorDescription: String? { message }
}

extension NetworkError {
    /// ``message``, also where FoundationEssentials, which has no such member of errors, is all that is imported.
    public var localizedDescription: String { message }
}

/// An answer whose status was no success, as an error carries it.
public struct UnsuccessfulResponse: Sendable, Hashable, Codable {
    /// Status line and fields as they came.
    public package(set) var head: ResponseHead
    /// As much as was kept of it; one in a file isn't copied into the error: ``Response/info`` has it.
    public package(set) var body = Data()

    /// No 2xx.
    public var status: HTTPResponse.Status { head.status }
    public var headers: HTTPFields { head.headers }

    /// The body as JSON of `type`: what a server says of a failure.
    public func decode<Value: Decodable>(as type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension NetworkError {
    /// The status that was no success, with code `unsuccessfulStatus`; `nil` with any other.
    public var status: HTTPResponse.Status? { response?.status }
}
