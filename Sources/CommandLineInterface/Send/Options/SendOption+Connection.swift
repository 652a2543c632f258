import Interchange
import NetworkLayer
import RequestCollections

extension SendOption {
    static let connectionOptions: [SendOption] = [
        SendOption(
            "L", "location", nil, .flag(\.followsRedirects),
            "Follow redirects; credentials stay with their origin, and the method changes as HTTP says, also that of -X."),
        SendOption(nil, "location-trusted", nil, .flag(\.trustsRedirects), "As -L, and send credentials to other origins too."),
        SendOption(
            nil, "max-redirs", "COUNT", .count(\.redirectLimit), "The most redirects to follow; -1 for no limit. Default: 50."),
        posting(301), posting(302), posting(303),
        SendOption(
            nil, "proto", "SCHEMES", .action { $0.schemes = schemes($1) },
            "The schemes to allow, separated by commas: =https for this one alone, -http for all others."),
        SendOption(
            nil, "proto-redir", "SCHEMES", .action { $0.redirectSchemes = schemes($1) }, "The schemes to follow redirects to."),
        SendOption(
            nil, "hsts", "FILE", .text(\.hsts),
            "Speak HTTPS to the hosts of this list, and add those that ask for it; '' keeps the list in memory."),
        SendOption(
            nil, "doh-url", "URL", .text(\.wire.resolver), "A server to look names up at by HTTPS (DNS over HTTPS)."),
        SendOption(
            nil, "doh-insecure", nil, .action { arguments, _ in arguments.wire.verifiesResolver = false },
            "Don't check the certificate of --doh-url."),
        SendOption(
            nil, "doh-cert-status", nil, .flag(\.wire.requiresResolverStatus),
            "Insist on the proof by OCSP that the certificate of --doh-url isn't revoked."),
        SendOption(
            nil, "alt-svc", "FILE", .text(\.wire.alternatives),
            "Go to the places that servers have named in Alt-Svc, and keep those in this file; '' keeps none."),
        SendOption(
            nil, "disallow-username-in-url", nil, .flag(\.refusesUserInURL), "Refuse a URL that has a name or a password in it."),
        SendOption(nil, "follow", nil, .flag(\.followsRedirects), "As -L."),
        SendOption(
            nil, "tr-encoding", nil, .flag(\.wire.asksForTransferCoding), "Ask for a body that is compressed on the way (TE: gzip)."
        ),
        SendOption(nil, "tcp-fastopen", nil, .flag(\.wire.fastOpen), "Send the request with the first segment of a connection."),
        SendOption(
            nil, "haproxy-protocol", nil, .flag(\.wire.announcesAddress),
            "Begin a connection with a line of the PROXY protocol, version 1."),
        SendOption(
            nil, "happy-eyeballs-timeout-ms", "MILLISECONDS",
            .action { arguments, text in
                guard let milliseconds = Int(text), (0...1_000_000).contains(milliseconds) else {
                    throw CommandFailure(.usage, "--happy-eyeballs-timeout-ms \(text) is no number of milliseconds.")
                }
                arguments.wire.addressDelay = .milliseconds(milliseconds)
            }, "The lead that IPv6 has over IPv4. Default: 200."),
        SendOption(
            "Z", "parallel", nil, .flag(\.isParallel), "Send the requests of several URLs at once, and not one after another."),
        SendOption(
            nil, "parallel-max", "COUNT",
            .action { arguments, text in
                guard let count = Int(text), count >= 0 else {
                    throw CommandFailure(.usage, "--parallel-max \(text) is no whole number.")
                }
                arguments.parallelLimit = count
            }, "With -Z: how many at most. Default: 50; at most 300."),
        SendOption(
            nil, "rate", "COUNT[/UNIT]", .action { $0.rate = try interval($1) },
            "With several URLs: begin no more than so many in a second (2/s), minute (30/m), hour (h, the default) or day (d)."),
        SendOption(nil, "compressed", nil, .flag(\.compressed), "Ask for a compressed response, and decode it."),
        SendOption(nil, "raw", nil, .flag(\.wire.isRaw), "Leave the body as it comes, with the framing of its chunks."),
        SendOption(
            nil, "ignore-content-length", nil, .flag(\.wire.ignoresLength),
            "Take the end of the connection for the body's end, whatever Content-Length says."),
        SendOption("0", "http1.0", nil, version(.http1_0), "Speak HTTP/1.0."),
        SendOption(nil, "http1.1", nil, version(.http1), "Speak HTTP/1.1."),
        SendOption(nil, "http2", nil, version(.http2), "Speak HTTP/2 where the server can."),
        SendOption(nil, "http3", nil, version(.http3), "Speak HTTP/3 where the server can; libcurl must have it."),
        SendOption(nil, "http3-only", nil, version(.http3Only), "Speak HTTP/3, or none."),
        SendOption(nil, "http2-prior-knowledge", nil, version(.http2PriorKnowledge), "Speak HTTP/2 without asking first."),
        SendOption(
            "x", "proxy", "URL", .text(\.proxy),
            "A proxy, [SCHEME://]HOST[:PORT]; '' for none, whatever the environment says. http, https, socks4, socks4a, socks5, socks5h."
        ),
        SendOption(
            "U", "proxy-user", "USER:PASSWORD", .text(\.proxyUser),
            "Name and password for the proxy. Without :PASSWORD you are asked for it."),
        SendOption(
            "p", "proxytunnel", nil, .flag(\.wire.tunnels), "Tunnel through an HTTP proxy with CONNECT, for http URLs too."),
        SendOption(
            nil, "proxy-header", "FIELD", .list(\.proxyHeaders), "A header field for an HTTP proxy alone. Repeatable."),
        SendOption(nil, "preproxy", "URL", .text(\.wire.preProxy), "A SOCKS proxy on the way to the proxy."),
        proxyScheme("proxy-basic", .basic), proxyScheme("proxy-digest", .digest), proxyScheme("proxy-ntlm", .ntlm),
        proxyScheme("proxy-negotiate", .negotiate), proxyScheme("proxy-anyauth", .any),
        SendOption(
            nil, "proxy1.0", "HOST[:PORT]",
            .action {
                $0.proxy = $1
                $0.wire.speaksHTTP10ToProxy = true
            }, "As -x, and speak HTTP/1.0 to the proxy."),
        SendOption(
            nil, "service-name", "NAME", .text(\.wire.serviceName), "The service that Negotiate asks a ticket for. Default: HTTP."),
        SendOption(nil, "proxy-service-name", "NAME", .text(\.wire.proxyServiceName), "The same for a proxy."),
        SendOption(
            nil, "delegation", "LEVEL",
            .action { arguments, text in
                guard let delegation = WireOptions.Delegation(rawValue: text) else {
                    throw CommandFailure(.usage, "--delegation \(text) isn't there. It takes none, policy or always.")
                }
                arguments.wire.delegation = delegation
            }, "Whether a server may act for us, with Negotiate: none, policy or always.",
            completion: .oneOf(WireOptions.Delegation.allCases.map(\.rawValue))),
        SendOption(nil, "noproxy", "HOSTS", .text(\.noProxy), "Hosts to reach without the proxy, separated by commas; * for all."),
        socks("socks4", "socks4", "A SOCKS4 proxy."),
        socks("socks4a", "socks4a", "A SOCKS4a proxy, which looks names up."),
        socks("socks5", "socks5", "A SOCKS5 proxy."),
        socks("socks5-hostname", "socks5h", "A SOCKS5 proxy, which looks names up."),
        SendOption(
            nil, "resolve", "HOST:PORT:ADDRESS", .list(\.resolve), "An address instead of a name look-up. Repeatable."),
        SendOption(
            nil, "connect-to", "HOST1:PORT1:HOST2:PORT2", .list(\.connectTo),
            "Connect to another host and port than the URL's, which stay in the request. Repeatable."),
        SendOption(nil, "unix-socket", "FILE", .text(\.unixSocket), "A Unix socket to connect to."),
        SendOption(
            nil, "abstract-unix-socket", "NAME",
            .action {
                $0.unixSocket = $1
                $0.wire.isSocketAbstract = true
            }, "A Unix socket of the abstract namespace to connect to."),
        family("4", "ipv4", .ipv4, "Connect by IPv4 alone."), family("6", "ipv6", .ipv6, "Connect by IPv6 alone."),
        SendOption(
            nil, "connect-timeout", "SECONDS", .seconds(\.connectTimeout),
            "The time to connect, name look-up and TLS included. Default: 30; 0: no limit."),
        SendOption(
            nil, "idle-timeout", "SECONDS", .seconds(\.idleTimeout),
            "The time without a byte in either direction, from the start on. Default: 30, from the first byte on; 0: no limit."),
        SendOption(
            nil, "attempt-timeout", "SECONDS", .seconds(\.attemptTimeout),
            "The time for each attempt, with all of its redirects. Default: no limit."),
        SendOption("m", "max-time", "SECONDS", .seconds(\.maximumTime), "The time for everything together. Default: no limit."),
        SendOption(
            nil, "retry", "COUNT", .count(\.retries),
            "Try again up to COUNT times after what may pass by itself: timeouts, 429, 503 …; of a body that broke off, only the rest is asked for."
        ),
        SendOption(
            nil, "retry-delay", "SECONDS", .seconds(\.retryDelay),
            "Between attempts. Default: 1, 2, 4 … 600, or what Retry-After says."),
        SendOption(nil, "retry-max-time", "SECONDS", .seconds(\.retryMaximumTime), "No retry begins later than this."),
        SendOption(nil, "retry-connrefused", nil, .flag(\.retriesRefusedConnections), "With --retry: also when nobody listens."),
        SendOption(
            nil, "retry-all-errors", nil, .flag(\.retriesAllErrors),
            "With --retry: after every error, and with -f after every status of 400 or more."),
        SendOption(nil, "interface", "NAME", .text(\.interface), "The interface, host or address to connect from."),
        SendOption(
            nil, "local-port", "PORT[-PORT]", .action { $0.wire.localPorts = try ports($1) },
            "The port to connect from, or the first free one of a range."),
        SendOption(
            nil, "keepalive-time", "SECONDS",
            .action { arguments, text in
                guard let seconds = Int(text), (0...86_400).contains(seconds) else {
                    throw CommandFailure(.usage, "--keepalive-time \(text) is no number of seconds.")
                }
                arguments.wire.keepAlive = seconds == 0 ? nil : .seconds(seconds)
            }, "After this much silence TCP asks whether the server is still there. Default: never."),
        SendOption(
            nil, "limit-rate", "BYTES",
            .action { arguments, text in
                let rate = Int64(try size(text, of: "--limit-rate"))
                arguments.wire.receiveRate = rate == 0 ? nil : rate
                arguments.wire.sendRate = arguments.wire.receiveRate
            }, "The most bytes in a second, in each direction, also as 20k, 5M."),
        SendOption(
            "Y", "speed-limit", "BYTES", .count(\.leastRate),
            "The fewest bytes in a second; what stays below it for --speed-time is ended."),
        SendOption("y", "speed-time", "SECONDS", .seconds(\.leastRateTime), "How long it may be that slow. Default: 30."),
        SendOption(
            nil, "expect100-timeout", "SECONDS",
            .action { arguments, text in
                guard let seconds = Double(text), seconds >= 0, seconds < 1e6 else {
                    throw CommandFailure(.usage, "--expect100-timeout \(text) is no number of seconds.")
                }
                arguments.wire.continueTimeout = Duration(seconds: seconds)
            }, "How long to wait for 100 Continue before a long body is sent. Default: 1."),
        SendOption(nil, "mptcp", nil, .flag(\.multipath), "Connect by Multipath TCP, where there is one."),
        SendOption(
            nil, "max-filesize", "BYTES",
            .action { arguments, text in
                arguments.maximumSize = try size(text, of: "--max-filesize")
            }, "The longest body to take, also as 20k, 5M, 1G. Default: no limit."),
        SendOption(
            nil, "ask-above", "BYTES",
            .action { arguments, text in
                arguments.unaskedSize = try size(text, of: "--ask-above")
            },
            "At a terminal: ask before more of a body than this goes into a file; 0 never asks, nor does --max-filesize. Default: 1G."
        ),
    ]

    /// Bytes: 1000, 20k, 5M, 1G.
    private static func size(_ text: String, of option: String) throws -> Int {
        guard let size = CurlSize.bytes(text) else {
            throw CommandFailure(.usage, "\(option) \(text) is no number of bytes. It takes 1000, 20k, 5M or 1G; 0 for any.")
        }
        return size
    }

    /// From one request to the next: `2/s`, `30/m`, `10`, `3/15s`.
    private static func interval(_ text: String) throws -> Duration {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let match = text.wholeMatch(of: /([0-9]+)(?:\/([0-9]*)([smhd]))?/), let count = Double(match.1), count > 0 {
            let number = match.2.flatMap { Double($0) } ?? 1
            let unit = match.3?.first.flatMap { units[$0] } ?? 3600
            let seconds = number * unit / count
            if seconds > 0, seconds < 1e9 { return Duration(seconds: seconds) }
        }
        throw CommandFailure(.usage, "--rate \(text) is no rate. It takes 2/s, 30/m, 100/h, 5/d or 3/15s.")
    }

    /// `8000`, `8000-8010`.
    private static func ports(_ text: String) throws -> ClosedRange<UInt16> {
        guard let ports = PortsText.parse(text) else {
            throw CommandFailure(.usage, "--local-port \(text): it takes a port, or the first and the last one: 8000-8010.")
        }
        return ports
    }

    /// `=https`, `-all,https`, `http,https`: what is added to, and taken from, the schemes that there are.
    private static func schemes(_ text: String) -> Set<String> {
        let all: Set = ["http", "https"]
        var schemes = all
        for item in text.lowercased().split(separator: ",") {
            let mark = item.prefix { "+-=".contains($0) }
            let named = item.dropFirst(mark.count) == "all" ? all : all.intersection([String(item.dropFirst(mark.count))])
            switch mark.last {
            case "-": schemes.subtract(named)
            case "=": schemes = named
            default: schemes.formUnion(named)
            }
        }
        return schemes
    }

    private static func family(_ letter: Character, _ long: String, _ family: WireOptions.AddressFamily, _ help: String)
        -> SendOption
    {
        SendOption(letter, long, nil, .action { arguments, _ in arguments.wire.addressFamily = family }, help)
    }

    private static func posting(_ status: Int) -> SendOption {
        SendOption(
            nil, "post\(status)", nil, .action { arguments, _ in arguments.postingStatuses.insert(status) },
            "After a \(status) a POST stays one.")
    }

    private static func version(_ version: HTTPVersionPreference) -> Take {
        .action { arguments, _ in arguments.httpVersion = version }
    }

    private static func proxyScheme(_ long: String, _ scheme: ProxyAuthentication) -> SendOption {
        SendOption(
            nil, long, nil, .action { arguments, _ in arguments.proxyScheme = scheme },
            scheme == .any ? "-U is for the best scheme that the proxy offers." : "-U is for \(scheme.rawValue) authentication.")
    }

    private static func socks(_ long: String, _ scheme: String, _ help: String) -> SendOption {
        SendOption(nil, long, "HOST[:PORT]", .action { $0.proxy = "\(scheme)://\($1)" }, help)
    }
}
