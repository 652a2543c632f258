package import NetworkLayer

/// How a request or everything below a folder is sent; `nil` where a nearer or farther level decides.
package struct RequestSettings: Hashable, Sendable, Codable {
    package var timeouts = TimeoutSettings()
    package var followRedirects: RedirectConfiguration.Policy?
    package var maxRedirects: Int?
    package var keepAuth: RedirectConfiguration.CredentialScope?
    /// The statuses after which a POST stays one: `301`, `302`, `303`.
    package var keepPost: [String]?
    package var verifiesTLS: Bool?
    package var authorities: String?
    package var certificate: String?
    package var key: String?
    package var passphrase: String?
    package var pins: [String]?
    package var minimumTLSVersion: TLSVersion?
    package var maximumTLSVersion: TLSVersion?
    package var ciphers: [String]?
    package var curves: [String]?
    package var revocations: String?
    /// Whether the server must prove that its certificate isn't revoked.
    package var requiresStatus: Bool?
    package var httpVersion: HTTPVersionPreference?
    package var compression: Bool?
    package var proxy: String?
    /// The name of the jar whose cookies are sent, and that keeps those of the answer; empty: none.
    package var cookieJar: String?
    package var resolve: [String]?
    package var unixSocket: String?
    package var expectContinue: Bool?
    package var connection = ConnectionSettings()
    package var priority: Priority?
    /// Before it is sent.
    package var delay: DelaySetting?
    package var keepResponse: KeepResponse?
    /// Bytes.
    package var responseLimit: Int?
    package var responseHash: HashAlgorithm?
    /// The file that the body is written to.
    package var savesResponse: String?
    package var retry = RetrySettings()

    package init() {}

    package struct TimeoutSettings: Hashable, Sendable, Codable {
        package var connect: Limit?
        package var idle: Limit?
        package var attempt: Limit?
        package var operation: Limit?

        package init() {}
    }

    /// What few requests say of their connection.
    package struct ConnectionSettings: Hashable, Sendable, Codable {
        package var family: WireOptions.AddressFamily?
        package var interface: String?
        package var localPorts: ClosedRange<UInt16>?
        package var keepAlive: Duration?
        /// Bytes in a second, in each direction.
        package var rate: Int?
        /// `host1:port1:host2:port2`
        package var connectTo: [String]?
        /// The URL of a server that looks names up.
        package var resolver: String?
        package var preProxy: String?
        package var proxyExceptions: String?
        package var tunnels: Bool?
        package var requestTarget: String?

        package init() {}
    }

    /// A timeout as written: a duration or `never`.
    package enum Limit: Hashable, Sendable, Codable {
        case after(Duration)
        case never
    }

    package enum KeepResponse: String, Hashable, Sendable, Codable, CaseIterable {
        case memory, file, none
    }
}
