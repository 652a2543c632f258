import Base
import NetworkLayer

extension SendPlan {
    static func configuration(_ arguments: SendArguments, url: URL) throws -> RequestConfiguration {
        var configuration = RequestConfiguration()
        configuration.redirects = RedirectConfiguration(
            policy: arguments.followsRedirects || arguments.trustsRedirects ? .always : .never,
            limit: redirectLimit(arguments.redirectLimit),
            keepCredentials: arguments.trustsRedirects ? .always : .sameOrigin)
        configuration.redirects.postingStatuses = arguments.postingStatuses
        configuration.redirects.setsReferer = arguments.referer?.hasSuffix(";auto") == true
        for schemes in [arguments.schemes, arguments.redirectSchemes].compactMap(\.self) {
            configuration.redirects.schemes.formIntersection(schemes)
        }
        configuration.timeouts = Timeouts(
            connect: arguments.connectTimeout.map(Duration.init(seconds:)) ?? .seconds(30),
            idle: arguments.idleTimeout.map(Duration.init(seconds:)) ?? .seconds(30),
            // What curl's users expect: no limit to the whole unless they give one.
            attempt: arguments.attemptTimeout.map(Duration.init(seconds:)),
            operation: arguments.maximumTime.map(Duration.init(seconds:)),
            // A server may think for long before it answers, unless somebody says how long.
            idleMode: arguments.idleTimeout == nil ? .excludingInitialConnection : .includingInitialConnection)
        configuration.consumption = .stream
        configuration.boundsStream = true
        if arguments.keepsCookies || arguments.jar != nil { configuration.cookies = .on }
        if let jar = arguments.jar { configuration.cookies.jar = .named(jar) }
        // Whoever sets a maximum size expects an answer of that size; 0 stands for any size.
        if let size = arguments.maximumSize {
            configuration.limits = ResponseLimits(bodyBytes: size == 0 ? nil : Int64(size), decodedRatio: nil)
        }
        configuration.transport = try transport(arguments, url: url)
        return configuration
    }

    private static func redirectLimit(_ limit: Int?) -> Int {
        guard let limit else { return 50 }
        return limit < 0 ? .max : limit
    }

    private static func transport(_ arguments: SendArguments, url: URL) throws -> TransportOptions {
        var options = TransportOptions()
        options.acceptsCompression = arguments.compressed
        options.tls.verifies = !arguments.isInsecure
        // Found out now: libcurl would do so in the middle, and call it a failure of TLS.
        guard arguments.authorities == nil || arguments.authorityDirectory == nil else {
            throw CommandFailure(
                .usage, "--cacert and --capath exclude one another: put all authorities into one file, or one directory.")
        }
        options.tls.authorities = try (arguments.authorities ?? arguments.authorityDirectory).map(readable)
        options.tls.certificate = try arguments.certificate.map(readable)
        options.tls.key = try arguments.key.map(readable)
        options.tls.pins = try arguments.pins.map { $0.hasPrefix("sha256//") ? $0 : try readable($0) }
        options.tls.passphrase = arguments.passphrase.map(Passphrase.init)
        options.tls.minimumVersion = arguments.minimumTLS
        options.tls.maximumVersion = arguments.maximumTLS
        options.tls.ciphers = arguments.ciphers
        options.tls.curves = arguments.curves
        options.tls.revocations = try arguments.revocations.map(readable)
        if arguments.tlsUser != nil || arguments.tlsPassword != nil {
            guard let user = arguments.tlsUser, let password = arguments.tlsPassword else {
                throw CommandFailure(.usage, "TLS-SRP takes both, --tlsuser and --tlspassword.")
            }
            options.tls.srp = Credential(user: user, password: password)
        }
        options.proxy = arguments.proxy
        options.wire = arguments.wire
        options.wire.trace = arguments.trace
        options.wire.trace?.showsTime = arguments.tracesTime
        if let tls = options.wire.proxyTLS {
            for path in [tls.authorities, tls.revocations, tls.certificate, tls.key].compactMap(\.self) { _ = try readable(path) }
        }
        options.wire.proxyExceptions = arguments.noProxy
        options.wire.proxyHeaders = try SendHeaders.proxyFields(arguments.proxyHeaders)
        if arguments.leastRate != nil || arguments.leastRateTime != nil {
            options.wire.leastRate = arguments.leastRate.flatMap { $0 > 0 ? $0 : nil }
            options.dataTimeout = Duration(seconds: arguments.leastRateTime ?? 30)
        }
        options.proxyCredential = arguments.proxyUser.map { Credential($0) }
        options.proxyAuthentication = arguments.proxyScheme
        options.authentication = try authentication(arguments)
        options.interface = arguments.interface
        options.multipath = arguments.multipath
        options.resolve = arguments.resolve
        options.connectTo = arguments.connectTo
        options.unixSocket = arguments.unixSocket
        options.httpVersion = arguments.httpVersion ?? .automatic
        return options
    }

    private static func readable(_ path: String) throws -> String {
        guard FilePaths.isReadable(path) else { throw InputFiles.missing(path) }
        return path
    }

    /// What isn't a header field; basic and bearer are.
    private static func authentication(_ arguments: SendArguments) throws -> Authentication? {
        func credential() throws -> Credential { try Self.credential(arguments) }
        if arguments.choosesScheme { return nil }
        switch arguments.scheme {
        // Credentials that are given on the command line need no netrc file.
        case nil, .basic:
            let isKnown = arguments.user != nil || arguments.bearer != nil
            return arguments.usesNetrc && !isKnown ? .netrc(file: arguments.netrcFile) : nil
        // Without a name there is nothing to answer with, as in curl: the server's 401 is the response.
        case .digest where arguments.user == nil, .ntlm where arguments.user == nil: return nil
        case .digest: return .digest(try credential())
        case .ntlm: return .ntlm(try credential())
        case .negotiate: return .negotiate
        case .awsSigV4(let text):
            let key = try credential()
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            return .awsSigV4(
                AWSSignature(
                    accessKey: key.user, secretKey: key.password, region: parts.count > 2 ? parts[2] : nil,
                    service: parts.count > 3 ? parts[3] : nil,
                    provider: parts.first?.isEmpty == false ? parts.prefix(2).joined(separator: ":") : "aws:amz"))
        }
    }

    static func credential(_ arguments: SendArguments) throws -> Credential {
        guard let user = arguments.user, user.contains(":") else {
            throw CommandFailure(.usage, "The authentication needs a name and a password: give them with -u USER:PASSWORD.")
        }
        return Credential(user)
    }

    static func retryRules(_ arguments: SendArguments) throws -> RetryRules? {
        guard let retries = arguments.retries else { return nil }
        guard (0...1_000_000).contains(retries) else {
            throw CommandFailure(.usage, "--retry \(retries) can't be meant. It takes how often to try again, 0 or more.")
        }
        var rules = RetryRules.curl(retries: retries)
        if let delay = arguments.retryDelay, delay > 0 {
            rules.backoff = RetryBackoff(first: Duration(seconds: delay), factor: 1, max: Duration(seconds: delay), jitter: .none)
        }
        rules.maxTime = arguments.retryMaximumTime.flatMap { $0 > 0 ? Duration(seconds: $0) : nil }
        if arguments.retriesRefusedConnections { rules.on.insert(.kind(.refused)) }
        if arguments.retriesAllErrors {
            rules.on.insert(.kind(.any))
            if arguments.fails || arguments.failsWithBody { rules.on.formUnion([.statusClass(4), .statusClass(5)]) }
        }
        return rules
    }
}

extension Duration {
    init(seconds: Double) {
        self = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}

/// Answers the server of a URL by the strongest scheme that it takes a name and a password with: `--anyauth`.
struct ServerChoice: ChallengeHandler {
    private let credential: Credential
    /// `nil`: whoever asks, as `--location-trusted` has it.
    private let origin: Origin?

    init?(_ arguments: SendArguments, url: URL) throws {
        // Nobody named: the request goes without.
        guard arguments.user != nil else { return nil }
        credential = try SendPlan.credential(arguments)
        origin = arguments.trustsRedirects ? nil : Origin(url)
    }

    func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
        guard challenge.space == .server, origin == nil || origin == Origin(challenge.request.url),
            challenge.method == .digest || challenge.method == .basic
        else { return .default }
        return .useCredential(.password(credential))
    }
}
