import Foundation
import Testing

@testable import RequestCollections

/// Swift takes a slash and an accent behind it for one character; the system doesn't.
@Suite struct TrustedPathTests {
    @Test func `a path leads upwards whatever stands behind its slash`() {
        #expect(RealPath.of("/nowhere-at-all/../\u{301}x") == "/\u{301}x")
        #expect("/c/\u{301}x".rest(below: "/c") == "/\u{301}x")
    }

    @Test func `a directory isn't another one that looks the same`() {
        #expect("/caf\u{E9}/x".rest(below: "/cafe\u{301}") == nil)
        #expect("/cafe\u{301}/x".rest(below: "/cafe\u{301}") == "/x")
    }

    @Test func `a script is one of the collection's whatever its name begins with`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("echo".utf8).write(to: folder.appending(path: "bin/\u{301}run"))
        let hashes = CommandFiles.hashes(of: ["bin/\u{301}run"], in: folder.path, of: CollectionPlace(folder.path))
        #expect(Array(hashes.keys) == ["bin/%CC%81run"])
    }

    @Test(arguments: [
        ["sh", "-c", "cd scripts && sh ./token.sh"], ["sh", "-c", "cd scripts; cd ..; . scripts/token.sh"],
        ["make", "-fscripts/token.sh"],
        ["make", "-C", "scripts", "-f", "token.sh"], ["make", "-Cscripts", "-ftoken.sh"], ["x", "--file=scripts/token.sh"],
        ["curl", "-d@scripts/token.sh"], ["env", "-C", "deep/scripts", "sh", "../../scripts/token.sh"],
        ["sh", "-c", "(cd deep/scripts\nsh ../../scripts/token.sh)"],
        // What a shell makes names of.
        ["sh", "-c", "for f in scripts/*.sh; do . $f; done"], ["sh", "-c", "cd script?; sh t*n.sh"],
        ["sh", "-c", "sh scripts/{other,token}.sh"], ["sh", "-c", "sh scripts/[a-z]oken.sh"],
        ["sh", "-c", "sh scripts\"/token.sh\""], ["sh", "-c", "sh script\\s/token.sh"],
        ["sh", "-c", "sh \"$PWD/scripts/token.sh\""], ["sh", "-c", "$(git rev-parse --show-toplevel)/scripts/token.sh"],
        ["sh", "-c", "sh ~+/scripts/token.sh"], ["sh", "-c", "D=scripts; sh ${D}/token.sh"], ["tar", "-xzfscripts/token.sh"],
    ])
    func `a script is watched however the command comes to it`(words: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        for name in ["scripts", "deep/scripts"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("echo".utf8).write(to: folder.appending(path: "scripts/token.sh"))
        let place = CollectionPlace(folder.path)
        let hashes = CommandFiles.hashes(of: words, in: folder.path, of: place)
        #expect(!hashes.isEmpty)
        #expect(CommandFiles.areUnchanged(hashes, of: place))
        try Data("echo other".utf8).write(to: folder.appending(path: "scripts/token.sh"))
        #expect(!CommandFiles.areUnchanged(hashes, of: place))
    }

    @Test(arguments: [
        (["make", "-s", "token"], "Makefile"), (["make", "-C", "sub", "token"], "sub/Makefile"),
        (["npm", "run", "x"], "package.json"),
        (["python3.11", "-m", "pkg.mod"], "pkg/mod.py"), (["python3", "sub"], "sub/__main__.py"),
        (["sh", "-c", "python3 -c 'import mod'"], "mod.py"), (["node", "-r", "./sub/x", "-e", "1"], "sub/x.js"),
        (["/usr/bin/just", "token"], "justfile"),
    ])
    func `what a program reads without being told is watched, too`(words: [String], file: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["pkg", "sub"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try Data("one".utf8).write(to: folder.appending(path: file))
        let hashes = CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path))
        #expect(!hashes.isEmpty && hashes.keys.allSatisfy { [file, "./\(file)"].contains($0) }, "\(hashes.keys)")
    }

    @Test(arguments: [
        // Blanks in names, and what a shell or a template puts in their place.
        ScriptCase(["sh", "-c", "sh 'my script.sh'"], "my script.sh"),
        ScriptCase(["sh", "-c", "sh my\\ script.sh"], "my script.sh"),
        ScriptCase(["sh", "-c", "sh scripts/\"my script\".sh"], "scripts/my script.sh"),
        ScriptCase(["sh", "-c", "bash -c \"sh 'my script.sh'\""], "my script.sh"),
        ScriptCase(["sh", "-c", "sh \"$PWD/my\nscript.sh\""], "my\nscript.sh"),
        ScriptCase(["sh", "-c", "sh scripts/$1.sh", "x", "token"], "scripts/token.sh"),
        ScriptCase(["sh", "-c", "a=to; sh scripts/${a}ken.sh"], "scripts/token.sh"),
        ScriptCase(["sh", "-c", "sh scripts/$(echo token).sh"], "scripts/token.sh"),
        ScriptCase(["sh", "-c", "sh scripts/`echo token`.sh"], "scripts/token.sh"),
        ScriptCase(["sh", "scripts/‹login .name›.sh"], "scripts/token.sh"),
        // Whole directories.
        ScriptCase(["sh", "-c", "cd scripts && for f in *; do . ./$f; done"], "scripts/token.sh"),
        ScriptCase(["run-parts", "scripts"], "scripts/token", "#!/bin/sh\n"),
        ScriptCase(["sh", "-c", "find . -name 'tok*.sh' -exec sh {} \\;"], "deep/er/token.sh"),
        ScriptCase(["bash", "-O", "globstar", "-c", "sh **/token.sh"], "deep/er/token.sh"),
        // Modules that are found by the directory alone, before those of the program itself.
        ScriptCase(["python3", "-m", "json.tool"], "json.py"), ScriptCase(["python3", "-m", "json.tool"], "argparse.py"),
        ScriptCase(["python3", "-c", "import a.b"], "a/__init__.py"), ScriptCase(["perl", "-MFoo::Bar", "-e", "1"], "Foo/Bar.pm"),
        ScriptCase(["perl", "-Ilib", "-MFoo::Bar", "-e", "1"], "lib/Foo/Bar.pm"), ScriptCase(["ruby", "-r./x", "-e", "1"], "x.rb"),
        ScriptCase(["go", "run", "."], "other.go"), ScriptCase(["go", "run", "./cmd/x"], "cmd/x/other.go"),
        ScriptCase(["cargo", "run", "--bin", "x"], "src/bin/x.rs"), ScriptCase(["cargo", "run"], ".cargo/config.toml"),
        ScriptCase(["npm", "run", "x"], ".npmrc"), ScriptCase(["yarn", "x"], ".yarnrc.yml"),
        ScriptCase(["tsx", "sub/x"], "sub/x.ts"),
        ScriptCase(["bun", "x"], "bunfig.toml"), ScriptCase(["deno", "task", "x"], "deno.jsonc"), ScriptCase(["nox"], "noxfile.py"),
        ScriptCase(["nix-shell", "--run", "x"], "shell.nix"), ScriptCase(["mise", "exec", "x"], "mise.toml"),
        ScriptCase(["direnv", "exec", ".", "x"], ".envrc"), ScriptCase(["rake", "x"], "rakelib/x.rake"),
        ScriptCase(["docker", "compose", "run", "x"], "compose.override.yaml"), ScriptCase(["./mvnw", "x"], ".mvn/jvm.config"),
        // What a watched script names.
        ScriptCase(["./run"], "bin/interpreter", "one", beside: ["run": "#!bin/interpreter -x\n"], isProgram: true),
        ScriptCase(["make", "x"], "mk/a.mk", beside: ["Makefile": "include mk/a.mk\n"]),
        ScriptCase(["make", "x"], "common", "#!/bin/sh\n", beside: ["Makefile": "x:\n\tsh common\n"]),
        ScriptCase(["scripts/token.sh"], "scripts/lib.sh", beside: ["scripts/token.sh": ". \"$(dirname \"$0\")/lib.sh\"\n"]),
        // Neither an ending nor an x bit, but only a script can stand there.
        ScriptCase(["scripts/token.sh"], "scripts/common", beside: ["scripts/token.sh": ". \"$(dirname \"$0\")/common\"\n"]),
        ScriptCase(["scripts/token.sh"], "common", beside: ["scripts/token.sh": "/bin/bash -e -u common\n"]),
        ScriptCase(["scripts/token.sh"], "b", beside: ["scripts/token.sh": "source ./a\n", "a": "if :; then . ./b; fi\n"]),
        ScriptCase(["sh", "a"], "lib/b", beside: ["a": "A=1 exec env B=2 bash -o pipefail lib/b\n"]),
        ScriptCase(["sh", "a"], "b", beside: ["a": "x | python3 -W ignore b >&2\n"]),
        ScriptCase(["sh", "a"], "hook", beside: ["a": "node -r ./hook app\n"]),
        ScriptCase(["sh", "a"], "b", beside: ["a": "case x in x) . ./b;; esac\n"]),
        ScriptCase(["sh", "a"], "b", beside: ["a": "eval . ./b; :\n"]),
        ScriptCase(["sh", "a"], "b", beside: ["a": "timeout 5 sh b\n"]),
        ScriptCase(["sh", "a"], "b", beside: ["a": "op run -- docker run x sh b\n"]),
        ScriptCase(["make", "x"], "b", beside: ["Makefile": "x:\n\t@sh b\n"]),
        ScriptCase(["make", "x"], "b", beside: ["Makefile": "x:\n\t-sh b\n"]),
        ScriptCase(["sh", "-c", ". ./a"], "b", beside: ["a": ". ./b\n"]),
        ScriptCase(["scripts/token.sh"], "lib/b.sh", beside: ["scripts/token.sh": ". lib/a.sh", "lib/a.sh": ". lib/b.sh"]),
        ScriptCase(["sh", "-c", ". \"$0\"", "a"], "b", beside: ["a": ". ./b\n"]),
        ScriptCase(["npm", "run", "x"], "b", beside: ["package.json": "{\"scripts\":{\n\"x\": \"cat b | sh\",\n\"y\": \"\"}}"]),
        ScriptCase(["npm", "run", "x"], "tools/x.js", beside: ["package.json": "{\"scripts\":{\"x\":\"node tools/x.js\"}}"]),
        ScriptCase(["python3", "scripts/token.py"], "scripts/helper.py", beside: ["scripts/token.py": "import helper\n"]),
        ScriptCase(["node", "scripts/t.js"], "scripts/lib.js", beside: ["scripts/t.js": "require('./lib')"]),
        ScriptCase(["node", "scripts/t.js"], "scripts/lib/index.js", beside: ["scripts/t.js": "require('./lib')"]),
    ])
    func `a script that is there or changes is noticed`(_ script: ScriptCase) throws {
        let folder = try ScriptFiles(script.beside)
        let place = CollectionPlace(folder.path)
        func hashes() -> [String: String] { CommandFiles.hashes(of: script.words, in: folder.path, of: place) }
        let missing = hashes()
        try folder.write(script.text, to: script.file, isProgram: script.isProgram)
        let one = hashes()
        #expect(one != missing)
        #expect(CommandFiles.areUnchanged(one, of: place))
        try folder.write(script.text + "other", to: script.file, isProgram: script.isProgram)
        #expect(hashes() != one)
        #expect(!CommandFiles.areUnchanged(one, of: place))
    }

    @Test func `a program that PATH finds in the repository is watched`() throws {
        let folder = try ScriptFiles([
            ".git/HEAD": "", "bin/token": "#!/bin/sh\n. ./lib\n", "bin/lib": "#!/bin/sh\n", "api/own/token": "one",
        ])
        let place = CollectionPlace(folder.path + "/api")
        func keys(_ words: [String]) -> [String] {
            CommandFiles.hashes(
                of: words, in: folder.path + "/api", of: place, searchPath: "bin:\(folder.path)/bin:\(folder.path)/api/own:/usr/bin"
            ).keys.sorted()
        }
        #expect(keys(["token"]) == ["../bin/lib", "../bin/token"])
        #expect(keys(["sh", "-c", "token | head"]) == ["../bin/lib", "../bin/token"])
        #expect(keys(["head"]).isEmpty)
        // What lies beside a collection of one file stays in the PATH of its commands.
        let file = try ScriptFiles(["shop.yaml": "turnstone: 1", "bin/token": "#!/bin/sh\n"])
        let beside = CommandFiles.hashes(
            of: ["token"], in: file.path, of: CollectionPlace(file.path + "/shop.yaml"), searchPath: file.path + "/bin")
        #expect(Array(beside.keys) == ["bin/token"])
    }

    /// Where the name stands, in a script, tells that the file is run, without an ending and an x bit.
    @Test(arguments: [
        // What a shell reads.
        "cat lib | (cd x; sh)", "cat lib | while :; do sh; done", "cat lib | sh", "cat lib | sudo -u me sh -s x",
        "{ date; cat lib; } | sh", "(date; cat lib) | bash -x",
        "sed s/a/b/ lib | python3 -",
        "sh < lib", "sh -s x < lib", ". /dev/stdin < lib", ". <(cat lib)", "eval \"$(cat lib)\"", "sh -c \"$(cat lib)\"",
        "sh - lib", "sh -- lib", "bash -eo pipefail lib",
        // Options.
        "awk -f lib", "gawk -v a=b -flib", "awk --file=lib", "sed -n -f lib x", "jq -rf lib x", "make -f lib", "php -d a=b lib",
        "php -f lib",
        "bash --rcfile lib -i", "node --import ./lib -e 1", "expect -f lib", "curl -K lib http://x/",
        // Other runners.
        "python3.11 lib", "pypy3 -W ignore lib", "nodejs lib", "bun lib", "bun run lib", "deno run --allow-net lib", "lua5.4 lib",
        "ksh93 lib",
        "mksh lib", "fish lib", "tclsh lib", "osascript lib", "Rscript lib",
        // Where a command begins.
        "function f { . ./lib; }", "2>&1 . ./lib", "sh \\\n  lib", ". \\\n ./lib", "BASH_ENV=lib bash -c :", "export ENV=./lib",
        "./lib",
        // Names that a shell makes.
        ". ./l?b", ". ./{x,lib}", ". ./[k-m]ib", "L=lib; . ./$L", "for f in lib; do . ./$f; done",
        "for f in l*; do . \"./$f\"; done",
        "sh ${X:-lib}",
    ])
    func `a script that another one runs is watched whatever it is called`(line: String) throws {
        let folder = try ScriptFiles(["a": "\(line)\n", "lib": "one", "data": "one"])
        let hashes = CommandFiles.hashes(of: ["sh", "a"], in: folder.path, of: CollectionPlace(folder.path))
        #expect(hashes.keys.contains("lib"), "\(hashes.keys)")
        #expect(!hashes.keys.contains("data"))
    }

    /// Whoever looks a secret up by the name of a program runs no such program.
    @Test(arguments: [
        ["vault", "kv", "get", "node"], ["op", "read", "make"], ["pass", "show", "node"],
        ["sh", "-c", "vault kv get node | head -1"],
        ["echo", "make"],
    ])
    func `the name of a program is none where it is looked up`(words: [String]) throws {
        let folder = try ScriptFiles(["package.json": "{}", "Makefile": "x:\n"])
        #expect(CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path)) == [:])
    }

    @Test(arguments: [
        ["vault", "agent", "-exec", "node x"], ["op", "run", "--", "node", "x"], ["sh", "-c", "vault kv get node; node x"],
        ["timeout", "5", "node", "x"],
    ])
    func `a program that another one starts reads its files`(words: [String]) throws {
        let folder = try ScriptFiles(["package.json": "{}"])
        #expect(CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path)).keys.contains("package.json"))
    }

    /// Else whoever adds a thousand files could hide one more behind them.
    @Test func `a script is watched in a large directory, too`() throws {
        let folder = try ScriptFiles(["scripts/z.sh": "one"])
        for number in 0..<1100 { try folder.write("", to: "scripts/a\(number).txt") }
        let place = CollectionPlace(folder.path)
        for words in [["run-parts", "scripts"], ["sh", "-c", "for f in scripts/*.sh; do . $f; done"]] {
            #expect(CommandFiles.hashes(of: words, in: folder.path, of: place).keys.contains("scripts/z.sh"))
        }
    }

    /// It is looked at before anybody has allowed anything. Without a bound, 10,000 directories and 300 names took a minute and a half.
    @Test func `a collection can't make the search for its scripts endless`() throws {
        let folder = try ScriptFiles(["run.sh": ". ./d0/0/a.sh\n", "d0/0/a.sh": "one"])
        for number in 0..<400 { try folder.write("", to: "d\(number)/\(number)/b") }
        let names = (0..<200).map { "./n\($0)" }.joined(separator: " ")
        let patterns = (0..<20).map { "d*/*/p\($0)*" }.joined(separator: " ")
        let words = ["sh", "-c", "sh run.sh; cat d*/*; \(names); cat \(patterns)"]
        var watch = CommandWatch(CommandGround(CollectionPlace(folder.path)), folder.path, "")
        watch.take(CommandWords(words))
        watch.followScripts()
        let most = CommandWatch.mostLooks
        // The entries of one directory may come on top of each part.
        #expect(watch.lookCount <= most.directories + most.command + most.scripts + 3 * 402)
        #expect(watch.hashes.keys.contains("run.sh"))
    }

    /// A program of the system is another one after an update, and has another place on another machine.
    @Test func `a link to outside counts by what it says`() throws {
        let (folder, outside) = (try ScriptFiles([:]), try ScriptFiles(["python3.11": "one", "python3.12": "two"]))
        let place = CollectionPlace(folder.path)
        try outside.link("python3", to: "python3.11")
        try folder.link("python3", to: "\(outside.path)/python3")
        try folder.link("python", to: "python3")
        let one = CommandFiles.hashes(of: ["./python"], in: folder.path, of: place)
        #expect(!one.isEmpty)
        try outside.link("python3", to: "python3.12")
        #expect(CommandFiles.hashes(of: ["./python"], in: folder.path, of: place) == one)
        // A link on the way is the collection's own.
        try folder.link("python3", to: "\(outside.path)/python3.12")
        #expect(CommandFiles.hashes(of: ["./python"], in: folder.path, of: place) != one)
        #expect(!CommandFiles.areUnchanged(one, of: place))
    }

    /// What a link leads to outside isn't read, but that it leads elsewhere by now is noticed.
    @Test func `a link to another program outside is another one`() throws {
        let (folder, outside) = (
            try ScriptFiles([:]), try ScriptFiles(["one": "one", "two": "two", "x/run": "one", "y/run": "two"])
        )
        let place = CollectionPlace(folder.path)
        for (words, name, targets) in [
            (["./tool"], "tool", ["one", "two"]), (["sh", "-c", "cd sub && ./run"], "sub", ["x", "y"]),
        ] {
            try folder.link(name, to: "\(outside.path)/\(targets[0])")
            let one = CommandFiles.hashes(of: words, in: folder.path, of: place)
            #expect(CommandFiles.areUnchanged(one, of: place))
            try folder.link(name, to: "\(outside.path)/\(targets[1])")
            #expect(CommandFiles.hashes(of: words, in: folder.path, of: place) != one, "\(words)")
            #expect(!CommandFiles.areUnchanged(one, of: place), "\(words)")
        }
        try outside.write("other", to: "two")
        #expect(CommandFiles.areUnchanged(CommandFiles.hashes(of: ["./tool"], in: folder.path, of: place), of: place))
    }

    /// Data that a script names, such as what it leaves there, is something else each time.
    @Test func `what a script names is watched when it is one`() throws {
        let folder = try ScriptFiles(["sign.sh": "cat token.json; . ./lib.sh", "token.json": "one", "lib.sh": "one"])
        let keys = CommandFiles.hashes(of: ["./sign.sh"], in: folder.path, of: CollectionPlace(folder.path)).keys.sorted()
        #expect(keys == ["./sign.sh", "lib.sh"])
    }

    /// They are written anew each time, so that whoever watched them would ask each time.
    @Test(
        arguments: [
            "jq -r . data", "cp -r . data", "exec > data 2>&1", "source=\"data\"", "const node = \"data\"", "python3 - data <<EOF",
            "sh -c 'x' data", "bash -ec 'x' data", "perl -e 1 data", "perl -lane 1 data", "cat data | python3 -c 1",
            "cat data | perl -ne 1",
            "cat data | python3 -m json.tool", "cat data | node x", "jq -r . < data", "awk '{ print }' data", "sed -n 1p data",
            "cat data | jq . | head", "cat data; date | sh", "sh -s data", "vault kv put x @data", "date > data; . ./$x",
            "date > data; cat data; . ./$x",
            "python3 x data", "echo sh data", "# sh data", "sh > data", "test . = data",
        ])
    func `data of a script is none, whatever stands before it`(line: String) throws {
        let folder = try ScriptFiles(["sign.sh": "\(line)\n", "data": "one"])
        let keys = CommandFiles.hashes(of: ["./sign.sh"], in: folder.path, of: CollectionPlace(folder.path)).keys.sorted()
        #expect(keys == ["./sign.sh"])
    }

    /// Its content is no part of what the command does.
    @Test func `what a command only writes is not watched`() throws {
        let folder = try ScriptFiles(["token": "one", "kept": "one"])
        func keys(_ line: String) -> [String] {
            CommandFiles.hashes(of: ["sh", "-c", line], in: folder.path, of: CollectionPlace(folder.path)).keys.sorted()
        }
        #expect(keys("date >token; date 2>> kept; date >| 'token'").isEmpty)
        #expect(keys("cat kept; date > token") == ["kept"])
        #expect(keys("date > token; . ./token") == ["./token", "token"])
        #expect(keys("test 3 -gt 2 > kept; sh<kept") == ["kept"])
    }

    /// A star of SQL or jq is nobody's file, nor is a long text.
    @Test func `signs that make no names watch nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("one".utf8).write(to: folder.appending(path: "a.yaml"))
        for words in [
            ["psql", "-c", "select * from t"], ["jq", ".a[] | {b: .c}"], ["echo", "{\"a\": [1]}"], ["tr", "[a-z]*", "[A-Z]*"],
            ["echo", String(repeating: "x/", count: 100_000)], ["date", "+%s"],
        ] {
            #expect(CommandFiles.hashes(of: words, in: folder.path, of: CollectionPlace(folder.path)) == [:], "\(words.prefix(2))")
        }
    }

    /// It has no ending, no x bit and no `#!`: that it is run is enough.
    @Test(
        arguments: [
            ["sh", "common"], ["bash", "./common"], ["sh", "-c", ". ./common"], ["python3", "common"], ["sh", "outer.sh"],
        ])
    func `what is run beside a collection of one file is watched whatever it looks like`(words: [String]) throws {
        let folder = try ScriptFiles(["shop.yaml": "one", "common": "one", "data": "one", "outer.sh": "sh common\ncat data\n"])
        let place = CollectionPlace("\(folder.path)/shop.yaml")
        let hashes = CommandFiles.hashes(of: words, in: folder.path, of: place)
        #expect(hashes.keys.contains { $0.hasSuffix("common") } && !hashes.keys.contains("data"))
        #expect(CommandFiles.areUnchanged(hashes, of: place))
        try folder.write("two", to: "common")
        #expect(!CommandFiles.areUnchanged(hashes, of: place))
        #expect(CommandFiles.hashes(of: words, in: folder.path, of: place) != hashes)
    }

    @Test func `a script beside a collection of one file is watched without a repository`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["shop.yaml", "sign.sh", "token", "Makefile"] { try Data("one".utf8).write(to: folder.appending(path: name)) }
        let place = CollectionPlace(folder.appending(path: "shop.yaml").path)
        #expect(Array(CommandFiles.hashes(of: ["./sign.sh"], in: folder.path, of: place).keys) == ["./sign.sh"])
        // What a command leaves there is something else each time.
        let leaving = ["sh", "-c", "date > token; make"]
        #expect(Array(CommandFiles.hashes(of: leaving, in: folder.path, of: place).keys) == ["Makefile"])
        try Data("#!/bin/sh\n".utf8).write(to: folder.appending(path: "token"))
        #expect(CommandFiles.hashes(of: leaving, in: folder.path, of: place).keys.sorted() == ["Makefile", "token"])
    }
}

struct ScriptCase: CustomTestStringConvertible, Sendable {
    var words: [String]
    /// The script that comes later, and changes.
    var file: String
    var text: String
    var beside: [String: String]
    var isProgram: Bool

    init(_ words: [String], _ file: String, _ text: String = "one", beside: [String: String] = [:], isProgram: Bool = false) {
        (self.words, self.file, self.text, self.beside, self.isProgram) = (words, file, text, beside, isProgram)
    }

    var testDescription: String { "\(words) \(file)" }
}

/// A directory of its own, removed when nobody needs it any more.
final class ScriptFiles {
    let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path

    init(_ files: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, isProgram: Bool = false) throws {
        let file = URL(fileURLWithPath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path) }
    }

    func link(_ name: String, to target: String) throws {
        let link = URL(fileURLWithPath: path).appending(path: name)
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    }
}
