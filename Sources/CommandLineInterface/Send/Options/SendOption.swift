/// An option of `turnstone send`: one row of the table that feeds the parser, `--help`, completion and the man page.
///
/// `send` does not use ArgumentParser, for three reasons: curl's options are a language of their own (`-sSL`, `-XPUT`, pieces of data
/// whose order counts across `-d` and `--data-urlencode`), there are many of them, and making them ready would cost `send` a
/// noticeable part of its start.
struct SendOption: Sendable {
    var short: Character?
    var long: String
    /// What it takes, as the help names it; `nil` for a switch, which `--no-NAME` turns off again.
    var argument: String?
    var take: Take
    var help: String
    /// For completion.
    var completion: Completion

    /// What becomes of it.
    enum Take: Sendable {
        case flag(any WritableKeyPath<SendArguments, Bool> & Sendable)
        case text(any WritableKeyPath<SendArguments, String?> & Sendable)
        case list(any WritableKeyPath<SendArguments, [String]> & Sendable)
        /// A number, also with a fraction.
        case seconds(any WritableKeyPath<SendArguments, Double?> & Sendable)
        case count(any WritableKeyPath<SendArguments, Int?> & Sendable)
        /// Throws a ``CommandFailure`` for what it can't take.
        case action(@Sendable (inout SendArguments, String) throws -> Void)
        /// curl's, and either always so here or meaningless: taken without a word.
        case nothing
    }

    enum Completion: Hashable, Sendable {
        case nothing, file, directory
        case oneOf([String])
    }

    init(
        _ short: Character? = nil, _ long: String, _ argument: String? = nil, _ take: Take, _ help: String,
        completion: Completion? = nil
    ) {
        self.short = short
        self.long = long
        self.argument = argument
        self.take = take
        self.help = help
        self.completion =
            completion ?? (argument?.contains("FILE") == true ? .file : argument?.contains("DIR") == true ? .directory : .nothing)
    }

    /// A part of the help.
    struct Section: Sendable {
        var title: String
        var options: [SendOption]
    }

    static let sections: [Section] = [
        Section(title: "The request", options: requestOptions),
        Section(title: "Credentials", options: credentialOptions),
        Section(title: "How it is sent", options: connectionOptions),
        Section(title: "TLS", options: tlsOptions),
        Section(title: "TLS with a proxy", options: proxyTLSOptions),
        Section(title: "Output", options: outputOptions),
        Section(title: "tnlcli's options", options: tnlcliOptions),
        Section(title: "HTTPie's options", options: httpieOptions),
        Section(title: "Accepted without effect", options: ignoredOptions),
        Section(title: "Help", options: helpOptions),
    ]

    static let all = sections.flatMap(\.options)

    private static let byLongName = Dictionary(all.map { ($0.long, $0) }) { first, _ in first }
    private static let byLetter = Dictionary(all.compactMap { row in row.short.map { ($0, row) } }) { first, _ in first }

    static func named(_ long: String) -> SendOption? { byLongName[long] }
    static func lettered(_ letter: Character) -> SendOption? { byLetter[letter] }

    /// `-X, --request METHOD`.
    var usage: String {
        let names = [short.map { "-\($0)" }, "--\(long)"].compactMap(\.self).joined(separator: ", ")
        return argument.map { "\(names) \($0)" } ?? names
    }
}
