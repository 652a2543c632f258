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
        let transport = configuration.transport
        let way = Self.way(transport)
        note(uses, configuration)
        let place = level(saying: \.auth)?.places["auth"]
        if let origin {
            for credential in ambientCredentials(configuration, oauth2) {
                let want = Want.send(secret: credential, of: Self.machine, origin: "\(origin)\(way)")
                note(want, for: "auth", at: place ?? definition.location)
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
            note(.send(secret: "sign-in in a browser", of: Self.machine, origin: "\(server)"), for: "oauth2", at: place)
        }
        // Whoever listens on a socket takes everybody on this machine for a friend: a server of containers does whatever it is asked.
        if let socket = transport.unixSocket {
            let level = levels.last { $0.places["unix-socket"] != nil }
            note(.write(path: socket), for: "unix-socket", at: level?.places["unix-socket"])
        }
    }

    mutating func note(_ uses: [SecretUse], _ configuration: RequestConfiguration) {
        let way = Self.way(configuration.transport)
        for use in uses where use.secret.source != .literal && !isAtHome(use) { note(use, configuration.redirects, by: way) }
    }

    /// Where the credentials of this machine are read.
    private static let machine = "this machine"

    /// What a server has answered may go back to it, and what a person gave for an origin to that.
    private func isAtHome(_ use: SecretUse) -> Bool {
        guard let origin = use.origin else { return false }
        return switch use.secret.source {
        case .session: use.secret.origins?.contains { $0.contains(origin) } == true
        case .response(let request): scope.answers[request]?.contains(origin) == true
        default: false
        }
    }

    /// Where a URL leads; `nil` while a part of that has no value yet and a placeholder stands there.
    static func origin(of url: URL) -> Origin? {
        let host = url.host(percentEncoded: false) ?? ""
        return host.unicodeScalars.contains { $0 == "%" || $0 == "‹" || $0 == "›" || $0 == "•" } ? nil : Origin(url)
    }

    private mutating func note(_ use: SecretUse, _ redirects: RedirectConfiguration, by way: String) {
        let source = use.secret.source.text
        let place = place(of: use.part)
        if let origin = use.origin {
            let want = Want.send(secret: use.secret.name, of: source, origin: "\(origin)\(use.part == .proxy ? "" : way)")
            note(want, for: "\(use.part)", at: place)
        }
        guard redirects.policy != .never, redirects.keepCredentials == .always, use.part != .token, use.part != .proxy else {
            return
        }
        note(.send(secret: use.secret.name, of: source, origin: Want.anyOrigin), for: "redirects.keep-auth", at: place)
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

    /// How others than the server may come to read what is sent, as the end of ` → ORIGIN`.
    private static func way(_ transport: TransportOptions) -> String {
        var ways: [String] = []
        func add(_ key: String, _ values: [String?]) {
            for case let value? in values where !value.isEmpty { ways.append("\(key) \(value)") }
        }
        add("proxy", [transport.proxy.map(withoutUser)])
        add("pre-proxy", [transport.wire.preProxy.map(withoutUser)])
        add("resolve", transport.resolve)
        add("connection.to", transport.connectTo)
        add("connection.resolver", [transport.wire.resolver])
        if !transport.tls.verifies { ways.append("tls.verify false") }
        return ways.isEmpty ? "" : " by " + ways.joined(separator: ", ")
    }

    /// Name and password are no part of the way, and a want is shown and kept.
    private static func withoutUser(_ proxy: String) -> String {
        guard let host = URLCoding.hostRange(in: proxy) else { return proxy.pieces(at: "@").last.map(String.init) ?? proxy }
        let bytes = Array(proxy.utf8)
        let start = bytes[..<host.lowerBound].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<start] + bytes[host.lowerBound...], as: UTF8.self)
    }

    private mutating func note(_ want: Want, for purpose: String, at location: SourceLocation?) {
        scope.note(NotedWant(want, for: purpose, at: location))
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
