import NetworkLayer

/// The names of files that may be in a command's words, those included that a shell would make of them.
///
/// Each word counts, and so does each part of it, such as in a line for a shell, behind a `=` or behind the letters of options; what stands
/// behind a slash, since `$PWD` or `$(git rev-parse --show-toplevel)` may stand before it; and what some programs read without being told,
/// such as a Makefile. What is known only when the command runs, such as `$1`, may be any part of a name.
struct CommandWords: Sendable {
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
    /// Whether what is run has a name that is made only then, so that anything that is named may be it.
    private(set) var isOpen = false
    private var alternativeCount = 0
    private var nameBytes = 0
    /// Whether there were more names than are kept.
    private(set) var isCut = false
    private var known: Set<ExactText> = []

    init(_ words: [String]) {
        let own = RunFiles(words.enumerated().map { ShellWord(text: $1, isTarget: false, isProgram: $0 == 0) })
        let shellWords = ShellWord.all(inEach: words)
        let lines = RunFiles(shellWords)
        let parts = words.map(Self.parts)
        // A program without a slash is looked up in PATH.
        if let first = words.first, !first.utf8.contains(UInt8(ascii: "/")) { program = first }
        for (index, word) in words.enumerated() {
            let isProgram = index == 0 && program != nil
            for part in parts[index] where !(isProgram && part.hasBytes(of: word)) { add(part) }
        }
        for name in own.names + lines.names { add(name, isRun: true) }
        for word in shellWords where program.map({ !word.text.hasBytes(of: $0) }) ?? true { add(word.text) }
        // In `vault kv get node` no node is run.
        let others = own.arguments.union(lines.arguments)
        let mayRun = words.filter { !own.arguments.contains(ExactText($0)) }
        let all = (mayRun.flatMap(Self.parts) + ShellWord.all(inEach: mayRun).map(\.text)).filter {
            !others.contains(ExactText($0))
        }
        for rule in ProgramFiles.all(in: all) { add(rule, all) }
        searches = all.contains { Self.searchers.contains($0) || "**".isIn($0) }
        written = Self.written(shellWords)
        isOpen = isOpen || own.isOpen || lines.isOpen
        if isOpen { run.formUnion(known) }
    }

    /// What a script names. Most of its words are none, so a slash, an ending or the word before it must tell the name of a file.
    init(script: [UInt8], named path: String) {
        guard script.contains(0) else {
            read(String(decoding: script, as: UTF8.self), named: path)
            return
        }
        // To some shells a zero is nothing, and to others the end of a word.
        read(String(decoding: script.filter { $0 != 0 }, as: UTF8.self), named: path)
        read(String(decoding: script.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self), named: path)
    }

    private mutating func read(_ script: String, named path: String) {
        let isShell = Self.isShell(script, named: path)
        var found: [String] = []
        var words: [String] = []
        var rules: [ProgramFiles] = []
        var before = ""
        Self.split(script, at: Self.flatSigns) { word, isFirstOfLine in
            if isFirstOfLine { before = "" }
            if Self.isName(word) || Self.isTaker(before) { found.append(word) }
            before = word
            words.append(word)
        }
        if script.begins(with: "#!"), let line = script.lines.first { found += Self.interpreter(String(line)) }
        Self.split(script, at: "\"'\n") { text, _ in
            if text.utf8.contains(UInt8(ascii: " ")), Self.isName(text) { found.append(text) }
        }
        var shellWords: [ShellWord] = []
        for line in Self.commandLines(script) {
            let inLine = ShellWord.all(in: line)
            for (word, before) in zip(inLine, [""] + inLine.map(\.text)) where Self.isName(word.text) || Self.isTaker(before) {
                found.append(word.text)
            }
            let files = RunFiles(inLine)
            for name in files.names { add(name, isRun: true) }
            guard isShell else { continue }
            for name in files.programs { add(name, isRun: true) }
            isOpen = isOpen || files.isOpen
            shellWords += inLine
        }
        for name in found where !"://".isIn(name) { add(name) }
        // Whatever it names may be what it runs, but for what it writes itself.
        if isOpen {
            let targets = Set(shellWords.filter(\.isTarget).map(Self.plain))
            for word in shellWords + words.map({ ShellWord(text: $0, isTarget: false) }) where !targets.contains(Self.plain(word)) {
                add(word.text, isRun: true)
            }
        }
        let ending = ".\(Self.ending(of: path))"
        rules = ProgramFiles.all.filter { $0.endings.contains(ending) }
        for rule in ProgramFiles.all(in: words) where !rules.contains(where: { $0.programs == rule.programs }) {
            rules.append(rule)
        }
        for rule in rules { add(rule, found) }
    }

    private static let flatSigns = " \t\r\n;|&()<>'\"`$={}[],@"

    /// The pieces between bytes of ASCII; a line feed is one of them.
    private static func split(_ text: String, at signs: String, _ visit: (_ piece: String, _ isFirstOfLine: Bool) -> Void) {
        var isSign = [Bool](repeating: false, count: 256)
        for byte in signs.utf8 { isSign[Int(byte)] = true }
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            var isFirst = true
            for index in 0...bytes.count where index == bytes.count || isSign[Int(bytes[index])] {
                if index > start {
                    visit(String(decoding: bytes[start..<index], as: UTF8.self), isFirst)
                    isFirst = false
                }
                if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { isFirst = true }
                start = index + 1
            }
        }
    }

    /// The words behind `#!`.
    private static func interpreter(_ line: String) -> [String] {
        line.unicodeScalars.dropFirst(2).split { $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// Lines, joined where a backslash stands before the end of one.
    private static func commandLines(_ script: String) -> [String] {
        var lines: [String] = []
        var open = ""
        for line in script.lines {
            let isOpen = line.unicodeScalars.reversed().prefix { $0 == "\\" }.count % 2 == 1
            open += isOpen ? Substring(line.unicodeScalars.dropLast()) : line
            guard !isOpen else { continue }
            if !open.isEmpty { lines.append(open) }
            open = ""
        }
        return open.isEmpty ? lines : lines + [open]
    }

    /// Whether its lines are commands of a shell, as far as its first line or its name say so.
    private static func isShell(_ script: String, named path: String) -> Bool {
        if script.begins(with: "#!"), let line = script.lines.first {
            return interpreter(String(line)).contains { word in
                let program = word.pieces(at: "/").last.map(String.init) ?? ""
                return program != "." && Runner.of(program)?.dashEndsOptions == true
            }
        }
        let name = path.pieces(at: "/").last.map(String.init) ?? ""
        return shellEndings.contains(ending(of: name)) || ProgramFiles.makefiles.contains(name)
    }

    private static let shellEndings: Set<String> = ["", "sh", "bash", "ksh", "zsh", "mk", "bats", "envrc"]

    /// What stands before the name of a module.
    private static let moduleTakers: Set<String> = [
        "include", "-include", "sinclude", "import", "from", "require", "require_relative", "load", "use", "mod", "lib", "exec",
    ]

    /// Whether the next word is the name of a script or of a module.
    private static func isTaker(_ word: String) -> Bool {
        !word.isEmpty && (moduleTakers.contains(word) || Runner.of(word)?.takesArgument == true)
    }

    /// What stands only where a shell writes to it.
    private static func written(_ words: [ShellWord]) -> Set<ExactText> {
        Set(words.filter(\.isTarget).map(plain)).subtracting(words.filter { !$0.isTarget }.map(plain))
    }

    private static func plain(_ word: ShellWord) -> ExactText {
        ExactText(word.text.begins(with: "./") ? String(word.text.unicodeScalars.dropFirst(2)) : word.text)
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
        nameBytes += name.utf8.count
        guard nameBytes <= Self.mostNameBytes else {
            isCut = true
            return
        }
        if isRun { run.insert(ExactText(name)) }
        if !isKnown {
            names.append(name)
            let pattern = Self.withoutBraces(name)
            if Self.isPattern(pattern) { patterns.append(pattern) }
        }
        for alternative in alternatives(of: name) { add(alternative, isRun: isRun) }
        if !name.begins(with: "./"), let slash = name.unicodeScalars.firstIndex(of: "/") {
            add(String(name.unicodeScalars[name.unicodeScalars.index(after: slash)...]), isRun: isRun)
        }
    }

    /// What a shell makes of the first `{a,b}`.
    private mutating func alternatives(of name: String) -> [String] {
        guard name.utf8.contains(UInt8(ascii: "{")), name.utf8.contains(UInt8(ascii: ",")) else { return [] }
        let scalars = Array(name.unicodeScalars)
        var opening: Int?
        for (index, scalar) in scalars.enumerated() {
            if scalar == "{" { opening = index }
            guard scalar == "}", let start = opening else { continue }
            let texts = scalars[(start + 1)..<index].split(omittingEmptySubsequences: false) { $0 == "," }
            opening = nil
            guard texts.count > 1 else { continue }
            alternativeCount += texts.count
            guard alternativeCount <= Self.mostAlternatives else {
                isOpen = true
                return []
            }
            return texts.map { String(scalars: scalars[..<start] + $0 + scalars[(index + 1)...]) }
        }
        return []
    }

    private static let mostAlternatives = 1000
    /// In all names, with what stands behind each slash of them.
    private static let mostNameBytes = 8 << 20

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
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
        return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[name.utf8.index(after: $0)...]) } ?? ""
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
