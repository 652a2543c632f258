import NetworkLayer
package import TerminalUI

/// URLs as text.
package enum URLText {
    /// The host in `urlHost`, a mask in `secret` for a password and for parameters that are secret by their names, the rest in `url`.
    ///
    /// - Parameter reveals: shows a password.
    package static func line(_ url: String, reveals: Bool = false) -> StyledLine {
        let url = SafeText.line(url)
        guard let scheme = url.firstRange(of: "://") else {
            var line = StyledLine()
            join(url, to: &line, reveals: reveals)
            return line
        }
        let rest = url[scheme.upperBound...]
        let authorityEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<authorityEnd]
        let hostStart = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
        let user = authority[..<hostStart]
        let host = authority[hostStart...]
        let nameEnd = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.lastIndex(of: ":")
        var line = StyledLine(String(url[..<scheme.upperBound]), .url)
        if let colon = user.firstIndex(of: ":") {
            line.join(String(user[...colon]), .url)
            line.join(reveals ? String(user[user.index(after: colon)...].dropLast()) : Redactor.mask, .secret)
            line.join("@", .url)
        } else {
            line.join(String(user), .url)
        }
        line.join(String(host[..<(nameEnd ?? host.endIndex)]), .urlHost)
        line.join(String(host[(nameEnd ?? host.endIndex)...]), .url)
        join(String(rest[authorityEnd...]), to: &line, reveals: reveals)
        return line
    }

    private static func join(_ text: String, to line: inout StyledLine, reveals: Bool) {
        if reveals { return line.join(text, .url) }
        for part in Redaction.standard.url(text) { line.join(part.text, part.isSecret ? .secret : .url) }
    }
}
