import Base
import HTTPTypes
import NetworkLayer
package import RequestCollections

/// A saved request as a command for curl that anybody can copy, run and send on: its secrets are references that the shell fills in.
/// What stands in the file as it is, a literal password too, is written as it is: the command sends what the request does.
package struct CurlExport: Hashable, Sendable {
    /// For a POSIX shell.
    package private(set) var command = ""
    /// What curl doesn't do by itself, for people: what to set, what is needed first.
    package private(set) var notes: [String] = []

    /// - Parameters:
    ///   - environment: the collection's; `nil` for its variables alone.
    ///   - variables: over all others.
    ///   - secretVariables: names of more variables, which the shell fills in.
    ///   - runsCommands: whether the command may run commands of the collection's, and programs that encode what the shell fills in.
    ///     A stranger's must not: whoever pastes it would run them.
    package init(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String? = nil,
        variables: [String: JSONValue] = [:], secretVariables: Set<String> = [], runsCommands: Bool = true
    ) throws(ResolutionError) {
        let references = ShellReferences(runsCommands: runsCommands, directory: collection.directory)
        var sources = TemplateEnvironment(
            mode: .export(placeholder: { references.marker($0) }, isPlaceholder: { references.markers.contains($0) }))
        sources.captured = try Self.captured(for: definition, in: collection, environment, references)
        for name in secretVariables {
            let marker = references.marker(ShellReferences.variable(ShellReferences.name(name)))
            sources.captured[name] = CapturedValue(.string(marker), isSecret: true, from: definition.id)
        }
        let definition = collection.withImpliedNeeds(
            definition, environment: environment, variables: Set(variables.keys)
        ).request
        let resolved = try collection.resolve(definition, environment: environment, variables: variables, with: sources)
        self.init(resolved, of: definition, in: collection, references)
    }

    /// With everything in it that was filled in, secrets too.
    package init(_ resolved: ResolvedRequest, of definition: RequestDefinition, in collection: RequestCollection) {
        self.init(resolved, of: definition, in: collection, ShellReferences(runsCommands: true, directory: collection.directory))
    }

    private init(
        _ resolved: ResolvedRequest, of definition: RequestDefinition, in collection: RequestCollection,
        _ references: ShellReferences
    ) {
        let resolved = references.runsCommands ? resolved : Self.guarded(resolved, in: collection, references)
        var request = resolved.request
        let keepsBody = (request.body != .none || resolved.multipart?.parts.isEmpty == false) && request.method != .post
        var options = Self.options(resolved.configuration, keepsBody: keepsBody)
        if let user = Self.user(request.headers[.authorization], references) {
            request.headers[.authorization] = nil
            options.append("--user \(CurlCommand.quoted(user))")
        }
        if resolved.oauth2 != nil {
            request.headers[.authorization] = "Bearer \(references.marker("$ACCESS_TOKEN"))"
            notes.append("ACCESS_TOKEN is a token of OAuth 2")
        }
        if let multipart = resolved.multipart, !multipart.parts.isEmpty {
            request.body = .none
            // curl chooses the boundary itself.
            if request.headers[.contentType] == multipart.contentType { request.headers[.contentType] = nil }
            options = multipart.parts.compactMap { Self.form($0, references) } + options
            // A form is posted without being told.
            if request.method != .post { options.insert("--request \(CurlCommand.quoted(request.method.rawValue))", at: 0) }
            request.method = .get
        }
        if case .data(let data) = request.body, definition.body?.contentType == "application/json" {
            request.body = .data(Data(references.marked(json: String(decoding: data, as: UTF8.self)).utf8))
        }
        // What the shell fills in may have brackets, which mean something to curl.
        let mayGlob = references.occur(in: request.url.absoluteString)
        if mayGlob, !CurlCommand.text(for: request).contains("--globoff") { options.insert("--globoff", at: 0) }
        if let session = resolved.session {
            if let url = URL(string: request.url.writtenForWebSocket) { request.url = url }
            if !session.steps.isEmpty { notes.append("its messages aren't sent: curl only listens") }
            if !session.subprotocols.isEmpty {
                let offered = session.subprotocols.joined(separator: ", ")
                options.append("--header \(CurlCommand.quoted("Sec-WebSocket-Protocol: \(offered)"))")
            }
        }
        let text = ([CurlCommand.text(for: request)] + options).joined(separator: " \\\n  ")
        command = (references.functions(for: text) + [references.filled(text)]).joined(separator: "\n")
        notes += references.notes
        addNotes(resolved, in: collection)
        addJourney(of: resolved)
        addUnfollowed(of: definition, in: collection)
    }

    /// A variable that a response gives is a shell's variable, unless it has a value anyhow.
    private static func captured(
        for definition: RequestDefinition, in collection: RequestCollection, _ environment: String?, _ references: ShellReferences
    ) throws(ResolutionError) -> [String: CapturedValue] {
        var known = Set((collection.variables + collection.variables(around: definition)).map(\.name))
        if let environment { known.formUnion(try collection.variables(of: environment).map(\.name)) }
        var captured: [String: CapturedValue] = [:]
        for request in collection.requests {
            for capture in request.captures where !known.contains(capture.name) {
                let marker = references.marker(ShellReferences.variable(ShellReferences.name(capture.name)))
                captured[capture.name] = CapturedValue(.string(marker), isSecret: capture.isSecret, from: request.id)
            }
        }
        return captured
    }

    /// The shell couldn't fill in a secret inside base64.
    private static func user(_ authorization: String?, _ references: ShellReferences) -> String? {
        guard let authorization, authorization.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(authorization.dropFirst(6))),
            let user = String(validating: data, as: UTF8.self), references.occur(in: user)
        else { return nil }
        return user
    }

    private mutating func addNotes(_ resolved: ResolvedRequest, in collection: RequestCollection) {
        for need in resolved.needs {
            let captures = collection.request(need.request)?.captures ?? []
            let given = captures.map { "\(ShellReferences.name($0.name)) is \($0.source) of its response" }
            notes.append(
                (["send \(need.request) first"] + given).joined(separator: "; "))
        }
        if case .awsSigV4(let keys)? = resolved.configuration.transport.authentication, keys.expires != nil {
            notes.append("the signature belongs into the query, and curl puts it into header fields")
        }
        if let definition = collection.request(resolved.id) { addFlow(of: definition, in: collection) }
        if let until = resolved.until { notes.append("repeat it until \(until.description)") }
        if let hydrate = resolved.hydrate {
            notes.append("`\(hydrate.words.joined(separator: " "))` completes it, which curl doesn't")
        }
    }

    /// curl keeps two fields back from other hosts, and Turnstone whatever is secret.
    private mutating func addJourney(of resolved: ResolvedRequest) {
        let redirects = resolved.configuration.redirects
        guard redirects.policy == .always, redirects.keepCredentials != .always else { return }
        let request = resolved.request
        var names: [String] = []
        for name in request.headers.map(\.name) where name != .authorization && name != .cookie {
            let isSecret = request.secrets.uses.contains { $0.part == .header(name.canonicalName) }
            guard isSecret || Redaction.standard.names.contains(name.canonicalName) else { continue }
            if names.last != "`\(name.rawName)`" { names.append("`\(name.rawName)`") }
        }
        guard !names.isEmpty else { return }
        notes.append(
            "curl takes \(names.joined(separator: " and ")) along to any host that it is redirected to, and Turnstone doesn't; "
                + "without --location it goes to this one alone")
    }

    private mutating func addFlow(of definition: RequestDefinition, in collection: RequestCollection) {
        let conditions = collection.conditions(of: definition).map(\.when.description)
        if !conditions.isEmpty { notes.append("send it only when \(conditions.joined(separator: ", "))") }
        for loop in collection.loops(of: definition).map(\.definition) {
            if loop.file != nil {
                notes.append("it is sent for \(loop); this is the first")
            } else if loop.items.count > 1 {
                notes.append("it is sent for \(loop.items.count) values of \(loop.variable); this is the first")
            }
        }
        if let loop = definition.forEach, loop.source != nil { notes.append("it is sent for \(loop)") }
        for scope in collection.stepScopes(around: definition.id) {
            for step in scope.steps.setUp { notes.append("send \(step.name) before, which sets it up") }
        }
        for step in definition.tearDown { notes.append("send \(step.name) afterwards, which undoes it") }
    }

    // MARK: Settings

    /// What ``options(_:)`` say.
    private static let taken: Set = [
        "timeouts.connect", "timeouts.operation", "redirects.max", "tls.verify", "tls.ca", "tls.certificate", "tls.key",
        "tls.passphrase", "tls.pins", "tls.min-version", "tls.max-version", "tls.ciphers", "http", "compression", "proxy",
        "resolve", "unix-socket", "expect-continue", "redirects.keep-post", "tls.curves", "tls.crl", "tls.ocsp",
        "connection.family",
        "connection.interface", "connection.local-port", "connection.keep-alive", "connection.rate", "connection.to",
        "connection.resolver", "connection.pre-proxy", "connection.no-proxy", "connection.tunnel", "connection.target",
    ]

    /// What curl does by itself, or as ``options(_:)`` have it.
    private static let itself: RequestSettings = {
        var settings = RequestSettings.library
        (settings.timeouts.idle, settings.timeouts.attempt, settings.cookieJar) = (.never, .never, "")
        return settings
    }()

    private mutating func addUnfollowed(of definition: RequestDefinition, in collection: RequestCollection) {
        guard var settings = try? collection.merged(definition).settings else { return }
        if settings.followRedirects == .never { settings.followRedirects = nil }
        let keys = settings.unfollowed(taking: Self.taken, doing: Self.itself).map { "`\($0.key)`" }
        if !keys.isEmpty { notes.append("curl isn't told of \(keys.joined(separator: ", "))") }
    }

    // MARK: Options

    /// - Parameter keepsBody: there is one, whatever redirects there are: only a POST becomes a GET after 301 and 302.
    private static func options(_ configuration: RequestConfiguration, keepsBody: Bool) -> [String] {
        var options = authentication(configuration.transport.authentication)
        options += configuration.transport.omittedHeaders.map { "--header \(CurlCommand.quoted("\($0):"))" }
        if configuration.redirects.policy != .never {
            options.append("--location")
            // Where nothing is set, each program has its own.
            if ![RedirectConfiguration().limit, RequestSettings.curlRedirects].contains(configuration.redirects.limit) {
                options.append("--max-redirs \(configuration.redirects.limit)")
            }
            // Without these curl would keep the method, and leave out the body.
            options += configuration.redirects.postingStatuses.union(keepsBody ? [301, 302] : []).sorted().map { "--post\($0)" }
        }
        let standard = RequestConfiguration().timeouts
        if let connect = configuration.timeouts.connect { options.append("--connect-timeout \(seconds(connect))") }
        if let operation = configuration.timeouts.operation, operation != standard.operation {
            options.append("--max-time \(seconds(operation))")
        }
        let transport = configuration.transport
        if transport.expectsContinue { options.append("--header 'Expect: 100-continue'") }
        if transport.acceptsCompression { options.append("--compressed") }
        switch transport.httpVersion {
        case .automatic: break
        case .http1_0: options.append("--http1.0")
        case .http1: options.append("--http1.1")
        case .http2: options.append("--http2")
        case .http2PriorKnowledge: options.append("--http2-prior-knowledge")
        case .http3: options.append("--http3")
        case .http3Only: options.append("--http3-only")
        }
        if let proxy = transport.proxy { options.append(proxy.isEmpty ? "--noproxy '*'" : "--proxy \(CurlCommand.quoted(proxy))") }
        for address in transport.resolve { options.append("--resolve \(CurlCommand.quoted(address))") }
        if let socket = transport.unixSocket { options.append("--unix-socket \(CurlCommand.quoted(socket))") }
        for place in transport.connectTo { options.append("--connect-to \(CurlCommand.quoted(place))") }
        if let interface = transport.interface { options.append("--interface \(CurlCommand.quoted(interface))") }
        return options + wire(transport.wire) + tls(transport.tls)
    }

    private static func wire(_ wire: WireOptions) -> [String] {
        var options: [String] = []
        switch wire.addressFamily {
        case .any: break
        case .ipv4: options.append("--ipv4")
        case .ipv6: options.append("--ipv6")
        }
        if let ports = wire.localPorts { options.append("--local-port \(PortsText.format(ports))") }
        if let silence = wire.keepAlive { options.append("--keepalive-time \(max(1, Int((silence / .seconds(1)).rounded(.up))))") }
        if let rate = wire.receiveRate { options.append("--limit-rate \(rate)") }
        let texts = [
            ("doh-url", wire.resolver), ("preproxy", wire.preProxy), ("noproxy", wire.proxyExceptions),
            ("request-target", wire.requestTarget),
        ]
        for case (let name, let text?) in texts { options.append("--\(name) \(CurlCommand.quoted(text))") }
        if wire.tunnels { options.append("--proxytunnel") }
        if wire.requiresStatus { options.append("--cert-status") }
        return options
    }

    /// A stranger's command reads no file but the collection's own, and gets no credentials of the machine.
    private static func guarded(
        _ resolved: ResolvedRequest, in collection: RequestCollection, _ references: ShellReferences
    ) -> ResolvedRequest {
        let place = CollectionPlace(collection.path)
        func guarded(_ path: String) -> String { place.owns(RealPath.of(path)) ? path : references.stranger(path) }
        var resolved = resolved
        if case .file(let file) = resolved.request.body { resolved.request.body = .file(path: guarded(file.path)) }
        if let multipart = resolved.multipart {
            var guardedParts = MultipartBody(boundary: multipart.boundary)
            for var part in multipart.parts {
                if case .file(let file, let count) = part.content { part.content = .file(path: guarded(file.path), count: count) }
                guardedParts.append(part)
            }
            resolved.multipart = guardedParts
        }
        var transport = resolved.configuration.transport
        transport.tls.certificate = transport.tls.certificate.map(guarded)
        transport.tls.key = transport.tls.key.map(guarded)
        transport.tls.revocations = transport.tls.revocations.map(guarded)
        switch transport.authentication {
        case .netrc(let file):
            references.note("--netrc\(file == nil ? "" : "-file") gives it credentials of yours, which isn't done unasked")
            transport.authentication = nil
        case .negotiate:
            references.note("--negotiate gives it credentials of yours, which isn't done unasked")
            transport.authentication = nil
        case nil, .digest, .ntlm, .awsSigV4: break
        }
        resolved.configuration.transport = transport
        return resolved
    }

    /// A part as `--form` takes it: what means something to it is in double quotes.
    ///
    /// - Returns: `nil` for one that curl would read something else out of: a name ends at its first `=`, and a type goes on with
    ///   `headers=@FILE`.
    private static func form(_ part: MultipartBody.Part, _ references: ShellReferences) -> String? {
        let type = part.contentType?.lowercased() ?? ""
        guard !part.name.unicodeScalars.contains("="), !["headers=", "filename=", "encoder="].contains(where: { $0.isIn(type) })
        else {
            references.note("the part `\(part.name)` is left out: curl can't be told its name or type")
            return nil
        }
        func quoted(_ text: String) -> String {
            "\"\(references.marked(text.escaping("\\", "\""), as: .quoted))\""
        }
        var content: String
        switch part.content {
        case .data(let data):
            guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
                references.note("the part `\(part.name)` is left out: its bytes aren't text, and no word of a shell")
                return nil
            }
            if part.fileName == nil, part.contentType == nil {
                return "--form-string \(CurlCommand.quoted("\(part.name)=\(text)"))"
            }
            content = quoted(text)
        case .file(let file, _): content = "@\(quoted(file.path))"
        }
        if let type = part.contentType { content += ";type=\(type)" }
        if let name = part.fileName { content += ";filename=\(quoted(name))" }
        return "--form \(CurlCommand.quoted("\(part.name)=\(content)"))"
    }

    private static func tls(_ tls: TLSOptions) -> [String] {
        var options: [String] = []
        if !tls.verifies { options.append("--insecure") }
        if let path = tls.authorities { options.append("--cacert \(CurlCommand.quoted(path))") }
        if let path = tls.revocations { options.append("--crlfile \(CurlCommand.quoted(path))") }
        if !tls.curves.isEmpty { options.append("--curves \(CurlCommand.quoted(tls.curves.joined(separator: ":")))") }
        if let path = tls.certificate {
            // A colon would begin the pass phrase.
            options.append("--cert \(CurlCommand.quoted(path.escaping("\\", ":")))")
            if path.hasSuffix(".p12") || path.hasSuffix(".pfx") { options.append("--cert-type P12") }
        }
        if let path = tls.key { options.append("--key \(CurlCommand.quoted(path))") }
        if let passphrase = tls.passphrase { options.append("--pass \(CurlCommand.quoted(passphrase.text))") }
        if !tls.pins.isEmpty { options.append("--pinnedpubkey \(CurlCommand.quoted(tls.pins.joined(separator: ";")))") }
        if let version = tls.minimumVersion { options.append("--tlsv\(version.rawValue)") }
        if let version = tls.maximumVersion { options.append("--tls-max \(version.rawValue)") }
        let ciphers = Dictionary(grouping: tls.ciphers) { $0.hasPrefix("TLS_") ? "--tls13-ciphers" : "--ciphers" }
        for (option, names) in ciphers.sorted(by: { $0.key < $1.key }) {
            options.append("\(option) \(CurlCommand.quoted(names.joined(separator: ":")))")
        }
        return options
    }

    private static func authentication(_ authentication: Authentication?) -> [String] {
        func user(_ user: String, _ password: String) -> String { "--user \(CurlCommand.quoted("\(user):\(password)"))" }
        switch authentication {
        case nil: return []
        case .digest(let credential): return ["--digest", user(credential.user, credential.password)]
        case .ntlm(let credential): return ["--ntlm", user(credential.user, credential.password)]
        case .negotiate: return ["--negotiate", "--user :"]
        case .netrc(nil): return ["--netrc"]
        case .netrc(let file?): return ["--netrc-file \(CurlCommand.quoted(file))"]
        case .awsSigV4(let keys):
            let scope = [keys.provider, keys.region, keys.service].compactMap(\.self).joined(separator: ":")
            let token = keys.sessionToken.map { ["--header \(CurlCommand.quoted("x-amz-security-token: \($0)"))"] } ?? []
            return ["--aws-sigv4 \(CurlCommand.quoted(scope))", user(keys.accessKey, keys.secretKey)] + token
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
