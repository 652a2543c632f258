public import HTTPTypes

// Memberwise initializers of the configurations that have many parts; each part is told about at its property.

extension RequestConfiguration {
    /// The defaults, with one timeout: of the whole operation, waiting in line and all retries included (code `operationTimedOut`).
    ///
    /// - Parameter timeout: below 100 ms it means never: see ``Timeouts/minimum``.
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
        allowsCellularAccess: Bool = true, wire: WireOptions = .init()
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
        self.wire = wire
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

extension WireOptions {
    /// The defaults of ``init()``, but for what is given.
    public init(
        addressFamily: AddressFamily = .any, localPorts: ClosedRange<UInt16>? = nil, keepAlive: Duration? = nil,
        receiveRate: Int64? = nil, sendRate: Int64? = nil, leastRate: Int? = nil, requestTarget: String? = nil,
        isRaw: Bool = false, tunnels: Bool = false, proxyHeaders: HTTPFields = [:], proxyExceptions: String? = nil,
        preProxy: String? = nil, isSocketAbstract: Bool = false, continueTimeout: Duration? = nil,
        spelling: URLSpelling? = nil, resolver: String? = nil, verifiesResolver: Bool = true, fastOpen: Bool = false,
        announcesAddress: Bool = false, addressDelay: Duration? = nil, negotiatesProtocol: Bool = true,
        asksForTransferCoding: Bool = false, requiresStatus: Bool = false, proxyTLS: TLSOptions? = nil, trace: WireTrace? = nil,
        requiresResolverStatus: Bool = false, alternatives: String? = nil, ignoresLength: Bool = false,
        serviceName: String? = nil, proxyServiceName: String? = nil, delegation: Delegation = .none,
        speaksHTTP10ToProxy: Bool = false
    ) {
        self.init()
        self.addressFamily = addressFamily
        self.localPorts = localPorts
        self.keepAlive = keepAlive
        self.receiveRate = receiveRate
        self.sendRate = sendRate
        self.leastRate = leastRate
        self.requestTarget = requestTarget
        self.isRaw = isRaw
        self.tunnels = tunnels
        self.proxyHeaders = proxyHeaders
        self.proxyExceptions = proxyExceptions
        self.preProxy = preProxy
        self.isSocketAbstract = isSocketAbstract
        self.continueTimeout = continueTimeout
        self.spelling = spelling
        self.resolver = resolver
        self.verifiesResolver = verifiesResolver
        self.fastOpen = fastOpen
        self.announcesAddress = announcesAddress
        self.addressDelay = addressDelay
        self.negotiatesProtocol = negotiatesProtocol
        self.asksForTransferCoding = asksForTransferCoding
        self.requiresStatus = requiresStatus
        self.proxyTLS = proxyTLS
        self.trace = trace
        self.requiresResolverStatus = requiresResolverStatus
        self.alternatives = alternatives
        self.ignoresLength = ignoresLength
        self.serviceName = serviceName
        self.proxyServiceName = proxyServiceName
        self.delegation = delegation
        self.speaksHTTP10ToProxy = speaksHTTP10ToProxy
    }
}
