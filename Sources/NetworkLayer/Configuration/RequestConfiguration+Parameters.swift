/// A configuration as text, by TNL's short keys (CFG-3).
///
///     RequestConfiguration().parameterText
///         "aca=1&atmpTO=60&ckiplcy=1&cnvty=0&idlTO=30&mptcp=0&nst=0&opTO=180&rcp=0&rdcm=1&rdp=1&setcki=0"
///
/// | key       | field                          | value                                                              |
/// |-----------|--------------------------------|--------------------------------------------------------------------|
/// | `aca`     | ``TransportOptions/allowsCellularAccess`` | 0 or 1                                                  |
/// | `atmpTO`  | ``Timeouts/attempt``           | seconds; below 0.1, `-1` when written: never                       |
/// | `ckiplcy` | ``CookieConfiguration/acceptance`` | 0 always, 1 never, 2 same site                                 |
/// | `cnvty`   | ``RequestConfiguration/connectivity`` | the sum of the options' numbers                             |
/// | `idlTO`   | ``Timeouts/idle``              | seconds                                                            |
/// | `mptcp`   | ``TransportOptions/multipath`` | 0 or 1                                                         |
/// | `nst`     | ``TransportOptions/serviceType`` | the number                                                       |
/// | `opTO`    | ``Timeouts/operation``         | seconds                                                            |
/// | `rcp`     | ``RequestConfiguration/cachePolicy`` | the number of the ``CachePolicy``                            |
/// | `rdcm`    | ``RequestConfiguration/consumption`` | 0 none, 1 memory, 2 file (also to a path), 3 stream           |
/// | `rdp`     | ``RedirectConfiguration/policy`` | 0 never, 1 always, 2 same host, 3 delegate                       |
/// | `setcki`  | ``CookieConfiguration/sends``  | 0 or 1                                                             |
///
/// Keys that aren't here are left alone: those of what Linux doesn't have (`dis`, `ssle`, `xbim`, `scid`, `dfrI`), and those of objects
/// (`ckisto`, `crdsto`, `urlcch`), which TNL never restored either. Mocks (`ptcls`) are a transport here, not an option of a request.
extension RequestConfiguration {
    /// The configuration as TNL's parameters, so far as it has them; what TNL doesn't have is lost.
    public var parameters: [String: String] {
        Dictionary(uniqueKeysWithValues: Parameter.all.map { ($0.key, $0.read(self)) })
    }

    /// Sorted by key, as `key=value` joined by `&`.
    public var parameterText: String {
        parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    }

    /// - Parameters:
    ///   - parameters: what is to be changed; a value that can't be read changes nothing.
    ///   - base: everything else.
    public init(parameters: [String: String], over base: RequestConfiguration = .init()) {
        self = base
        for parameter in Parameter.all {
            if let text = parameters[parameter.key] { parameter.write(text, &self) }
        }
    }

    /// For traffic that nobody waits for (CFG-2): marked as background. TNL also asks the system to choose the time, which Linux
    /// doesn't do; enqueue it with a low ``Priority``, too.
    public mutating func configureAsLowPriority() {
        transport.serviceType = .background
    }
}

/// A row of the table above.
struct Parameter: Sendable {
    let key: String
    let read: @Sendable (RequestConfiguration) -> String
    /// Leaves the configuration as it is when the text can't be read.
    let write: @Sendable (String, inout RequestConfiguration) -> Void

    static let all: [Parameter] = [
        .flag("aca", at: \.transport.allowsCellularAccess),
        .seconds("atmpTO", at: \.timeouts.attempt),
        .number(
            "ckiplcy", get: { $0.cookies.acceptance.rawValue },
            set: { number, configuration in
                if let acceptance = CookieConfiguration.Acceptance(rawValue: number) {
                    configuration.cookies.acceptance = acceptance
                }
            }),
        .number("cnvty", get: { $0.connectivity.rawValue }, set: { $1.connectivity = ConnectivityOptions(rawValue: $0) }),
        .seconds("idlTO", at: \.timeouts.idle),
        .flag("mptcp", at: \.transport.multipath),
        .number(
            "nst", get: { $0.transport.serviceType.number },
            set: { number, configuration in
                if let type = NetworkServiceType.allCases.first(where: { $0.number == number }) {
                    configuration.transport.serviceType = type
                }
            }),
        .seconds("opTO", at: \.timeouts.operation),
        .number(
            "rcp", get: { $0.cachePolicy.rawValue },
            set: { number, configuration in
                if let policy = CachePolicy(rawValue: number) { configuration.cachePolicy = policy }
            }),
        .number("rdcm", get: { $0.consumption.number }, set: { $1.setConsumption(number: $0) }),
        .number(
            "rdp", get: { policies.firstIndex(of: $0.redirects.policy) ?? 1 },
            set: { number, configuration in
                if policies.indices.contains(number) { configuration.redirects.policy = policies[number] }
            }),
        .flag("setcki", at: \.cookies.sends),
    ]

    /// At TNL's numbers.
    private static let policies: [RedirectConfiguration.Policy] = [.never, .always, .sameHost, .delegate]

    // MARK: Kinds of rows

    private static func seconds(
        _ key: String, at path: any WritableKeyPath<RequestConfiguration, Duration?> & Sendable
    ) -> Parameter {
        Parameter(
            key: key, read: { SecondsText.write($0[keyPath: path]) },
            write: { text, configuration in
                if let seconds = Double(text), seconds.isFinite { configuration[keyPath: path] = SecondsText.read(seconds) }
            })
    }

    private static func number(
        _ key: String, get: @escaping @Sendable (RequestConfiguration) -> Int,
        set: @escaping @Sendable (Int, inout RequestConfiguration) -> Void
    ) -> Parameter {
        Parameter(
            key: key, read: { "\(get($0))" },
            write: { text, configuration in
                if let number = Int(text) { set(number, &configuration) }
            })
    }

    private static func flag(
        _ key: String, at path: any WritableKeyPath<RequestConfiguration, Bool> & Sendable
    ) -> Parameter {
        .number(key, get: { $0[keyPath: path] ? 1 : 0 }, set: { $1[keyPath: path] = $0 != 0 })
    }
}

/// A timeout as TNL writes it.
private enum SecondsText {
    static func write(_ timeout: Duration?) -> String {
        guard let timeout, timeout >= Timeouts.minimum else { return "-1" }
        let seconds = timeout.inSeconds
        return seconds == seconds.rounded() && seconds < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
    }

    /// Less than ``Timeouts/minimum`` means never (CFG-1).
    static func read(_ seconds: Double) -> Duration? {
        seconds < Timeouts.minimum.inSeconds ? nil : .nanoseconds(Int64(min(seconds, 9e9) * 1e9))
    }
}

extension NetworkServiceType {
    /// Apple's `NSURLRequestNetworkServiceType`.
    fileprivate var number: Int {
        switch self {
        case .standard: 0
        case .video: 2
        case .background: 3
        case .voice: 4
        case .responsive: 6
        case .signaling: 11
        }
    }
}

extension ResponseConsumption {
    /// TNL's `TNLResponseDataConsumptionMode`.
    fileprivate var number: Int {
        switch self {
        case .none: 0
        case .memory: 1
        case .file, .download: 2
        case .stream: 3
        }
    }
}

extension RequestConfiguration {
    /// The same mode keeps its size or directory.
    fileprivate mutating func setConsumption(number: Int) {
        guard number != consumption.number else { return }
        switch number {
        case 0: consumption = .none
        case 1: consumption = RequestConfiguration().consumption
        case 2: consumption = .file(directory: nil)
        case 3: consumption = .stream
        default: break
        }
    }
}
