import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

@testable import CommandLineInterface

/// The scripts in their shells, as somebody types at a terminal.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct CompletionConformanceTests {
    private static let installed = CompletionShell.allCases.filter {
        (try? ChildProcess.find($0.rawValue, package: $0.rawValue)) != nil
    }

    /// A shell with the script, in a directory with a program that answers as ours does.
    private final class Session: Sendable {
        let terminal: PseudoTerminal
        let directory: TemporaryDirectory
        /// What a stranger may call a request.
        static let evil = #"x$(touch pwned)`touch pwned`'";touch pwned;&|<(touch pwned)*!! ~ \x#"#

        init(_ shell: CompletionShell) async throws {
            directory = try TemporaryDirectory()
            let program = try directory.write(
                "turnstone",
                #"""
                #!/bin/sh
                [ "$1" = __complete ] || { printf 'got <%s>\n' "$2"; exit; }
                printf '%s\n' "$*" >> asked
                for word; do :; done
                answer() { for line; do case $line in "$word"*) printf '%s\n' "$line";; esac; done; }
                case $4 in
                    show) answer 'login	Log in: at once' 'orders/create	POST [x] $(y)' ;;
                    evil) answer "$(cat evil)	What it does" ;;
                    setting) answer 'idleTimeout:	seconds' ;;
                    send) echo ':files' ;;
                    into) echo ':directories' ;;
                esac
                """#)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            try directory.write("note one.txt", "")
            try directory.write("evil", Self.evil)
            try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: true)
            try directory.write("folder.txt", "")
            let script = try directory.write("script", shell.script)
            terminal = try PseudoTerminal(
                [try ChildProcess.find(shell.rawValue, package: shell.rawValue)] + shell.bareOptions,
                size: Size(columns: 100, rows: 30), term: "vt100",
                environment: ["PATH": "\(directory.path):/usr/bin:/bin", "HOME": directory.path, "PS1": "> "],
                directory: directory.path)
            if shell == .zsh { terminal.type("autoload -Uz compinit && compinit -u -D && PS1='> '<enter>") }
            if shell == .fish { terminal.type("function fish_prompt; echo '> '; end<enter>") }
            terminal.type("source \(script); echo rea''dy<enter>")
            try await terminal.wait(for: "ready")
        }

        deinit { terminal.stop() }

        /// Types on an empty line until its end is as wanted, then empties it.
        func type(_ keys: String, gives line: String) async throws {
            terminal.type(keys)
            try await terminal.wait(for: "`\(line)` after \(keys)") { screen in screen.lines.contains { $0.hasSuffix(line) } }
            terminal.type("<c-u>")
        }

        /// What the program was asked.
        var asked: [String] {
            let text = (try? String(contentsOfFile: directory.file("asked"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: installed) func `a tab completes names, settings, files and directories`(shell: CompletionShell) async throws {
        let session = try await Session(shell)
        try await session.type("turnstone show lo<tab>", gives: "turnstone show login")
        try await session.type("turnstone show --env local or<tab>", gives: "turnstone show --env local orders/create")
        try await session.type("turnstone setting idle<tab>", gives: "turnstone setting idleTimeout:")
        try await session.type("turnstone send note<tab>", gives: #"turnstone send note\ one.txt"#)
        try await session.type("turnstone into fo<tab>", gives: "turnstone into folder/")
        #expect(session.asked.contains("__complete 2 turnstone show lo"))
        #expect(session.asked.contains("__complete 4 turnstone show --env local or"))
    }

    @Test(arguments: installed) func `a name is a word, whatever is in it`(shell: CompletionShell) async throws {
        let session = try await Session(shell)
        session.terminal.type("turnstone evil x<tab><enter>")
        try await session.terminal.wait(for: "got <\(Session.evil)>")
        #expect(!FileManager.default.fileExists(atPath: session.directory.file("pwned")))
    }

    @Test(arguments: installed) func `two tabs list what there is, with what it does where the shell shows that`(
        shell: CompletionShell
    ) async throws {
        let session = try await Session(shell)
        session.terminal.type("turnstone show <tab><tab>")
        try await session.terminal.wait(for: "login")
        try await session.terminal.wait(for: "orders/create")
        if shell != .bash { try await session.terminal.wait(for: "Log in: at once") }
        // A word that isn't there yet is one.
        #expect(session.asked.contains { $0.trimmingCharacters(in: .whitespaces) == "__complete 2 turnstone show" })
    }
}

extension CompletionShell {
    /// Without the files of whoever runs the tests.
    fileprivate var bareOptions: [String] {
        switch self {
        case .bash: ["--norc", "--noprofile", "-i"]
        case .zsh: ["-f", "-i"]
        case .fish: ["--no-config", "-i"]
        }
    }
}
