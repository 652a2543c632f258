import Base
import NetworkLayer

/// What a browser brings back (RFC 6749, sections 4.1.2 and 4.1.2.1).
struct AuthorizationAnswer: Sendable {
    /// Where it is to come to.
    var path: String
    /// What it must bring back: nobody else knows it, so that nobody else can end our waiting (section 10.12).
    var state: String

    enum Verdict: Hashable, Sendable {
        case code(String)
        case failed(OAuth2Error)
        /// It isn't the answer that we wait for: browsers also ask for icons, and anybody may connect.
        case ignored(status: Int)
    }

    /// - Parameter line: the first line of the request: `GET /callback?code=… HTTP/1.1`.
    func verdict(on line: String) -> Verdict {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return .ignored(status: 400) }
        guard words[0] == "GET" else { return .ignored(status: 405) }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target[0] == path || (path.isEmpty && target[0] == "/") else { return .ignored(status: 404) }
        let parameters = FormParameters(parsing: target.count == 2 ? target[1] : "")
        guard Self.isSame(parameters["state"] ?? "", state) else { return .ignored(status: 400) }
        if let error = parameters["error"] {
            let description = parameters["error_description"].map { ": \(OAuth2Error.quoted($0))" } ?? ""
            return .failed(OAuth2Error("signing in failed: \(OAuth2Error.quoted(error))\(description)", code: error))
        }
        guard let code = parameters["code"], !code.isEmpty else {
            return .failed(OAuth2Error("signing in failed: the answer has no code"))
        }
        return .code(code)
    }

    /// Compares two texts in constant time.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension AuthorizationAnswer.Verdict {
    /// The page for it, with its head.
    var page: String {
        let (status, title, text): (String, String, String) =
            switch self {
            case .code: ("200 OK", "Signed in", "You can close this page and go back to Turnstone.")
            case .failed: ("200 OK", "Not signed in", "The server refused; Turnstone says why.")
            case .ignored(404): ("404 Not Found", "Nothing here", "Turnstone waits for the end of a sign-in, and this isn't it.")
            case .ignored(405): ("405 Method Not Allowed", "Nothing here", "Turnstone takes only GET.")
            case .ignored:
                ("400 Bad Request", "Not this one", "This isn't the sign-in that Turnstone waits for. Start it again from there.")
            }
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>\
            <body style="font: 1.1em sans-serif; margin: 4em auto; max-width: 30em"><h1>\(title)</h1><p>\(text)</p></body></html>

            """
        return """
            HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(html.utf8.count)\r\n\
            Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(html)
            """
    }
}
