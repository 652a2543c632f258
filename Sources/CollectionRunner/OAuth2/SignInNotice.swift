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
