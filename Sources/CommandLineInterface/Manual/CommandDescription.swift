import ArgumentParser
import Base
import NetworkLayer
import TerminalUI

/// A command as help, completion and the man page describe it: what ArgumentParser knows of its commands, and ``SendOption``'s table.
struct CommandDescription: Hashable, Sendable {
    var name: String
    var abstract: String
    var discussion: String
    /// `[COLLECTION|NAME ...]`.
    var operands: String
    var sections: [OptionSection]
    var subcommands: [CommandDescription] = []

    struct OptionSection: Hashable, Sendable {
        /// `nil` when the command has one only.
        var title: String?
        var options: [Option]
    }

    struct Option: Hashable, Sendable {
        /// With their dashes, the short one first.
        var names: [String]
        var value: String?
        var help: String
        var completion: SendOption.Completion
    }

    var options: [Option] { sections.flatMap(\.options) }

    func option(named name: String) -> Option? { options.first { $0.names.contains(name) } }

    /// The program, with all of its commands.
    static let program: CommandDescription = {
        var program = CommandDescription(ToolInfo.program.command)
        program.subcommands.removeAll { $0.name == "help" }
        if let index = program.subcommands.firstIndex(where: { $0.name == "send" }) {
            program.subcommands[index] = .send
        }
        return program
    }()

    static let send = CommandDescription(
        name: "send", abstract: SendHelp.abstract, discussion: SendHelp.discussion, operands: SendHelp.operands,
        sections: SendOption.sections.map { section in
            OptionSection(
                title: section.title,
                options: section.options.map { option in
                    Option(
                        names: [option.short.map { "-\($0)" }, "--\(option.long)"].compactMap(\.self), value: option.argument,
                        help: option.help, completion: option.completion)
                })
        })

    init(
        name: String, abstract: String, discussion: String, operands: String, sections: [OptionSection],
        subcommands: [CommandDescription] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.operands = operands
        self.sections = sections
        self.subcommands = subcommands
    }

    private init(_ command: ToolInfo.Command) {
        let arguments = (command.arguments ?? []).filter { $0.shouldDisplay ?? true }
        let operands = arguments.filter { $0.kind == "positional" }.map { argument in
            let name = "\(argument.valueName?.uppercased() ?? "WORD")\(argument.isRepeating == true ? " ..." : "")"
            return argument.isOptional == true ? "[\(name)]" : name
        }
        self.init(
            name: command.commandName, abstract: command.abstract ?? "", discussion: command.discussion ?? "",
            operands: operands.joined(separator: " "),
            sections: [OptionSection(title: nil, options: arguments.filter { $0.kind != "positional" }.map(Option.init))],
            subcommands: (command.subcommands ?? []).filter { $0.shouldDisplay ?? true }.map(CommandDescription.init))
    }
}

extension CommandDescription.Option {
    fileprivate init(_ argument: ToolInfo.Argument) {
        let names = (argument.names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
        self.init(
            names: names.sorted { $0.count < $1.count },
            value: argument.kind == "option" ? argument.valueName?.uppercased() ?? "VALUE" : nil,
            help: argument.abstract ?? "",
            completion: argument.allValues.map { .oneOf($0) } ?? (argument.valueName == "FILE" ? .file : .nothing))
    }
}

/// The part that is of use here of what ArgumentParser says about its commands as JSON.
private struct ToolInfo: Decodable {
    var command: Command

    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool?
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        var kind: String
        var shouldDisplay: Bool?
        var isOptional: Bool?
        var isRepeating: Bool?
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var allValues: [String]?
    }

    struct Name: Decodable {
        var kind: String
        var name: String
    }

    /// This is our own text; the tests make sure that it can be decoded.
    static let program: ToolInfo = {
        let json = Data(Turnstone._dumpHelp().utf8)
        return (try? JSONDecoder().decode(ToolInfo.self, from: json))
            ?? ToolInfo(command: Command(commandName: "turnstone", abstract: nil, discussion: nil, subcommands: [], arguments: []))
    }()
}

/// The beginning of a help, in lines for one terminal.
///
/// ArgumentParser breaks lines that are too long, and keeps the breaks of the text that it is given. That has the lines of a source file, so
/// paragraphs are put together here before they are broken, and what an example does stays in its column.
enum HelpOverview {
    /// The help of ArgumentParser with that beginning.
    ///
    /// - Parameter columns: of the terminal; lines are at most 100 long.
    static func replacing(in help: String, columns: Int) -> String {
        let mark = "\n\nUSAGE: turnstone"
        guard help.hasPrefix("OVERVIEW: "), let usage = help.firstRange(of: mark) else { return help }
        var command = CommandDescription.program
        for word in help[usage.upperBound...].split(whereSeparator: \.isWhitespace) {
            guard let inner = command.subcommands.first(where: { $0.name == word }) else { break }
            command = inner
        }
        let width = max(40, min(100, columns))
        var lines = wrapped("OVERVIEW: \(command.abstract)", width: width)
        if !command.discussion.isEmpty { lines += [""] + self.lines(of: command.discussion, width: width) }
        return lines.joined(separator: "\n") + help[usage.lowerBound...]
    }

    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var paragraph: [Substring] = []
        func end() {
            if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " "), width: width) }
            paragraph = []
        }
        for line in text.lines {
            if line.isEmpty || line.hasPrefix(" ") {
                end()
                lines += line.isEmpty ? [""] : example(line, width: width)
            } else {
                paragraph.append(line)
            }
        }
        end()
        return lines
    }

    /// `  turnstone run --watch     see each one on its way`
    private static func example(_ line: Substring, width: Int) -> [String] {
        let start = line.prefix { $0 == " " }.count
        guard line.count > width, let gap = line.dropFirst(start).firstRange(of: "  ") else { return [String(line)] }
        let text = line[gap.upperBound...].drop { $0 == " " }
        let column = line.distance(from: line.startIndex, to: text.startIndex)
        guard width - column >= 16 else {
            let indent = String(repeating: " ", count: start + 4)
            return [String(line[..<gap.lowerBound])] + wrapped(indent + text, width: width, indent: indent.count)
        }
        return wrapped(String(line), width: width, indent: column)
    }

    /// - Parameter indent: blanks before every line but the first.
    static func wrapped(_ text: String, width: Int, indent: Int = 0) -> [String] {
        StyledLine(text).wrapped(columns: width, indent: indent).map(\.text)
    }
}
