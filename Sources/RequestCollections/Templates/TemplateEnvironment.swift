package import Base
package import NetworkLayer

/// All that templates may use beside the collection's own variables. A value: the same one always gives the same request.
package struct TemplateEnvironment: Sendable {
    /// What a person has allowed.
    package var trust: Trust
    /// Environment variables of the program, for `env()`: by permission alone.
    private let processEnvironment: [String: String]
    /// For `now()` and `timestamp()`: one moment for the whole request.
    package var now: Date
    /// For `uuid()` and `random()`. The same seed gives the same values in the same order, so resolving again after a requirement
    /// was met changes nothing else.
    package var seed: UInt64
    /// What earlier responses gave, by variable. Nearer than the environment's variables.
    package var captured: [String: CapturedValue]
    package var answers: [TemplateRequirement: TemplateAnswer]
    /// What stands for a value that isn't there yet.
    package var mode: Mode
    /// Whether requests that have a mock are answered by it: nothing of them goes anywhere.
    package var usesMocks = false
    /// A URL whose address isn't known yet is one all the same: for a person who looks at the request.
    package var showsUnknownAddresses = false
    /// Where requests go, as far as their files say it: for a survey, in which none is sent.
    var destinations: [RequestID: Origin] = [:]
    /// The files of commands: for a survey of many requests.
    var commandFiles: CommandFiles.Memory?

    package enum Mode: Sendable {
        /// Nothing: it is asked for, see ``ResolutionError/requirements``.
        case fill
        /// A placeholder as people read it, secrets masked: for looking at a request without sending it.
        case show
        /// A placeholder that an export finds again in the request.
        ///
        /// - Parameter isPlaceholder: whether a text is such a placeholder, which in JSON stands for a whole value where nothing quotes it.
        case export(
            placeholder: @Sendable (TemplatePlaceholder) -> String?, isPlaceholder: @Sendable (String) -> Bool = { _ in false })
        /// What it is, the same text whenever and wherever the same file is looked at: for a person who judges a command.
        case judge
    }

    package init(
        trust: Trust = .nothing, processEnvironment: [String: String] = [:], now: Date = Date(),
        seed: UInt64 = .random(in: 0 ... .max),
        captured: [String: CapturedValue] = [:], answers: [TemplateRequirement: TemplateAnswer] = [:],
        mode: Mode = .fill
    ) {
        self.trust = trust
        self.processEnvironment = processEnvironment
        self.now = now
        self.seed = seed
        self.captured = captured
        self.answers = answers
        self.mode = mode
    }

    /// The largest size of a file whose templates are filled in.
    static let mostFileBytes = 16 << 20

    /// An environment variable; `nil` when it isn't set.
    func variable(_ name: String, _ permit: Permission) -> String? { processEnvironment[name] }

    /// For suggestions.
    var variableNames: some Sequence<String> { processEnvironment.keys }

    /// The environment for a survey, which finds out what is wanted without using any of it.
    package static let survey = TemplateEnvironment(now: Date(timeIntervalSince1970: 0), seed: 0, mode: .show)

    var judging: TemplateEnvironment {
        var judging = self
        judging.trust = .nothing
        judging.answers = [:]
        judging.mode = .judge
        return judging
    }

    func answer(to requirement: TemplateRequirement) -> TemplateAnswer? {
        if let answer = answers[requirement] { return answer }
        guard showsPlaceholders else { return nil }
        return TemplateAnswer(.string(mode.placeholder(.requirement(requirement)) ?? requirement.placeholder))
    }

    var showsPlaceholders: Bool { if case .fill = mode { false } else { true } }
    /// Whether a secret's placeholder is a mask: what is made of it would be a value that nobody sends.
    var masks: Bool {
        switch mode {
        case .fill, .export: false
        case .show, .judge: true
        }
    }
}

extension TemplateEnvironment.Mode {
    /// The placeholder of an export.
    func placeholder(_ what: TemplatePlaceholder) -> String? {
        if case .export(let placeholder, _) = self { placeholder(what) } else { nil }
    }

    func isPlaceholder(_ text: String) -> Bool {
        if case .export(_, let isPlaceholder) = self { isPlaceholder(text) } else { false }
    }

    var judges: Bool { if case .judge = self { true } else { false } }
    var isExport: Bool { if case .export = self { true } else { false } }
}

/// What a placeholder may stand for.
package enum TemplatePlaceholder: Hashable, Sendable {
    case requirement(TemplateRequirement)
    /// `env("NAME")`
    case environmentVariable(String)
    /// `file("PATH")` of a file that isn't the collection's own: its path without links.
    case file(String)
    /// What a function makes of texts, other placeholders perhaps among them. Without an answer it is made of them as they are.
    case derived(TemplateDerivation)
}

/// A function that makes one text of others.
package enum TemplateDerivation: Hashable, Sendable {
    case base64(String)
    case sha256(String, Encoding)
    /// `algorithm` is `sha1`, `sha256`, `sha384` or `sha512`.
    case hmac(String, key: String, algorithm: String, Encoding)

    package enum Encoding: String, Hashable, Sendable {
        case hex, base64
    }
}

/// A value that a response gave to a variable.
package struct CapturedValue: Hashable, Sendable, Codable {
    package var value: JSONValue
    /// Nobody may see it.
    package var isSecret: Bool
    /// Where it is a list, its items are among those of ``list(_:)``.
    var isFlat: Bool
    /// Whose response it was.
    package var request: RequestID
    /// The servers that gave it: of a list several may have.
    package var servers: Set<Origin>

    package init(
        _ value: JSONValue, isSecret: Bool = false, isFlat: Bool = false, from request: RequestID, at server: Origin? = nil
    ) {
        self.value = value
        self.isSecret = isSecret
        self.isFlat = isFlat
        self.request = request
        servers = server.map { [$0] } ?? []
    }

    /// What the items of a loop captured, in their order.
    package static func list(_ values: [CapturedValue]) -> CapturedValue? {
        guard var list = values.first else { return nil }
        list.value = .array(
            values.flatMap { value in
                if value.isFlat, case .array(let items) = value.value { items } else { [value.value] }
            })
        list.isSecret = values.contains(where: \.isSecret)
        list.servers = values.reduce(into: []) { $0.formUnion($1.servers) }
        return list
    }
}

extension Origin {
    /// The server that gave a response; `nil` without one.
    package init?(answering info: ResponseInfo?) {
        guard let url = info?.finalRequest.url else { return nil }
        self.init(url)
    }
}

/// Steele, Lea and Flood's generator: small, and good enough for test data. Nothing secret is made with it.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
