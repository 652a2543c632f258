/// A configuration as text, by TNL's short keys (CFG-3).
///
///     RequestConfiguration().parameters, sorted:
///         "aca=1&atmpTO=60&ckiplcy=1&cnvty=0&idlTO=30&mptcp=0&nst=0&opTO=180&rcp=0&rdcm=1&rdp=1&setcki=0"
///
/// | key       | field                          | value                                                              |
/// |-----------|--------------------------------|--------------------------------------------------------------------|
/// | `aca`     | ``TransportOptions/allowsCellularAccess`` | 0 or 1                                                  |
/// | `atmpTO`  | ``Timeouts/attempt``           | seconds; `-1` when written, zero or less when read: never          |
/// | `ckiplcy` | ``CookieConfiguration/acceptance`` | 0 always, 1 never, 2 same site                                 |
/// | `cnvty`   | ``RequestConfiguration/connectivity`` | the sum of the options' numbers                             |
/// | `idlTO`   | ``Timeouts/idle``              | seconds                                                            |
/// | `mptcp`   | ``TransportOptions/multipath`` | 0 or 1                                                         |
/// | `nst`     | ``TransportOptions/serviceType`` | the number of Apple's `NSURLRequestNetworkServiceType`           |
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
        [
            "aca": Self.text(transport.allowsCellularAccess), "atmpTO": Self.text(timeouts.attempt),
            "ckiplcy": "\(cookies.acceptance.rawValue)", "cnvty": "\(connectivity.rawValue)", "idlTO": Self.text(timeouts.idle),
            "mptcp": Self.text(transport.multipath), "nst": "\(Self.number(of: transport.serviceType))",
            "opTO": Self.text(timeouts.operation), "rcp": "\(cachePolicy.rawValue)", "rdcm": "\(Self.number(of: consumption))",
            "rdp": "\(Self.policies.firstIndex(of: redirects.policy) ?? 1)", "setcki": Self.text(cookies.sends),
        ]
    }

    /// - Parameters:
    ///   - parameters: what is to be changed; a value that can't be read changes nothing.
    ///   - base: everything else.
    public init(parameters: [String: String], over base: RequestConfiguration = .init()) {
        self = base
        for (key, text) in parameters {
            guard let value = Double(text), value.isFinite else { continue }
            let number = Int(text)
            switch key {
            case "aca": if let number { transport.allowsCellularAccess = number != 0 }
            case "atmpTO": timeouts.attempt = Self.timeout(value)
            case "ckiplcy": cookies.acceptance = number.flatMap { .init(rawValue: $0) } ?? cookies.acceptance
            case "cnvty": connectivity = number.map { .init(rawValue: $0) } ?? connectivity
            case "idlTO": timeouts.idle = Self.timeout(value)
            case "mptcp": if let number { transport.multipath = number != 0 }
            case "nst":
                let type = NetworkServiceType.allCases.first { Self.number(of: $0) == number }
                transport.serviceType = type ?? transport.serviceType
            case "opTO": timeouts.operation = Self.timeout(value)
            case "rcp": cachePolicy = number.flatMap { .init(rawValue: $0) } ?? cachePolicy
            // The same mode keeps its size or directory.
            case "rdcm": if let number, number != Self.number(of: consumption) { setConsumption(number) }
            case "rdp": if let number, Self.policies.indices.contains(number) { redirects.policy = Self.policies[number] }
            case "setcki": if let number { cookies.sends = number != 0 }
            default: break
            }
        }
    }

    // MARK: Texts and numbers

    /// At TNL's numbers.
    private static let policies: [RedirectConfiguration.Policy] = [.never, .always, .sameHost, .delegate]

    private static func text(_ flag: Bool) -> String { flag ? "1" : "0" }

    private static func text(_ timeout: Duration?) -> String {
        guard let seconds = Timeouts.limit(timeout)?.inSeconds else { return "-1" }
        return seconds == seconds.rounded() && seconds < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
    }

    private static func timeout(_ seconds: Double) -> Duration? {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, 9e9) * 1e9)) : nil
    }

    private static func number(of type: NetworkServiceType) -> Int {
        switch type {
        case .standard: 0
        case .video: 2
        case .background: 3
        case .voice: 4
        case .responsive: 6
        case .signaling: 11
        }
    }

    /// TNL's `TNLResponseDataConsumptionMode`.
    private static func number(of consumption: ResponseConsumption) -> Int {
        switch consumption {
        case .none: 0
        case .memory: 1
        case .file, .download: 2
        case .stream: 3
        }
    }

    private mutating func setConsumption(_ number: Int) {
        switch number {
        case 0: consumption = .none
        case 1: consumption = RequestConfiguration().consumption
        case 2: consumption = .file(directory: nil)
        case 3: consumption = .stream
        default: break
        }
    }
}
