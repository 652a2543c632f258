import Base
import NetworkLayer
import RequestCollections

/// A name that tnlcli's `--request-config` or `--global-config` takes, and what it does here.
struct TnlcliSetting: Sendable {
    var name: String
    var takes: Shape
    /// `nil`: it means nothing to a program on Linux that sends one request; the value is checked all the same.
    var apply: (@Sendable (inout SendPlan, Value) -> Void)?

    enum Shape: Sendable {
        /// `true`, `yes`, `1`; `false`, `no`, `0`.
        case boolean
        /// 0 and less mean never.
        case seconds
        case text
        /// Names with TNL's numbers; some have a second name, which is ours.
        case oneOf([(name: String, number: Int)])
    }

    enum Value: Hashable, Sendable {
        case boolean(Bool)
        case seconds(Double)
        case text(String)
        case number(Int)

        var isTrue: Bool { self == .boolean(true) }
        var number: Int? { if case .number(let number) = self { number } else { nil } }

        var duration: Duration? {
            guard case .seconds(let seconds) = self, seconds > 0 else { return nil }
            return Duration(seconds: seconds)
        }
    }

    static var requestNames: [String] { request.map(\.name) }
    static var globalNames: [String] { global.map(\.name) }

    private static let request: [TnlcliSetting] = [
        TnlcliSetting(name: "idleTimeout", takes: .seconds) { $0.configuration.timeouts.idle = $1.duration },
        TnlcliSetting(name: "attemptTimeout", takes: .seconds) { $0.configuration.timeouts.attempt = $1.duration },
        TnlcliSetting(name: "operationTimeout", takes: .seconds) { $0.configuration.timeouts.operation = $1.duration },
        TnlcliSetting(
            name: "redirectPolicy",
            takes: .oneOf([
                ("dontRedirect", 0), ("doRedirect", 1), ("redirectToSameHost", 2), ("callback", 3),
                ("never", 0), ("always", 1), ("sameHost", 2), ("delegate", 3),
            ])
        ) { plan, value in
            // There is nobody to call back: the default of TNL, which follows.
            plan.configuration.redirects.policy = [.never, .always, .sameHost, .always][value.number ?? 1]
        },
        TnlcliSetting(
            name: "responseDataConsumptionMode",
            takes: .oneOf([
                ("none", 0), ("storeInMemory", 1), ("saveToDisk", 2), ("chunkToDelegateCallback", 3),
                ("memory", 1), ("file", 2), ("stream", 3),
            ])
        ) { plan, value in
            // The body is handed on as it comes, wherever TNL would have put it meanwhile.
            plan.configuration.consumption = value.number == 0 ? .none : .stream
        },
        TnlcliSetting(name: "discretionary", takes: .boolean) { if $1.isTrue { $0.priority = .veryLow } },
        TnlcliSetting(name: "executionMode", takes: .oneOf([("inApp", 0), ("inAppBackgroundTask", 1), ("background", 8)])),
        TnlcliSetting(name: "protocolOptions", takes: .oneOf([("none", 0), ("pseudo", 2)])),
        TnlcliSetting(
            name: "connectivityOptions",
            takes: .oneOf([
                ("none", 0), ("wait", 1), ("waitWhenRetryPolicyProvided", 2), ("invalidateAttemptTimeoutWhenTriggered", 4),
                ("waitWithoutAttemptTimeout", 5),
            ])
        ) { $0.configuration.connectivity = ConnectivityOptions(rawValue: $1.number ?? 0) },
        TnlcliSetting(
            name: "responseComputeHashAlgorithm",
            takes: .oneOf([
                // TNL's numbers are four letters each: "sha1".
                ("none", 0), ("MD2", 0x6d64_5f32), ("MD4", 0x6d64_5f34), ("MD5", 0x6d64_5f35), ("SHA1", 0x7368_6131),
                ("SHA256", 0x7332_3536), ("SHA512", 0x7335_3132),
            ])
        ) { plan, value in
            let algorithms: [Int: HashAlgorithm] = [
                0x6d64_5f35: .md5, 0x7368_6131: .sha1, 0x7332_3536: .sha256, 0x7335_3132: .sha512,
            ]
            plan.configuration.hash = value.number.flatMap { algorithms[$0] }
            if plan.configuration.hash == nil, value.number != 0 {
                plan.notes.append("responseComputeHashAlgorithm: MD2 and MD4 are not computed; MD5, SHA1, SHA256 and SHA512 are")
            }
        },
        TnlcliSetting(
            name: "cachePolicy",
            takes: .oneOf([
                ("useProtocol", 0), ("reloadIgnoringLocal", 1), ("returnCacheElseLoad", 2), ("returnCacheDontLoad", 3),
            ])
        ) { plan, value in
            plan.configuration.cachePolicy = value.number.flatMap { CachePolicy(rawValue: $0) } ?? .useProtocol
            plan.usesCache = true
        },
        TnlcliSetting(
            name: "cookieAcceptPolicy",
            takes: .oneOf([("always", 0), ("never", 1), ("onlyFromMainDocumentDomain", 2), ("sameSite", 2)])
        ) { $0.configuration.cookies.acceptance = .init(rawValue: $1.number ?? 1) ?? .never },
        TnlcliSetting(
            name: "networkServiceType",
            takes: .oneOf([
                ("default", 0), ("voip", 1), ("video", 2), ("background", 3), ("voice", 4), ("responsiveData", 6),
                ("callSignaling", 11),
            ])
        ) { plan, value in
            let types: [Int: NetworkServiceType] = [
                0: .standard, 1: .voice, 2: .video, 3: .background, 4: .voice, 6: .responsive, 11: .signaling,
            ]
            plan.configuration.transport.serviceType = types[value.number ?? 0] ?? .standard
        },
        TnlcliSetting(name: "contributeToExecutingNetworkConnectionsCount", takes: .boolean) {
            $0.configuration.countsAsExecutingConnection = $1.isTrue
        },
        TnlcliSetting(name: "skipHostSanitization", takes: .boolean),
        TnlcliSetting(name: "shouldSetCookies", takes: .boolean) { $0.configuration.cookies.sends = $1.isTrue },
        TnlcliSetting(name: "allowsCellularAccess", takes: .boolean) {
            $0.configuration.transport.allowsCellularAccess = $1.isTrue
        },
        TnlcliSetting(name: "deferrableInterval", takes: .seconds),
        TnlcliSetting(name: "shouldUseExtendedBackgroundIdleMode", takes: .boolean),
        TnlcliSetting(name: "shouldLaunchAppForBackgroundEvents", takes: .boolean),
        TnlcliSetting(name: "sharedContainerIdentifier", takes: .text),
    ]

    private static let global: [TnlcliSetting] = [
        TnlcliSetting(
            name: "idleTimeoutMode",
            takes: .oneOf([("disabled", 0), ("excludingInitialConnection", 1), ("includingInitialConnection", 2)])
        ) { plan, value in
            plan.configuration.timeouts.idleMode =
                [.disabled, .excludingInitialConnection, .includingInitialConnection][value.number ?? 1]
        },
        TnlcliSetting(name: "timeoutIntervalBetweenDataTransfer", takes: .seconds) {
            $0.configuration.transport.dataTimeout = $1.duration
        },
    ]

    // MARK: Reading

    /// - Parameters:
    ///   - option: with its dashes, for the sentence.
    ///   - isGlobal: of `--global-config`.
    static func apply(_ name: String, _ text: String, isGlobal: Bool, of option: String, to plan: inout SendPlan) throws {
        let settings = isGlobal ? global : request
        guard let setting = settings.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            let near = nearestName(to: name, in: settings.map(\.name)).map { " Did you mean \($0)?" } ?? ""
            throw CommandFailure(
                .usage,
                "\(option): there is no setting named \(name).\(near) It takes \(settings.map(\.name).joined(separator: ", "))."
            )
        }
        let value = try setting.value(text, of: option)
        guard let apply = setting.apply else {
            plan.notes.append("\(option) \(setting.name) means nothing here, and is left out")
            return
        }
        apply(&plan, value)
    }

    private func value(_ text: String, of option: String) throws -> Value {
        switch takes {
        case .text: return .text(text)
        case .boolean:
            switch text.lowercased() {
            case "true", "yes", "1": return .boolean(true)
            case "false", "no", "0": return .boolean(false)
            default: throw refusal(text, of: option, "true or false")
            }
        case .seconds:
            guard let seconds = Double(text), seconds < 1e9 else { throw refusal(text, of: option, "seconds, such as 30 or 0.5") }
            return .seconds(seconds)
        case .oneOf(let names):
            if let found = names.first(where: { $0.name.lowercased() == text.lowercased() || String($0.number) == text }) {
                return .number(found.number)
            }
            throw refusal(text, of: option, names.map { "\($0.name) (\($0.number))" }.joined(separator: ", "))
        }
    }

    private func refusal(_ text: String, of option: String, _ takes: String) -> CommandFailure {
        CommandFailure(.usage, "\(option) \(name): \"\(text)\" isn't there. It takes \(takes).")
    }

    /// A JSON object of strings, sorted by name.
    static func strings(_ path: String, of option: String, reading files: InputFiles) throws -> [(name: String, value: String)] {
        let data = try files.contents(path)
        guard let object = try? JSONDecoder().decode([String: String].self, from: data) else {
            throw CommandFailure(
                .usage, "\(option) \(path) is not a JSON object of strings. Write {\"name\": \"value\"}, numbers in quotes too.")
        }
        return object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension SendPlan {
    /// What tnlcli's options say. The file first, so that the command line wins over it.
    mutating func applySettings(of arguments: SendArguments, reading files: InputFiles) throws {
        for text in arguments.globalConfigurations {
            let (name, value) = try Self.pair(text, of: "--global-config")
            try TnlcliSetting.apply(name, value, isGlobal: true, of: "--global-config", to: &self)
        }
        if let path = arguments.configurationFile {
            for (name, value) in try TnlcliSetting.strings(path, of: "--request-config-file", reading: files) {
                try TnlcliSetting.apply(name, value, isGlobal: false, of: "--request-config-file", to: &self)
            }
        }
        for text in arguments.configurations {
            let (name, value) = try Self.pair(text, of: "--request-config")
            try TnlcliSetting.apply(name, value, isGlobal: false, of: "--request-config", to: &self)
        }
    }

    private static func pair(_ text: String, of option: String) throws -> (name: String, value: String) {
        guard let colon = text.firstIndex(of: ":") else {
            throw CommandFailure(.usage, "\(option) '\(text)' has no colon. It takes NAME:VALUE.")
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        return (String(text[..<colon].drop { $0 == " " }), String(value))
    }
}
