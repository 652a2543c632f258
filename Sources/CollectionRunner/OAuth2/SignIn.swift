import Base
import NetworkLayer
import RequestCollections

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

/// The address on this machine to which a browser comes back (RFC 8252, section 7.3).
struct RedirectAddress: Hashable, Sendable {
    /// As the client is registered with it: `127.0.0.1`, `[::1]` or `localhost`.
    var host: String
    /// 0: the kernel chooses one.
    var port: UInt16
    var path: String

    static let standard = RedirectAddress(host: "127.0.0.1", port: 0, path: "/callback")

    init(host: String, port: UInt16, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// - Parameter text: what the file says; `nil` for an address of our own choice.
    init(_ text: String?) throws(OAuth2Error) {
        guard let text, !text.isEmpty else {
            self = .standard
            return
        }
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http", let host = parts.host?.lowercased(),
            ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host), parts.percentEncodedQuery == nil, parts.fragment == nil,
            let port = UInt16(exactly: parts.port ?? 0)
        else {
            throw OAuth2Error(
                "`redirect` of oauth2 must be an address of this machine, such as http://127.0.0.1:8400/callback: \(text)")
        }
        self.init(host: host == "::1" ? "[::1]" : host, port: port, path: parts.percentEncodedPath)
    }

    var isIPv6: Bool { host == "[::1]" }

    var text: String { "http://\(host):\(port)\(path)" }
}

/// Proof that whoever trades the code in is who asked for it (RFC 7636), by SHA-256.
struct PKCE: Hashable, Sendable {
    /// 43 letters.
    let verifier: String

    /// - Parameter bytes: 32 random ones.
    init(bytes: some Sequence<UInt8>) {
        verifier = Self.base64URL(bytes)
    }

    init(verifier: String) {
        self.verifier = verifier
    }

    /// What the browser's address has; the verifier can't be found from it.
    var challenge: String { Self.base64URL(DigestFunction.sha256.hash(Data(verifier.utf8))) }

    /// Without padding (RFC 4648, section 5).
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing(scalars: "+", with: "-").replacing(scalars: "/", with: "_")
            .replacing(scalars: "=", with: "")
    }
}

/// Opens addresses where a person can see them.
struct Browser: Sendable {
    let environment: [String: String]

    /// Over ssh and in containers there is none.
    var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// The person is told the address anyway, so what goes wrong is no failure.
    func open(_ url: String) {
        // Some addresses come from a server, and xdg-open takes more than addresses.
        guard hasDisplay, url.hasPrefix("https://") || url.hasPrefix("http://") else { return }
        let command = Command(["xdg-open", url], environment: environment, timeout: .seconds(30), outputLimit: 1 << 20)
        Task { _ = try? await command.run(.own) }
    }
}

/// What a person has to do in a browser before a token comes.
package struct SignInNotice: Hashable, Sendable {
    /// Who wants it: the host of the token's server.
    package var server: String
    /// http or https.
    package var url: String
    /// To be entered there; `nil` when the browser comes back by itself.
    package var code: String?

    package init(server: String, url: String, code: String? = nil) {
        self.server = server
        self.url = url
        self.code = code
    }

    /// For a terminal.
    package var lines: [String] {
        ["Sign in for \(server) in a browser:", "  \(url)"] + (code.map { ["and enter the code", "  \($0)"] } ?? [])
    }
}
