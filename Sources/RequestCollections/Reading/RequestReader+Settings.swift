import NetworkLayer

extension RequestReader {
    /// One key of ``FormatTable/settings``. What has the wrong form was reported by the table's check, and is skipped here.
    func readSetting(
        _ name: String, _ pair: YAMLPair, into settings: inout RequestSettings, places: inout [String: SourceLocation]
    ) {
        let value = pair.value
        switch name {
        case "timeouts": readTimeouts(value, into: &settings.timeouts, places: &places)
        case "redirects": readRedirects(value, into: &settings, places: &places)
        case "tls": readTLS(value, into: &settings, places: &places)
        case "response": readResponse(value, into: &settings, places: &places)
        case "retry": readRetry(pair, into: &settings.retry, places: &places)
        case "http": settings.httpVersion = value.text.flatMap(HTTPVersionPreference.init)
        case "compression": settings.compression = value.boolean
        case "proxy": settings.proxy = value.text
        case "resolve": settings.resolve = value.items?.compactMap(\.text)
        case "unix-socket": settings.unixSocket = value.text
        case "cookie-jar": settings.cookieJar = value.text
        case "expect-continue": settings.expectContinue = value.boolean
        case "priority": settings.priority = value.text.flatMap(PriorityText.parse)
        default: return
        }
        if value.pairs == nil { places[name] = location(pair.key) }
    }

    /// `none`, or a map. Each key of it is merged alone.
    private func readRetry(_ pair: YAMLPair, into retry: inout RetrySettings, places: inout [String: SourceLocation]) {
        places["retry"] = location(pair.key)
        guard let pairs = pair.value.pairs else {
            if pair.value.text == "none" { retry.isOn = false }
            return
        }
        retry.isOn = true
        for pair in pairs {
            guard let name = pair.key.text else { continue }
            places["retry.\(name)"] = location(pair.key)
            switch name {
            case "attempts": retry.attempts = pair.value.text.flatMap { Int($0) }
            case "on":
                let texts = pair.value.items?.compactMap(\.text) ?? pair.value.text.map { [$0] } ?? []
                retry.conditions = texts.filter { RetryCondition($0) != nil }
            case "retry-after": retry.honoursRetryAfter = pair.value.text.map { $0 == "honour" }
            case "backoff":
                retry.first = pair.value["first"]?.text.flatMap(DurationText.parse)
                retry.factor = pair.value["factor"]?.text.flatMap(Double.init)
                retry.longest = pair.value["max"]?.text.flatMap(DurationText.parse)
                retry.jitter = pair.value["jitter"]?.text.flatMap(RetryBackoff.Jitter.init)
                for inner in pair.value.pairs ?? [] {
                    if let key = inner.key.text { places["retry.backoff.\(key)"] = location(inner.key) }
                }
            default: continue
            }
        }
    }

    private func readTimeouts(
        _ node: YAMLNode, into timeouts: inout RequestSettings.TimeoutSettings, places: inout [String: SourceLocation]
    ) {
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text, let text = pair.value.text else { continue }
            let limit: RequestSettings.Limit? = text == "never" ? .never : DurationText.parse(text).map { .after($0) }
            switch name {
            case "connect": timeouts.connect = limit
            case "idle": timeouts.idle = limit
            case "attempt": timeouts.attempt = limit
            case "operation": timeouts.operation = limit
            default: continue
            }
            places["timeouts.\(name)"] = location(pair.key)
        }
    }

    private func readRedirects(_ node: YAMLNode, into settings: inout RequestSettings, places: inout [String: SourceLocation]) {
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text, let text = pair.value.text else { continue }
            switch name {
            case "follow": settings.followRedirects = RedirectText.policy(text)
            case "max": settings.maxRedirects = Int(text)
            case "keep-auth": settings.keepAuth = RedirectText.scope(text)
            default: continue
            }
            places["redirects.\(name)"] = location(pair.key)
        }
    }

    private func readTLS(_ node: YAMLNode, into settings: inout RequestSettings, places: inout [String: SourceLocation]) {
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            switch name {
            case "verify": settings.verifiesTLS = pair.value.boolean
            case "ca": settings.authorities = pair.value.text
            case "certificate": settings.certificate = pair.value.text
            case "key": settings.key = pair.value.text
            case "passphrase": settings.passphrase = pair.value.text
            case "pins": settings.pins = pair.value.items?.compactMap(\.text)
            case "min-version": settings.minimumTLSVersion = pair.value.text.flatMap(TLSVersion.init)
            case "max-version": settings.maximumTLSVersion = pair.value.text.flatMap(TLSVersion.init)
            case "ciphers": settings.ciphers = pair.value.items?.compactMap(\.text)
            default: continue
            }
            places["tls.\(name)"] = location(pair.key)
        }
    }

    private func readResponse(_ node: YAMLNode, into settings: inout RequestSettings, places: inout [String: SourceLocation]) {
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text, let text = pair.value.text else { continue }
            switch name {
            case "keep": settings.keepResponse = RequestSettings.KeepResponse(rawValue: text)
            case "limit": settings.responseLimit = ByteCountText.parse(text)
            case "hash": settings.responseHash = HashAlgorithm(rawValue: text)
            default: continue
            }
            places["response.\(name)"] = location(pair.key)
        }
    }
}

/// Redirect policies as the format writes them.
enum RedirectText {
    static func policy(_ text: String) -> RedirectConfiguration.Policy? {
        switch text {
        case "always": .always
        case "never": .never
        case "same-host": .sameHost
        default: nil
        }
    }

    /// `nil` for a policy that can't stand in a file.
    static func format(_ policy: RedirectConfiguration.Policy) -> String? {
        switch policy {
        case .always: "always"
        case .never: "never"
        case .sameHost: "same-host"
        case .delegate: nil
        }
    }

    static func scope(_ text: String) -> RedirectConfiguration.CredentialScope? {
        switch text {
        case "same-origin": .sameOrigin
        case "same-host": .sameHost
        case "always": .always
        default: nil
        }
    }

    static func format(_ scope: RedirectConfiguration.CredentialScope) -> String {
        switch scope {
        case .sameOrigin: "same-origin"
        case .sameHost: "same-host"
        case .always: "always"
        }
    }
}
