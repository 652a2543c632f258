import Base
public import HTTPTypes

/// TNL's table of what can be retried: methods, and statuses or errors (RTY-7).
///
/// | table        | methods | statuses | errors                             |
/// |--------------|---------|----------|------------------------------------|
/// | ``default``  | GET     | 503      | none                               |
/// | ``standard`` | GET     | 503      | ``standardCodes``, ``standardErrnos`` |
public struct RetryPolicyConfiguration: Sendable, Hashable {
    /// `nil`: all methods.
    public var methods: Set<HTTPRequest.Method>?
    /// Status codes that are retried; among 2xx only those that settle nothing are put to a policy: 202, 203, 207, 208 and 226 (RTY-2).
    public var statuses: Set<Int>
    /// Codes of errors that are retried.
    public var codes: Set<NetworkError.Code>
    /// Numbers of POSIX errors that are retried, by Linux's table.
    public var errnos: Set<Int32>

    /// A table of one's own; what isn't given matches nothing, but for `methods`, where `nil` matches all.
    public init(
        methods: Set<HTTPRequest.Method>?, statuses: Set<Int> = [], codes: Set<NetworkError.Code> = [], errnos: Set<Int32> = []
    ) {
        self.methods = methods
        self.statuses = statuses
        self.codes = codes
        self.errnos = errnos
    }

    /// GET after a 503 (TNL's `defaultConfiguration`).
    public static let `default` = RetryPolicyConfiguration(methods: [.get], statuses: [503])
    /// GET after a 503 and after what usually passes (TNL's `standardConfiguration`).
    public static let standard = RetryPolicyConfiguration(
        methods: [.get], statuses: [503], codes: standardCodes, errnos: standardErrnos)

    /// TNL's list of URL errors in our codes (RTY-8). Not among them: unknown failures, refused certificates, and what only
    /// telephones have (roaming off, call is active, data not allowed).
    ///
    /// | NSURLError                                  | code                                                         |
    /// |---------------------------------------------|--------------------------------------------------------------|
    /// | timedOut −1001                              | `connectTimedOut`, `idleTimedOut`, `attemptTimedOut`         |
    /// | cannotFindHost −1003, dnsLookupFailed −1006 | `nameNotResolved`, `proxyNotResolved`                        |
    /// | cannotConnectToHost −1004                   | `cannotConnect`                                              |
    /// | networkConnectionLost −1005                 | `connectionLost`, a stream of HTTP/2 that broke off included; `resendRefused` |
    /// | httpTooManyRedirects −1007                  | `tooManyRedirects`                                           |
    /// | resourceUnavailable −1008                   | `protocolViolation`: an answer that can't be read            |
    /// | notConnectedToInternet −1009                | `notConnected`                                               |
    /// | redirectToNonExistentLocation −1010         | `redirectFailed`                                             |
    /// | secureConnectionFailed −1200                | `tlsFailed`                                                  |
    public static let standardCodes: Set<NetworkError.Code> = [
        .connectTimedOut, .idleTimedOut, .attemptTimedOut, .nameNotResolved, .proxyNotResolved, .cannotConnect, .connectionLost,
        .resendRefused, .tooManyRedirects, .protocolViolation, .notConnected, .redirectFailed, .tlsFailed,
    ]

    /// TNL's list of POSIX errors, by symbol (RTY-9).
    public static let standardErrnos: Set<Int32> = [
        EPIPE, ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED, ECONNRESET, ENOBUFS, EISCONN, ENOTCONN, ESHUTDOWN, ETOOMANYREFS,
        ETIMEDOUT, ECONNREFUSED, EHOSTDOWN, EHOSTUNREACH,
    ]

    /// TNL's `requestCanBeRetriedForResponse:`: the method matches, and the status or the error does. Unlike TNL's the methods of all
    /// hops, since a retry begins with the first.
    public func canRetry(_ response: Response) -> Bool {
        guard methods.map({ response.methodsOfTry.isSubset(of: $0) }) ?? true else { return false }
        let status = response.info?.head.status.code
        return rules.on.contains { $0.matches(response.error, status: status) }
    }

    /// The table as a policy: with its methods, whatever they may have caused before.
    public var rules: RetryRules {
        var conditions = Set(statuses.map(RetryCondition.status))
        conditions.formUnion(codes.map(RetryCondition.code))
        conditions.formUnion(errnos.map(RetryCondition.errno))
        return RetryRules(on: conditions, methods: methods.map { .only($0) } ?? .all)
    }
}
