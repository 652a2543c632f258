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
        if draft.settings.retry != stored.settings.retry { set("retry", retry(over: node["retry"])) }
    }

    private func retry(over old: YAMLNode?) -> DesiredValue? {
        let retry = draft.settings.retry
        if retry.isEmpty { return nil }
        guard retry.isOn != false else { return .scalar("none", .text) }
        let backoff = map(
            over: old?["backoff"],
            [
                ("first", retry.first.map { .scalar(DurationText.format($0), .text) }),
                ("factor", retry.factor.map { .scalar("\($0)", .literal) }),
                ("max", retry.longest.map { .scalar(DurationText.format($0), .text) }),
                ("jitter", retry.jitter.map { .scalar($0.rawValue, .text) }),
            ])
        return map(
            over: old,
            [
                ("attempts", retry.attempts.map { .scalar("\($0)", .literal) }),
                ("on", retry.conditions.flatMap { texts($0, old?["on"], layout: .flow) }), ("backoff", backoff),
                ("retry-after", retry.honoursRetryAfter.map { .scalar($0 ? "honour" : "ignore", .text) }),
            ]) ?? .map([], .flow)
    }

    /// What is there keeps its order, and what is new comes behind it; `nil` when nothing is left.
    private func map(over old: YAMLNode?, _ values: [(key: String, value: DesiredValue?)]) -> DesiredValue? {
        var left = values
        var entries: [DesiredEntry] = []
        for (number, pair) in (old?.pairs ?? []).enumerated() {
            let key = pair.key.text ?? ""
            guard let index = left.firstIndex(where: { $0.key == key }) else {
                entries.append(DesiredEntry(source: number, key: key, value: .keep(pair.value)))
                continue
            }
            if let value = left.remove(at: index).value { entries.append(DesiredEntry(source: number, key: key, value: value)) }
        }
        entries += left.compactMap { new in new.value.map { DesiredEntry(source: nil, key: new.key, value: $0) } }
        return entries.isEmpty ? nil : .map(entries, .automatic)
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
