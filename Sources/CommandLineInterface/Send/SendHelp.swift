import NetworkLayer

/// What `turnstone send --help` prints.
enum SendHelp {
    static let abstract = "Send one request, and print the body of its response."

    static let discussion = """
        The body goes to standard output, everything else to standard error. On a terminal, control characters in the body are shown \
        instead of obeyed; into a pipe or a file it goes as it is. Options have curl's names and meanings, and tnlcli's.

        Examples:
          turnstone send http://127.0.0.1:8080/anything
          turnstone send -v -L http://127.0.0.1:8080/redirect/3
          turnstone send POST https://example.org/orders sku=A7 qty:=2 X-Trace:1 page==3
          turnstone send -F photo=@cat.png -F title=Cat https://example.org/photos
          turnstone send -sSfo page.html -w '%{http_code} %{time_total}\\n' https://example.org/
          turnstone send --timing --har trace.har -L https://example.org/
          turnstone send --events jsonl http://127.0.0.1:8080/ | jq .event
        """

    /// What stands behind the URL, in HTTPie's notation.
    static let items: [(item: String, help: String)] = [
        ("sku=A7", "A member of a JSON body, as a text; a[b]=x and a[]=x for maps and lists in it."),
        ("qty:=2", "The same, as any JSON: a number, true, null, [1, 2]."),
        ("page==3", "A parameter of the URL."),
        ("X-Trace:1", "A header field. X-Trace: leaves a default out, X-Trace; sends it empty."),
        ("photo@cat.png", "A file. The body is then multipart/form-data, with the = members as parts."),
        ("note=@note.txt", "What is in a file, also as :=@, ==@ and :@. A backslash takes its meaning from a sign."),
    ]

    static let operands = "[METHOD] URL [ITEM ...]"

    static let exitStatuses = """
        0 done; 1 with --fail and a status of 400 or more; 2 usage; 20 timeout; 21 DNS or connection; 22 TLS; 23 authentication; \
        25 a file; 26 the server broke the protocol; 27 a secret would go where it may not; 130 cancelled.
        """

    /// - Parameter columns: of the terminal; lines are at most 100 long.
    static func text(columns: Int) -> String {
        let width = max(60, min(100, columns))
        var lines = ["OVERVIEW: \(abstract)", ""]
        lines += HelpOverview.lines(of: discussion, width: width)
        lines += ["", "USAGE: turnstone send [OPTIONS] \(operands)"]
        lines += ["", "ITEMS:"]
        for (item, help) in items {
            let help = HelpOverview.wrapped(help, width: width - 28)
            lines.append("      " + item + String(repeating: " ", count: 22 - item.count) + (help.first ?? ""))
            lines += help.dropFirst().map { String(repeating: " ", count: 28) + $0 }
        }
        for section in SendOption.sections {
            lines += ["", "\(section.title.uppercased()):"]
            for option in section.options {
                let indent = option.short == nil ? "      " : "  "
                let usage = indent + option.usage
                let help = HelpOverview.wrapped(option.help, width: width - 28)
                if usage.count <= 26 {
                    lines.append(usage + String(repeating: " ", count: 28 - usage.count) + (help.first ?? ""))
                    lines += help.dropFirst().map { String(repeating: " ", count: 28) + $0 }
                } else {
                    lines.append(usage)
                    lines += help.map { String(repeating: " ", count: 28) + $0 }
                }
            }
        }
        lines += ["", "EXIT STATUS:"] + HelpOverview.wrapped(exitStatuses, width: width - 2).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}
