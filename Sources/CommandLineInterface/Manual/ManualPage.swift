import ArgumentParser
import Base
import NetworkLayer

/// `turnstone man`.
struct Manual: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print the manual page, for man(1).",
        discussion: """
            Examples:
              turnstone man | man -l -
              turnstone man > ~/.local/share/man/man1/turnstone.1
            """)

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        try context.standardOutput.write(Data(ManualPage.text(.program, date: Self.day(Date())).utf8))
        return .success
    }

    /// `November 21, 2026`, as mdoc wants it, whatever the locale.
    private static func day(_ date: Date) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
            "December",
        ]
        let parts = date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else { return "" }
        return "\(months[month - 1]) \(day), \(parts[0])"
    }
}

/// The man page, in mdoc (mdoc(7)), from the same descriptions as the help.
struct ManualPage {
    private var lines: [String] = []

    /// - Parameter date: `November 21, 2026`.
    static func text(_ program: CommandDescription, date: String) -> String {
        var page = ManualPage()
        page.write(program, date: date)
        return page.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ program: CommandDescription, date: String) {
        macro("Dd", date)
        macro("Dt", "\(program.name.uppercased()) 1")
        macro("Os")
        macro("Sh", "NAME")
        macro("Nm", program.name)
        macro("Nd", Self.escaped(program.abstract.hasSuffix(".") ? String(program.abstract.dropLast()) : program.abstract))
        macro("Sh", "SYNOPSIS")
        synopsis("", program.operands)
        for command in program.subcommands where command.name != "explore" { synopsis(command.name, command.operands) }
        macro("Sh", "DESCRIPTION")
        discussion(program.discussion)
        for command in program.subcommands {
            macro("Sh", "TURNSTONE \(command.name.uppercased())")
            text(command.abstract)
            macro("Pp")
            discussion(command.discussion)
            for section in command.sections where !section.options.isEmpty {
                if let title = section.title { macro("Ss", Self.escaped(title)) }
                macro("Bl", "-tag -width Ds")
                for option in section.options { item(option) }
                macro("El")
            }
        }
        exitStatus()
        macro("Sh", "ENVIRONMENT")
        macro("Bl", "-tag -width Ds")
        for (name, meaning) in Self.environment {
            macro("It", "Ev \(name)")
            text(meaning)
        }
        macro("El")
        macro("Sh", "SEE ALSO")
        macro("Xr", "curl 1 ,")
        macro("Xr", "jq 1")
    }

    private static let environment = [
        ("NO_COLOR", "Turns colours off when it isn't empty."),
        ("http_proxy, https_proxy, all_proxy, no_proxy", "Proxies, as for curl."),
        ("EDITOR, VISUAL", "For the explorer."),
        ("XDG_CONFIG_HOME", "Where your own themes lie, in turnstone/themes."),
    ]

    private mutating func exitStatus() {
        macro("Sh", "EXIT STATUS")
        macro("Bl", "-tag -width Ds")
        for (status, meaning) in ExitStatus.meanings {
            macro("It", "\(status.rawValue)")
            text(meaning)
        }
        macro("El")
    }

    private mutating func synopsis(_ command: String, _ operands: String) {
        macro("Nm")
        let words = [command, "[options]", operands].filter { !$0.isEmpty }.joined(separator: " ")
        lines.append(Self.escaped(words))
        macro("Br", nil)
    }

    private mutating func item(_ option: CommandDescription.Option) {
        // `Fl x` writes a dash and an x.
        let flags = option.names.map { "Fl \(Self.escaped(String($0.dropFirst())))" }.joined(separator: " , ")
        macro("It", flags + (option.value.map { " Ar \(Self.escaped($0))" } ?? ""))
        text(option.help)
    }

    /// Paragraphs as text, what is indented as it stands.
    private mutating func discussion(_ discussion: String) {
        var isLiteral = false
        for line in discussion.lines {
            if line.hasPrefix("  ") {
                if !isLiteral { macro("Bd", "-literal -offset indent") }
                isLiteral = true
                lines.append(Self.escaped(String(line.dropFirst(2))))
                continue
            }
            if isLiteral { macro("Ed") }
            isLiteral = false
            if line.isEmpty { macro("Pp") } else { text(String(line)) }
        }
        if isLiteral { macro("Ed") }
    }

    private mutating func text(_ text: String) {
        if !text.isEmpty { lines.append(Self.escaped(text)) }
    }

    private mutating func macro(_ name: String, _ arguments: String? = nil) {
        // `.Pp` before a section is superfluous, and checkers say so.
        if ["Sh", "Ss", "Bd", "Bl", "Pp"].contains(name), lines.last == ".Pp" { lines.removeLast() }
        if name == "Br" { return lines.append(".br") }
        lines.append(arguments.map { ".\(name) \($0)" } ?? ".\(name)")
    }

    /// A backslash, and a dot or quote at the start of a line, mean something to roff; it knows ASCII only.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\u{20}"..."\u{7E}": escaped.unicodeScalars.append(scalar)
            default:
                escaped +=
                    "\\[u\(String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count)))\(String(scalar.value, radix: 16).uppercased())]"
            }
        }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
