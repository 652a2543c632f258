import Base

/// One thing that ``RetryRules`` retry on.
public enum RetryCondition: Sendable, Hashable {
    /// This status, from 100 to 599.
    case status(Int)
    /// 5 for all of `5xx`.
    case statusClass(Int)
    /// Any error of a group.
    case kind(Kind)
    /// Errors with this ``NetworkError/code``.
    case code(NetworkError.Code)
    /// A number of the operating system's, as ``NetworkError/systemErrno`` has it.
    case errno(Int32)
    /// The body broke off, and a retry will ask for the rest of it only (``RetryContext/isResumable``).
    case brokenBody

    /// ``Kind/connection``.
    public static let connection = RetryCondition.kind(.connection)
    /// ``Kind/timeout``.
    public static let timeout = RetryCondition.kind(.timeout)
    /// ``Kind/dns``.
    public static let dns = RetryCondition.kind(.dns)
    /// All of `5xx`.
    public static let serverError = RetryCondition.statusClass(5)

    /// A group of errors, by a word that people write.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// No connection was established, or it broke; failures of DNS and TLS don't count.
        case connection
        /// The connection was refused.
        case refused
        /// An attempt, idleness or connecting took too long.
        case timeout
        /// The name has no address.
        case dns
        /// TLS broke off. A certificate that was refused stays refused: no kind retries that.
        case tls
        /// The server broke HTTP's rules.
        case `protocol`
        /// Every error but terminal ones and refused certificates.
        case any
    }

    /// `429`, `5xx`, or the name of a ``Kind``; `nil` for anything else.
    package init?(_ text: String) {
        if let kind = Kind(rawValue: text) {
            self = .kind(kind)
        } else if text.utf8.count == 3, let digit = text.first?.wholeNumberValue, (1...5).contains(digit) {
            if text.hasSuffix("xx") {
                self = .statusClass(digit)
            } else if let status = Int(text) {
                self = .status(status)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// The text of ``init(_:)``; a code or an errno, which it doesn't read, has its number.
    public var description: String {
        switch self {
        case .status(let status): "\(status)"
        case .statusClass(let digit): "\(digit)xx"
        case .kind(let kind): kind.rawValue
        case .code(let code): "code \(code.rawValue)"
        case .errno(let number): "errno \(number)"
        case .brokenBody: "broken body"
        }
    }

    /// An error goes before the status: a 200 whose body broke off failed.
    func matches(_ error: NetworkError?, status: Int?, isResumable: Bool = false) -> Bool {
        switch self {
        case .status(let wanted): error == nil && status == wanted
        case .statusClass(let digit): error == nil && status.map { $0 / 100 == digit } ?? false
        case .kind(let kind): error.map { kind.matches($0) } ?? false
        case .code(let code): error?.code == code
        case .errno(let number): error?.systemErrno == number
        case .brokenBody: error != nil && isResumable
        }
    }
}

extension RetryCondition.Kind {
    func matches(_ error: NetworkError) -> Bool {
        switch self {
        case .connection: [.cannotConnect, .connectionLost, .resendRefused, .notConnected].contains(error.code)
        case .refused: error.code == .cannotConnect && error.systemErrno == ECONNREFUSED
        case .timeout: error.code.isTimeout
        case .dns: [.nameNotResolved, .proxyNotResolved].contains(error.code)
        case .tls: error.code == .tlsFailed
        case .protocol: error.code == .protocolViolation || error.type == ErrorType.httpProtocolError
        case .any:
            !error.code.isTerminal && ![.certificateRejected, .pinMismatch, .clientCertificateFailed].contains(error.code)
        }
    }
}
