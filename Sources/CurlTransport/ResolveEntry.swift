import NetworkLayer

/// `host:port:address`, as in curl's `--resolve`; of several addresses the first.
///
/// It becomes `CURLOPT_CONNECT_TO`, not `CURLOPT_RESOLVE`: that one fills a cache which requests without the entry would use,
/// and lets them have the connection as well.
struct ResolveEntry: Equatable {
    var host: String
    var port: String
    var address: String

    init(_ text: String) throws(NetworkError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil || parts[1] == "*", !parts[2].isEmpty else {
            throw .invalid("“\(text)” is no entry of `resolve`. Write host:port:address, such as example.org:443:127.0.0.1.")
        }
        host = String(parts[0].first == "+" ? parts[0].dropFirst() : parts[0])
        port = String(parts[1])
        let first = parts[2].split(separator: ",").first ?? parts[2]
        address = first.contains(":") && first.first != "[" ? "[\(first)]" : String(first)
    }

    /// `HOST1:PORT1:HOST2:PORT2`; an empty part stands for any, or for the same.
    var connectTo: String {
        "\(host == "*" ? "" : host):\(port == "*" ? "" : port):\(address):"
    }
}

/// `host1:port1:host2:port2`, as in curl's `--connect-to`; IPv6 addresses in brackets.
struct ConnectToEntry: Equatable {
    var text: String

    init(_ text: String) throws(NetworkError) {
        var colons = 0
        var isInBrackets = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ":") where !isInBrackets: colons += 1
            default: break
            }
        }
        guard colons == 3 else {
            throw .invalid(
                "“\(text)” is no entry of `connectTo`. Write host1:port1:host2:port2, such as example.org:443:127.0.0.1:8443.")
        }
        self.text = text
    }
}
