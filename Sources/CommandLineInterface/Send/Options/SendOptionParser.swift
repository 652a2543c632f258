import RequestCollections

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

/// Reads a command line of `turnstone send` as curl does: `-sSL`, `-XPUT`, `-d x`, `--data x`, `--no-location`, and `--` before a
/// URL that begins with a dash. `--data=x` works too. A method before the URL and what stands behind it are HTTPie's: ``RequestItem``.
struct SendOptionParser {
    private let files: InputFiles
    /// What stands between one `--next` and another.
    private var groups: [SendArguments] = []
    private var arguments = SendArguments()
    /// A word that is a method when a URL follows.
    private var method: String?
    /// How many files of options lead to the one that is read.
    private var depth = 0
    private var variables: OptionVariables

    /// - Parameters:
    ///   - files: for those with more options (`-K`).
    ///   - environment: for variables of `--variable %NAME`.
    /// - Returns: the options of each request, at least one.
    static func groups(
        _ words: [String], reading files: InputFiles, environment: [String: String] = [:]
    ) throws -> [SendArguments] {
        var parser = SendOptionParser(files: files, environment)
        try parser.parse(words)
        try parser.endGroup()
        return parser.groups
    }

    private init(files: InputFiles, _ environment: [String: String]) {
        self.files = files
        variables = OptionVariables(environment: environment)
    }

    private mutating func parse(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                for url in rest { arguments.add(url: url) }
                break
            } else if word.hasPrefix("--") {
                try parseLongOption(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-") {
                guard word != "-" else { throw Self.unknown(word) }
                try parseShortOptions(word.dropFirst(), &rest)
            } else {
                try parseOperand(word)
            }
            try finishWord()
        }
    }

    /// A method, a URL, or what HTTPie takes behind one.
    private mutating func parseOperand(_ word: String) throws {
        if let method {
            self.method = nil
            guard arguments.method == nil else {
                throw CommandFailure(.usage, "\(method) and -X \(arguments.method ?? "") are two methods: leave one of them out.")
            }
            arguments.method = method.uppercased()
        } else if arguments.targets.contains(where: { $0.url != nil }) {
            if let item = try RequestItem(word, reading: files) { return arguments.add(item) }
        } else if Self.isMethod(word) {
            method = word
            return
        }
        arguments.add(url: word)
    }

    /// Whether it is a method: any word in capitals, or a known method in small letters that nobody calls a host.
    private static func isMethod(_ word: String) -> Bool {
        let bytes = word.utf8
        return bytes.count >= 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            || methods.contains(word)
    }

    private static let methods = ["get", "post", "put", "patch", "delete", "head", "options"]

    private mutating func endGroup() throws {
        if let method {
            guard !Self.methods.contains(method.lowercased()) else {
                throw CommandFailure(.usage, "\(method) is a method here, and no URL follows it: \(method) URL.")
            }
            self.method = nil
            arguments.add(url: method)
        }
        groups.append(arguments)
        arguments = arguments.shared
    }

    /// Does what an option means for those that follow it.
    private mutating func finishWord() throws {
        if arguments.endsGroup {
            arguments.endsGroup = false
            // Before the first URL, `--next` means nothing.
            if arguments.targets.contains(where: { $0.url != nil }) { try endGroup() }
        }
        while !arguments.variables.isEmpty {
            try variables.define(arguments.variables.removeFirst(), reading: files)
        }
        while !arguments.optionFiles.isEmpty {
            let path = arguments.optionFiles.removeFirst()
            guard depth < 10 else {
                throw CommandFailure(.usage, "-K \(path): ten files of options lead to one another. Does one name itself?")
            }
            depth += 1
            for line in try OptionFile(files.text(path)).lines { try parse(line) }
            depth -= 1
        }
    }

    private mutating func parseLongOption(_ text: Substring, _ rest: inout ArraySlice<String>) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if let option = SendOption.named(name) {
            guard option.argument != nil else {
                guard parts.count == 1 else {
                    throw CommandFailure(.usage, "--\(name) takes no value: leave out \"=\(parts[1])\".")
                }
                return try Self.apply(option, "", &arguments)
            }
            let value = parts.count == 2 ? String(parts[1]) : try Self.next(after: "--\(name)", option, &rest)
            return try Self.apply(option, value, &arguments)
        }
        if name.hasPrefix("expand-"), let option = SendOption.named(String(name.dropFirst(7))), option.argument != nil {
            let value = parts.count == 2 ? String(parts[1]) : try Self.next(after: "--\(name)", option, &rest)
            return try Self.apply(option, variables.expanding(value, of: "--\(name)"), &arguments)
        }
        if name.hasPrefix("no-"), parts.count == 1, let option = SendOption.named(String(name.dropFirst(3))) {
            switch option.take {
            case .flag(let place): return arguments[keyPath: place] = false
            case .nothing where option.argument == nil: return
            default: break
            }
            // Only one scheme holds at a time.
            if let scheme = AuthenticationScheme.named(option.long) {
                if arguments.scheme == scheme { arguments.scheme = nil }
                return
            }
        }
        guard let whole = SendOption.completed(name)?.long else { throw Self.unknown("--\(name)") }
        try parseLongOption(Substring(([whole] + parts.dropFirst().map(String.init)).joined(separator: "=")), &rest)
    }

    private mutating func parseShortOptions(_ text: Substring, _ rest: inout ArraySlice<String>) throws {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = SendOption.lettered(letter) else { throw Self.unknown("-\(letter)") }
            guard option.argument != nil else {
                try Self.apply(option, "", &arguments)
                continue
            }
            // What follows in the same word is its value.
            return try Self.apply(
                option, letters.isEmpty ? Self.next(after: "-\(letter)", option, &rest) : String(letters), &arguments)
        }
    }

    private static func next(after name: String, _ option: SendOption, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else {
            throw CommandFailure(.usage, "\(name) takes a value: \(name) \(option.argument ?? "").")
        }
        return value
    }

    private static func apply(_ option: SendOption, _ value: String, _ arguments: inout SendArguments) throws {
        switch option.take {
        case .flag(let place): arguments[keyPath: place] = true
        case .text(let place): arguments[keyPath: place] = value
        case .list(let place): arguments[keyPath: place].append(value)
        case .seconds(let place):
            guard let seconds = Double(value), seconds >= 0, seconds < 1e9 else {
                throw CommandFailure(.usage, "--\(option.long) \(value) is no number of seconds. Write 2 or 0.5.")
            }
            arguments[keyPath: place] = seconds
        case .count(let place):
            guard let count = Int(value) else { throw CommandFailure(.usage, "--\(option.long) \(value) is no whole number.") }
            arguments[keyPath: place] = count
        case .action(let act): try act(&arguments, value)
        case .nothing: break
        }
    }

    private static func unknown(_ name: String) -> CommandFailure {
        if let refusal = SendOption.refusal(of: String(name.drop { $0 == "-" })) {
            return CommandFailure(.usage, refusal)
        }
        // A different number is a different option, not a typing error: --http1.0 isn't --http1.1.
        func letters(_ name: some StringProtocol) -> String { String(name.filter { !$0.isNumber }) }
        let word = name.dropFirst(2)
        let options = SendOption.all.map(\.long).filter { letters($0) != letters(word) }
        let near =
            name.hasPrefix("--") ? nearestName(to: String(word), in: options).map { " Did you mean --\($0)?" } ?? "" : ""
        return CommandFailure(.usage, "send has no option \(name).\(near) `turnstone send --help` lists all of them.")
    }
}
