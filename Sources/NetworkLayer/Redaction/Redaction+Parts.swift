import Base
import HTTPTypes

/// Values with masks in them, for people who look: as much as helps stays readable.
extension Redaction {
    /// A value with its secrets masked: the scheme of credentials and the names and attributes of cookies stay.
    package func masked(_ value: String, of name: String) -> String {
        guard redacts(name) || namesURL(name) else { return value }
        return parts(value, of: name).map(\.text).joined()
    }

    /// Whether a field's value is an address, whose parameters may be secret.
    package func namesURL(_ name: String) -> Bool {
        !names.isEmpty && ["location", "content-location", "referer"].contains(name.lowercased())
    }

    package struct Part: Sendable, Hashable {
        package var text: String
        package var isSecret: Bool
    }

    /// The value of a field that is redacted or has an address, with masks in it.
    package func parts(_ value: String, of name: String) -> [Part] {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            // A first word that is no scheme is a part of the credential.
            guard let halves = value.halves(at: " "), Self.schemes.contains(halves.before.lowercased()) else {
                return [Part(text: Redactor.mask, isSecret: true)]
            }
            return [Part(text: halves.before + " ", isSecret: false), Part(text: Redactor.mask, isSecret: true)]
        case "cookie":
            return cookies(value.pieces(at: ";"))
        case "set-cookie":
            // Only the first pair is the cookie; the rest are attributes.
            let end = value.unicodeScalars.firstIndex(of: ";") ?? value.endIndex
            return cookies([value[..<end]]) + [Part(text: String(value[end...]), isSecret: false)].filter { !$0.text.isEmpty }
        case "location", "content-location", "referer":
            return url(value)
        default:
            return [Part(text: Redactor.mask, isSecret: true)]
        }
    }

    /// The schemes of IANA's registry of authentication schemes, and others in wide use.
    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "negotiate", "ntlm", "token", "apikey", "aws4-hmac-sha256", "dpop", "gnap", "hoba", "hawk",
        "mutual", "oauth", "privatetoken", "scram-sha-1", "scram-sha-256", "signature", "vapid", "key",
    ]

    // MARK: Addresses and forms

    /// An address, absolute or not, with masks in place of its password and of parameters that are secret by their names.
    package func url(_ text: String) -> [Part] { Self.parts(text, masking: secrets(inURL: text[...])) }

    /// Where a password, and the values of parameters that are secret by their names, stand in an address; also in one within a line.
    package func secrets(inURL text: Substring) -> [Range<String.Index>] {
        guard !names.isEmpty else { return [] }
        let text = text.utf8
        var ranges: [Range<String.Index>] = []
        if let authority = Self.authority(of: text), let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
        {
            ranges.append(text.index(after: colon)..<at)
        }
        guard let question = text.firstIndex(of: UInt8(ascii: "?")) else { return ranges }
        let query = text[text.index(after: question)...]
        return ranges + secrets(inForm: query.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: " ") })
    }

    /// What stands between the first `://` and the next `/`, `?` or `#`.
    private static func authority(of text: Substring.UTF8View) -> Substring.UTF8View.SubSequence? {
        var rest = text[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            if rest.starts(with: "//".utf8) { return rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) } }
        }
        return nil
    }

    /// What is a credential in a request by its place or name, decoded, to be found where a server sends it back.
    package func credentials(of request: Request) -> Set<String> {
        guard !names.isEmpty else { return [] }
        var texts: [String] = []
        for field in request.headers where redacts(field.name.rawName) {
            if field.name == .cookie {
                texts += sessions(in: field.value[...])
            } else {
                let isScheme = parts(field.value, of: field.name.rawName).count > 1
                let credential = isScheme ? String(field.value.halves(at: " ")?.behind ?? "") : field.value
                texts.append(credential)
                // The password is the secret of `user:password` in base64 (RFC 7617), also where it comes back by itself.
                if isScheme, let pair = Data(base64Encoded: credential).flatMap({ String(validating: $0, as: UTF8.self) }),
                    let password = pair.halves(at: ":")?.behind
                {
                    texts.append(String(password))
                }
            }
        }
        let url = request.url.absoluteString
        texts += secrets(inURL: url[...]).map { URLCoding.percentDecoded(url[$0]) }
        if case .data(let data) = request.body, let type = request.headers[.contentType]?.lowercased() {
            let bytes = Array(CharsetDecoder.utf8(data, contentType: type) ?? data)
            for secret in secrets(in: bytes, type: type) where secret.isText {
                let text = String(decoding: bytes[secret.range], as: UTF8.self)
                texts.append(type.contains("form-urlencoded") ? URLCoding.percentDecoded(text, preservesPluses: false) : text)
            }
        }
        return Set(texts.filter { $0.utf8.count >= Redactor.shortestSearched })
    }

    /// The values of a session's cookies in a request's head as it was sent, including those that a cookie jar has added.
    ///
    /// - Parameter names: the names of cookies that are secret although their names don't show it.
    package func sessions(inSentHead head: String, and names: Set<String> = []) -> Set<String> {
        guard Self.hasCookies(head), redacts("cookie") else { return [] }
        let lines = head.lines.filter { $0.utf8.count > 7 && $0.prefix(7).lowercased() == "cookie:" }
        return Set(
            lines.flatMap { sessions(in: $0.dropFirst(7), and: names) }.filter { $0.utf8.count >= Redactor.shortestSearched })
    }

    /// Whether it says `cookie:` anywhere. Most heads don't, and to take one into lines costs as much as to send it.
    private static func hasCookies(_ head: String) -> Bool {
        let name = Array("cookie:".utf8)
        return head.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.indices.dropLast(name.count - 1).contains { start in
                bytes[start] | 0x20 == name[0] && name.indices.allSatisfy { bytes[start + $0] | 0x20 == name[$0] }
            }
        } ?? true
    }

    /// Without their quotes, and also decoded: what sets a cookie encodes it in its own way (`s%3A…`, `"…"`), and shows it as it was.
    private func sessions(in cookies: Substring, and names: Set<String> = []) -> [String] {
        let secrets = cookies.pieces(at: ";").compactMap { $0.halves(at: "=") }.filter { cookie in
            namesSession(cookie.before) || names.contains(String(cookie.before.drop { $0 == " " }))
        }
        return secrets.flatMap { Self.forms(ofCookieValue: $0.behind) }
    }

    /// A cookie's value without its quotes, and that decoded.
    package static func forms(ofCookieValue value: Substring) -> [String] {
        let isQuoted = value.utf8.count > 1 && value.utf8.first == UInt8(ascii: "\"") && value.utf8.last == UInt8(ascii: "\"")
        let plain = isQuoted ? Substring(value.unicodeScalars.dropFirst().dropLast()) : value
        return [String(plain), URLCoding.percentDecoded(plain)]
    }

    /// Most cookies are settings, whose values are words that stand everywhere.
    private func namesSession(_ cookie: Substring) -> Bool {
        let name = cookie.drop { $0 == " " }.lowercased()
        return redacts(parameter: name) || ["sid", "sess", "token", "auth"].contains { name.contains($0) }
    }

    private static func parts(_ text: String, masking ranges: [Range<String.Index>]) -> [Part] {
        var parts: [Part] = []
        var position = text.startIndex
        for range in ranges {
            parts.append(Part(text: String(text[position..<range.lowerBound]), isSecret: false))
            parts.append(Part(text: Redactor.mask, isSecret: true))
            position = range.upperBound
        }
        parts.append(Part(text: String(text[position...]), isSecret: false))
        return parts.filter { !$0.text.isEmpty }
    }

    /// Whether a parameter of a query or form is secret by its name: `token`, `api_key`, `client-secret`, `Password`.
    package func redacts(parameter name: String) -> Bool {
        guard !names.isEmpty else { return false }
        let name = URLCoding.percentDecoded(name).lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." }
        return Self.parameters.contains(name)
    }

    private static let parameters: Set<String> = [
        "token", "accesstoken", "refreshtoken", "idtoken", "authtoken", "apitoken", "sessiontoken", "bearertoken", "apikey",
        "xapikey", "accesskey", "secretkey", "privatekey", "password", "passwd", "passphrase", "pwd", "pw", "pass", "secret",
        "clientsecret", "apisecret", "authorization", "credential", "credentials", "jwt", "assertion", "clientassertion", "sig",
        "signature", "xamzsignature", "xamzsecuritytoken", "xgoogsignature",
    ]

    private func cookies(_ pairs: [Substring]) -> [Part] {
        var parts: [Part] = []
        for (index, pair) in pairs.enumerated() {
            let separator = index > 0 ? ";" : ""
            guard let equals = pair.unicodeScalars.firstIndex(of: "=") else {
                parts.append(Part(text: separator, isSecret: false))
                parts.append(Part(text: Redactor.mask, isSecret: true))
                continue
            }
            parts.append(Part(text: separator + String(pair.unicodeScalars[...equals]), isSecret: false))
            parts.append(Part(text: Redactor.mask, isSecret: true))
        }
        return parts.filter { !$0.text.isEmpty }
    }
}
