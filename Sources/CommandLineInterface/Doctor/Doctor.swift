import ArgumentParser
import Base
import CollectionRunner
import CurlTransport
import NetworkLayer
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
        facts.losesDigits = Answering.losesDigits
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
    /// Whether the jq library rounds long integers.
    var losesDigits = false
    /// What is wrong with the libraries that evaluate filters.
    var libraryProblems: [String] = []
    var terminal: String?
    var isTerminal: Bool
    var columns: Int?
    var colorTerminal: String?
    var noColor: Bool
    var locale: String?
    var shareDirectory: String?
    var themesDirectory: String?
    /// What was said about collections, and what of that isn't taken.
    var grants: [TrustGrant] = []
    var grantProblems: [String] = []

    init(_ context: CommandLineContext) {
        let environment = context.environment
        func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let library = CurlLibrary.current
        curlVersion = library.version
        tlsLibrary = library.tlsLibrary
        features = library.features
        conditions = context.conditions?.current
        programs = [:]
        for name in ["curl"] { programs[name] = Self.find(name, in: environment["PATH"] ?? "") }
        terminal = text("TERM")
        isTerminal = context.standardOutput.isTerminal
        columns = context.standardOutput.columns
        colorTerminal = text("COLORTERM")
        noColor = text("NO_COLOR") != nil
        locale = text("LC_ALL") ?? text("LC_CTYPE") ?? text("LANG")
        shareDirectory = context.shareDirectory
        themesDirectory = UserDirectories(environment).themes
        (grants, grantProblems) = TrustStore(environment: environment).all()
    }

    init(
        curlVersion: String, tlsLibrary: String?, features: Set<CurlLibrary.Feature>, conditions: NetworkConditions? = nil,
        programs: [String: String], terminal: String?,
        isTerminal: Bool, columns: Int?, colorTerminal: String?, noColor: Bool, locale: String?, shareDirectory: String?,
        themesDirectory: String?
    ) {
        self.curlVersion = curlVersion
        self.tlsLibrary = tlsLibrary
        self.features = features
        self.conditions = conditions
        self.programs = programs
        self.terminal = terminal
        self.isTerminal = isTerminal
        self.columns = columns
        self.colorTerminal = colorTerminal
        self.noColor = noColor
        self.locale = locale
        self.shareDirectory = shareDirectory
        self.themesDirectory = themesDirectory
    }

    private static func find(_ program: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(program)" }.first { FilePaths.isExecutable($0) }
    }
}
