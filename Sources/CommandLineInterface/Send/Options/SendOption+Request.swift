import NetworkLayer

extension SendOption {
    static let requestOptions: [SendOption] = [
        SendOption(
            "X", "request", "METHOD", .text(\.method), "The method. Default: GET, POST with a body, PUT with -T, HEAD with -I.",
            completion: .oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"])),
        SendOption(
            "H", "header", "FIELD", .list(\.headers),
            "A header field, 'Name: value'. 'Name;' sends it empty, 'Name:' leaves a default out, @FILE reads one a line. Repeatable."
        ),
        SendOption(
            "d", "data", "DATA", data(.data),
            "The body, or @FILE without its line ends, or @- for standard input. Repeated ones are joined by &."),
        SendOption(nil, "data-ascii", "DATA", data(.data), "As --data."),
        SendOption(nil, "data-raw", "DATA", data(.raw), "As --data, but @ means nothing."),
        SendOption(nil, "data-binary", "DATA", data(.binary), "As --data, but a file is sent as it is."),
        SendOption(
            nil, "data-urlencode", "DATA", data(.urlEncoded),
            "As --data, percent-encoded: CONTENT, NAME=CONTENT, @FILE or NAME@FILE."),
        SendOption(nil, "json", "DATA", data(.json), "As --data-binary, with the content type and accept of JSON."),
        SendOption(
            "F", "form", "NAME=CONTENT", .action { $0.form.append(FormArgument(text: $1)) },
            "A part of a multipart body. =@FILE uploads a file, =<FILE takes its text; ;type=TYPE and ;filename=NAME may follow."),
        SendOption(
            nil, "form-string", "NAME=TEXT", .action { $0.form.append(FormArgument(text: $1, isLiteral: true)) },
            "As --form, but @, < and ; mean nothing."),
        SendOption(
            "T", "upload-file", "FILE", .text(\.upload),
            "A file to send as the body, or - for standard input, read while it is sent; the method is then PUT."),
        SendOption("G", "get", nil, .flag(\.putsDataInURL), "Put the data into the URL's query, and use GET."),
        SendOption(
            nil, "url-query", "DATA", .action { $0.query.append(DataArgument(kind: .urlEncoded, text: $1)) },
            "Add to the URL's query, encoded as by --data-urlencode; +DATA as it is."),
        SendOption("I", "head", nil, .flag(\.head), "Ask for the head only (method HEAD), and print it."),
        SendOption("A", "user-agent", "NAME", .text(\.userAgent), "The User-Agent; '' for none."),
        SendOption("e", "referer", "URL", .text(\.referer), "The Referer."),
        SendOption("r", "range", "RANGE", .text(\.range), "A part of the body only: 0-499, 500-, -500."),
        SendOption(
            "z", "time-cond", "DATE", .text(\.timeCondition),
            "Only what changed since a date, or since a file was; -DATE: only what did not."),
        SendOption("g", "globoff", nil, .flag(\.isLiteralURL), "Send braces and ranges in brackets of the URL as they are."),
        SendOption(nil, "path-as-is", nil, .flag(\.keepsPath), "Send a path with /./ and /../ as it is."),
        SendOption(nil, "url", "URL", .action { try SendOptionParser.take(url: $1, into: &$0) }, "The URL, as an option."),
    ]

    private static func data(_ kind: DataArgument.Kind) -> Take {
        .action { $0.data.append(DataArgument(kind: kind, text: $1)) }
    }

    static let credentialOptions: [SendOption] = [
        SendOption(
            "u", "user", "USER:PASSWORD", .text(\.user),
            "Name and password, sent to the URL's origin only. Without :PASSWORD it is asked for."),
        SendOption(nil, "basic", nil, scheme(.basic), "-u is for basic authentication, the default."),
        SendOption(nil, "digest", nil, scheme(.digest), "-u is for digest authentication, which never sends the password."),
        SendOption(nil, "ntlm", nil, scheme(.ntlm), "-u is for NTLM."),
        SendOption(
            nil, "negotiate", nil, scheme(.negotiate), "Negotiate (Kerberos) with the ticket of who runs this; -u : is taken."),
        SendOption(
            nil, "aws-sigv4", "PROVIDERS", .action { $0.scheme = try one($0.scheme, .awsSigV4($1)) },
            "-u is KEY:SECRET; the request is signed: aws:amz[:REGION[:SERVICE]]."),
        SendOption("n", "netrc", nil, .flag(\.usesNetrc), "Name and password from ~/.netrc, unless -u says them."),
        SendOption(
            nil, "netrc-file", "FILE",
            .action {
                $0.usesNetrc = true
                $0.netrcFile = $1
            }, "As -n, from this file."),
        SendOption(nil, "oauth2-bearer", "TOKEN", .text(\.bearer), "A bearer token."),
        SendOption(
            "b", "cookie", "DATA|FILE", .list(\.cookies),
            "Cookies to send, 'name=value; name2=value2', or a cookies.txt; '' keeps cookies from hop to hop."),
        SendOption(
            "c", "cookie-jar", "FILE", .text(\.cookieJar),
            "Write the cookies to this cookies.txt at the end; - for standard output."),
    ]

    private static func scheme(_ scheme: AuthenticationScheme) -> Take {
        .action { arguments, _ in arguments.scheme = try one(arguments.scheme, scheme) }
    }

    /// curl takes several for a choice, and asks the server first; here the last one would win, and might say a password in clear that
    /// another one was to keep.
    private static func one(_ old: AuthenticationScheme?, _ new: AuthenticationScheme) throws -> AuthenticationScheme {
        guard let old, old.option != new.option else { return new }
        throw CommandFailure(
            status: .usage,
            message: "\(old.option) and \(new.option) exclude one another: -u is for one of them. Leave the other out.")
    }
}
