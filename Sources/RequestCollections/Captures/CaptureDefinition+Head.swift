package import NetworkLayer

extension CaptureDefinition {
    /// What a head has of a variable that nobody may see: it is told of before the variable is captured, or when it never is.
    package func secrets(in head: ResponseHead) -> [String] {
        if let hiddenCookie { return head.values(ofCookie: hiddenCookie).flatMap { Redaction.forms(ofCookieValue: $0[...]) } }
        guard isHidden, case .header(let name) = source else { return [] }
        return head.values(ofHeader: name)
    }

    /// The name of the cookie whose value nobody may see; `nil`: it captures no cookie, or none that is a secret.
    package var hiddenCookie: String? {
        guard isHidden else { return nil }
        return switch source {
        case .cookie(let name), .subject(.cookieAttribute(let name, _)): name
        case .header, .filter, .status, .url, .body, .subject: nil
        }
    }

    /// Whether only the body has the secret.
    package var hidesBody: Bool {
        guard isSecret else { return false }
        return switch source {
        case .filter, .body: true
        case .header, .cookie, .status, .url, .subject: false
        }
    }
}
