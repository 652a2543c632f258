/// What went wrong with a request: a code, the phase it happened in, a sentence for people, and the cause.
public struct NetworkError: Error, Sendable, Hashable {
    public var code: Code
    public var phase: Phase
    /// One sentence that says what failed, on what, and what may help.
    public var message: String
    /// A stable name in the manner of W3C Network Error Logging: `dns.name_not_resolved`, `tcp.refused`, `tls.cert.date_invalid` …
    public var type: String
    /// The operating system's error number, where there is one.
    public var systemErrno: Int32?
    /// libcurl's code, where it came from there.
    public var curlCode: Int32?
    /// What asked for the cancellation, with code `cancelled`.
    public var cancelSource: CancelSource?
    /// The error of the last attempt, with a timeout of the operation (section 5.4 of the reference: AHC#601).
    public var underlying: Underlying?

    public init(
        _ code: Code, phase: Phase, type: String, message: String, systemErrno: Int32? = nil, curlCode: Int32? = nil,
        cancelSource: CancelSource? = nil, underlying: NetworkError? = nil
    ) {
        self.code = code
        self.phase = phase
        self.type = type
        self.message = message
        self.systemErrno = systemErrno
        self.curlCode = curlCode
        self.cancelSource = cancelSource
        self.underlying = underlying.map(Underlying.init)
    }

    /// Where in the life of a request it happened.
    public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
        case preparation, queue, dns, connection, tls, request, response, body
    }

    /// A ``NetworkError`` inside another.
    public indirect enum Underlying: Sendable, Hashable {
        case error(NetworkError)

        init(_ error: NetworkError) { self = .error(error) }

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
