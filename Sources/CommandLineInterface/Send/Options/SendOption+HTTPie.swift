extension SendOption {
    /// Those of HTTPie's options that mean something else than curl's, or that curl doesn't have. Where a name is curl's, it keeps curl's
    /// meaning: `--form`, `-f`, `-h`, `-b`, `-d`, `-o`, `--json` and `--verbose`.
    static let httpieOptions: [SendOption] = [
        SendOption(
            nil, "download", nil,
            .action { arguments, _ in
                arguments.add(output: .remoteName)
                arguments.usesHeaderName = true
            }, "As -OJ: a file with the name that the answer gives, and a bar while it comes."),
        SendOption(nil, "auth", "USER:PASSWORD", .text(\.user), "As --user."),
        SendOption(nil, "check-status", nil, .flag(\.failsWithBody), "As --fail-with-body."),
        SendOption(
            nil, "verify", "yes|no|FILE",
            .action { arguments, text in
                switch text.lowercased() {
                case "yes", "true": arguments.isInsecure = false
                case "no", "false": arguments.isInsecure = true
                default: arguments.authorities = text
                }
            }, "no: as --insecure; a file: as --cacert.", completion: .oneOf(["yes", "no"])),
        SendOption(nil, "timeout", "SECONDS", .seconds(\.connectTimeout), "As --connect-timeout."),
        SendOption(nil, "ignore-stdin", nil, .nothing, "Standard input is read only where -d @- and its like name it."),
    ]
}
