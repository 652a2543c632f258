import NetworkLayer

extension DefinitionDifference {
    /// A setting as the file writes it.
    private enum Written: Equatable {
        case text(String)
        case literal(String)
        case texts([String])
    }

    mutating func changeSettings() throws(CollectionProblem) {
        let before = try Self.written(stored.settings, at: stored.location)
        let after = try Self.written(draft.settings, at: stored.location)
        var changedGroups: [String] = []
        for (old, new) in zip(before, after) where old.value != new.value {
            if let group = old.group {
                if !changedGroups.contains(group) { changedGroups.append(group) }
            } else {
                set(old.key, new.value.flatMap { desired($0, replacing: node[old.key]) })
            }
        }
        for group in changedGroups {
            let old = node[group]
            var entries = (old?.pairs ?? []).enumerated().map { number, pair in
                DesiredEntry(source: number, key: pair.key.text ?? "", value: .keep(pair.value))
            }
            for (before, after) in zip(before, after) where after.group == group && before.value != after.value {
                let index = entries.firstIndex { $0.key == after.key }
                guard let value = after.value.flatMap({ desired($0, replacing: old?[after.key]) }) else {
                    if let index { entries.remove(at: index) }
                    continue
                }
                if let index {
                    entries[index].value = value
                } else {
                    entries.append(DesiredEntry(source: nil, key: after.key, value: value))
                }
            }
            set(group, entries.isEmpty ? nil : .map(entries, .automatic))
        }
    }

    private func desired(_ value: Written, replacing old: YAMLNode?) -> DesiredValue? {
        switch value {
        case .text(let text): .scalar(text, .text)
        case .literal(let text): .scalar(text, .literal)
        case .texts(let texts): self.texts(texts, old, layout: .automatic) ?? .list([], .flow)
        }
    }

    /// All settings, in the format's order.
    private static func written(
        _ settings: RequestSettings, at location: SourceLocation
    ) throws(CollectionProblem) -> [(group: String?, key: String, value: Written?)] {
        func refusal(_ what: String) -> CollectionProblem {
            CollectionProblem(location: location, message: "\(what) can't be written to a file")
        }
        func limit(_ limit: RequestSettings.Limit?) -> Written? {
            switch limit {
            case nil: nil
            case .never: .text("never")
            case .after(let duration): .text(DurationText.format(duration))
            }
        }
        func flag(_ flag: Bool?) -> Written? { flag.map { .literal($0 ? "true" : "false") } }
        var follow: Written?
        if let policy = settings.followRedirects {
            guard let text = RedirectText.format(policy) else { throw refusal("the redirect policy `delegate`") }
            follow = .text(text)
        }
        var priority: Written?
        if let value = settings.priority {
            guard let text = PriorityText.format(value) else { throw refusal("the priority \(value.rawValue)") }
            priority = .text(text)
        }
        return [
            ("timeouts", "connect", limit(settings.timeouts.connect)),
            ("timeouts", "idle", limit(settings.timeouts.idle)),
            ("timeouts", "attempt", limit(settings.timeouts.attempt)),
            ("timeouts", "operation", limit(settings.timeouts.operation)),
            ("redirects", "follow", follow),
            ("redirects", "max", settings.maxRedirects.map { .literal("\($0)") }),
            ("redirects", "keep-auth", settings.keepAuth.map { .text(RedirectText.format($0)) }),
            ("tls", "verify", flag(settings.verifiesTLS)),
            ("tls", "ca", settings.authorities.map(Written.text)),
            ("tls", "certificate", settings.certificate.map(Written.text)),
            ("tls", "key", settings.key.map(Written.text)),
            ("tls", "passphrase", settings.passphrase.map(Written.text)),
            ("tls", "pins", settings.pins.map(Written.texts)),
            ("tls", "min-version", settings.minimumTLSVersion.map { .text($0.rawValue) }),
            ("tls", "max-version", settings.maximumTLSVersion.map { .text($0.rawValue) }),
            ("tls", "ciphers", settings.ciphers.map(Written.texts)),
            (nil, "http", settings.httpVersion.map { .text($0.rawValue) }),
            (nil, "compression", flag(settings.compression)),
            (nil, "proxy", settings.proxy.map(Written.text)),
            (nil, "resolve", settings.resolve.map(Written.texts)),
            (nil, "unix-socket", settings.unixSocket.map(Written.text)),
            (nil, "expect-continue", flag(settings.expectContinue)),
            (nil, "cookie-jar", settings.cookieJar.map(Written.text)),
            ("response", "keep", settings.keepResponse.map { .text($0.rawValue) }),
            ("response", "limit", settings.responseLimit.map { .literal(ByteCountText.format($0)) }),
            (nil, "priority", priority),
        ]
    }
}
