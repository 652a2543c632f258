import Base
import HTTPTypes
import NetworkLayer
package import RequestCollections

/// Reads what a token's server answers.
struct TokenAnswer: Sendable {
    /// Its members; none when the body isn't a JSON object.
    let members: [String: JSONValue]
    let status: Int
    /// Who answered, for sentences.
    let server: String
    /// Hides what was sent to the server.
    private let redactor: Redactor

    init(status: Int, body: Data, server: String, redactor: Redactor = Redactor()) {
        self.status = status
        self.server = server
        self.redactor = redactor
        var members: [String: JSONValue] = [:]
        if case .object(let object) = JSONParser.parse(String(decoding: body, as: UTF8.self)) {
            for member in object { members[member.name] = member.value }
        }
        self.members = members
    }

    /// - Throws: what the transfer failed with, as a sentence.
    init(_ response: Response, redactor: Redactor) throws(OAuth2Error) {
        let server = response.originalRequest.url.host() ?? "the server"
        if let error = response.error {
            throw OAuth2Error("no answer of \(server) about the token: \(redactor.text(error.message))")
        }
        guard let info = response.info, let body = try? info.body.contents() else {
            throw OAuth2Error("no answer of \(server) about the token")
        }
        self.init(status: info.head.status.code, body: body, server: server, redactor: redactor)
    }

    /// RFC 6749, section 5.1. Some servers answer errors with 200, so those are looked for first.
    func token(at date: Date) throws(OAuth2Error) -> OAuth2Token {
        if let error { throw error }
        guard let token = text("access_token"), !token.isEmpty else {
            throw OAuth2Error("\(server) answered without an `access_token`")
        }
        if let type = text("token_type"), type.lowercased() != "bearer" {
            throw OAuth2Error("\(server) gives tokens of the type `\(quoted(type))`, and only `Bearer` can be sent")
        }
        return OAuth2Token(
            accessToken: token, refreshToken: text("refresh_token"), scope: text("scope"), issued: date,
            expires: seconds("expires_in").map { date + $0 })
    }

    /// RFC 8628, section 3.2.
    func device(at time: MonotonicTime) throws(OAuth2Error) -> DeviceAuthorization {
        if let error { throw error }
        guard let code = text("device_code"), let userCode = text("user_code"),
            let url = text("verification_uri") ?? text("verification_url")
        else { throw OAuth2Error("\(server) answered without `device_code`, `user_code` and `verification_uri`") }
        return DeviceAuthorization(
            deviceCode: code, userCode: quoted(userCode), url: quoted(url),
            completeURL: text("verification_uri_complete"),
            deadline: time + .seconds(seconds("expires_in") ?? 1800),
            interval: .seconds(seconds("interval").map { max(1, $0) } ?? 5))
    }

    /// RFC 6749, section 5.2; also whatever else isn't an answer.
    var error: OAuth2Error? {
        if let code = text("error") {
            let description = text("error_description").map { ": \(quoted($0))" } ?? ""
            let help = text("error_uri").map { " (\(quoted($0)))" } ?? ""
            return OAuth2Error("\(server) gives no token: \(quoted(code))\(description)\(help)", code: code)
        }
        guard status < 400 else { return OAuth2Error("\(server) gives no token: it answered with status \(status)") }
        guard !members.isEmpty else {
            return OAuth2Error("\(server) gives no token: its answer, status \(status), is no JSON object")
        }
        return nil
    }

    private func quoted(_ text: String) -> String { OAuth2Error.quoted(text, hiding: redactor) }

    private func text(_ name: String) -> String? {
        if case .string(let text) = members[name] { text } else { nil }
    }

    /// Some write numbers as texts.
    private func seconds(_ name: String) -> Double? {
        let seconds: Double? =
            switch members[name] {
            case .number(let digits): Double(digits)
            case .string(let text): Double(text)
            default: nil
            }
        // A century is as good as for ever, and fits every clock.
        return seconds.flatMap { $0.isFinite && $0 >= 0 ? min($0, 3_155_760_000) : nil }
    }
}

/// What a device-code server wants of the person, and when to ask it again (RFC 8628).
struct DeviceAuthorization: Hashable, Sendable {
    var deviceCode: String
    var userCode: String
    var url: String
    /// Has the user code in it.
    var completeURL: String?
    var deadline: MonotonicTime
    /// Between two questions.
    var interval: Duration

    enum Step: Hashable, Sendable {
        case wait(Duration)
        case fail(OAuth2Error)
    }

    /// After an answer that wasn't a token (section 3.5).
    ///
    /// | answer                  | next                                          |
    /// |-------------------------|-----------------------------------------------|
    /// | `authorization_pending` | asks again after the interval                 |
    /// | `slow_down`             | makes the interval 5 s longer, from now on    |
    /// | none: no connection     | doubles the interval, at most to a minute     |
    /// | anything else           | fails                                         |
    mutating func step(after error: OAuth2Error, hasAnswer: Bool, at time: MonotonicTime) -> Step {
        switch error.code {
        case "authorization_pending": break
        case "slow_down": interval += .seconds(5)
        case nil where !hasAnswer: interval = max(interval, min(interval * 2, .seconds(60)))
        default: return .fail(error)
        }
        guard time + interval < deadline else {
            return .fail(OAuth2Error("nobody entered the code \(userCode) in time; send the request again for a new one"))
        }
        return .wait(interval)
    }
}

/// Why there is no token.
package struct OAuth2Error: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the server calls it, such as `invalid_client` (RFC 6749, section 5.2); `nil` when the server didn't say.
    package var code: String?
    /// Without secrets.
    package var message: String
    /// Where `auth` stands.
    package var location: SourceLocation?

    init(_ message: String, code: String? = nil, at location: SourceLocation? = nil) {
        self.code = code
        self.message = message
        self.location = location
    }

    package var description: String { location.map { "\($0): \(message)" } ?? message }

    /// What a server says, for a sentence: on one line, not too long, and without anything that a terminal would obey.
    ///
    /// - Parameter redactor: takes secrets out before anything is cut off.
    static func quoted(_ text: String, hiding redactor: Redactor = Redactor()) -> String {
        let scalars = redactor.text(text).unicodeScalars.prefix(400).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether a refresh token that was answered so is of no use any more, and only a whole grant helps.
    var endsRefreshToken: Bool {
        switch code {
        case "invalid_grant", "invalid_token", "unauthorized_client", "unsupported_grant_type", "invalid_scope": true
        default: false
        }
    }
}
