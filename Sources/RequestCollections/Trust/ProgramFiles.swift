import NetworkLayer

/// What a program reads by itself, in the directory that it is in or that it is given.
struct ProgramFiles {
    /// The program's name is one of these, with nothing but digits and dots behind it.
    var programs: [String]
    /// The names of files, and patterns of such.
    var names: [String] = []
    /// What it adds to the name of a module.
    var endings: [String] = []
    /// What a slash in the name of a module's file is in that of the module.
    var moduleSign: String?

    /// What a program reads that a word names, with its directory or without it.
    static func of(_ word: String) -> ProgramFiles? {
        // Most words of a script are too long to be one, or begin with another sign.
        guard let first = word.utf8.first, isLetter(first) || first == UInt8(ascii: "/") || word.utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        let name = word.pieces(at: "/").last.map(String.init) ?? ""
        return (byProgram[name] ?? byProgram[withoutVersion(name)]).map { all[$0] }
    }

    /// The same for many words, each rule once.
    static func all(in words: [String]) -> [ProgramFiles] {
        var seen: Set<String> = []
        return words.compactMap(of).filter { $0.programs.first.map { seen.insert($0).inserted } ?? false }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static let byProgram = Dictionary(
        all.enumerated().flatMap { index, rule in rule.programs.map { ($0, index) } }, uniquingKeysWith: { first, _ in first })

    /// `python3.11` is Python.
    static func withoutVersion(_ program: String) -> String {
        var scalars = Substring(program).unicodeScalars
        while let last = scalars.last, ("0"..."9").contains(last) || last == "." { scalars.removeLast() }
        return String(scalars)
    }

    static let makefiles = ["GNUmakefile", "makefile", "Makefile"]

    static let all = [
        ProgramFiles(programs: ["make", "gmake"], names: makefiles),
        ProgramFiles(
            programs: [
                "node", "nodejs", "npm", "npx", "yarn", "pnpm", "pnpx", "bun", "bunx", "deno", "tsx", "ts-node", "vite-node",
                "corepack",
            ],
            names: [
                "package.json", "deno.json", "deno.jsonc", "index.js", "index.mjs", "index.cjs", "index.ts", ".npmrc", ".yarnrc",
                ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml",
            ],
            endings: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", "/index.js", "/index.mjs", "/index.cjs", "/index.ts"]),
        // The directory of a module is searched before Python's own: `json.py` is what `python3 -m json.tool` loads.
        ProgramFiles(
            programs: ["python", "ipython", "pypy", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "tox", "nox", "pytest"],
            names: [
                "*.py", "*/__init__.py", "__main__.py", "__init__.py", "pyproject.toml", "tox.ini", "Pipfile", "pytest.ini",
                "setup.cfg",
            ],
            endings: [".py", "/__main__.py", "/__init__.py"], moduleSign: "."),
        ProgramFiles(programs: ["inv", "invoke", "fab"], names: ["tasks.py", "fabfile.py"]),
        ProgramFiles(
            programs: ["ruby", "rake", "bundle", "thor"],
            names: ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb", "rakelib/*.rake", "Gemfile", "Thorfile"], endings: [".rb"]
        ),
        ProgramFiles(programs: ["perl"], endings: [".pm"], moduleSign: "::"),
        ProgramFiles(programs: ["php", "composer"], names: ["composer.json"], endings: [".php"]),
        ProgramFiles(programs: ["lua", "luajit"], endings: [".lua"], moduleSign: "."),
        ProgramFiles(programs: ["jq"], endings: [".jq"]),
        ProgramFiles(programs: ["zsh"], names: [".zshenv"]),
        ProgramFiles(programs: ["R", "Rscript"], names: [".Rprofile"]),
        ProgramFiles(programs: ["just"], names: ["justfile", "Justfile", ".justfile"]),
        ProgramFiles(
            programs: ["task"], names: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"]),
        ProgramFiles(programs: ["mise"], names: ["mise.toml", ".mise.toml", ".tool-versions", "mise-tasks/*"]),
        ProgramFiles(programs: ["direnv"], names: [".envrc"]),
        ProgramFiles(programs: ["nix", "nix-shell", "nix-build"], names: ["flake.nix", "shell.nix", "default.nix"]),
        ProgramFiles(
            programs: ["cargo"],
            names: ["Cargo.toml", "build.rs", "src/main.rs", "src/bin/*.rs", "examples/*.rs", ".cargo/config.toml"]),
        ProgramFiles(programs: ["go"], names: ["go.mod", "*.go"]),
        ProgramFiles(programs: ["swift"], names: ["Package.swift"]),
        ProgramFiles(programs: ["dotnet"], names: ["*.csproj", "*.fsproj", "Program.cs", "Directory.Build.props"]),
        ProgramFiles(
            programs: ["docker", "docker-compose", "podman", "podman-compose"],
            names: [
                "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "compose.override.yaml",
                "compose.override.yml", "docker-compose.override.yaml", "docker-compose.override.yml", "Dockerfile",
                "Containerfile",
            ]),
        ProgramFiles(
            programs: ["gradle", "gradlew"],
            names: [
                "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle/wrapper/gradle-wrapper.jar",
                "gradle/wrapper/gradle-wrapper.properties",
            ]),
        ProgramFiles(
            programs: ["mvn", "mvnw"],
            names: [
                "pom.xml", ".mvn/jvm.config", ".mvn/maven.config", ".mvn/extensions.xml", ".mvn/wrapper/maven-wrapper.jar",
                ".mvn/wrapper/maven-wrapper.properties",
            ]),
    ]
}
