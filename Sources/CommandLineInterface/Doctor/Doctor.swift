import ArgumentParser
import Base
import CollectionRunner
import CurlTransport
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone doctor`.
struct Doctor: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine offers, and what is missing.",
        discussion: """
            Exits with 1 when something is missing that turnstone can't do without.

            Example:
              turnstone doctor
            """)

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        var facts = MachineFacts(context)
        facts.libraryProblems = Answering.libraryProblems
        let report = DoctorReport(facts)
        for line in report.lines { try context.standardOutput.print(line) }
        return report.isWell ? .success : .expectationFailed
    }
}

/// What was found out about the machine.
struct MachineFacts: Hashable, Sendable {
    var curlVersion: String
    var tlsLibrary: String?
    var features: Set<CurlLibrary.Feature>
    /// `nil`: nobody asked.
    var conditions: NetworkConditions?
    /// Name to path; `nil` for a program that isn't there.
    var programs: [String: String]
    /// What is wrong with the libraries that evaluate filters.
    var libraryProblems: [String] = []
    var terminal: String?
    var isTerminal: Bool
    var columns: Int?
    var colorTerminal: String?
    var noColor: Bool
    var locale: String?
    var themesDirectory: String?
    /// What was said about collections, and what of that isn't taken.
    var grants: [TrustGrant] = []
    var grantProblems: [String] = []
}

extension MachineFacts {
    init(_ context: CommandLineContext) {
        let environment = context.environment
        func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let library = CurlLibrary.current
        self.init(
            curlVersion: library.version, tlsLibrary: library.tlsLibrary, features: library.features,
            conditions: context.conditions?.current, programs: [:], terminal: text("TERM"),
            isTerminal: context.standardOutput.isTerminal, columns: context.standardOutput.columns,
            colorTerminal: text("COLORTERM"), noColor: text("NO_COLOR") != nil,
            locale: text("LC_ALL") ?? text("LC_CTYPE") ?? text("LANG"),
            themesDirectory: UserDirectories(environment).themes)
        programs["curl"] = Self.find("curl", in: environment["PATH"] ?? "")
        (grants, grantProblems) = TrustStore(environment: environment).all()
    }

    private static func find(_ program: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(program)" }.first { FilePaths.isExecutable($0) }
    }
}

/// What ``Doctor`` prints: each thing with what was found, or with what its absence means and the way out.
struct DoctorReport: Hashable {
    private(set) var lines: [String] = []
    /// Whether everything that is needed is there.
    private(set) var isWell = true

    init(_ facts: MachineFacts) {
        lines = ["turnstone \(Version.text)", "", "Network"]
        found("libcurl", facts.curlVersion)
        if let library = facts.tlsLibrary {
            found("TLS", library)
        } else {
            missing("TLS", "libcurl was built without it: https:// can't be sent. Install libcurl4 (OpenSSL).", isNeeded: true)
        }
        for feature in CurlLibrary.Feature.allCases {
            if facts.features.contains(feature) {
                found(feature.rawValue, "yes")
            } else {
                missing(feature.rawValue, "this libcurl has none; \(Self.loss(of: feature))", isNeeded: false)
            }
        }
        if let conditions = facts.conditions { network(conditions) }
        lines += ["", "Programs"]
        for problem in facts.libraryProblems {
            let packages = "libjq1 libpcre2-8-0 libxml2"
            missing("filters", "\(problem); those that are no paths fail. apt-get install \(packages)", isNeeded: false)
        }
        program("curl", facts, "commands copied as curl need it: apt-get install curl")
        lines += ["", "Terminal"]
        terminal(facts)
        lines += ["", "Files"]
        if let path = facts.themesDirectory {
            found("own themes", path + (FilePaths.exists(path) ? "" : " (not there yet)"))
        }
        trust(facts)
    }

    private mutating func trust(_ facts: MachineFacts) {
        guard !facts.grants.isEmpty || !facts.grantProblems.isEmpty else { return }
        lines += ["", "Trust"]
        for grant in facts.grants {
            let what = grant.isNever ? "never" : Figures.count(grant.allowed.count, "thing")
            found(what, grant.root + (FilePaths.exists(grant.root) ? "" : " (not there any more)"))
        }
        for problem in facts.grantProblems { missing("a grant", problem, isNeeded: false) }
    }

    private mutating func network(_ conditions: NetworkConditions) {
        let ways = conditions.interfaces.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", ")
        switch conditions.reachability {
        case .local: found("way out", ways)
        case .cellular: found("way out", "\(ways): requests that don't allow cellular fail")
        case .notReachable:
            missing("way out", "no interface that is up has a default route; this machine itself can be reached", isNeeded: false)
        case .undetermined: missing("way out", "this system doesn't say", isNeeded: false)
        }
    }

    private mutating func terminal(_ facts: MachineFacts) {
        if let terminal = facts.terminal, terminal != "dumb" {
            let size = facts.columns.map { ", \($0) columns" } ?? ""
            found("TERM", terminal + (facts.isTerminal ? size : ", but standard output is none"))
        } else {
            missing(
                "TERM", "the explorer needs a terminal that it knows: set TERM, for instance to xterm-256color", isNeeded: false)
        }
        if facts.noColor {
            found("colours", "none, as NO_COLOR wants it")
        } else if facts.colorTerminal == "truecolor" || facts.colorTerminal == "24bit" {
            found("colours", "24 bits")
        } else if facts.terminal?.contains("256color") == true {
            found("colours", "256; with COLORTERM=truecolor a theme has its own, where the terminal can")
        } else {
            found("colours", "16")
        }
        if facts.locale?.lowercased().contains("utf") == true {
            found("locale", facts.locale ?? "")
        } else {
            missing(
                "locale", "\(facts.locale ?? "none") isn't UTF-8: lines are drawn in ASCII. Set LANG, for instance to C.UTF-8",
                isNeeded: false)
        }
    }

    private mutating func program(_ name: String, _ facts: MachineFacts, _ advice: String) {
        if let path = facts.programs[name] { found(name, path) } else { missing(name, "not found; \(advice)", isNeeded: false) }
    }

    private mutating func found(_ name: String, _ text: String) {
        lines.append(SafeText.line("  ✓ \(Self.padded(name)) \(text)"))
    }

    private mutating func missing(_ name: String, _ text: String, isNeeded: Bool) {
        lines.append(SafeText.line("  \(isNeeded ? "✗" : "–") \(Self.padded(name)) \(text)"))
        if isNeeded { isWell = false }
    }

    private static func padded(_ name: String) -> String { name + String(repeating: " ", count: max(0, 14 - name.count)) }

    private static func loss(of feature: CurlLibrary.Feature) -> String {
        switch feature {
        case .http2: "requests go by HTTP/1.1"
        case .http3: "--http3 can't be used"
        case .brotli, .zstd, .gzip: "answers come in another encoding"
        case .unixSockets: "--unix-socket can't be used"
        case .ntlm: "--ntlm can't be used"
        case .spnego: "--negotiate can't be used"
        case .idn: "names need their xn-- form"
        case .ipv6: "addresses of IPv6 can't be reached"
        case .asynchronousDNS: "a cancel waits for the name look-up"
        }
    }
}
