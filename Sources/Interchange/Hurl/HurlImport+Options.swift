import NetworkLayer
import RequestCollections

extension HurlImport {
    mutating func read(_ option: HurlEntry.Pair, into definition: inout RequestDefinition) {
        let text = template(option.value, option.line).text
        switch (option.name, option.value) {
        case ("retry", _), ("retry-interval", _), ("verbose", _), ("very-verbose", _), ("verbosity", _), ("path-as-is", _),
            ("location", "true"), ("location", "false"), ("location-trusted", "false"), ("compressed", "true"),
            ("compressed", "false"), ("insecure", "false"), ("skip", "false"), ("repeat", "1"), ("user", _), ("aws-sigv4", _),
            ("ntlm", "true"), ("ntlm", "false"), ("negotiate", "true"), ("negotiate", "false"), ("digest", "true"),
            ("digest", "false"), ("netrc", "true"), ("netrc", "false"), ("netrc-file", _):
            break
        case ("skip", _), ("repeat", "0"): skip(option, &definition)
        case ("repeat", _):
            // What each of many captures is a list here.
            guard let count = Int(option.value), (1...10_000).contains(count), definition.captures.isEmpty else {
                return noteOption(option)
            }
            definition.repeats = count
        case ("output", let path) where path != "-": definition.settings.savesResponse = text
        case ("header", _):
            let (name, value) = text.split(at: ":")
            definition.headers.append(.init(name: name.trimmingSpace, value: value?.trimmingSpace ?? ""))
        case ("location-trusted", "true"): definition.settings.keepAuth = .always
        case ("insecure", "true"): definition.settings.verifiesTLS = false
        case ("http1.0", "true"): definition.settings.httpVersion = .http1_0
        case ("http1.1", "true"): definition.settings.httpVersion = .http1
        case ("http2", "true"): definition.settings.httpVersion = .http2
        case ("proxy", _): definition.settings.proxy = text
        case ("unix-socket", _): definition.settings.unixSocket = text
        case ("connect-to", _): definition.settings.connection.connectTo = (definition.settings.connection.connectTo ?? []) + [text]
        case ("ipv4", "true"): definition.settings.connection.family = .ipv4
        case ("ipv6", "true"): definition.settings.connection.family = .ipv6
        case ("limit-rate", _):
            guard let rate = Int(option.value), rate > 0 else { return noteOption(option) }
            definition.settings.connection.rate = rate
        case ("pinnedpubkey", _): definition.settings.pins = text.split(separator: ";").map(String.init)
        case ("cert", _):
            let parts = CertificateArgument(text)
            (definition.settings.certificate, definition.settings.passphrase) = (parts.file, parts.passphrase)
        case ("cacert", _): definition.settings.authorities = text
        case ("key", _): definition.settings.key = text
        case ("resolve", _): definition.settings.resolve = (definition.settings.resolve ?? []) + [text]
        case ("max-redirs", _):
            guard let count = Int(option.value), count >= 0 else { return noteOption(option) }
            definition.settings.maxRedirects = count
        case ("max-time", _), ("connect-timeout", _), ("delay", _):
            guard let time = Self.duration(option.value, unit: option.name == "delay" ? "ms" : "s") else {
                return noteOption(option)
            }
            switch option.name {
            case "max-time": definition.settings.timeouts.operation = .after(time)
            case "connect-timeout": definition.settings.timeouts.connect = .after(time)
            default: definition.settings.delay = DelaySetting(before: time...time)
            }
        case ("variable", _): read(variable: option)
        default: noteOption(option)
        }
    }

    /// What the options about users say together, in whatever order they stand.
    mutating func readAuth(_ options: [HurlEntry.Pair], into definition: inout RequestDefinition) {
        func text(_ name: String) -> String? {
            options.last { $0.name == name }.map { Self.template($0.value).text }
        }
        func isOn(_ name: String) -> Bool { text(name) == "true" }
        let scheme = ["digest", "ntlm", "negotiate"].first(where: isOn)
        if let user = text("user") {
            let (name, password) = user.split(at: ":")
            definition.auth = .curl(user: name, password: password ?? "", scheme: scheme, provider: text("aws-sigv4")) { $0 }
        } else if isOn("netrc") || text("netrc-file") != nil {
            definition.auth = .netrc(path: text("netrc-file"))
        } else if scheme == "negotiate" {
            definition.auth = .negotiate
        } else if let option = options.last(where: { [scheme, "aws-sigv4"].contains($0.name) }) {
            noteOption(option)
        }
    }

    /// No key means "never send this", but a condition that doesn't hold does the same.
    private mutating func skip(_ option: HurlEntry.Pair, _ definition: inout RequestDefinition) {
        var variable = "skip"
        if let match = option.value.wholeMatch(of: /\{\{\s*([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/) {
            variable = VariableName.make(String(match.1))
        } else if option.value == "true" || option.name == "repeat" {
            own.append(ImportedVariable(variable, .json(.boolean(true))))
        } else {
            return noteOption(option)
        }
        let condition = WhenDefinition.Condition(variable: variable, matcher: .equals(.boolean(false)), location: .none)
        definition.when = WhenDefinition(conditions: [condition], location: .none)
    }

    private mutating func noteOption(_ option: HurlEntry.Pair) {
        note(option.line, "the option `\(option.name): \(option.value)`")
    }

    /// A value counts from its entry on.
    private mutating func read(variable option: HurlEntry.Pair) {
        let (name, value) = option.value.split(at: "=")
        guard let value else { return noteOption(option) }
        let plain = value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : value
        let isText = plain != value || JSONParser.parse(plain)?.isScalarButText != true
        let text = template(plain, option.line).text
        let variable = ImportedVariable(
            VariableName.make(name.trimmingSpace), isText ? .text(text) : .json(JSONParser.parse(plain) ?? .null))
        guard let known = collection.variables.first(where: { $0.name == variable.name }) else {
            return collection.variables.append(variable)
        }
        changed.removeAll { $0.name == variable.name }
        if known.value != variable.value { changed.append(variable) }
    }

    /// Hurl sends a request again while what it expects doesn't hold.
    mutating func readRetries(_ options: [HurlEntry.Pair], into definition: inout RequestDefinition) {
        guard let retry = options.last(where: { $0.name == "retry" }), retry.value != "0" else { return }
        guard let count = Int(retry.value), count == -1 || (1...10_000).contains(count), !definition.expectations.isEmpty else {
            return noteOption(retry)
        }
        let interval = options.last { $0.name == "retry-interval" }
        let pause = interval.map { Self.duration($0.value, unit: "ms") } ?? .seconds(1)
        guard let pause else { return noteOption(interval ?? retry) }
        // The number of times is what ends it, or nothing: there is a limit of time here, and none there.
        let within = count == -1 ? max(.seconds(86_400), pause * 2) : (pause + .seconds(30)) * (count + 1)
        var until = UntilDefinition(within: within, location: .none)
        (until.every, until.tries) = (.fixed(pause), count == -1 ? nil : count + 1)
        definition.until = until
    }

    private static func duration(_ text: String, unit: String) -> Duration? {
        guard let match = text.wholeMatch(of: /(\d+)\s*(ms|s|m|h)?/), let number = Int64(match.1), number < 1_000_000_000 else {
            return nil
        }
        switch match.2.map(String.init) ?? unit {
        case "ms": return .milliseconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        default: return .seconds(number)
        }
    }
}

extension JSONValue {
    /// Hurl takes a value without quotes for a number, `true`, `false` or null where it looks like one.
    fileprivate var isScalarButText: Bool {
        switch self {
        case .number, .boolean, .null: true
        case .string, .array, .object: false
        }
    }
}
