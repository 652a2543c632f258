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
