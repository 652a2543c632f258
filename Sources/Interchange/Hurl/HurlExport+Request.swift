import NetworkLayer
import RequestCollections

extension HurlExport {
    // MARK: Bodies

    /// - Returns: the lines of the body, and those of a section for forms.
    mutating func body(
        _ request: MergedRequest, _ foreign: inout ForeignRequest
    ) throws(Inexpressible) -> (lines: [String], section: [String]) {
        func removeType(_ type: String) {
            foreign.headers.removeAll { $0.name == "Content-Type" && $0.value == type }
        }
        switch request.definition.body {
        case nil, .some(.none): return ([], [])
        case .text(let text)?:
            return (Self.fenced(templates.text(text), language: nil), [])
        case .json(let text)?:
            let json = templates.json(text)
            removeType("application/json")
            var scanner = HurlScanner(json)
            let isJSON = (json.hasPrefix("[") || json.hasPrefix("{") && !json.hasPrefix("{{")) && scanner.json() == json
            return (isJSON ? [json] : Self.fenced(json, language: "json"), [])
        case .form(let rows)?:
            let rows = rows.filter(\.isEnabled).map { row in
                ForeignRequest.Row(name: templates.text(row.name), value: templates.text(row.value))
            }
            if rows.isEmpty { return ([], []) }
            removeType("application/x-www-form-urlencoded")
            return ([], ["[Form]"] + rows.map { HurlText.pair($0, encodesName: true) })
        case .multipart(let parts)?:
            var lines: [String] = []
            for part in parts where part.isEnabled { lines.append(self.part(part, of: request)) }
            return ([], lines.isEmpty ? [] : ["[Multipart]"] + lines)
        case .file(let path)?:
            return (["file,\(self.path(path, of: request));"], [])
        case let body?:
            guard case .graphql(let graphql) = body else { throw Inexpressible("its body is \(body.kind.name)") }
            try templates.check(graphql, of: request.definition.method)
            guard case .text(let query) = graphql.query else {
                throw Inexpressible("its GraphQL query stands in a file")
            }
            removeType("application/json")
            let text = templates.text(query) + (graphql.variables.map { "\nvariables \(templates.json($0))\n" } ?? "")
            let isWhole =
                text.firstRange(of: "```") == nil && !text.hasSuffix("`")
                && (graphql.variables == nil || query.trimmingSpace == query)
            if graphql.operation == nil, isWhole { return (["```graphql\n\(text)```"], []) }
            return ([templates.json(graphql, query)], [])
        }
    }

    /// Between three backticks; with three of them in it, between single ones.
    static func fenced(_ text: String, language: String?) -> [String] {
        if text.isEmpty { return [] }
        let isPlain = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }
        if isPlain, text.firstRange(of: "```") == nil, !text.hasSuffix("`") { return ["```\(language ?? "")\n\(text)```"] }
        return ["`\(HurlText.escaped(text, "\\").replacing(scalars: "`", with: "\\`"))`"]
    }

    private mutating func path(_ path: String, of request: MergedRequest) -> String {
        let path = templates.text(request.path(path, in: plan.collection))
        noteFiles()
        return HurlText.escaped(path, "\\").replacing(scalars: ";", with: "\\;").replacing(scalars: " ", with: "\\ ")
    }

    private mutating func noteFiles() {
        templates.notes.addOfAll("files are named from the collection's directory: run hurl there, with --file-root .")
    }

    /// The path of a certificate: Hurl looks for it where it is run, whatever `--file-root` says.
    private mutating func certificate(_ path: String?) -> String? {
        guard let path else { return nil }
        noteFiles()
        return templates.text(plan.collection.pathInside(path))
    }

    private mutating func part(_ part: BodyDefinition.Part, of request: MergedRequest) -> String {
        let name = templates.text(part.name)
        if part.fileName != nil { templates.notes.add("the file name of the part `\(part.name)`") }
        switch part.content {
        case .text(let text):
            if part.contentType != nil { templates.notes.add("the type of the part `\(part.name)`") }
            return HurlText.pair(.init(name: name, value: templates.text(text)))
        case .file(let path):
            let type = part.contentType.map { " \(templates.text($0))" } ?? ""
            let file = "file,\(self.path(path, of: request));\(type)"
            return HurlText.pair(.init(name: name, value: "")) + " " + file
        }
    }

    // MARK: Options

    /// What ``options(_:_:)`` say.
    private static let taken: Set = [
        "timeouts.connect", "timeouts.operation", "redirects.follow", "redirects.max", "redirects.keep-auth", "tls.verify",
        "tls.ca",
        "tls.certificate", "tls.key", "tls.pins", "http", "compression", "proxy", "resolve", "unix-socket", "delay",
        "connection.to", "connection.family", "connection.rate",
    ]

    /// What Hurl does by itself.
    private static let itself: RequestSettings = {
        var settings = RequestSettings.library
        (settings.timeouts.idle, settings.timeouts.attempt, settings.cookieJar) = (.never, .never, "")
        return settings
    }()

    mutating func options(_ request: MergedRequest, _ foreign: ForeignRequest) -> [String] {
        let settings = request.settings
        var options: [String] = []
        func option(_ name: String, _ value: String?) {
            if let value { options.append("\(name): \(HurlText.written(value: value))") }
        }
        switch settings.followRedirects {
        case .never?: break
        case .sameHost?:
            option("location", "true")
            templates.notes.add("`redirects.follow`: Hurl follows to other hosts, too")
        case nil, .always?, .delegate?: option(settings.keepAuth == .always ? "location-trusted" : "location", "true")
        }
        if settings.followRedirects != .never, settings.maxRedirects != RequestSettings.curlRedirects {
            option("max-redirs", settings.maxRedirects.map(String.init))
        }
        let path = foreign.url.prefix { $0 != "?" }
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { option("path-as-is", "true") }
        if settings.compression != false { option("compressed", "true") }
        if settings.verifiesTLS == false { option("insecure", "true") }
        option("cacert", certificate(settings.authorities))
        option("cert", certificate(settings.certificate))
        option("key", certificate(settings.key))
        if settings.passphrase != nil { templates.notes.add("`tls.passphrase`: Hurl would want it in the file") }
        option("pinnedpubkey", settings.pins.flatMap { $0.isEmpty ? nil : $0.joined(separator: ";") })
        switch settings.httpVersion {
        case nil, .automatic?: break
        case .http1_0?: option("http1.0", "true")
        case .http1?: option("http1.1", "true")
        case .http2?: option("http2", "true")
        case .http3?: option("http3", "true")
        case .http2PriorKnowledge?:
            option("http2", "true")
            templates.notes.add("`http`: Hurl asks for HTTP/2, and doesn't begin with it")
        case .http3Only?:
            option("http3", "true")
            templates.notes.add("`http`: Hurl asks for HTTP/3, and takes an older version as well")
        }
        if let proxy = settings.proxy, !proxy.isEmpty { option("proxy", templates.text(proxy)) }
        if settings.proxy == "" { templates.notes.add("`proxy`: the machine's proxy is used there") }
        for address in settings.resolve ?? [] { option("resolve", templates.text(address)) }
        option("unix-socket", settings.unixSocket.map { templates.text($0) })
        for place in settings.connection.connectTo ?? [] { option("connect-to", templates.text(place)) }
        switch settings.connection.family {
        case nil, .any?: break
        case .ipv4?: option("ipv4", "true")
        case .ipv6?: option("ipv6", "true")
        }
        option("limit-rate", settings.connection.rate.map(String.init))
        if case .after(let time)? = settings.timeouts.connect { option("connect-timeout", Self.duration(time)) }
        if case .after(let time)? = settings.timeouts.operation { option("max-time", Self.duration(time)) }
        if let delay = settings.delay?.before {
            option("delay", Self.duration(delay.lowerBound))
            if delay.lowerBound != delay.upperBound { templates.notes.add("`delay`: it is always the shortest") }
        }
        if let until = request.definition.until {
            // Hurl has a number in place of a limit of time, and one pause for all.
            let most = Int((until.limit / until.pause.longest).rounded(.up))
            option("retry", "\(max(1, (until.tries ?? most + 1) - 1))")
            option("retry-interval", Self.duration(until.pause.longest))
            if until.pause.first < until.pause.longest {
                templates.notes.add("`until`: its pauses grow, and here all of them are as the longest")
            }
            if !until.giveUp.isEmpty { templates.notes.add("`until`: it isn't given up before its last time") }
        }
        addAuth(foreign.auth, &options)
        for field in settings.unfollowed(taking: Self.taken, doing: Self.itself) where field.key != "tls.passphrase" {
            templates.notes.add("`\(field.key)`: Hurl isn't told of it")
        }
        return options
    }

    private mutating func addAuth(_ auth: AuthDefinition, _ options: inout [String]) {
        func user(_ user: String, _ password: String) -> String {
            "user: \(HurlText.written(value: "\(templates.text(user)):\(templates.text(password))"))"
        }
        switch auth {
        case .ntlm(let name, let password): options += ["ntlm: true", user(name, password)]
        case .negotiate: options += ["negotiate: true", "user: :"]
        case .netrc(nil): options.append("netrc: true")
        case .netrc(let path?): options.append("netrc-file: \(HurlText.written(value: path))")
        case .awsSigV4(let keys):
            let scope = [keys.provider ?? "aws:amz", keys.region, keys.service].compactMap(\.self).map { templates.text($0) }
            options += [
                "aws-sigv4: \(HurlText.written(value: scope.joined(separator: ":")))", user(keys.accessKey, keys.secretKey),
            ]
            if keys.sessionToken != nil { templates.notes.add("`auth`: the session token of AWS") }
            if keys.expires != nil { templates.notes.add("`auth`: the signature stands in header fields, and not in the query") }
        default: break
        }
    }

    private static func duration(_ duration: Duration) -> String { "\(Int64((duration / .milliseconds(1)).rounded()))ms" }
}
