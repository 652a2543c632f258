import Base
package import HTTPTypes
package import NetworkLayer
import RequestCollections
package import TerminalUI

package enum StatusText {
    /// `201 Created`, in the colour of its class. The phrase is the one that was sent, else the registered one.
    package static func span(_ status: HTTPResponse.Status) -> StyledLine.Span {
        StyledLine.Span(text(status), role(status.code))
    }

    package static func text(_ status: HTTPResponse.Status) -> String {
        let sent = SafeText.line(status.reasonPhrase)
        let phrase = sent.isEmpty ? phrase(status.code) ?? "" : sent
        return phrase.isEmpty ? "\(status.code)" : "\(status.code) \(phrase)"
    }

    package static func role(_ code: Int) -> ThemeRole {
        switch code {
        case 100..<200: .status1xx
        case 200..<300: .status2xx
        case 300..<400: .status3xx
        case 400..<500: .status4xx
        case 500..<600: .status5xx
        default: .statusError
        }
    }

    /// What an attempt came to, in a word: its status, `cancelled`, `timeout`, the end of its error's type (`refused`).
    package static func result(_ attempt: AttemptMetrics) -> StyledLine.Span? {
        if let error = attempt.error {
            if error.code == .cancelled { return StyledLine.Span("cancelled", .stateCancelled) }
            if error.code.isTimeout { return StyledLine.Span("timeout", .statusError) }
            let name = error.type.split(separator: ".").last.map { $0.replacing(scalars: "_", with: " ") } ?? "error"
            return StyledLine.Span(SafeText.line(name), .statusError)
        }
        guard let head = attempt.head else { return nil }
        return StyledLine.Span("\(head.status.code)", role(head.status.code))
    }

    package static func phrase(_ code: Int) -> String? { StatusPhrases.phrase(code) }
}

package enum HeaderText {
    /// `name: value`, one line a field, in their order. Secrets are masked unless `reveals`.
    package static func lines(_ fields: HTTPFields, reveals: Bool = false) -> [StyledLine] {
        rows(fields, reveals: reveals).map { row in
            var line = StyledLine(row.name, .headerName)
            line.append(": ", .syntaxPunctuation)
            line.spans += row.value.spans
            return line
        }
    }

    /// What stood behind the body, as far as it is fields.
    package static func trailers(_ attempt: AttemptMetrics) -> HTTPFields {
        HTTPFields(attempt.trailers.compactMap { line in HTTPField.Name(line.name).map { HTTPField(name: $0, value: line.value) } })
    }

    package struct Row: Sendable, Hashable {
        package var name: String
        package var value: StyledLine
        /// Whether something of the value is masked, or would be.
        package var isSecret: Bool
    }

    package static func rows(_ fields: HTTPFields, reveals: Bool = false) -> [Row] {
        fields.map { field in
            Row(
                name: SafeText.line(field.name.rawName), value: value(field.value, of: field.name.rawName, reveals: reveals),
                isSecret: Redaction.standard.redacts(field.name.rawName))
        }
    }

    package static func value(_ value: String, of name: String, reveals: Bool = false) -> StyledLine {
        guard Redaction.standard.redacts(name) || Redaction.standard.namesURL(name), !reveals else {
            return StyledLine(SafeText.line(value), Redaction.standard.redacts(name) ? .secret : .headerValue)
        }
        var line = StyledLine()
        for part in Redaction.standard.parts(value, of: name) {
            line.join(SafeText.line(part.text), part.isSecret ? .secret : .headerValue)
        }
        return line
    }
}

package enum MethodText {
    package static func span(_ method: String) -> StyledLine.Span {
        StyledLine.Span(SafeText.line(method), role(method))
    }

    package static func role(_ method: String) -> ThemeRole {
        switch method {
        case "GET": .methodGet
        case "POST": .methodPost
        case "PUT": .methodPut
        case "PATCH": .methodPatch
        case "DELETE": .methodDelete
        default: .methodOther
        }
    }
}

/// Text from a server, made harmless for a terminal: what can't be seen, or would be obeyed, becomes a sign.
package enum SafeText {
    /// One line: control characters, line ends and tabs included, as signs (`␛`, `␊`), bidi overrides by their number.
    package static func line(_ text: some StringProtocol) -> String { line(String(text)) }

    package static func line(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return text }
        var result = ""
        for character in text { Glyph.forEach(in: character) { result.append($0.character) } }
        return result
    }
}

package enum URLText {
    /// `ws://…` for `http://…`, and `wss://…` for `https://…`, which is how a WebSocket is sent.
    package static func ofWebSocket(_ url: some StringProtocol) -> String { "ws\(url.dropFirst("http".count))" }

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
