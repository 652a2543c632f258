import NetworkLayer

extension SendOption {
    static let requestOptions: [SendOption] = [
        SendOption(
            "X", "request", "METHOD", .text(\.method), "The method. Default: GET, POST with a body, PUT with -T, HEAD with -I.",
            completion: .oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"])),
        SendOption(
            "H", "header", "FIELD", .list(\.headers),
            "A header field, 'Name: value'. 'Name;' sends it empty, 'Name:' leaves a default out, @FILE reads one from each line. Repeatable."
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
            nil, "graphql", "QUERY", .text(\.graphQL),
            "A query in GraphQL, or @FILE, as JSON by POST; NAME=TEXT and NAME:=JSON behind the URL are its variables. A subscription asks for text/event-stream."
        ),
        SendOption(
            "F", "form", "NAME=CONTENT", .action { $0.form.append(FormArgument(text: $1)) },
            "A part of a multipart body. =@FILE uploads a file (=@ONE,TWO several), =<FILE takes its text; ;type=TYPE, ;filename=NAME, ;headers=FIELD and ;encoder=base64 may follow."
        ),
        SendOption(
            nil, "form-string", "NAME=TEXT", .action { $0.form.append(FormArgument(text: $1, isLiteral: true)) },
            "As --form, but @, < and ; mean nothing."),
        SendOption(
            "T", "upload-file", "FILE", .action { $0.add(upload: $1) },
            "A file to send as the body, or - for standard input, read while it is sent; the method is then PUT. Each is for one URL."
        ),
        SendOption("G", "get", nil, .flag(\.putsDataInURL), "Put the data into the URL's query, and use GET."),
        SendOption(
            nil, "url-query", "DATA", .action { $0.query.append(DataArgument(kind: .urlEncoded, text: $1)) },
            "Add to the URL's query, encoded as by --data-urlencode; +DATA as it is."),
        SendOption("I", "head", nil, .flag(\.head), "Ask for the head only (method HEAD), and print it."),
        SendOption("A", "user-agent", "NAME", .text(\.userAgent), "The User-Agent; '' for none."),
        SendOption(
            "e", "referer", "URL", .text(\.referer), "The Referer; with ;auto at its end a redirect names the URL before it."),
        SendOption(
            "r", "range", "RANGE", .action { $0.range = $1.isEmpty || $1.contains { !$0.isNumber } ? $1 : "\($1)-" },
            "A part of the body only: 0-499, 500-, -500."),
        SendOption(
            "z", "time-cond", "DATE", .text(\.timeCondition),
            "Only if it changed since a date, or since a file did; -DATE: only if it didn't."),
        SendOption(
            nil, "etag-compare", "FILE", .text(\.etagCompare), "Only if its ETag isn't the one in this file."),
        SendOption(nil, "etag-save", "FILE", .text(\.etagSave), "Write the ETag of the answer to this file."),
        SendOption(
            "g", "globoff", nil, .flag(\.isLiteralURL),
            "Send {a,b} and [1-3] in a URL as they are. Without it they stand for several URLs, and #1 in -o for what is in the first."
        ),
        SendOption(nil, "path-as-is", nil, .flag(\.keepsPath), "Send a path with /./ and /../ as it is."),
        SendOption(nil, "url", "URL", .action { $0.add(url: $1) }, "The URL, as an option. Repeatable."),
        SendOption(
            nil, "proto-default", "SCHEME", .action { $0.defaultScheme = try one(scheme: $1, of: "--proto-default") },
            "The scheme of a URL that has none: http, https.", completion: .oneOf(["http", "https"])),
        SendOption(
            nil, "request-target", "PATH", .text(\.wire.requestTarget),
            "What the request names instead of the URL's path and query, as in OPTIONS *."),
        SendOption(
            nil, "variable", "NAME=TEXT", .action { $0.variables.append($1) },
            "A variable for --expand-OPTION, where {{name}} stands for it, also as {{name:trim:json:url:b64}}; NAME@FILE reads it from a file, %NAME from the environment. --expand-url 'http://h/{{name}}' is --url with it."
        ),
        SendOption(
            ":", "next", nil, .flag(\.endsGroup), "Another request follows, with options of its own."),
        SendOption(
            "K", "config", "FILE", .list(\.optionFiles),
            "A file with more options, one a line, as in curl: url = \"http://h/\"; - for standard input."),
    ]

    private static func one(scheme: String, of option: String) throws -> String {
        let scheme = scheme.lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw CommandFailure(.usage, "\(option) \(scheme): send speaks http and https.")
        }
        return scheme
    }

    private static func data(_ kind: DataArgument.Kind) -> Take {
        .action { $0.data.append(DataArgument(kind: kind, text: $1)) }
    }

    static let credentialOptions: [SendOption] = [
        SendOption(
            "u", "user", "USER:PASSWORD", .text(\.user),
            "Name and password, sent to the URL's origin only. Without :PASSWORD you are asked for it."),
        SendOption(
            nil, "anyauth", nil, .flag(\.choosesScheme),
            "-u is for digest or basic authentication, whichever the server asks for, and only once it asks."),
        SendOption(nil, "basic", nil, scheme(.basic), "-u is for basic authentication, the default."),
        SendOption(nil, "digest", nil, scheme(.digest), "-u is for digest authentication, which never sends the password."),
        SendOption(nil, "ntlm", nil, scheme(.ntlm), "-u is for NTLM."),
        SendOption(
            nil, "negotiate", nil, scheme(.negotiate), "Negotiate (Kerberos), with your own ticket; -u : is accepted."),
        SendOption(
            nil, "aws-sigv4", "PROVIDERS", .action { $0.scheme = try one($0.scheme, .awsSigV4($1)) },
            "-u is KEY:SECRET; the request is signed: aws:amz[:REGION[:SERVICE]]."),
        SendOption(
            nil, "netrc-optional", nil, .flag(\.netrcIsOptional), "As -n, but what the URL says wins over the file."),
        SendOption("n", "netrc", nil, .flag(\.usesNetrc), "Name and password from ~/.netrc, unless -u says them."),
        SendOption(
            nil, "netrc-file", "FILE",
            .action {
                if !$0.netrcIsOptional { $0.usesNetrc = true }
                $0.netrcFile = $1
            }, "As -n, from this file."),
        SendOption(nil, "oauth2-bearer", "TOKEN", .text(\.bearer), "A bearer token."),
        SendOption(
            "b", "cookie", "DATA|FILE", .list(\.cookies),
            "Cookies to send, 'name=value; name2=value2', or a cookies.txt; '' keeps cookies from hop to hop."),
        SendOption(
            "j", "junk-session-cookies", nil, .flag(\.dropsSessionCookies),
            "Take no session cookies from the files of -b."),
        SendOption(
            "c", "cookie-jar", "FILE", .text(\.cookieJar),
            "Write the cookies to this cookies.txt at the end; - for standard output."),
        SendOption(
            nil, "jar", "NAME", .text(\.jar),
            "Send the cookies of a jar of your own, and keep what answers set in it for the next time: HTTPie's session, and cookie-jar of a collection."
        ),
    ]

    private static func scheme(_ scheme: AuthenticationScheme) -> Take {
        .action { arguments, _ in
            // The server may choose between these two.
            if Set([arguments.scheme?.option, scheme.option]) == ["--basic", "--digest"] {
                arguments.scheme = nil
                arguments.choosesScheme = true
            } else {
                arguments.scheme = try one(arguments.scheme, scheme)
            }
        }
    }

    /// curl takes several for a choice, and asks the server first; here the last one would win, and might say a password in clear that
    /// another one was to keep.
    private static func one(_ old: AuthenticationScheme?, _ new: AuthenticationScheme) throws -> AuthenticationScheme {
        guard let old, old.option != new.option else { return new }
        throw CommandFailure(
            .usage, "\(old.option) and \(new.option) exclude one another: -u is for one of them. Leave the other out.")
    }
}
