package import NetworkLayer

extension CaptureDefinition {
    /// What a head has of a variable that nobody may see: it is told of before the variable is captured, or when it never is.
    package func secrets(in head: ResponseHead) -> [String] {
        guard isHidden else { return [] }
        return switch source {
        case .header(let name): head.values(ofHeader: name)
        case .cookie(let name): head.values(ofCookie: name)
        case .subject(.cookieAttribute(let name, _)): head.values(ofCookie: name)
        case .filter, .status, .url, .body, .subject: []
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
