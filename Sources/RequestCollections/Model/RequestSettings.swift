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
    /// The file of the schema that queries in GraphQL are checked against.
    package var graphQLSchema: String?

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

/// Whether and how to try again, as it stands in the file; `nil` where a nearer or farther level decides.
package struct RetrySettings: Hashable, Sendable, Codable {
    /// `false` for `retry: none`; a nearer map turns it on again.
    package var isOn: Bool?
    /// The most attempts, the first included.
    package var attempts: Int?
    /// What it is tried again on, each as ``RetryCondition`` reads it: `503`, `5xx`, `timeout`.
    package var conditions: [String]?
    /// Before the first retry.
    package var first: Duration?
    package var factor: Double?
    /// The longest wait.
    package var longest: Duration?
    package var jitter: RetryBackoff.Jitter?
    package var honoursRetryAfter: Bool?

    package init() {}
}

/// Statuses as the format writes them.
enum StatusText {
    /// 2 of `2xx`.
    static func statusClass(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]), bytes[1] | 0x20 == 0x78, bytes[2] | 0x20 == 0x78 else {
            return nil
        }
        return Int(bytes[0]) - 0x30
    }
}

/// How long to wait before a request is sent, by chance between two ends: `2s`, `1s..3s`, or `{ before: 2s, between: 200ms }`.
package struct DelaySetting: Hashable, Sendable, Codable {
    /// Before it is sent; of several items, before each of them, or before the first alone when ``between`` is given.
    package var before: ClosedRange<Duration>?
    /// The delay before each of several items but the first.
    package var between: ClosedRange<Duration>?

    package init(before: ClosedRange<Duration>? = nil, between: ClosedRange<Duration>? = nil) {
        self.before = before
        self.between = between
    }

    /// - Parameter isFirst: whether it is the first item, or the only one.
    package func pause(isFirst: Bool) -> ClosedRange<Duration>? { isFirst ? before : between ?? before }
}

extension DelaySetting {
    /// The keys of the map, with what stands there.
    private var pairs: [(key: String, pause: ClosedRange<Duration>)] {
        [("before", before), ("between", between)].compactMap { key, pause in pause.map { (key, $0) } }
    }

    /// A duration alone where that says all.
    var written: FieldText {
        if let before, between == nil { return .text(DurationText.format(before)) }
        return .pairs(pairs.map { .init(key: $0.key, text: DurationText.format($0.pause)) })
    }

    init?(_ node: YAMLNode) {
        guard let pairs = node.pairs else {
            guard let text = node.text, let pause = DurationText.parseRange(text) else { return nil }
            self.init(before: pause)
            return
        }
        self.init()
        for pair in pairs {
            guard let pause = pair.value.text.flatMap(DurationText.parseRange) else { return nil }
            switch pair.key.text {
            case "before": before = pause
            case "between": between = pause
            default: return nil
            }
        }
        if before == nil, between == nil { return nil }
    }

    /// Reads a line as an editor shows it: `2s`, `before 2s, between 200ms`.
    init?(line: String) {
        if let pause = DurationText.parseRange(line) {
            self.init(before: pause)
            return
        }
        self.init()
        for part in line.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let pause = DurationText.parseRange(String(words[1])) else { return nil }
            switch words[0] {
            case "before": before = pause
            case "between": between = pause
            default: return nil
            }
        }
        if before == nil, between == nil { return nil }
    }
}

/// What a request, a folder or a collection says of a cookie jar.
package enum CookieJarChoice: Hashable, Sendable {
    /// Nothing: whoever sends it decides.
    case unsaid
    /// `cookie-jar: ""`: none.
    case refused
    /// The one that is kept under this name.
    case named(String)
}

extension CookieConfiguration {
    /// What is said of none is without cookies, as the network layer has it.
    init(_ choice: CookieJarChoice) {
        switch choice {
        case .unsaid, .refused: self.init()
        case .named(let name): self.init(acceptance: .always, sends: true, jar: .named(name))
        }
    }
}
