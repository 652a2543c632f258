package import NetworkLayer

/// A variable that a response gives: `capture: { token: .access_token }`.
package struct CaptureDefinition: Hashable, Sendable, Codable {
    /// The variable's.
    package var name: String
    package var source: CaptureSource
    /// What is done to what is found.
    package var steps: [ValueStep]
    /// Nobody may see the value, as with `{ from: .access_token, secret: true }`.
    package var isSecret: Bool
    /// The value when the response has none; without one that is a failure.
    package var fallback: JSONValue?
    /// Whether the lists that the items of a loop capture are one list outside of it; `nil`: they are a list of lists.
    package var isFlat: Bool?
    package var location: SourceLocation

    package init(
        name: String, source: CaptureSource, then steps: [ValueStep] = [], isSecret: Bool = false, fallback: JSONValue? = nil,
        isFlat: Bool? = nil, location: SourceLocation
    ) {
        self.name = name
        self.source = source
        self.steps = steps
        self.isSecret = isSecret
        self.fallback = fallback
        self.isFlat = isFlat
        self.location = location
    }

    /// Whether nobody may see what it gives: a secret, and what is a credential by the variable's name.
    package var isHidden: Bool { isSecret || Redaction.standard.redacts(parameter: name) }
}

/// What of a response a variable gets.
///
/// | written | is |
/// |---|---|
/// | `.access_token`, `.items[0].id`, any jq program | the first value that the filter finds in the body |
/// | `xpath://h1`, `/id=(\d+)/` | what is found in the body first |
/// | `header:etag` | the header field, the first of its name |
/// | `link:next` | where the header field `link` leads for that relation |
/// | `cookie:sid`, `cookie:sid;path` | the value that a `set-cookie` gives it, or an attribute |
/// | `tls:subject`, `time:wait`, `ip`, `http`, `size`, `attempts`, `retries`, `redirects`, `locations` | as `expect` says it |
/// | `status` | the status, a number |
/// | `url` | where the redirects led |
/// | `body` | the body's text |
package enum CaptureSource: Hashable, Sendable, Codable {
    /// In jq's language.
    case filter(String)
    case header(String)
    case cookie(String)
    case status
    case url
    case body
    /// Anything else that an expectation can be about.
    case subject(ExpectationSubject)

    /// Also with a regular expression behind it: `header:location: /id=(\d+)/`.
    static func parse(_ text: String) -> (source: CaptureSource, steps: [ValueStep])? {
        let begins = ["header:", "cookie:", "link:", "tls:", "body:", "url:"].contains(where: text.hasPrefix)
        guard begins, let end = text.firstRange(of: ": /") else { return CaptureSource(text).map { ($0, []) } }
        guard let source = CaptureSource(String(text[..<end.lowerBound])),
            let step = try? ValueStep("/" + text[end.upperBound...])
        else { return nil }
        // The same in another process, as the body may be long.
        if case .body = source { return (.filter("/" + text[end.upperBound...]), []) }
        return (source, [step])
    }

    /// What a JSON Schema can check of it.
    static let schemaPattern =
        "^(status|url|body|ip|http|size|attempts|retries|redirects|locations|(header|cookie|link|tls|time|xpath): *[^ ].*|/.*/i?|body: /.*/i?|[.\\[].*|.*[|(].*)$"

    /// `nil` for a text that is neither.
    init?(_ text: String) {
        switch text {
        case "status": self = .status
        case "url": self = .url
        case "body": self = .body
        case "ip": self = .subject(.address)
        case "http": self = .subject(.httpVersion)
        case "size": self = .subject(.size)
        case "attempts": self = .subject(.attempts)
        case "retries": self = .subject(.retries)
        case "redirects": self = .subject(.redirects)
        case "locations": self = .subject(.locations)
        default:
            if let relation = Self.name(text, after: "link:") {
                self = .subject(.link(relation))
                return
            }
            if let name = Self.name(text, after: "tls:") {
                guard FormatTable.tlsFacts[name] != nil else { return nil }
                self = .subject(.tls(name))
            } else if let name = Self.name(text, after: "time:") {
                guard FormatTable.times[name] != nil else { return nil }
                self = .subject(.time(name))
            } else if let name = Self.name(text, after: "cookie:"), let end = name.lastIndex(of: ";"),
                let attribute = CookieAttribute(rawValue: String(name[name.index(after: end)...].trimmed))
            {
                self = .subject(.cookieAttribute(String(name[..<end].trimmed), attribute))
            } else if JSONFilter.regex(text) != nil || text.hasPrefix(JSONFilter.xpathPrefix) {
                self = .filter(text)
            } else if let name = Self.name(text, after: "header:") {
                self = .header(name)
            } else if let name = Self.name(text, after: "cookie:") {
                self = .cookie(name)
            } else if text.hasPrefix(".") || text.hasPrefix("[") || text.contains("|") || text.contains("(") {
                self = .filter(text)
            } else {
                return nil
            }
        }
    }

    private static func name(_ text: String, after prefix: String) -> String? {
        guard text.hasPrefix(prefix) else { return nil }
        let name = text.dropFirst(prefix.count).trimmed
        return name.isEmpty ? nil : String(name)
    }
}

extension CaptureSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .filter(let filter): filter
        case .header(let name): "header:\(name)"
        case .cookie(let name): "cookie:\(name)"
        case .status: "status"
        case .url: "url"
        case .body: "body"
        case .subject(.tls(let name)): "tls:\(name)"
        case .subject(.time(let name)): "time:\(name)"
        case .subject(.link(let relation)): "link:\(relation)"
        case .subject(.cookieAttribute(let name, let attribute)): "cookie:\(name);\(attribute.rawValue)"
        case .subject(let subject): subject.description
        }
    }
}

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
