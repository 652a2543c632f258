/// How a request is sent, and what becomes of its response. TNL's `TNLRequestConfiguration`.
public struct RequestConfiguration: Sendable, Hashable {
    /// 30 s of silence, 60 s an attempt and 180 s an operation by default; ``RequestAnatomy`` has others.
    public var timeouts = Timeouts()
    /// All are followed by default, 20 at most.
    public var redirects = RedirectConfiguration()
    /// In memory up to 1 MiB by default, beyond it in a temporary file.
    public var consumption = ResponseConsumption.memory(spillOver: 1 << 20)
    /// 256 KiB for a head by default, and none for a body that isn't a bomb.
    public var limits = ResponseLimits()
    /// What the transport may do on its own when a reused connection turns out to be dead (ENG-7).
    public var resend = ResendRule.idempotentOnly
    /// HTTP version, TLS, proxy, and what else concerns the connection.
    public var transport: TransportOptions {
        @inlinable get { sharedTransport.wrappedValue }
        set { sharedTransport.wrappedValue = newValue }
    }
    /// The policies that decide whether a failed attempt is made again; by default there are none, and it is not.
    public var retry = RetryPolicies()
    /// Whether to wait for the network; the default is to fail fast (TMO-7).
    public var connectivity = ConnectivityOptions()
    /// None by default: the transport decodes gzip and its like by itself.
    public var contentCoding = ContentCoding()
    /// Sends to the host of the URL, whatever the client's ``HostSanitizer`` would say.
    public var skipsHostSanitization = false
    /// Whether it is among ``NetworkClient/executingConnectionCount`` (TNL's `contributeToExecutingNetworkConnectionsCount`).
    public var countsAsExecutingConnection = true
    /// Neither sent nor kept by default.
    public var cookies = CookieConfiguration()
    /// RFC 9111 by default; without a ``NetworkClient/cache`` it means nothing.
    public var cachePolicy = CachePolicy.useProtocol
    /// Hashes the decoded body of the last attempt: ``AttemptMetrics/bodyHash`` (TNL's `responseComputeHashAlgorithm`).
    public var hash: HashAlgorithm?

    /// Whether a streamed body is one that ends soon: it has the time and the slot of any other. The program's `send` streams them all.
    package var boundsStream = false

    /// The largest part of the configuration, which every transfer shares.
    @usableFromInline var sharedTransport = TransportOptions.standard

    public init() {}
}

/// The three timeouts (section 1.11 of TNL's behaviour) and the time to connect. `nil`, zero and less mean never (CFG-1). What has run
/// out of time isn't sent.
///
/// | timeout   | counts from                                                           | ends the  |
/// |-----------|-----------------------------------------------------------------------|-----------|
/// | connect   | the start of a transfer to its connection, name look-up and TLS included | attempt |
/// | idle      | the last byte in either direction; for the first one see ``IdleTimeoutMode`` | attempt |
/// | attempt   | `preparing`; covers all redirect hops; anew for each retry            | attempt   |
/// | operation | `enqueued`; waiting in the queue and between retries counts (TMO-4), but not for one that is suspended | operation |
///
/// A download and a streamed body take as long as they take: there the attempt's limit ends with the head of the answer, the
/// operation's counts only where it isn't the default, and idleness guards the rest.
public struct Timeouts: Sendable, Hashable, Codable {
    /// `nil` by default: the attempt timeout alone counts. After it, code `connectTimedOut`.
    public var connect: Duration?
    /// 30 s by default. After it, code `idleTimedOut`.
    public var idle: Duration?
    /// 60 s by default. After it, code `attemptTimedOut`, which a retry policy may answer.
    public var attempt: Duration?
    /// 180 s by default. After it, code `operationTimedOut`, and no retry.
    public var operation: Duration?
    /// Whether the silence before a server's first word counts; by default it does.
    public var idleMode: IdleTimeoutMode

    /// - Parameter idleMode: counts for `idle` alone.
    public init(
        connect: Duration? = nil, idle: Duration? = .seconds(30), attempt: Duration? = .seconds(60),
        operation: Duration? = .seconds(180), idleMode: IdleTimeoutMode = .includingInitialConnection
    ) {
        self.connect = connect
        self.idle = idle
        self.attempt = attempt
        self.operation = operation
        self.idleMode = idleMode
    }

    /// `nil` also for a timeout of zero or less, which means never (CFG-1).
    package static func limit(_ timeout: Duration?) -> Duration? {
        timeout.flatMap { $0 > .zero ? $0 : nil }
    }

    var connectLimit: Duration? { Self.limit(connect) }

    /// From when on the idle timeout counts (TMO-1). The bytes are those of the bodies and of the answer's head; a request without a body
    /// sends none.
    public enum IdleTimeoutMode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Never.
        case disabled
        /// From the first byte on: how long a server may take for its first word is left to the attempt timeout.
        case excludingInitialConnection
        /// From the start of each attempt.
        case includingInitialConnection
    }
}

extension RequestConfiguration {
    /// Whether the body may come for as long as it likes.
    var isOpenEnded: Bool {
        switch consumption {
        case .download: true
        case .stream: !boundsStream
        case .none, .memory, .file: false
        }
    }

    /// ``timeouts``, without the default for the whole where the body may come for as long as it likes.
    var timeoutsInForce: Timeouts {
        var timeouts = timeouts
        if isOpenEnded, timeouts.operation == Timeouts().operation { timeouts.operation = nil }
        return timeouts
    }

    /// Whether the request may wait for as long as it takes. TNL's criterion (BKO-5): no attempt timeout, or one below a second; and
    /// a stream.
    var isLongPoll: Bool { timeouts.attempt.map { $0 < .seconds(1) } ?? true || consumption == .stream && isOpenEnded }
}

/// Whether and how redirects are followed (section 1.8).
public struct RedirectConfiguration: Sendable, Hashable, Codable {
    public var policy: Policy
    /// The most hops of one try; one more is an error, `tooManyRedirects`.
    public var limit: Int
    /// Where credentials are sent on a redirect. Credentials are the fields whose names say so, and whatever ``Request/secrets`` lists.
    public var keepCredentials: CredentialScope
    /// Refuses a hop from https to http.
    public var refusesDowngrade: Bool
    public var schemes: Set<String>
    /// Those of 301, 302 and 303 after which a POST stays a POST, with its body.
    public var postingStatuses: Set<Int>
    /// Names the URL that redirected in the `Referer` of the next request, without the user and password in it.
    public var setsReferer: Bool

    /// By default all redirects are followed, 20 at most, and credentials stay with their origin.
    public init(
        policy: Policy = .always, limit: Int = 20, keepCredentials: CredentialScope = .sameOrigin, refusesDowngrade: Bool = false,
        schemes: Set<String> = ["http", "https"], postingStatuses: Set<Int> = [], setsReferer: Bool = false
    ) {
        self.policy = policy
        self.limit = limit
        self.keepCredentials = keepCredentials
        self.refusesDowngrade = refusesDowngrade
        self.schemes = schemes
        self.postingStatuses = postingStatuses
        self.setsReferer = setsReferer
    }

    /// A refused redirect isn't an error: the 3xx is then the response (RDR-1).
    public enum Policy: String, Sendable, Hashable, Codable, CaseIterable {
        /// None; all; or those to the host of the request before, in any case of letters.
        case never, always, sameHost
        /// The operation's ``RedirectDecider`` decides; without one, this is `always`.
        case delegate
    }

    /// How far credentials are sent along.
    public enum CredentialScope: String, Sendable, Hashable, Codable, CaseIterable {
        /// Same scheme, host and port; same host; or everywhere.
        case sameOrigin, sameHost, always
    }
}

/// Where the bytes of the response's body go (CON-1). Bodies of redirects that are followed are dropped.
public enum ResponseConsumption: Sendable, Hashable {
    /// Dropped; progress is counted all the same.
    case none
    /// Memory, up to `spillOver` bytes; what is longer moves to a temporary file.
    case memory(spillOver: Int)
    /// A file in `directory` (the system's temporary directory when `nil`).
    case file(directory: String?)
    /// The file at this path, which appears when the body is whole, in place of one that is there. Until then the bytes are in
    /// `PATH.….part` beside it, which goes away with the response of an operation that failed, unless it is moved. The body of an
    /// answer that is no success goes to a temporary file.
    case download(to: String)
    /// ``RequestOperation/body``; a slow reader slows the sender down. With retry policies the body of a 4xx or 5xx is handed out
    /// when it is complete and no retry follows.
    case stream
}

/// How much of a response is accepted. Beyond a limit the attempt fails with `limitExceeded`.
public struct ResponseLimits: Sendable, Hashable, Codable {
    /// Bytes of one response's head, its status line and line ends included. `CurlTransport` can't go beyond what libcurl takes:
    /// 300 KiB for all heads of a response together, and 100 KiB for a line.
    public var headerBytes: Int
    /// Bytes of the body after decoding, so that a small compressed body can't fill the disk; `nil`: no limit.
    public var bodyBytes: Int64?
    /// How much longer a body may be after the transport has decoded it; `nil`: no limit.
    public var decodedRatio: DecodedRatio?

    /// 256 KiB for a head, and no limit for a body but the one for bombs, by default.
    public init(headerBytes: Int = 256 << 10, bodyBytes: Int64? = nil, decodedRatio: DecodedRatio? = DecodedRatio()) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.decodedRatio = decodedRatio
    }
}

/// The most that decoding may multiply a body's length. Honest bodies reach a few hundred times, and short ones do no harm.
public struct DecodedRatio: Sendable, Hashable, Codable {
    /// 1,000 by default.
    public var times: Int64
    /// Bytes, decoded, that any body may have.
    public var beyond: Int64

    /// A thousand times as long, where that is more than 256 MiB, by default.
    public init(_ times: Int64 = 1_000, beyond: Int64 = 256 << 20) {
        self.times = times
        self.beyond = beyond
    }

    /// - Parameter received: bytes on the wire.
    package func allows(_ decoded: Int64, of received: Int64) -> Bool {
        decoded <= beyond || decoded / max(1, received) < times
    }
}

/// Whether libcurl may send a request a second time, by itself, after a reused connection died without an answer (ENG-7).
/// Every resend that happens is reported as ``NetworkEvent/Kind/resent``.
public enum ResendRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whatever the method, as libcurl does by itself: a POST may have its effect twice.
    case always
    /// Only methods that RFC 9110, section 9.2.2 calls idempotent, with a body that is replayable.
    case idempotentOnly
    /// The attempt fails with code `resendRefused`, and a retry policy may decide.
    case never
}

/// What an operation does when the machine has no network (TNL's `connectivityOptions`, with its numbers). Without any, it
/// tries, and fails fast (TMO-7). They mean something only to a client that was given ``NetworkConditionsSource``.
public struct ConnectivityOptions: OptionSet, Sendable, Hashable, Codable {
    /// TNL's bits: 1, 2 and 4.
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Waits, visibly, in `waiting(connectivity)`, until an interface that is up has a default route.
    public static let wait = ConnectivityOptions(rawValue: 1)
    /// Waits when there is a retry policy.
    public static let waitWhenRetryPolicyProvided = ConnectivityOptions(rawValue: 2)
    /// The attempt timeout doesn't count the wait.
    public static let invalidateAttemptTimeoutWhenTriggered = ConnectivityOptions(rawValue: 4)
}

// Memberwise initializers of the configurations that have many parts; each part is told about at its property.

extension RequestConfiguration {
    /// The defaults, with one timeout: of the whole operation, waiting in line and all retries included (code `operationTimedOut`).
    public init(timeout: Duration, retry: RetryPolicies = .init()) {
        self.init(timeouts: .init(attempt: nil, operation: timeout), retry: retry)
    }

    /// The timeout of the whole operation, waiting in line and all retries included: ``Timeouts/operation``. Setting it leaves the others.
    public var timeout: Duration? {
        get { timeouts.operation }
        set { timeouts.operation = newValue }
    }

    /// The defaults of ``init()``, but for what is given.
    public init(
        timeouts: Timeouts = .init(), redirects: RedirectConfiguration = .init(),
        consumption: ResponseConsumption = .memory(spillOver: 1 << 20), limits: ResponseLimits = .init(),
        resend: ResendRule = .idempotentOnly, transport: TransportOptions = .init(), retry: RetryPolicies = .init(),
        connectivity: ConnectivityOptions = .init(), contentCoding: ContentCoding = .init(), skipsHostSanitization: Bool = false,
        countsAsExecutingConnection: Bool = true, cookies: CookieConfiguration = .init(), cachePolicy: CachePolicy = .useProtocol,
        hash: HashAlgorithm? = nil
    ) {
        self.init()
        self.timeouts = timeouts
        self.redirects = redirects
        self.consumption = consumption
        self.limits = limits
        self.resend = resend
        self.transport = transport
        self.retry = retry
        self.connectivity = connectivity
        self.contentCoding = contentCoding
        self.skipsHostSanitization = skipsHostSanitization
        self.countsAsExecutingConnection = countsAsExecutingConnection
        self.cookies = cookies
        self.cachePolicy = cachePolicy
        self.hash = hash
    }
}

extension TransportOptions {
    /// The defaults of ``init()``, but for what is given.
    public init(
        httpVersion: HTTPVersionPreference = .automatic, acceptsCompression: Bool = true, tls: TLSOptions = .init(),
        proxy: String? = nil, proxyCredential: Credential? = nil, proxyAuthentication: ProxyAuthentication = .basic,
        authentication: Authentication? = nil, resolve: [String] = [], connectTo: [String] = [], omittedHeaders: [String] = [],
        unixSocket: String? = nil, interface: String? = nil, expectsContinue: Bool = false, reusesConnections: Bool = true,
        dataTimeout: Duration? = nil, serviceType: NetworkServiceType = .standard, multipath: Bool = false,
        allowsCellularAccess: Bool = true
    ) {
        self.init()
        self.httpVersion = httpVersion
        self.acceptsCompression = acceptsCompression
        self.tls = tls
        self.proxy = proxy
        self.proxyCredential = proxyCredential
        self.proxyAuthentication = proxyAuthentication
        self.authentication = authentication
        self.resolve = resolve
        self.connectTo = connectTo
        self.omittedHeaders = omittedHeaders
        self.unixSocket = unixSocket
        self.interface = interface
        self.expectsContinue = expectsContinue
        self.reusesConnections = reusesConnections
        self.dataTimeout = dataTimeout
        self.serviceType = serviceType
        self.multipath = multipath
        self.allowsCellularAccess = allowsCellularAccess
    }
}

extension TLSOptions {
    /// The defaults of ``init()``, but for what is given.
    public init(
        verifies: Bool = true, authorities: String? = nil, certificate: String? = nil, key: String? = nil,
        passphrase: Passphrase? = nil, minimumVersion: TLSVersion? = nil, maximumVersion: TLSVersion? = nil,
        curves: [String] = [], revocations: String? = nil, ciphers: [String] = [], pins: [String] = [], srp: Credential? = nil
    ) {
        self.init()
        self.verifies = verifies
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
        self.passphrase = passphrase
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.curves = curves
        self.revocations = revocations
        self.ciphers = ciphers
        self.pins = pins
        self.srp = srp
    }
}

extension RequestConfiguration {
    /// For traffic that nobody waits for (CFG-2): marked as background. TNL also asks the system to choose the time, which Linux
    /// doesn't do; enqueue it with a low ``Priority``, too.
    public mutating func configureAsLowPriority() { transport.serviceType = .background }

    /// A copy, changed.
    ///
    ///     let patient = configuration.with { $0.timeouts.attempt = .seconds(300) }
    public func with(_ change: (inout RequestConfiguration) -> Void) -> RequestConfiguration {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Request {
    /// A copy, changed.
    ///
    ///     let signed = request.with { $0[header: "X-Signature"] = signature }
    public func with(_ change: (inout Request) -> Void) -> Request {
        var copy = self
        change(&copy)
        return copy
    }
}
