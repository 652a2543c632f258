import NetworkLayer

extension SendOption {
    static let outputOptions: [SendOption] = [
        SendOption(
            "o", "output", "FILE", .action { $0.add(output: .file($1)) },
            "A file for the body instead of standard output. Each is for one URL."),
        SendOption(
            "O", "remote-name", nil, .action { arguments, _ in arguments.add(output: .remoteName) },
            "A file named after the last part of the URL's path. Each is for one URL."),
        SendOption(nil, "remote-name-all", nil, .flag(\.usesRemoteNames), "-O for every URL."),
        SendOption(
            "R", "remote-time", nil, .flag(\.keepsRemoteTime), "Give the file the time that Last-Modified says."),
        SendOption(
            nil, "remove-on-error", nil, .flag(\.removesOnError), "Delete the file when not all of it came."),
        SendOption(
            "J", "remote-header-name", nil, .flag(\.usesHeaderName),
            "With -O: the name that Content-Disposition gives. Nothing is overwritten."),
        SendOption(
            "C", "continue-at", "OFFSET", .text(\.continueAt),
            "Get the rest of a file that is there in part, from OFFSET on, and append it; - is where the file of -o or -O ends."),
        SendOption(nil, "output-dir", "DIR", .text(\.outputDirectory), "Where -o and -O write."),
        SendOption(nil, "create-dirs", nil, .flag(\.createsDirectories), "Make the directories that -o needs."),
        SendOption(
            nil, "no-clobber", nil, .flag(\.neverOverwrites), "Write FILE.1, FILE.2 … when a file is there already."),
        SendOption(nil, "skip-existing", nil, .flag(\.skipsExisting), "Send nothing for a file of -o or -O that is there already."),
        SendOption(
            nil, "out-null", nil, .action { arguments, _ in arguments.add(output: .file("/dev/null")) },
            "Throw the body away, as -o /dev/null does."),
        SendOption(
            "i", "include", nil, .flag(\.includesHead), "Print the head of each response too, interim ones and trailers included."),
        SendOption(nil, "show-headers", nil, .flag(\.includesHead), "As -i."),
        SendOption(
            "D", "dump-header", "FILE", .text(\.dumpHeader),
            "A file for the head of each response, interim ones and trailers too; - for standard output, before the body."),
        SendOption(
            "v", "verbose", nil, .flag(\.isVerbose),
            "Tell what happens, on standard error: connection, TLS, heads, figures. Secrets are masked."),
        SendOption(
            nil, "offline", nil, .flag(\.isOffline),
            "Print the request instead of sending it: method, URL, fields and body. Secrets are masked."),
        SendOption(nil, "reveal", nil, .flag(\.reveals), "With -v, --offline, --events and --har: mask nothing."),
        SendOption(
            nil, "trace", "FILE",
            .action { $0.trace = WireTrace(path: tracePath($1)) },
            "Write every byte sent and received, inside of TLS, to this file, in hexadecimal and as text, with its secrets; - for standard output, % for standard error."
        ),
        SendOption(
            nil, "trace-ascii", "FILE", .action { $0.trace = WireTrace(path: tracePath($1), isText: true) },
            "As --trace, without the hexadecimal digits."),
        SendOption(nil, "trace-time", nil, .flag(\.tracesTime), "Put the time before each entry of a trace."),
        SendOption(nil, "timing", nil, .flag(\.timing), "Draw the waterfall of attempts, hops and phases, on standard error."),
        SendOption(nil, "har", "FILE", .text(\.har), "Write every attempt as HAR 1.2; - for standard output. Secrets are masked."),
        SendOption(
            nil, "events", "jsonl",
            .action { arguments, text in
                guard let format = SendArguments.EventFormat(rawValue: text) else {
                    throw CommandFailure(.usage, "--events \(text) isn't there. It takes jsonl.")
                }
                arguments.events = format
            }, "Print every event of the operation on standard output instead of the body.", completion: .oneOf(["jsonl"])),
        SendOption(
            "w", "write-out", "FORMAT", .text(\.writeOut),
            "Print this at the end, with %{VARIABLES} as in curl: http_code, time_total, json, header_json …; @FILE reads it."),
        SendOption("s", "silent", nil, .flag(\.isSilent), "Say nothing: no errors, no progress."),
        SendOption("S", "show-error", nil, .flag(\.showsErrors), "With -s: report errors all the same."),
        SendOption("#", "progress-bar", nil, .flag(\.showsProgress), "Show progress also when standard error is no terminal."),
        SendOption(nil, "no-progress-meter", nil, .flag(\.hidesProgress), "Never show progress."),
        SendOption("f", "fail", nil, .flag(\.fails), "Exit with 1, without the body, when the status is 400 or more."),
        SendOption(
            nil, "fail-early", nil, .flag(\.endsAtFailure), "With several URLs: stop at the first failure."),
        SendOption(
            nil, "stderr", "FILE", .text(\.errorFile), "A file for what goes to standard error; - for standard output."),
        SendOption(nil, "fail-with-body", nil, .flag(\.failsWithBody), "As -f, but with the body."),
    ]

    private static func tracePath(_ text: String) -> String {
        switch text {
        case "-": "/dev/stdout"
        case "%": "/dev/stderr"
        default: text
        }
    }

    /// curl's, so that its command lines can be pasted.
    static let ignoredOptions: [SendOption] = [
        SendOption("N", "no-buffer", nil, .nothing, "Output is never buffered."),
        SendOption("q", "disable", nil, .nothing, "No .curlrc is read."),
        SendOption(nil, "tcp-nodelay", nil, .nothing, "It is always so."),
        SendOption(nil, "parallel-immediate", nil, .nothing, "With -Z nobody waits for a connection to share."),
        SendOption(nil, "no-npn", nil, .nothing, "It is gone from TLS."),
        SendOption(nil, "ca-native", nil, .nothing, "The system's authorities are trusted anyway."),
        SendOption(nil, "proxy-ca-native", nil, .nothing, "The same."),
        SendOption(nil, "suppress-connect-headers", nil, .nothing, "The heads of CONNECT are never printed."),
        SendOption(nil, "socks5-basic", nil, .nothing, "It is always so."),
        SendOption(nil, "false-start", nil, .nothing, "OpenSSL has nothing of the kind."),
        SendOption(nil, "ssl-no-revoke", nil, .nothing, "It is for Windows."),
        SendOption(nil, "ssl-revoke-best-effort", nil, .nothing, "The same."),
        SendOption(nil, "ssl-auto-client-cert", nil, .nothing, "The same."),
        SendOption(nil, "proxy-ssl-auto-client-cert", nil, .nothing, "The same."),
        SendOption(nil, "egd-file", "FILE", .nothing, "Randomness is the system's."),
        SendOption(nil, "random-file", "FILE", .nothing, "The same."),
        SendOption(nil, "trace-ids", nil, .nothing, "Each transfer stands by itself in a trace, but with -Z."),
        SendOption(nil, "keepalive", nil, .nothing, "TCP asks whether the server is still there with --keepalive-time alone."),
        SendOption(nil, "styled-output", nil, .nothing, "Heads on standard output are never styled."),
        SendOption(nil, "no-sessionid", nil, .nothing, "TLS sessions are never resumed."),
    ]

    static let helpOptions: [SendOption] = [
        SendOption("h", "help", nil, .flag(\.asksForHelp), "Show this."),
        SendOption("V", "version", nil, .flag(\.asksForVersion), "Show the version."),
    ]
}
