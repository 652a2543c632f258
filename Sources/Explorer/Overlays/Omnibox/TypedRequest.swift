import Interchange
import RequestCollections

/// A request that was typed or pasted into the omnibox: a URL, with its method or without, `host:port/path`, or a command for curl.
struct TypedRequest: Hashable, Sendable {
    var pasted: PastedRequest
    /// The place where it is kept.
    var place: TreePlace
    /// What the collection gives to it: `+ bearer, 1 header of shop`, or that it goes without.
    var defaults = ""
    /// Whether the collection gives something, which a key leaves off.
    var takesDefaults = false

    var definition: RequestDefinition { pasted.definition }

    /// `GET api.example.org/orders`
    var title: String {
        let url = definition.url
        let short = url.hasPrefix("https://") ? String(url.dropFirst(8)) : url
        return "\(definition.method) \(short)"
    }

    /// `1 secret for this session, 1 parameter, 2 headers`
    var detail: String {
        var parts: [String] = []
        func count(_ count: Int, _ word: String) {
            if count > 0 { parts.append("\(count) \(word)\(count == 1 ? "" : "s")") }
        }
        let secrets = pasted.values.values.count(where: \.isSecret)
        if secrets > 0 { parts.append("\(secrets) secret\(secrets == 1 ? "" : "s") for this session") }
        count(definition.query.count(where: \.isEnabled), "parameter")
        count(definition.headers.count(where: \.isEnabled), "header")
        if let body = definition.body, body.kind != .none { parts.append("\(body.kind.name) body") }
        if let auth = definition.auth, auth.kind != .inherit, auth.kind != .none { parts.append(auth.kindName) }
        return [parts.joined(separator: ", "), defaults].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// A text as ``PastedRequest`` takes it; `nil`: it is no request.
    static func source(of text: String) -> String? {
        let text = text.trimmingBlanks
        // So far it is the beginning of a command, or the name of something.
        if text == "curl" { return nil }
        if PastedRequest.isOne(text) { return text }
        let parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard (1...2).contains(parts.count), let address = parts.last, !address.contains("://") else { return nil }
        let method = parts.count == 2 ? parts[0] : ""
        guard method.allSatisfy({ $0.isASCII && $0.isUppercase }),
            let scheme = scheme(ofAddress: address, isNamed: parts.count == 2)
        else { return nil }
        let url = "\(method) \(scheme)://\(address)".trimmingBlanks
        return PastedRequest.isOne(url) ? url : nil
    }

    /// What stands before a host: a port says enough, and so does a method before a name with a dot.
    private static func scheme(ofAddress address: String, isNamed: Bool) -> String? {
        let authority = address.prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }),
            host.first?.isLetter == true || host.first?.isNumber == true
        else { return nil }
        guard authority.count > host.count else {
            return !isNamed ? nil : host == "localhost" ? "http" : host.contains(".") ? "https" : nil
        }
        guard let port = UInt16(authority.dropFirst(host.count + 1)), port > 0 else { return nil }
        // `12:30` is a time.
        guard host.contains(where: \.isLetter) || host.contains(".") else { return nil }
        return port == 443 || port == 8443 ? "https" : "http"
    }
}
