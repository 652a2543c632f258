import HTTPTypes

/// Puts the cookies of a jar into what is sent, and those of the answers into the jar, hop by hop: so redirects carry the cookies that
/// the hops before them set, and what goes over the wire shows them.
///
/// ``NetworkClient`` has one around its transport. What a request does without cookies costs nothing.
struct CookieTransport: Transport {
    private let base: any Transport
    private let jars: CookieJars
    private let time: any TimeSource

    /// - Parameters:
    ///   - base: the transport that requests go on to.
    ///   - time: whose date says what has expired.
    init(_ base: any Transport, jars: CookieJars, time: any TimeSource = SystemTimeSource()) {
        self.base = base
        self.jars = jars
        self.time = time
    }

    func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let cookies = request.cookies
        guard cookies.sends else { return load(request, cookies, receive) }
        var request = request
        add(cookies, to: &request)
        return load(request, cookies, receive)
    }

    private func load(
        _ request: TransferRequest, _ cookies: CookieConfiguration, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        guard accepts(cookies, request) else { return base.start(request, receive: receive) }
        let url = request.request.url
        let site = request.firstURL
        return base.start(request) { [jars, time] event in
            if case .head(let head) = event.kind, head.headers.contains(.setCookie) {
                jars.edit(cookies.jar) { jar in
                    _ = jar.receive(head.headers, from: url, at: time.date, site: site, suffixes: jars.suffixes)
                }
            }
            receive(event)
        }
    }

    private func accepts(_ cookies: CookieConfiguration, _ request: TransferRequest) -> Bool {
        switch cookies.acceptance {
        case .always: true
        case .never: false
        case .sameSite: request.firstURL.map { request.request.url.isSameSite(as: $0, jars.suffixes) } ?? true
        }
    }

    private func add(_ cookies: CookieConfiguration, to request: inout TransferRequest) {
        let now = time.date
        let (url, method, site) = (request.request.url, request.request.method, request.firstURL)
        let jar = jars[cookies.jar]
        guard !jar.cookies.isEmpty else { return }
        let own = request.request.headers[.cookie]
        let found = jar.cookies(for: url, method: method, at: now, site: site, suffixes: jars.suffixes)
        guard let field = Self.field(found, behind: own) else { return }
        // Set by name, each cookie would become a field.
        request.request.headers[.cookie] = nil
        request.request.headers.append(HTTPField(name: .cookie, value: field))
        jars.use(found, of: cookies.jar, at: now)
    }

    /// What the request says itself comes first, and hides the jar's cookies of the same names.
    ///
    /// - Returns: `nil` when there is nothing to add.
    static func field(_ cookies: [Cookie], behind own: String?) -> String? {
        let ownNames = Set((own ?? "").pieces(at: ";").map { String(FieldSyntax.trimmed($0.halves(at: "=")?.before ?? $0)) })
        let added = cookies.filter { !ownNames.contains($0.name) }.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
        guard !added.isEmpty else { return nil }
        return ((own.map { [$0] } ?? []) + added).joined(separator: "; ")
    }
}
