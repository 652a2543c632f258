/// curl's options, as far as a command line can be taken apart by them (curl's manual page, version 8.11).
enum CurlOptions {
    /// The long name for `-X` and its like.
    static let short: [Character: String] = [
        "a": "append", "E": "cert", "K": "config", "C": "continue-at", "b": "cookie", "c": "cookie-jar", "d": "data",
        "q": "disable",
        "D": "dump-header", "f": "fail", "F": "form", "P": "ftp-port", "G": "get", "g": "globoff", "I": "head", "H": "header",
        "h": "help", "0": "http1.0", "i": "include", "k": "insecure", "4": "ipv4", "6": "ipv6", "j": "junk-session-cookies",
        "l": "list-only", "L": "location", "m": "max-time", "M": "manual", "n": "netrc", ":": "next", "N": "no-buffer",
        "o": "output", "Z": "parallel", "#": "progress-bar", "x": "proxy", "p": "proxytunnel", "Q": "quote", "r": "range",
        "e": "referer", "J": "remote-header-name", "O": "remote-name", "R": "remote-time", "X": "request", "S": "show-error",
        "s": "silent", "Y": "speed-limit", "y": "speed-time", "2": "sslv2", "3": "sslv3", "t": "telnet-option", "z": "time-cond",
        "1": "tlsv1", "T": "upload-file", "B": "use-ascii", "u": "user", "A": "user-agent", "v": "verbose", "V": "version",
        "w": "write-out", "U": "proxy-user",
    ]

    static let withValue: Set<String> = [
        "abstract-unix-socket", "alt-svc", "aws-sigv4", "cacert", "capath", "cert", "cert-type", "ciphers", "config",
        "connect-timeout", "connect-to", "continue-at", "cookie", "cookie-jar", "create-file-mode", "crlfile", "curves", "data",
        "data-ascii", "data-binary", "data-raw", "data-urlencode", "delegation", "dns-interface", "dns-ipv4-addr", "dns-ipv6-addr",
        "dns-servers", "doh-url", "dump-header", "ech", "egd-file", "engine", "etag-compare", "etag-save", "expect100-timeout",
        "form", "form-string", "ftp-account", "ftp-alternative-to-user",
        "ftp-method", "ftp-port", "ftp-ssl-ccc-mode", "happy-eyeballs-timeout-ms", "haproxy-clientip", "header", "help",
        "hostpubmd5", "hostpubsha256", "hsts", "interface", "ip-tos", "ipfs-gateway", "json", "keepalive-cnt", "keepalive-time",
        "key", "key-type", "krb", "libcurl", "limit-rate", "local-port", "login-options", "mail-auth", "mail-from", "mail-rcpt",
        "max-filesize", "max-redirs", "max-time", "netrc-file", "noproxy", "oauth2-bearer", "output", "output-dir", "parallel-max",
        "pass", "pinnedpubkey", "preproxy", "proto", "proto-default", "proto-redir", "proxy", "proxy-cacert", "proxy-capath",
        "proxy-cert", "proxy-cert-type", "proxy-ciphers", "proxy-crlfile", "proxy-header", "proxy-key", "proxy-key-type",
        "proxy-pass", "proxy-pinnedpubkey", "proxy-service-name", "proxy-tls13-ciphers", "proxy-tlsauthtype", "proxy-tlspassword",
        "proxy-tlsuser", "proxy-user", "proxy1.0", "pubkey", "quote", "random-file", "range", "rate", "referer", "request",
        "request-target", "resolve", "retry", "retry-delay", "retry-max-time", "sasl-authzid", "service-name", "socks4", "socks4a",
        "socks5", "socks5-gssapi-service", "socks5-hostname", "speed-limit", "speed-time", "stderr", "telnet-option",
        "tftp-blksize", "time-cond", "tls-max", "tls13-ciphers", "tlsauthtype", "tlspassword", "tlsuser", "trace", "trace-ascii",
        "trace-config", "unix-socket", "upload-file", "url", "url-query", "user", "user-agent", "variable", "vlan-priority",
        "write-out", "knownhosts", "parallel-max-host", "sigalgs", "ssl-sessions", "upload-flags",
    ]

    /// Options that take nothing, and begin the name of one that does.
    private static let flags: Set<String> = ["head", "netrc", "ssl"]

    /// An option may be shortened as long as no other one begins so.
    private static func whole(_ name: String) -> String {
        guard name.count > 2, !takesValue(name), !flags.contains(name) else { return name }
        let known = withValue.filter { $0.hasPrefix(name) }
        return known.count == 1 ? known.first ?? name : name
    }

    /// Whether the next word is its value; those of `--expand-` are those of the option behind it.
    private static func takesValue(_ name: String) -> Bool { name.hasPrefix("expand-") || withValue.contains(name) }

    /// What is printed and kept, which is no part of a request; and what is so anyway.
    static let withoutMeaning: Set<String> = [
        "output", "output-dir", "dump-header", "silent", "show-error", "verbose", "include", "write-out", "progress-bar",
        "no-progress-meter", "fail", "fail-with-body", "fail-early", "no-buffer", "remote-name", "remote-name-all",
        "remote-header-name", "remote-time", "create-dirs", "create-file-mode", "no-clobber", "trace", "trace-ascii", "trace-time",
        "trace-config", "trace-ids", "stderr", "styled-output", "no-styled-output", "disable", "basic",
        "globoff", "parallel", "parallel-immediate", "parallel-max", "remove-on-error", "raw", "no-keepalive", "tcp-nodelay",
        "xattr", "libcurl", "suppress-connect-headers", "tlsv1", "path-as-is",
        "ssl-no-revoke", "ssl-revoke-best-effort", "ssl-auto-client-cert", "proxy-ssl-auto-client-cert", "egd-file", "random-file",
        "no-npn", "no-sessionid", "ca-native", "proxy-ca-native", "socks5-basic", "rate", "skip-existing", "out-null",
        "cert-type", "key-type",
    ]

    /// One option and what stands behind it; a letter may have its value, and others, in the same word.
    static func parse(_ words: inout ArraySlice<String>) -> [(name: String, value: String?)] {
        guard let word = words.popFirst() else { return [] }
        if word.hasPrefix("--") {
            let name = whole(String(word.dropFirst(2)))
            guard takesValue(name) else {
                let (before, value) = name.split(at: "=")
                if let value, takesValue(before) { return [(before, value)] }
                return [(name, nil)]
            }
            return [(name, words.popFirst() ?? "")]
        }
        var options: [(String, String?)] = []
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = short[letter] ?? String(letter)
            guard withValue.contains(name) else {
                options.append((name, nil))
                continue
            }
            options.append((name, letters.isEmpty ? words.popFirst() ?? "" : String(letters)))
            break
        }
        return options
    }
}
