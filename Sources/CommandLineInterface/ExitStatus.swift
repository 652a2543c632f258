package import NetworkLayer

/// How a run of the program ends, for the shell that started it.
///
/// | status | meaning                                                                    |
/// |--------|----------------------------------------------------------------------------|
/// | 0      | done, every expectation held                                               |
/// | 1      | an expectation failed, `--fail` met a status of 400 or more, or            |
/// |        | `import --strict` had to leave something out                               |
/// | 2      | usage: an unknown option, a bad file, a name that isn't there              |
/// | 20     | a timeout; the message names which: operation, attempt, idle, connect      |
/// | 21     | DNS or connection                                                          |
/// | 22     | TLS                                                                        |
/// | 23     | authentication or hydration failed                                         |
/// | 24     | a template, capture or script failed                                       |
/// | 25     | a file could not be read or written, or the machine gives too little       |
/// | 26     | the server broke the protocol                                              |
/// | 27     | not allowed: what a collection wants isn't trusted, or a secret would go   |
/// |        | where it may not                                                           |
/// | 130    | cancelled                                                                  |
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = ExitStatus(rawValue: 0)
    package static let expectationFailed = ExitStatus(rawValue: 1)
    package static let usage = ExitStatus(rawValue: 2)
    package static let timeout = ExitStatus(rawValue: 20)
    package static let connection = ExitStatus(rawValue: 21)
    package static let tls = ExitStatus(rawValue: 22)
    package static let authentication = ExitStatus(rawValue: 23)
    package static let template = ExitStatus(rawValue: 24)
    package static let file = ExitStatus(rawValue: 25)
    package static let protocolBroken = ExitStatus(rawValue: 26)
    package static let notAllowed = ExitStatus(rawValue: 27)
    package static let cancelled = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// Each exit status with its meaning, for the manual.
    static let meanings: [(status: ExitStatus, text: String)] = [
        (.success, "Done; every expectation held."),
        (
            .expectationFailed,
            "An expectation failed, --fail met a status of 400 or more, or import --strict had to leave something out."
        ),
        (.usage, "Usage: an unknown option, a bad file, a name that isn't there."),
        (.timeout, "A timeout; the message names which: operation, attempt, idle, connect."),
        (.connection, "DNS or connection."),
        (.tls, "TLS."),
        (.authentication, "Authentication or hydration failed."),
        (.template, "A template, capture or script failed."),
        (.file, "A file could not be read or written."),
        (.protocolBroken, "The server broke the protocol."),
        (.notAllowed, "Not allowed: what a collection wants isn't trusted, or a secret would go where it may not."),
        (.cancelled, "Cancelled."),
    ]

    /// The status for an operation's error.
    package init(_ error: NetworkError) {
        switch error.code {
        case _ where error.type == ErrorType.httpProtocolError: self = .protocolBroken
        case .cancelled: self = .cancelled
        case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: self = .timeout
        case .nameNotResolved, .proxyNotResolved, .cannotConnect, .connectionLost, .resendRefused: self = .connection
        case .tlsFailed, .certificateRejected, .pinMismatch, .clientCertificateFailed: self = .tls
        case .secretWithheld: self = .notAllowed
        case .hydrationFailed, .authorizationFailed, .challengeCancelled: self = .authentication
        case .fileFailed, .bodyReadFailed: self = .file
        case .invalidRequest, .invalidURL, .invalidMethod, .unsupported: self = .usage
        case .protocolViolation, .contentDecodingFailed, .limitExceeded, .tooManyRedirects, .redirectFailed: self = .protocolBroken
        default: self = error.phase == .connection ? .connection : .protocolBroken
        }
    }
}
