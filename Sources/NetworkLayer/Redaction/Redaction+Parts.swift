/// Values with masks in them, for people who look: as much as helps stays readable.
extension Redaction {
    /// A value with its secrets masked: the scheme of credentials and the names and attributes of cookies stay.
    package func masked(_ value: String, of name: String) -> String {
        redacts(name) ? parts(value, of: name).map(\.text).joined() : value
    }

    /// A part of a field's value.
    package struct Part: Sendable, Hashable {
        package var text: String
        /// Whether it is a mask.
        package var isSecret: Bool
    }

    /// The value of a field that is redacted, with masks in it.
    package func parts(_ value: String, of name: String) -> [Part] {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " ") else { return [Part(text: Redactor.mask, isSecret: true)] }
            return [Part(text: String(value[...space]), isSecret: false), Part(text: Redactor.mask, isSecret: true)]
        case "cookie":
            return cookies(value.split(separator: ";", omittingEmptySubsequences: false))
        case "set-cookie":
            // Only the first pair is the cookie; the rest are attributes.
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return cookies([value[..<end]]) + [Part(text: String(value[end...]), isSecret: false)].filter { !$0.text.isEmpty }
        default:
            return [Part(text: Redactor.mask, isSecret: true)]
        }
    }

    private func cookies(_ pairs: [Substring]) -> [Part] {
        var parts: [Part] = []
        for (index, pair) in pairs.enumerated() {
            let separator = index > 0 ? ";" : ""
            guard let equals = pair.firstIndex(of: "=") else {
                parts.append(Part(text: separator, isSecret: false))
                parts.append(Part(text: Redactor.mask, isSecret: true))
                continue
            }
            parts.append(Part(text: separator + pair[...equals], isSecret: false))
            parts.append(Part(text: Redactor.mask, isSecret: true))
        }
        return parts.filter { !$0.text.isEmpty }
    }
}
