package import HTTPTypes
package import TerminalUI

/// Header fields as text.
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

    /// A field for a table.
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
                isSecret: SecretText.isSecret(field.name.rawName))
        }
    }

    package static func value(_ value: String, of name: String, reveals: Bool = false) -> StyledLine {
        guard SecretText.isSecret(name), !reveals else {
            return StyledLine(SafeText.line(value), SecretText.isSecret(name) ? .secret : .headerValue)
        }
        var line = StyledLine()
        for part in SecretText.parts(value, of: name) {
            line.join(SafeText.line(part.text), part.isSecret ? .secret : .headerValue)
        }
        return line
    }
}

/// What must not be read over someone's shoulder.
package enum SecretText {
    /// Always this long, so that the length of what it stands for doesn't show.
    package static let mask = "••••••"

    private static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token", "x-csrf-token",
        "x-amz-security-token",
    ]

    package static func isSecret(_ name: String) -> Bool { names.contains(name.lowercased()) }

    /// A value with its secrets masked: the scheme of credentials and the names and attributes of cookies stay.
    package static func masked(_ value: String, of name: String) -> String {
        isSecret(name) ? parts(value, of: name).map(\.text).joined() : value
    }

    struct Part: Hashable {
        var text: String
        var isSecret: Bool
    }

    static func parts(_ value: String, of name: String) -> [Part] {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " ") else { return [Part(text: mask, isSecret: true)] }
            return [Part(text: String(value[...space]), isSecret: false), Part(text: mask, isSecret: true)]
        case "cookie":
            return cookies(value.split(separator: ";", omittingEmptySubsequences: false))
        case "set-cookie":
            // Only the first pair is the cookie; the rest are attributes.
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return cookies([value[..<end]]) + [Part(text: String(value[end...]), isSecret: false)].filter { !$0.text.isEmpty }
        default:
            return [Part(text: mask, isSecret: true)]
        }
    }

    private static func cookies(_ pairs: [Substring]) -> [Part] {
        var parts: [Part] = []
        for (index, pair) in pairs.enumerated() {
            let separator = index > 0 ? ";" : ""
            guard let equals = pair.firstIndex(of: "=") else {
                parts.append(Part(text: separator, isSecret: false))
                parts.append(Part(text: mask, isSecret: true))
                continue
            }
            parts.append(Part(text: separator + pair[...equals], isSecret: false))
            parts.append(Part(text: mask, isSecret: true))
        }
        return parts.filter { !$0.text.isEmpty }
    }
}
