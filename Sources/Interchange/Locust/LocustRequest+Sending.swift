import NetworkLayer
import RequestCollections

extension LocustRequest {
    func transport() throws -> [String] {
        let settings = request.settings
        var options = [
            "timeout=(\(Self.limit(settings.timeouts.connect, or: "None")), \(Self.limit(settings.timeouts.idle, or: "30")))"
        ]
        if settings.followRedirects == .never { options.append("allow_redirects=False") }
        if let max = settings.maxRedirects, settings.followRedirects != .never { options.append("max_redirects=\(max)") }
        if settings.verifiesTLS == false {
            options.append("verify=False")
        } else if let authorities = settings.authorities {
            options.append("verify=\(try python.file(python.plain(authorities, "the path of `tls.ca`"), in: ""))")
        }
        if settings.passphrase != nil { throw Inexpressible("the key of its client certificate has a pass phrase") }
        if let certificate = settings.certificate {
            let path = try python.file(python.plain(certificate, "the path of `tls.certificate`"), in: "")
            let key = try settings.key.map { try python.file(python.plain($0, "the path of `tls.key`"), in: "") }
            options.append("cert=\(key.map { "(\(path), \($0))" } ?? path)")
        }
        if let proxy = settings.proxy, !proxy.isEmpty {
            options.append("proxies=dict.fromkeys((\"http\", \"https\"), \(try python.text(proxy)))")
        }
        if settings.unixSocket != nil { throw Inexpressible("it is sent to a Unix socket") }
        if settings.resolve?.isEmpty == false { throw Inexpressible("`resolve` sends it to another address") }
        return options
    }

    private static func limit(_ limit: RequestSettings.Limit?, or standard: String) -> String {
        switch limit {
        case nil: standard
        case .never: "None"
        case .after(let duration): PythonTemplate.seconds(duration)
        }
    }

    /// What ``transport()`` and the headers say, and the timeouts that the head of the file speaks of.
    private static let taken: Set = [
        "timeouts.connect", "timeouts.idle", "timeouts.attempt", "timeouts.operation", "redirects.follow", "redirects.max",
        "tls.verify", "tls.ca", "tls.certificate", "tls.key", "proxy", "compression",
    ]

    /// What Locust does by itself.
    private static let itself: RequestSettings = {
        var settings = RequestSettings.library
        settings.httpVersion = .http1
        (settings.pins, settings.ciphers, settings.resolve, settings.cookieJar) = ([], [], [], "")
        return settings
    }()

    private static let sentences = [
        "retry": "it isn't retried: each attempt counts",
        "redirects.keep-auth": "credentials follow redirects to the same host only",
        "tls.pins": "the pins of `tls` aren't checked", "http": "it is sent with HTTP/1.1",
        "expect-continue": "it doesn't wait for 100 Continue",
    ]

    /// What is left out of how it is sent, as far as somebody asked for it.
    func unsaidSettings() -> [String] {
        var settings = request.settings
        if settings.httpVersion == .automatic { settings.httpVersion = .http1 }
        // A key without a certificate opens nothing.
        let taken = settings.certificate == nil ? Self.taken.subtracting(["tls.key"]) : Self.taken
        var notes = settings.unfollowed(taking: taken, doing: Self.itself).map {
            Self.sentences[$0.key] ?? "`\($0.key)` doesn't hold"
        }
        if settings.followRedirects == .sameHost { notes.append("it follows redirects to other hosts, too") }
        return notes
    }
}

extension PythonTemplate {
    /// A text that has no template.
    func plain(_ text: String, _ what: String) throws -> String {
        if Template.isIn(text) { throw Inexpressible("\(what) is a template") }
        return text
    }
}
