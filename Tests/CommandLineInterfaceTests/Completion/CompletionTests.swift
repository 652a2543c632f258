import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct CompletionTests {
    private struct Names: NameSource {
        func requests(_ words: [String]) -> [(id: String, description: String)] {
            [("login", "Log in"), ("orders/create", "POST /orders")]
        }
        func environments(_ words: [String]) -> [String] { ["local", "staging"] }
        func tags(_ words: [String]) -> [String] { ["smoke"] }
    }

    private func candidates(_ line: String...) -> [String] {
        Completion(line: line, program: .program, names: Names()).answers.map {
            String($0.split(separator: "\t", omittingEmptySubsequences: false)[0])
        }
    }

    @Test func `commands, and files for the explorer`() {
        #expect(candidates("s") == ["send", "show", "schema", ":files"])
        #expect(candidates("de") == ["demo", "demo-server", ":files"])
    }

    @Test func `options of send and of other commands`() {
        #expect(candidates("send", "--data-u") == ["--data-urlencode"])
        #expect(candidates("send", "-sS", "--max-r") == ["--max-redirs"])
        #expect(candidates("show", "--e") == ["--env", "--explain"])
    }

    @Test func `values of options`() {
        #expect(candidates("send", "-X", "P") == ["POST", "PUT", "PATCH"])
        #expect(candidates("send", "-sSo", "") == [":files"])
        #expect(candidates("send", "--output-dir", "") == [":directories"])
        #expect(candidates("send", "--request-config", "idle") == ["idleTimeout:"])
        #expect(candidates("show", "login", "--env", "s") == ["staging"])
        #expect(candidates("list", "--tag", "") == ["smoke"])
    }

    @Test func `the collection's names`() {
        #expect(candidates("show", "o") == ["orders/create", ":files"])
        #expect(candidates("show", "--env", "local", "shop.yaml", "l") == ["login"])
        #expect(candidates("list", "") == ["login", "orders/create", ":files"])
        #expect(candidates("send", "l") == [])
        #expect(candidates("schema", "") == ["collection", "theme"])
        #expect(candidates("export", "") == ["curl", "locust", "hurl", "http", "har", "opencollection"])
        #expect(candidates("export", "curl", "l") == ["login", ":files"])
        #expect(candidates("export", "curl", "shop.yaml", "o") == ["orders/create"])
        #expect(candidates("export", "locust", "--env", "s") == ["staging"])
        #expect(candidates("export", "locust", "-o", "") == [":files"])
        #expect(candidates("import", "") == [":files"])
        #expect(candidates("import", "--from", "p") == ["postman"])
    }

    @Test func `bash completes with the script, from the program's answers`() throws {
        let directory = try TemporaryDirectory()
        // Plays the program: says what it was called with.
        let program = try directory.write("turnstone", "#!/bin/sh\nprintf '%s\\tit is\\n' login \"$2:$5\" 'a b' '$(touch x)'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let script = try directory.write("completion.bash", CompletionShell.bash.script)
        let driver = try directory.write(
            "driver.bash",
            """
            source "\(script)"
            complete -p turnstone
            COMP_WORDS=("\(program)" show lo); COMP_CWORD=2
            _turnstone
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        let bash = try ChildProcess.find("bash", package: "bash")
        #expect(
            try ChildProcess.run(bash, [driver]) == "complete -F _turnstone turnstone\nlogin\n2:lo\na\\ b\n\\$\\(touch\\ x\\)\n")
    }

    @Test func `the program answers the script with the names of a collection`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["__complete", "3", "turnstone", "show", path, "or"])
        #expect(run.output == "orders/create\tPOST {{host}}/orders\norders/list\tGET {{host}}/orders\n")
        let environments = await CommandLineRun.run(["__complete", "4", "turnstone", "show", path, "--env", ""])
        #expect(environments.output == "local\tenvironment\nstaging\tenvironment\n")
        withExtendedLifetime(directory) {}
    }

    private static let installed = CompletionShell.allCases.filter {
        (try? ChildProcess.find($0.rawValue, package: $0.rawValue)) != nil
    }

    @Test(arguments: installed) func `a shell that is there finds its script valid`(shell: CompletionShell) throws {
        let program = try ChildProcess.find(shell.rawValue, package: shell.rawValue)
        let directory = try TemporaryDirectory()
        let script = try directory.write("script", shell.script)
        #expect(try ChildProcess.run(program, ["-n", script]) == "")
    }

    @Test(arguments: CompletionShell.allCases) func `every script asks the program`(shell: CompletionShell) async {
        let run = await CommandLineRun.run(["completion", shell.rawValue])
        #expect(run.output == shell.script + "\n")
        #expect(run.output.contains("__complete"))
    }

    @Test func `a shell that isn't known is named`() async {
        let run = await CommandLineRun.run(["completion", "tcsh"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: There is no script for tcsh. It takes bash, zsh or fish.\n")
    }
}
