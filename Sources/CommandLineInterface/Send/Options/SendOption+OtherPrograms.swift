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

extension SendOption {
    /// The options of Twitter Network Layer's `tnlcli`, by their names and meanings.
    ///
    /// What was broken there works: the headers go to the file that was named for them, an unknown method is sent or refused and never
    /// becomes GET, a failure is an exit status, names of enumerations are taken as well as their numbers, and files are numbered.
    static let tnlcliOptions: [SendOption] = [
        SendOption(nil, "request-method", "METHOD", .text(\.method), "As --request."),
        SendOption(nil, "request-header", "FIELD", .list(\.headers), "As --header."),
        SendOption(nil, "request-headers-file", "FILE", .text(\.headersFile), "Header fields, as a JSON object of strings."),
        SendOption(nil, "request-body-file", "FILE", .text(\.bodyFile), "A file to send as the body, read while it is sent."),
        SendOption(
            nil, "request-config", "NAME:VALUE", .list(\.configurations),
            "A setting of the request: \(TnlcliSetting.requestNames.joined(separator: ", ")). Repeatable.",
            completion: .oneOf(TnlcliSetting.requestNames.map { "\($0):" })),
        SendOption(
            nil, "request-config-file", "FILE", .text(\.configurationFile), "Such settings, as a JSON object of strings."),
        SendOption(
            nil, "global-config", "NAME:VALUE", .list(\.globalConfigurations),
            "A setting for all requests: \(TnlcliSetting.globalNames.joined(separator: ", ")). Repeatable.",
            completion: .oneOf(TnlcliSetting.globalNames.map { "\($0):" })),
        SendOption(
            nil, "response-body-mode", "MODES", .action { $0.bodyModes = try modes($1, of: "--response-body-mode") },
            "Where the body goes: file, print, or file,print.", completion: .oneOf(["file", "print", "file,print"])),
        SendOption(nil, "response-body-file", "FILE", .text(\.bodyTarget), "The file of --response-body-mode file."),
        SendOption(
            nil, "response-headers-mode", "MODES", .action { $0.headersModes = try modes($1, of: "--response-headers-mode") },
            "Where the header fields go as JSON, with _tnlcli_StatusCode and _tnlcli_URL: file, print, or file,print.",
            completion: .oneOf(["file", "print", "file,print"])),
        SendOption(nil, "response-headers-file", "FILE", .text(\.headersTarget), "The file of --response-headers-mode file."),
    ]

    /// - Returns: the modes, each once.
    private static func modes(_ text: String, of option: String) throws -> [SendArguments.OutputMode] {
        try text.split(separator: ",").reduce(into: []) { modes, word in
            guard let mode = SendArguments.OutputMode(rawValue: String(word)) else {
                throw CommandFailure(.usage, "\(option) \(text): there is no \(word). It takes file, print, or file,print.")
            }
            if !modes.contains(mode) { modes.append(mode) }
        }
    }
}

/// curl's and HTTPie's options that `send` doesn't take, each with its reason and the way out: none is passed over in silence.
extension SendOption {
    /// What is said of one of these options; `nil` for what nobody has.
    ///
    /// - Parameter name: without its dashes; a single letter is a short one.
    static func refusal(of name: String) -> String? {
        let long = name.count == 1 ? refusedLetters[Character(name)] ?? name : name
        let plain = long.hasPrefix("no-") && reasons[long] == nil ? String(long.dropFirst(3)) : long
        guard let reason = reasons[plain] else { return nil }
        return "send has no \(name.count == 1 ? "-" : "--")\(name): \(reason)"
    }

    /// The one option whose name begins so, as curl takes `--sil`; `nil` where there are several, refused ones included.
    static func completed(_ name: String) -> SendOption? {
        guard name.count > 2, !reasons.keys.contains(where: { $0.hasPrefix(name) }) else { return nil }
        let options = all.filter { $0.long.hasPrefix(name) }
        return options.count == 1 ? options[0] : nil
    }

    static let refusedLetters: [Character: String] = [
        "2": "sslv2", "3": "sslv3", "a": "append", "B": "use-ascii", "l": "list-only", "M": "manual", "P": "ftp-port", "Q": "quote",
        "t": "telnet-option",
    ]

    private static let reasons = Dictionary(
        refusals.flatMap { refusal in refusal.names.map { ($0, refusal.reason) } }, uniquingKeysWith: { first, _ in first })

    static var refusedNames: Set<String> { Set(reasons.keys) }

    private static let refusals: [(names: [String], reason: String)] = [
        (
            [
                "append", "create-file-mode", "crlf", "disable-eprt", "disable-epsv", "ftp-account", "ftp-alternative-to-user",
                "ftp-create-dirs", "ftp-method", "ftp-pasv", "ftp-port", "ftp-pret", "ftp-skip-pasv-ip", "ftp-ssl-ccc",
                "ftp-ssl-ccc-mode", "ftp-ssl-control", "list-only", "quote", "use-ascii", "ssl", "ssl-reqd", "krb",
                "compressed-ssh",
                "hostpubmd5", "hostpubsha256", "knownhosts", "pubkey", "login-options", "mail-auth", "mail-from", "mail-rcpt",
                "mail-rcpt-allowfails", "sasl-authzid", "sasl-ir", "upload-flags", "telnet-option", "tftp-blksize",
                "tftp-no-options", "ipfs-gateway", "metalink",
            ],
            "it is for protocols other than HTTP, and means nothing to http and https. Leave it out; for FTP, mail or SSH use curl."
        ),
        (["form-escape"], "a quote in the name of a part is sent as %22, as browsers do. Leave it out."),
        (["http0.9"], "an answer without a head is none that could be shown. Use curl, or nc."),
        (
            ["ech", "tls-earlydata", "ssl-sessions"],
            "every TLS handshake is a whole one that shows its certificates. Leave it out."
        ),
        (
            ["dns-interface", "dns-ipv4-addr", "dns-ipv6-addr", "dns-servers"],
            "the system looks names up. Use --resolve for one address, or --doh-url for another resolver."
        ),
        (
            ["socks5-gssapi", "socks5-gssapi-nec", "socks5-gssapi-service"],
            "a SOCKS5 proxy gets a name and a password: --socks5 HOST -U USER:PASSWORD."
        ),
        (["ntlm-wb"], "no helper of Samba is called. Use --ntlm with -u USER:PASSWORD, or --negotiate with a ticket."),
        (["sslv2", "sslv3"], "SSL is broken, and OpenSSL doesn't speak it any more. Use --tlsv1.2."),
        (
            ["ssl-allow-beast", "proxy-ssl-allow-beast"],
            "TLS is never made weaker than OpenSSL has it. Leave it out."
        ),
        (["engine"], "keys come from files. Name one with --key."),
        (["sigalgs"], "the algorithms for signatures are OpenSSL's. Leave it out, or set them in OPENSSL_CONF."),
        (["haproxy-clientip"], "only our own address is announced: --haproxy-protocol."),
        (["ip-tos", "vlan-priority", "keepalive-cnt"], "it is the system's to set. Leave it out."),
        (["libcurl"], "no C is written here. `turnstone export` writes saved requests as commands."),
        (["xattr"], "a file gets no attributes. --har FILE keeps where it came from."),
        (["manual"], "see `turnstone send --help`, and `turnstone man`."),
        (["parallel-max-host"], "it is --parallel-max that says how many go at once."),
        (
            ["session", "session-read-only"],
            "--jar NAME keeps cookies from one command to the next; credentials and fields it doesn't."
        ),
        (["multipart"], "-F NAME=CONTENT makes a form of parts, and so does any NAME@FILE."),
        (["auth-type"], "-u is for basic authentication; --digest, --ntlm and --oauth2-bearer TOKEN are the others."),
        (
            ["pretty", "style", "format-options", "sorted", "unsorted", "response-charset", "response-mime", "stream"],
            "a body is printed as it comes. Pipe it into jq, or open it in the explorer: turnstone."
        ),
        (
            ["print", "headers", "body", "meta", "all"],
            "-i prints heads too, -I the head alone, -v all that happens, --timing figures."
        ),
        (
            ["boundary", "chunked", "compress"],
            "the transport chooses it. -H 'Transfer-Encoding: chunked' is for bodies in chunks."
        ),
        (["default-scheme"], "it is --proto-default."),
        (["trace-config"], "what a trace has can't be chosen. --trace and --trace-ascii have all of it."),
    ]
}
