import Glibc

/// The proxies that the environment names, to show which one a transfer goes through. libcurl reads the same variables.
struct ProxyEnvironment {
    private let http: String?
    private let https: String?
    private let exceptions: [Substring]

    init() {
        self.init { name in getenv(name).map { String(cString: $0) } }
    }

    /// - Parameter variable: the value of an environment variable.
    init(variable: (String) -> String?) {
        let all = variable("all_proxy") ?? variable("ALL_PROXY")
        // HTTP_PROXY in capitals can come from a request's `Proxy` header in CGI, so nobody reads it.
        http = variable("http_proxy") ?? all
        https = variable("https_proxy") ?? variable("HTTPS_PROXY") ?? all
        exceptions = (variable("no_proxy") ?? variable("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }
    }

    var isEmpty: Bool { http == nil && https == nil }

    func proxy(scheme: String, host: String) -> String? {
        guard let proxy = scheme == "https" ? https : http, !proxy.isEmpty, !isException(host.lowercased()) else { return nil }
        return proxy
    }

    private func isException(_ host: String) -> Bool {
        exceptions.contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }
}
