import NetworkLayer

/// The names of files that may be in a command's words, those included that a shell would make of them.
///
/// Each word counts, and so does each part of it, such as in a line for a shell, behind a `=` or behind the letters of options; what stands
/// behind a slash, since `$PWD` or `$(git rev-parse --show-toplevel)` may stand before it; and what some programs read without being told,
/// such as a Makefile.
struct CommandWords {
    private(set) var names: [String] = []
    /// Such as `scripts/*.sh`.
    private(set) var patterns: [String] = []
    private var known: Set<ExactText> = []

    init(_ words: [String]) {
        let parts = words.map(Self.parts)
        for (index, word) in words.enumerated() {
            // A program without a slash is looked up in PATH.
            let isProgram = index == 0 && !word.utf8.contains(UInt8(ascii: "/"))
            for part in parts[index] where !(isProgram && part.hasBytes(of: word)) { add(part) }
        }
        for rule in ProgramFiles.all where parts.joined().contains(where: { rule.isOf($0) }) {
            for name in rule.names { add(name) }
            for part in parts.joined() where !part.unicodeScalars.contains(" ") {
                for ending in rule.endings { add(part + ending) }
                if rule.hasModules { for ending in rule.endings { add(part.replacing(scalars: ".", with: "/") + ending) } }
            }
        }
    }

    private mutating func add(_ name: String) {
        guard (1...Self.longestPath).contains(name.utf8.count), known.insert(ExactText(name)).inserted else { return }
        names.append(name)
        let pattern = Self.withoutBraces(name)
        if Self.isPattern(pattern) { patterns.append(pattern) }
        if !name.begins(with: "./"), let slash = name.unicodeScalars.firstIndex(of: "/") {
            add(String(name.unicodeScalars[name.unicodeScalars.index(after: slash)...]))
        }
    }

    private static func parts(of word: String) -> [String] {
        var parts = [word]
        // A shell joins what stands in quotes to what stands beside it.
        let unquoted = String(String.UnicodeScalarView(word.unicodeScalars.filter { !"\"'\\".unicodeScalars.contains($0) }))
        for text in unquoted == word ? [word] : [word, unquoted] {
            for signs in [" \t\r\n;|&()<>'\"`$=", " \t\r\n;|&()<>'\"`$={},", " \t\r\n;|&()<>'\"`$={},@:[]"] {
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

/// What a program reads by itself, in the directory that it is in or that it is given.
private struct ProgramFiles {
    /// The program's name begins so, and has nothing but digits and dots behind that.
    var programs: [String]
    var names: [String] = []
    /// What it adds to the name of a module.
    var endings: [String] = []
    /// Whether a dot in the name of a module is a slash in that of its file.
    var hasModules = false

    func isOf(_ word: String) -> Bool {
        let name = word.pieces(at: "/").last ?? ""
        return programs.contains { program in
            name.begins(with: program)
                && name.unicodeScalars.dropFirst(program.unicodeScalars.count).allSatisfy {
                    ("0"..."9").contains($0) || $0 == "."
                }
        }
    }

    static let all = [
        ProgramFiles(programs: ["make", "gmake"], names: ["GNUmakefile", "makefile", "Makefile"]),
        ProgramFiles(
            programs: ["node", "npm", "npx", "yarn", "pnpm", "bun", "deno"],
            names: ["package.json", "deno.json", "index.js", "index.mjs"],
            endings: [".js", ".mjs", ".cjs", ".ts"]),
        ProgramFiles(
            programs: ["python", "pypy", "uv", "poetry", "pipenv", "tox"],
            names: ["__main__.py", "__init__.py", "pyproject.toml", "tox.ini"],
            endings: [".py", "/__main__.py", "/__init__.py"], hasModules: true),
        ProgramFiles(programs: ["ruby", "rake", "bundle"], names: ["Rakefile", "Gemfile"], endings: [".rb"]),
        ProgramFiles(programs: ["perl"], endings: [".pm"]),
        ProgramFiles(programs: ["just"], names: ["justfile", "Justfile", ".justfile"]),
        ProgramFiles(programs: ["task"], names: ["Taskfile.yml", "Taskfile.yaml"]),
        ProgramFiles(programs: ["cargo"], names: ["Cargo.toml", "build.rs", "src/main.rs"]),
        ProgramFiles(programs: ["go"], names: ["go.mod", "main.go"]),
        ProgramFiles(
            programs: ["docker", "docker-compose", "podman"],
            names: ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile"]),
        ProgramFiles(programs: ["gradle", "gradlew"], names: ["build.gradle", "build.gradle.kts"]),
        ProgramFiles(programs: ["mvn", "mvnw"], names: ["pom.xml"]),
    ]
}
