import NetworkLayer

/// The names of files that may be in a command's words, those included that a shell would make of them.
///
/// Each word counts, and so does each part of it, such as in a line for a shell, behind a `=` or behind the letters of options; what stands
/// behind a slash, since `$PWD` or `$(git rev-parse --show-toplevel)` may stand before it; and what some programs read without being told,
/// such as a Makefile. What is known only when the command runs, such as `$1`, may be any part of a name.
struct CommandWords {
    private(set) var names: [String] = []
    /// Such as `scripts/*.sh`.
    private(set) var patterns: [String] = []
    /// The names among them that stand only where a shell writes to them, as `out` in `> out`.
    private(set) var written: Set<ExactText> = []
    /// The names among them that stand where only a script can, as in `. ./common`: such a script is one whatever it is called.
    private var run: Set<ExactText> = []
    /// A program without a slash: it is looked up in PATH.
    private(set) var program: String?
    /// Whether it looks for files in directories of directories.
    private(set) var searches = false
    private var known: Set<ExactText> = []

    init(_ words: [String]) {
        let shellWords = words.flatMap { ShellWord.all(in: $0) }
        let parts = words.map(Self.parts)
        // A program without a slash is looked up in PATH.
        if let first = words.first, !first.utf8.contains(UInt8(ascii: "/")) { program = first }
        for (index, word) in words.enumerated() {
            let isProgram = index == 0 && program != nil
            for part in parts[index] where !(isProgram && part.hasBytes(of: word)) { add(part) }
        }
        let own = words.enumerated().map { ShellWord(text: $1, isTarget: false, isProgram: $0 == 0) }
        for name in Self.run(own) + Self.run(shellWords) { add(name, isRun: true) }
        for word in shellWords where program.map({ !word.text.hasBytes(of: $0) }) ?? true { add(word.text) }
        let all = parts.joined() + shellWords.map(\.text)
        for rule in ProgramFiles.all where all.contains(where: { rule.isOf($0) }) { add(rule, Array(all)) }
        searches = all.contains { Self.searchers.contains($0) || "**".isIn($0) }
        func plain(_ word: ShellWord) -> ExactText {
            ExactText(word.text.begins(with: "./") ? String(word.text.unicodeScalars.dropFirst(2)) : word.text)
        }
        written = Set(shellWords.filter(\.isTarget).map(plain)).subtracting(shellWords.filter { !$0.isTarget }.map(plain))
    }

    /// What a script names. Most of its words are none, so a slash, an ending or the word before it must tell the name of a file.
    init(script: String, named path: String) {
        let ending = ".\(Self.ending(of: path))"
        var found: [String] = []
        var isFirst = true
        var rules = ProgramFiles.all.filter { $0.endings.contains(ending) }
        for line in script.lines where !line.isEmpty {
            let flat = line.unicodeScalars.split { " \t;|&()<>'\"`$={}[],@".unicodeScalars.contains($0) }.map(String.init)
            let quoted = line.unicodeScalars.split { "\"'".unicodeScalars.contains($0) }.map(String.init)
            let isInterpreter = isFirst && line.begins(with: "#!")
            let shellWords = ShellWord.all(in: String(line))
            for name in Self.run(shellWords) { add(name, isRun: true) }
            for words in [flat, shellWords.map(\.text)] {
                for (word, before) in zip(words, [""] + words) {
                    let word = word.begins(with: "#!") ? String(word.unicodeScalars.dropFirst(2)) : word
                    if isInterpreter || Self.isName(word) || Self.takers.contains(before) { found.append(word) }
                }
            }
            found += quoted.filter { $0.unicodeScalars.contains(" ") && Self.isName($0) }
            for rule in ProgramFiles.all where flat.contains(where: { rule.isOf($0) }) {
                if !rules.contains(where: { $0.programs == rule.programs }) { rules.append(rule) }
            }
            isFirst = false
            if found.count > Self.mostNames { break }
        }
        found = Array(found.prefix(Self.mostNames))
        for name in found where !"://".isIn(name) { add(name) }
        for rule in rules { add(rule, found) }
    }

    private static let mostNames = 1000

    /// What stands before the name of a script or of a module.
    private static let takers: Set<String> = [
        ".", "source", "include", "-include", "sinclude", "import", "from", "require", "require_relative", "load", "use", "mod",
        "lib",
        "exec", "sh", "bash", "dash", "ksh", "zsh", "python", "python3", "node", "ruby", "perl",
    ]

    /// What runs the file that is named behind its options.
    private static let runners: Set<String> = [
        ".", "source", "sh", "bash", "dash", "ksh", "zsh", "python", "python3", "node", "ruby", "perl",
    ]
    /// Options of some of them that take the next word.
    private static let takingOptions: Set<String> = ["-o", "+o", "-O", "-W", "-X", "-I", "-r"]

    /// Programs that run none of their arguments, as others do: `timeout 5 sh x`.
    private static let nonRunners: Set<String> = ["echo", "printf", "test", "[", "[[", "cat", "cp", "mv", "rm", "jq", "grep"]

    /// The names of the files that runners run.
    private static func run(_ words: [ShellWord]) -> [String] {
        var names: [String] = []
        var runner: String?
        var mayRun = true
        for (index, word) in words.enumerated() where !word.isTarget {
            // make has signs before a command.
            let text = String(word.text.unicodeScalars.drop { "@-+".unicodeScalars.contains($0) })
            let program = text.pieces(at: "/").last.map(String.init) ?? ""
            if word.isProgram {
                runner = runners.contains(program) ? program : nil
                mayRun = runner == nil && !nonRunners.contains(program) && program.unicodeScalars.first != "#"
            } else if runner == nil, mayRun, program != ".", runners.contains(program) {
                (runner, mayRun) = (program, false)
            } else if let name = runner {
                // The next word is the script itself, or it comes from elsewhere.
                let isText = word.text == "-" || word.text == "-c" || word.text == "-e" && ["perl", "ruby", "node"].contains(name)
                if isText {
                    runner = nil
                } else if word.text.unicodeScalars.first != "-", word.text.unicodeScalars.first != "+" {
                    names.append(word.text)
                    if index == 0 || !takingOptions.contains(words[index - 1].text) { runner = nil }
                }
            }
        }
        return names
    }

    /// Whether only a script can be there.
    func isRun(_ name: String) -> Bool { run.contains(ExactText(name)) }

    private static let searchers: Set<String> = ["find", "fd", "fdfind"]

    private static func isName(_ word: String) -> Bool {
        word.utf8.contains(UInt8(ascii: "/")) || programFiles.contains(word) || scriptEndings.contains(ending(of: word))
    }

    private mutating func add(_ rule: ProgramFiles, _ parts: [String]) {
        for name in rule.names { add(name) }
        for part in parts where !part.isEmpty && !part.unicodeScalars.contains(" ") {
            for ending in rule.endings { add(part + ending) }
            guard let sign = rule.moduleSign, sign.isIn(part) else { continue }
            for ending in rule.endings { add(part.replacing(scalars: sign, with: "/") + ending) }
        }
    }

    private mutating func add(_ name: String, isRun: Bool = false) {
        guard (1...Self.longestPath).contains(name.utf8.count) else { return }
        let isKnown = !known.insert(ExactText(name)).inserted
        guard !isKnown || isRun && !self.isRun(name) else { return }
        if isRun { run.insert(ExactText(name)) }
        if !isKnown {
            names.append(name)
            let pattern = Self.withoutBraces(name)
            if Self.isPattern(pattern) { patterns.append(pattern) }
        }
        if !name.begins(with: "./"), let slash = name.unicodeScalars.firstIndex(of: "/") {
            add(String(name.unicodeScalars[name.unicodeScalars.index(after: slash)...]), isRun: isRun)
        }
    }

    private static func parts(of word: String) -> [String] {
        var parts = [word]
        // A shell joins what stands in quotes to what stands beside it.
        let unquoted = String(String.UnicodeScalarView(word.unicodeScalars.filter { !"\"'\\".unicodeScalars.contains($0) }))
        for text in unquoted == word ? [word] : [word, unquoted] {
            for signs in ["\"'", " \t\r\n;|&()<>'\"`$=", " \t\r\n;|&()<>'\"`$={},", " \t\r\n;|&()<>'\"`$={},@:[]"] {
                for part in text.unicodeScalars.split(whereSeparator: signs.unicodeScalars.contains) {
                    parts.append(String(part))
                    guard part.first == "-" else { continue }
                    // `-fscripts/mk`, `-xzfscripts.tar`
                    parts.append(String(part.dropFirst(2)))
                    for count in 3...6 where part.dropFirst().prefix(count - 1).allSatisfy(\.properties.isAlphabetic) {
                        parts.append(String(part.dropFirst(count)))
                    }
                }
            }
        }
        return parts
    }

    /// The names of what programs read without being told.
    static let programFiles = Set(ProgramFiles.all.flatMap(\.names))

    static let scriptEndings: Set<String> = [
        "awk", "bash", "bat", "cjs", "cmd", "cts", "fish", "go", "gradle", "jar", "jq", "js", "jsx", "kts", "ksh", "lua", "mjs",
        "mk",
        "mts", "nix", "php", "pl", "pm", "ps1", "py", "rake", "rb", "rs", "sed", "sh", "tcl", "ts", "tsx", "zsh",
    ]

    static func ending(of path: String) -> String {
        (path.pieces(at: "/").last ?? "").pieces(at: ".").dropFirst().last.map(String.init) ?? ""
    }

    /// What a system opens.
    private static let longestPath = 4096

    /// Whether a shell may put a name in its place.
    static func hasWildcard(_ text: String) -> Bool { text.unicodeScalars.contains { "*?[".unicodeScalars.contains($0) } }

    /// A star alone is more often something else, such as a sign of SQL: something of the name must be said.
    private static func isPattern(_ text: String) -> Bool {
        guard hasWildcard(text) else { return false }
        var isInBrackets = false
        for scalar in text.unicodeScalars {
            if scalar == "[" || scalar == "]" { isInBrackets = scalar == "[" }
            if !isInBrackets, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return true }
        }
        return false
    }

    /// `{a,b}` is one of several texts.
    private static func withoutBraces(_ pattern: String) -> String {
        var result = String.UnicodeScalarView()
        var depth = 0
        for scalar in pattern.unicodeScalars {
            if scalar == "{" {
                if depth == 0 { result.append("*") }
                depth += 1
            } else if scalar == "}", depth > 0 {
                depth -= 1
            } else if depth == 0 {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
