import ArgumentParser
import Base
import Presentation
import RequestCollections

/// `turnstone completion`.
struct CompletionCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            It completes commands and options, and the names, environments and tags of the collection here.

            Examples:
              source <(turnstone completion bash)                               in ~/.bashrc
              source <(turnstone completion zsh)                                in ~/.zshrc, after compinit
              turnstone completion fish > ~/.config/fish/completions/turnstone.fish
            """)

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL"))
    var shell: String

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw CommandFailure(.usage, "There is no script for \(shell). It takes bash, zsh or fish.")
        }
        try context.standardOutput.print(shell.script)
        return .success
    }

    /// What the scripts call: `__complete INDEX WORD...`, the program's name being word 0.
    static func answer(_ words: [String], in context: CommandLineContext) throws -> ExitStatus {
        guard let index = words.first.flatMap({ Int($0) }), index > 0 else { return .usage }
        var line = Array(words.dropFirst(2))
        // The word under the cursor may be one that isn't there yet.
        while line.count < index { line.append("") }
        let completion = Completion(
            line: Array(line.prefix(index)), program: .program, names: CollectionNames(environment: context.environment))
        for answer in completion.answers { try context.standardOutput.print(answer) }
        return .success
    }
}

/// What a word of a command line can be completed to: a value, given the words before it.
struct Completion {
    /// As the shell scripts read them: a candidate, a tab and its description; `:files`, `:directories`.
    private(set) var answers: [String] = []

    private let program: CommandDescription
    private let names: any NameSource

    /// - Parameter line: the words after the program's name; the last one is to be completed.
    init(line: [String], program: CommandDescription, names: any NameSource) {
        self.program = program
        self.names = names
        guard let word = line.last else { return }
        complete(word, after: Array(line.dropLast()))
    }

    private mutating func complete(_ word: String, after before: [String]) {
        guard let name = before.first, let command = program.subcommands.first(where: { $0.name == name }) else {
            if before.isEmpty { completeCommand(word) } else { completeOperand(word, of: program, after: before) }
            return
        }
        var words = Array(before.dropFirst())
        if let option = words.last.flatMap({ Self.valueOption($0, of: command) }) {
            // The format of an export is no collection.
            let operands = command.name == "export" ? words.dropFirst() : words[...]
            return completeValue(word, of: option, after: Array(operands.dropLast()))
        }
        if word.hasPrefix("-") {
            for option in command.options {
                for name in option.names where name.hasPrefix("--") || word == "-" { add(name, option.help, to: word) }
            }
            return
        }
        // Options with their values aside.
        var operands: [String] = []
        while let first = words.first {
            words.removeFirst()
            if Self.valueOption(first, of: command) != nil {
                words = Array(words.dropFirst())
            } else if !first.hasPrefix("-") {
                operands.append(first)
            }
        }
        completeOperand(word, of: command, after: operands)
    }

    /// The option whose value follows in the next word.
    private static func valueOption(_ word: String, of command: CommandDescription) -> CommandDescription.Option? {
        if let option = command.option(named: word) { return option.value == nil ? nil : option }
        // The last of combined letters: `-sSo FILE`.
        guard word.hasPrefix("-"), !word.hasPrefix("--"), let last = word.last, word.count > 2 else { return nil }
        guard let option = command.option(named: "-\(last)"), option.value != nil else { return nil }
        // Unless an earlier letter took the rest as its value.
        let isTaken = word.dropFirst().dropLast().contains { command.option(named: "-\($0)")?.value != nil }
        return isTaken ? nil : option
    }

    private mutating func completeCommand(_ word: String) {
        for command in program.subcommands { add(command.name, command.abstract, to: word) }
        // A word in place of a command is a collection for the explorer.
        answers.append(":files")
    }

    private mutating func completeValue(_ word: String, of option: CommandDescription.Option, after words: [String]) {
        switch option.completion {
        case .file: answers.append(":files")
        case .directory: answers.append(":directories")
        case .oneOf(let values): for value in values { add(value, "", to: word) }
        case .nothing:
            if option.names.contains("--env") {
                for name in names.environments(words) { add(name: name, "environment", to: word) }
            } else if option.names.contains("--tag") {
                for name in names.tags(words) { add(name: name, "tag", to: word) }
            }
        }
    }

    private mutating func completeOperand(_ word: String, of command: CommandDescription, after operands: [String]) {
        switch command.name {
        case "list", "show", "run":
            for name in names.requests(operands) { add(name: name.id, name.description, to: word) }
            if operands.isEmpty { answers.append(":files") }
        case "completion": for shell in CompletionShell.allCases { add(shell.rawValue, "", to: word) }
        case "export":
            guard !operands.isEmpty else {
                for format in ExportFormat.allCases { add(format.rawValue, "", to: word) }
                return
            }
            for name in names.requests(Array(operands.dropFirst())) { add(name: name.id, name.description, to: word) }
            if operands.count == 1 { answers.append(":files") }
        case "schema": for format in SchemaFormat.allCases { add(format.rawValue, "", to: word) }
        case "turnstone", "explore", "import": answers.append(":files")
        default: break
        }
    }

    /// A name out of a collection. One that begins as an option does would be one.
    private mutating func add(name: String, _ description: String, to word: String) {
        if !name.hasPrefix("-") { add(name, description, to: word) }
    }

    private mutating func add(_ candidate: String, _ description: String, to word: String) {
        guard candidate.hasPrefix(word) else { return }
        answers.append("\(SafeText.line(candidate))\t\(SafeText.line(description))")
    }
}

/// Names out of collections, for completion.
protocol NameSource: Sendable {
    /// - Parameter words: the operands so far; the first may be a collection.
    func requests(_ words: [String]) -> [(id: String, description: String)]
    func environments(_ words: [String]) -> [String]
    func tags(_ words: [String]) -> [String]
}

/// Those of the collection that the words name, or of the one here. A collection that can't be read has none.
struct CollectionNames: NameSource {
    let environment: [String: String]

    func requests(_ words: [String]) -> [(id: String, description: String)] {
        collections(words).flatMap(\.requests).map { ($0.id.rawValue, $0.name ?? "\($0.method) \($0.url)") }
    }

    func environments(_ words: [String]) -> [String] {
        collections(words).flatMap(\.environmentNames)
    }

    func tags(_ words: [String]) -> [String] {
        Set(collections(words).flatMap(\.requests).flatMap(\.tags)).sorted()
    }

    private func collections(_ words: [String]) -> [RequestCollection] {
        (try? CollectionChoice(words, environment: environment))?.collections ?? []
    }
}

/// The scripts that connect a shell's completion with the program, which knows its options and the collection's names itself.
enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Each line of the program's answer is a candidate, a tab and its description, or `:files` or `:directories`.
    private static let bashScript = #"""
        # bash completion for turnstone. In ~/.bashrc: source <(turnstone completion bash)
        _turnstone() {
            local cur=${COMP_WORDS[COMP_CWORD]} line
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                    :files)
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur") ;;
                    :directories)
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur") ;;
                    # A name out of a file may have anything in it, which this shell would run.
                    *) printf -v line %q "${line%%$'\t'*}" && COMPREPLY+=("$line") ;;
                esac
            done < <("${COMP_WORDS[0]}" __complete "$COMP_CWORD" "${COMP_WORDS[@]//\\/}" 2>/dev/null)
            # A setting's value follows its colon without a space.
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
            return 0
        }
        complete -F _turnstone turnstone
        """#

    private static let zshScript = #"""
        #compdef turnstone
        # zsh completion for turnstone. In ~/.zshrc, after compinit: source <(turnstone completion zsh)
        _turnstone() {
            local -a candidates
            local line
            for line in "${(@f)$("${words[1]}" __complete $((CURRENT - 1)) "${words[@]}" 2>/dev/null)}"; do
                case $line in
                    '') ;;
                    :files) _files ;;
                    :directories) _files -/ ;;
                    *) candidates+=("${${${line%%$'\t'*}//\\/\\\\}//:/\\:}:${line#*$'\t'}") ;;
                esac
            done
            (( ${#candidates} )) && _describe -V turnstone candidates
        }
        compdef _turnstone turnstone
        """#

    private static let fishScript = #"""
        # fish completion for turnstone. In ~/.config/fish/completions: turnstone completion fish > turnstone.fish
        function __turnstone_complete
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] __complete (math (count $words) - 1) $words 2>/dev/null)
                switch $line
                    case ':files'
                        __fish_complete_path (commandline -ct)
                    case ':directories'
                        __fish_complete_directories (commandline -ct)
                    case '*'
                        echo $line
                end
            end
        end
        complete -c turnstone -f -a '(__turnstone_complete)'
        """#
}
