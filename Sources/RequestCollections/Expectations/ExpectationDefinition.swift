/// One thing that a response must be: `status: 201`, `body: { .total: "> 0" }`.
package struct ExpectationDefinition: Hashable, Sendable, Codable {
    package var subject: ExpectationSubject
    /// What is done to its value first.
    package var steps: [ValueStep]
    package var matcher: Matcher
    package var location: SourceLocation

    package init(
        _ subject: ExpectationSubject, then steps: [ValueStep] = [], _ matcher: Matcher, location: SourceLocation
    ) {
        self.subject = subject
        self.steps = steps
        self.matcher = matcher
        self.location = location
    }
}

/// What of a response an expectation is about.
package enum ExpectationSubject: Hashable, Sendable, Codable {
    case status
    /// All fields of the name: one of them is enough.
    case header(String)
    /// The value that a `set-cookie` gives it.
    case cookie(String)
    /// What a `set-cookie` says of it.
    case cookieAttribute(String, CookieAttribute)
    /// The body's text.
    case body
    /// What a filter in jq's language finds in the body: each of its values must match.
    case filter(String)
    /// A phase of the last attempt (`dns`, `wait` …), or `total`. A phase that didn't happen took no time.
    case time(String)
    /// Where each redirect led: one of them is enough.
    case locations
    /// Where the header field `link` leads (RFC 8288), by relation: `next`, `last`.
    case link(String)
    /// How often `until` sent it.
    case polls
    /// The address that answered.
    case address
    /// Bytes of the body, decoded.
    case size
    case attempts
    case redirects
    case retries
    /// `valid-for`, `version`, `subject` and the like: ``FormatTable/tlsFacts``.
    case tls(String)
    /// `HTTP/1.1`, `HTTP/2`.
    case httpVersion
    /// Where the redirects led.
    case url
    /// What a document of OpenAPI says of the operation: its matcher is a schema's.
    case contract
    /// The code that a session was closed with.
    case close
    /// How many messages it received.
    case messageCount
    /// The text of one of them, or what a filter finds in it.
    case message(MessagePlace, String?)
    /// A step of a session, by its number: what it waited for came, or didn't. No file says so.
    case step(Int)
    /// Why there is no response: `timeout`, `dns` … (``FailureKind``). Without this expectation a failed request fails.
    case error

    /// The kind of its values.
    var kind: MatcherKind {
        switch self {
        case .status: .status
        case .time: .duration
        case .size: .bytes
        case .attempts, .redirects, .retries, .polls, .close, .messageCount: .number
        case .tls("valid-for"): .duration
        case .cookieAttribute(_, let attribute): attribute.kind
        case .filter, .contract, .message(_, _?): .json
        case .error: .failure
        case .header, .cookie, .body, .message, .step, .tls, .httpVersion, .url, .locations, .link, .address: .text
        }
    }
}

extension ExpectationSubject: CustomStringConvertible {
    /// As a report names it.
    package var description: String {
        switch self {
        case .status: "status"
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .cookieAttribute(let name, let attribute): "cookie \(name) \(attribute.rawValue)"
        case .locations: "locations"
        case .link(let relation): "link \(relation)"
        case .polls: "polls"
        case .address: "ip"
        case .body: "body"
        case .filter(let filter):
            filter.hasPrefix(JSONFilter.xpathPrefix)
                ? "xpath \(filter.dropFirst(JSONFilter.xpathPrefix.count).trimmed)" : "body \(filter)"
        case .time(let name): "time \(name)"
        case .size: "size"
        case .attempts: "attempts"
        case .redirects: "redirects"
        case .retries: "retries"
        case .tls(let name): "tls \(name)"
        case .httpVersion: "http"
        case .url: "url"
        case .contract: "contract"
        case .close: "close"
        case .messageCount: "messages count"
        case .message(let place, let filter): "messages \(place.rawValue)" + (filter.map { " \($0)" } ?? "")
        case .step(let number): "step \(number)"
        case .error: "error"
        }
    }
}

/// Which of the messages that a session received.
package enum MessagePlace: String, Hashable, Sendable, Codable {
    case any, first, last
}

/// What kind of value a matcher is for: which units its numbers may have.
enum MatcherKind: Hashable, Sendable {
    case status, number, duration, bytes, text, json
    /// A ``FailureKind``, or the type or message of an error.
    case failure
}
