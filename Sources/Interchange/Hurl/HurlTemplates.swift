import NetworkLayer

/// Hurl's templates: variables, and a few functions (https://hurl.dev/docs/templates.html).
enum HurlTemplates {
    /// - Returns: what stands between the braces here; `nil` for what has no equivalent.
    static func translate(_ inside: String) -> String? {
        switch inside {
        case "newUuid": return "uuid()"
        case "newDate": return "now(\"iso8601-ms\")"
        default:
            if let match = inside.wholeMatch(of: /getEnv\s+"?([A-Za-z_][A-Za-z0-9_]*)"?/) { return "env(\"\(match.1)\")" }
            return inside.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil ? VariableName.make(inside) : nil
        }
    }

    static func variables(in text: String) -> [String] {
        ForeignTemplate(text).pieces.compactMap { piece in
            guard case .template(let inside, _) = piece, inside.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil,
                inside != "newUuid", inside != "newDate"
            else { return nil }
            return VariableName.make(inside)
        }
    }
}
