import Base

/// The proxies that the environment names, to show which one a transfer goes through. libcurl reads the same variables.
struct ProxyEnvironment {
    private let http: String?
    private let https: String?
    let exceptions: ProxyExceptions

    init() {
        self.init { name in getenv(name).map { String(cString: $0) } }
    }

    /// - Parameter variable: the value of an environment variable.
    init(variable: (String) -> String?) {
        let all = variable("all_proxy") ?? variable("ALL_PROXY")
        // HTTP_PROXY in capitals can come from a request's `Proxy` header in CGI, so nobody reads it.
        http = variable("http_proxy") ?? all
        https = variable("https_proxy") ?? variable("HTTPS_PROXY") ?? all
        exceptions = ProxyExceptions(variable("no_proxy") ?? variable("NO_PROXY") ?? "")
    }

    var isEmpty: Bool { http == nil && https == nil }

    /// Whatever the ``exceptions`` say.
    func proxy(scheme: String) -> String? { scheme == "https" ? https : http }
}
