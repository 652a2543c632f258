import NetworkLayer

/// A program that runs a file: an argument of it, the value of an option, or what it reads.
struct Runner {
    /// The program's name is one of these, with nothing but digits and dots behind it.
    var programs: [String]
    /// Options whose value is such a file.
    var fileOptions: Set<String> = []
    /// Options whose value is something else.
    var otherOptions: Set<String> = []
    /// Options behind which the program itself stands, so that no argument is a file that is run.
    var textOptions: Set<String> = []
    /// Options that say that the program is what is read.
    var inputOptions: Set<String> = []
    /// Words that may stand before the file.
    var subcommands: Set<String> = []
    /// Whether a dash alone ends the options; else it stands for what is read.
    var dashEndsOptions = false
    /// Whether its first argument is such a file.
    var takesArgument = true
    /// Whether it runs what it reads, where no file is named.
    var readsInput = true

    static let all = [
        Runner(programs: [".", "source"], readsInput: false),
        Runner(
            programs: ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash", "yash", "fish", "csh", "tcsh"],
            fileOptions: ["--rcfile", "--init-file"], otherOptions: ["-o", "+o", "-O", "+O"], textOptions: ["-c", "--command"],
            inputOptions: ["-s"], dashEndsOptions: true),
        Runner(programs: ["python", "pypy", "ipython"], otherOptions: ["-W", "-X"], textOptions: ["-c", "-m"]),
        Runner(
            programs: ["node", "nodejs", "bun", "deno", "tsx", "ts-node", "vite-node"],
            fileOptions: ["-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"],
            textOptions: ["-e", "--eval", "-p", "--print"], subcommands: ["run"]),
        Runner(programs: ["ruby"], otherOptions: ["-I", "-r", "-C", "-E", "-K", "-W", "-F"], textOptions: ["-e"]),
        Runner(
            programs: ["perl"], otherOptions: ["-I", "-M", "-m", "-F", "-i", "-D", "-C", "-x"], textOptions: ["-e", "-E"]),
        Runner(programs: ["php"], fileOptions: ["-f", "--file"], otherOptions: ["-d", "-c"], textOptions: ["-r", "--run"]),
        Runner(programs: ["lua", "luajit"], otherOptions: ["-e", "-l"]),
        Runner(programs: ["tclsh", "wish", "expect"], fileOptions: ["-f"], textOptions: ["-c"]),
        Runner(programs: ["osascript"], otherOptions: ["-l"], textOptions: ["-e"]),
        Runner(programs: ["R", "Rscript"], fileOptions: ["-f", "--file"], textOptions: ["-e"]),
        Runner(programs: ["groovy", "julia", "elixir", "guile", "racket"], textOptions: ["-e", "-E", "-c"]),
        Runner(
            programs: ["pwsh", "powershell"], fileOptions: ["-File", "-f"], textOptions: ["-Command", "-c", "-EncodedCommand"]),
        Runner(
            programs: ["awk", "gawk", "mawk", "nawk"], fileOptions: ["-f", "--file", "-i", "--include", "-E", "--exec"],
            otherOptions: ["-v", "-F"], takesArgument: false, readsInput: false),
        Runner(
            programs: ["sed", "gsed"], fileOptions: ["-f", "--file"], otherOptions: ["-e"], takesArgument: false, readsInput: false),
        Runner(
            programs: ["jq", "gojq", "jaq"], fileOptions: ["-f", "--from-file"], otherOptions: ["-L"], takesArgument: false,
            readsInput: false),
        Runner(
            programs: ["make", "gmake"], fileOptions: ["-f", "--file", "--makefile"], otherOptions: ["-C", "-I", "-j", "-o", "-W"],
            takesArgument: false, readsInput: false),
        // What these are told in a file may start programs, or send other files.
        Runner(programs: ["gdb"], fileOptions: ["-x", "-ix", "--command"], takesArgument: false, readsInput: false),
        Runner(programs: ["vi", "vim", "nvim"], fileOptions: ["-S", "-u"], takesArgument: false, readsInput: false),
        Runner(programs: ["curl"], fileOptions: ["-K", "--config"], takesArgument: false, readsInput: false),
    ]

    private static let byName = Dictionary(
        uniqueKeysWithValues: all.flatMap { runner in runner.programs.map { ($0, runner) } })

    /// - Parameter program: without its directory.
    static func of(_ program: String) -> Runner? {
        if let runner = byName[program] { return runner }
        let plain = ProgramFiles.withoutVersion(program)
        return plain == program ? nil : byName[plain]
    }

    /// What stands in these is run, or read in, by whatever shell or program is started.
    static let fileVariables: Set<String> = ["BASH_ENV", "ENV", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONSTARTUP"]

    /// Programs that run none of their arguments, as others do: `timeout 5 sh x`. For some a word says that they do.
    static let others: [String: Set<String>] = [
        "echo": [], "printf": [], "test": [], "[": [], "[[": [], "cat": [], "cp": [], "mv": [], "rm": [], "grep": [],
        "vault": ["exec", "agent", "ssh"], "op": ["run", "plugin"], "pass": [], "gopass": ["env"], "bw": [], "lpass": [],
        "secret-tool": [], "security": [], "keyring": [], "aws": [], "gcloud": ["ssh"], "az": [], "gh": [],
    ]
}

/// The files that commands run, by where their names stand.
struct RunFiles {
    private(set) var names: [String] = []
    /// What stands where a program does, and has a slash.
    private(set) var programs: [String] = []
    /// Whether a name is made only when the command runs, all of it.
    private(set) var isOpen = false
    /// The arguments of programs that run none, where they stand nowhere else.
    private(set) var arguments: Set<ExactText> = []
    private var starts: Set<ExactText> = []
    /// Up to which word what a pipeline prints has been added: each of its runners runs what comes before it.
    private var addedUntil = 0

    init(_ words: [ShellWord]) {
        var start = 0
        for index in words.indices where index + 1 == words.count || words[index + 1].command != words[index].command {
            read(words[start...index], of: words)
            start = index + 1
        }
        arguments.subtract(starts)
    }

    /// One command.
    private mutating func read(_ command: ArraySlice<ShellWord>, of words: [ShellWord]) {
        var call: Call?
        var mayRun = true
        var isEval = false
        var inputs: [String] = []
        var runsNothing: [String: Bool] = [:]
        for word in command where !word.isTarget {
            if word.isInput {
                inputs.append(word.text)
                continue
            }
            if let (name, value) = word.text.halves(at: "="), Runner.fileVariables.contains(String(name)) { add(String(value)) }
            if isEval { addOutput(of: word) }
            if word.isProgram {
                if let call { end(call, inputs, before: command, in: words) }
                // make has signs before a command.
                let text = String(word.text.unicodeScalars.drop { "@-+".unicodeScalars.contains($0) })
                let program = text.pieces(at: "/").last.map(String.init) ?? ""
                starts.insert(ExactText(word.text))
                isEval = isEval || program == "eval"
                call = Runner.of(program).map { Call($0) }
                if runsNothing[program] == nil, let running = Runner.others[program] {
                    let runsNone = !command.contains { running.contains($0.text) }
                    if runsNone { arguments.formUnion(command.filter { !$0.isProgram }.map { ExactText($0.text) }) }
                    runsNothing[program] = runsNone
                }
                let runsNone = runsNothing[program] ?? false
                mayRun = call == nil && !runsNone && program.unicodeScalars.first != "#"
                if text.utf8.contains(UInt8(ascii: "/")), !text.utf8.contains(UInt8(ascii: "=")) { programs.append(text) }
            } else if var current = call {
                take(word, &current)
                call = current
            } else if mayRun {
                let program = word.text.pieces(at: "/").last.map(String.init) ?? ""
                if program != ".", let runner = Runner.of(program) { (call, mayRun) = (Call(runner), false) }
            }
        }
        if let call { end(call, inputs, before: command, in: words) }
    }

    /// A runner whose words are being read.
    private struct Call {
        let runner: Runner
        var next = Next.any
        var optionsEnded = false
        /// Whether a file or a text is named already, so that the rest are its arguments.
        var isNamed = false
        var readsInput: Bool

        enum Next { case any, file, other, text }

        init(_ runner: Runner) {
            self.runner = runner
            readsInput = runner.readsInput
        }

        mutating func isText() {
            (isNamed, readsInput, next) = (true, false, .text)
        }
    }

    private mutating func take(_ word: ShellWord, _ call: inout Call) {
        let next = call.next
        call.next = .any
        switch next {
        case .file: add(word)
        case .other: break
        case .text: addOutput(of: word)
        case .any:
            guard !call.isNamed else { return }
            if !call.optionsEnded, let first = word.text.unicodeScalars.first, first == "-" || first == "+" {
                option(word.text, &call)
            } else if call.runner.takesArgument, !call.runner.subcommands.contains(word.text) {
                call.isNamed = true
                // The input of `. /dev/stdin` is what is run.
                call.readsInput = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(word.text)
                if !call.readsInput { add(word) }
            }
        }
    }

    private mutating func option(_ text: String, _ call: inout Call) {
        let runner = call.runner
        if text == "--" || text == "-" && runner.dashEndsOptions {
            call.optionsEnded = true
        } else if text == "-" || runner.inputOptions.contains(text) {
            call.isNamed = true
        } else if runner.fileOptions.contains(text) {
            call.next = .file
        } else if runner.otherOptions.contains(text) {
            call.next = .other
        } else if runner.textOptions.contains(text) {
            call.isText()
        } else if let (name, value) = text.halves(at: "="), runner.fileOptions.contains(String(name)) {
            add(String(value))
        } else if !text.begins(with: "--"), text.unicodeScalars.first == "-" {
            letters(text, &call)
        }
    }

    /// `-xec`, `-flib`
    private mutating func letters(_ text: String, _ call: inout Call) {
        let letters = Array(text.unicodeScalars.dropFirst())
        for (index, letter) in letters.enumerated() {
            let option = "-\(letter)"
            let rest = letters[(index + 1)...]
            if call.runner.fileOptions.contains(option) {
                if rest.isEmpty { call.next = .file } else { add(String(scalars: rest)) }
                return
            }
            if call.runner.otherOptions.contains(option) {
                if rest.isEmpty { call.next = .other }
                return
            }
            if call.runner.textOptions.contains(option) { return call.isText() }
            if call.runner.inputOptions.contains(option) { call.isNamed = true }
            guard letter.isASCII, letter.properties.isAlphabetic || ("0"..."9").contains(letter) else { return }
        }
    }

    /// A runner that runs what it reads: the file behind `<`, or what the commands before it print.
    private mutating func end(_ call: Call, _ inputs: [String], before command: ArraySlice<ShellWord>, in words: [ShellWord]) {
        guard call.readsInput, let first = command.first else { return }
        for input in inputs { add(input) }
        for word in words[..<command.startIndex].dropFirst(addedUntil).reversed() {
            guard (first.from..<first.command).contains(word.command) else { break }
            if !word.isTarget, word.text.unicodeScalars.first != "-" { add(word) }
        }
        addedUntil = max(addedUntil, command.startIndex)
    }

    private mutating func add(_ word: ShellWord) {
        add(word.text, isMade: !word.commands.isEmpty)
        addOutput(of: word)
    }

    /// What the commands in a word print is run.
    private mutating func addOutput(of word: ShellWord) {
        for command in word.commands {
            for word in ShellWord.all(in: command) where !word.isTarget && word.text.unicodeScalars.first != "-" {
                names.append(word.text)
            }
        }
    }

    /// - Parameter isMade: by commands that are read as well.
    private mutating func add(_ name: String, isMade: Bool = false) {
        names.append(name)
        guard !isMade else { return }
        let last = name.pieces(at: "/").last ?? ""
        if last.unicodeScalars.contains("*"), last.unicodeScalars.allSatisfy({ "*?.".unicodeScalars.contains($0) }) {
            isOpen = true
        }
    }
}
