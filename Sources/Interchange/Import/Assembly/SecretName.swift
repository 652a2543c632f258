import NetworkLayer

/// Whether a name says that its value is a secret.
enum SecretName {
    static func matches(_ name: String) -> Bool {
        let lower = name.lowercased()
        if pages.contains(where: lower.filter({ $0.isLetter }).hasSuffix) { return false }
        if Redaction.standard.redacts(lower) { return true }
        let plain = lower.filter { $0.isLetter || $0.isNumber }
        // What is said about a secret is none.
        guard
            !["url", "uri", "name", "type", "expiry", "expires", "expiresin", "endpoint", "path", "field", "header", "length"]
                .contains(where: plain.hasSuffix)
        else { return false }
        return parts.contains(where: plain.contains) || ["pwd", "jwt", "bearer"].contains(where: plain.hasSuffix)
            || Redaction.standard.redacts(parameter: lower)
    }

    /// Where a list goes on.
    private static let pages = ["pagetoken", "nexttoken", "continuationtoken", "synctoken"]

    private static let parts = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential", "authorization",
        "sessionid",
    ]
}
