import Base
import HTTPTypes
import NetworkLayer

/// What goes along with a request that doesn't stand in its file, and where it goes.
extension RequestResolver {
    /// The files that the request itself stands in: a link in a collection may lead to somebody else's.
    mutating func noteSources() {
        let collection = scope.collection
        var paths = [definition.location.path, joined(collection.path, "_collection.yaml")]
        paths += collection.folders(around: definition.id).map(\.location.path)
        var outside: [String] = []
        for path in Set(paths).sorted() where path != collection.path && FileContents.exists(path) {
            let real = RealPath.of(path)
            // Whoever allows a folder allows the files in it.
            guard !scope.place.holds(real), !outside.contains(where: { real.rest(below: $0) != nil }) else { continue }
            outside.append(real)
            note(.read(path: real, for: .request), for: definition.id.rawValue, at: SourceLocation(path: path, line: 1, column: 1))
        }
        for loop in collection.loops(of: definition) { scope.itemFile(of: loop.definition) }
    }

    /// - Parameters:
    ///   - origin: of the request; `nil` while nobody knows it.
    ///   - uses: the secrets in it.
    mutating func noteJourney(
        to origin: Origin?, _ uses: [SecretUse], _ configuration: RequestConfiguration, _ oauth2: OAuth2Definition?
    ) {
        // A mock is no server.
        guard !scope.sources.usesMocks || definition.mock == nil else { return }
        let secrets = uses.filter { $0.secret.source != .literal }
        for use in secrets where !isAtHome(use) { note(use, configuration.redirects) }
        let credentials = ambientCredentials(configuration, oauth2)
        if let origin {
            let place = level(saying: \.auth)?.places["auth"] ?? definition.location
            for credential in credentials {
                note(.ambient(credential: credential, origin: "\(origin)"), for: "auth", at: place)
            }
            let servers = Set(scope.answers.values.joined().filter(\.isPrivate).map { "\($0.origin)" })
            for destination in Route(configuration.transport).publicDestinations(of: origin) {
                for server in servers.sorted() {
                    note(.carry(from: server, to: destination), for: definition.id.rawValue, at: definition.location)
                }
            }
        }
        let page: String? =
            switch oauth2?.grant {
            case .authorizationCode(let url, _): url
            // Its server says which page is opened.
            case .deviceCode(let url): url
            case .clientCredentials, .password, .refreshToken, nil: nil
            }
        if let page, let server = URL(international: page).flatMap({ Origin($0) }) {
            note(.open(origin: "\(server)"), for: "oauth2", at: level(saying: \.auth)?.places["auth"])
        }
        noteRoute(configuration.transport, takesSecrets: !secrets.isEmpty || !credentials.isEmpty)
    }

    /// What a server has answered may go back to it, and what a person gave for an origin to that.
    private func isAtHome(_ use: SecretUse) -> Bool {
        if case .session = use.secret.source {
            return use.origin.map { origin in use.secret.origins?.contains { $0.contains(origin) } == true } ?? false
        }
        guard case .response(let request) = use.secret.source, let origin = use.origin, let servers = scope.answers[request] else {
            return false
        }
        return servers.contains { $0.origin == origin }
    }

    /// Where a URL leads; `nil` while a part of that has no value yet and a placeholder stands there.
    static func origin(of url: URL) -> Origin? {
        let host = url.host(percentEncoded: false) ?? ""
        return host.unicodeScalars.contains { $0 == "%" || $0 == "‹" || $0 == "›" || $0 == "•" } ? nil : Origin(url)
    }

    private mutating func note(_ use: SecretUse, _ redirects: RedirectConfiguration) {
        let name = use.secret.name
        let source = use.secret.source.text
        let place = place(of: use.part)
        if let origin = use.origin { note(.send(secret: name, of: source, origin: "\(origin)"), for: "\(use.part)", at: place) }
        let followsAnywhere = redirects.policy != .never && redirects.keepCredentials == .always
        switch use.part {
        case .token, .proxy: break
        case .url, .header, .body, .authentication:
            guard followsAnywhere else { break }
            note(.send(secret: name, of: source, origin: Want.anyOrigin), for: "redirects.keep-auth", at: place)
        }
    }

    /// What the machine has, and the file doesn't.
    private func ambientCredentials(_ configuration: RequestConfiguration, _ oauth2: OAuth2Definition?) -> [String] {
        var credentials: [String] = []
        switch configuration.transport.authentication {
        case .netrc: credentials.append("netrc")
        case .negotiate: credentials.append("negotiate")
        case .ntlm(let credential) where credential.user.isEmpty: credentials.append("ntlm")
        default: break
        }
        if configuration.cookies.sends, case .named(let jar) = configuration.cookies.jar { credentials.append("cookie jar \(jar)") }
        if let oauth2 { credentials.append("token of \(oauth2.clientID) at \(oauth2.tokenURL)") }
        return credentials
    }

    /// The ways on which what is sent can be read by others than the one it is for, and a way to those who trust this machine.
    private mutating func noteRoute(_ transport: TransportOptions, takesSecrets: Bool) {
        func note(_ key: String, _ value: String, in resolver: inout Self) {
            guard let level = resolver.levels.last(where: { $0.places[key] != nil }) else { return }
            resolver.note(.route(way: key, value: value), for: key, at: level.places[key])
        }
        // Whoever listens on a socket takes everybody on this machine for a friend: a server of containers does whatever it is asked.
        if let socket = transport.unixSocket { note("unix-socket", socket, in: &self) }
        guard takesSecrets else { return }
        if let proxy = transport.proxy, !proxy.isEmpty { note("proxy", Self.withoutUser(proxy), in: &self) }
        for entry in transport.resolve { note("resolve", entry, in: &self) }
        for entry in transport.connectTo { note("connection.to", entry, in: &self) }
        if let resolver = transport.wire.resolver { note("connection.resolver", resolver, in: &self) }
        if let proxy = transport.wire.preProxy { note("connection.pre-proxy", Self.withoutUser(proxy), in: &self) }
        if !transport.tls.verifies { note("tls.verify", "false", in: &self) }
    }

    /// Name and password are no part of the way, and a want is shown and kept.
    private static func withoutUser(_ proxy: String) -> String {
        guard let host = URLCoding.hostRange(in: proxy) else { return proxy.pieces(at: "@").last.map(String.init) ?? proxy }
        let bytes = Array(proxy.utf8)
        let start = bytes[..<host.lowerBound].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<start] + bytes[host.lowerBound...], as: UTF8.self)
    }

    private mutating func note(_ want: Want, for purpose: String, at location: SourceLocation?) {
        _ = scope.permit(want, for: purpose, at: location)
    }

    private func place(of part: SecretUse.Part) -> SourceLocation {
        let place: SourceLocation? =
            switch part {
            case .url: definition.places["url"]
            case .header(let name):
                merged(\.headers, ignoringCase: true).first { $0.row.name.lowercased() == name }?.row.location
                    ?? level(saying: \.auth)?.places["auth"]
            case .body: definition.places["body"]
            case .authentication, .token: level(saying: \.auth)?.places["auth"]
            case .proxy: levels.last { $0.places["proxy"] != nil }?.places["proxy"]
            }
        return place ?? definition.location
    }

    private func level<Value>(saying key: KeyPath<Level, Value?>) -> Level? { levels.last { $0[keyPath: key] != nil } }
}
