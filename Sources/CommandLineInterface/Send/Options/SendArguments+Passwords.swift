import Base
import CurlTransport
import NetworkLayer
import Presentation

extension SendArguments {
    /// Asks for the password of a `-u NAME` and a `-U NAME`, as curl does: so it stands in no history of a shell and no list of processes.
    ///
    /// - Parameter ask: gives `nil` when nobody can be asked.
    mutating func completePasswords(_ ask: (String) throws -> String?) throws {
        if let name = user, !name.contains(":"), takesPassword {
            let host =
                url.flatMap { URL(international: URLPieces($0, defaultScheme: defaultScheme ?? "http").text)?.host() }
                ?? "the server"
            user = try Self.completed(name, "-u", "Password of \(name) for \(host): ", ask)
        }
        if let name = proxyUser, !name.contains(":") {
            proxyUser = try Self.completed(name, "-U", "Password of \(name) for the proxy: ", ask)
        }
        if passphrase == nil, let file = certificate.map({ key ?? $0 }), CredentialFile(file).isEncrypted {
            // Without an answer the transport says what is missing.
            passphrase = try ask(SafeText.line("Pass phrase of \(file): "))
        }
    }

    /// Kerberos' ticket and a netrc file have it.
    private var takesPassword: Bool {
        switch scheme {
        case nil, .basic, .digest, .ntlm, .awsSigV4: true
        case .negotiate: false
        }
    }

    private static func completed(
        _ name: String, _ option: String, _ question: String, _ ask: (String) throws -> String?
    ) throws -> String {
        guard let password = try ask(SafeText.line(question)) else {
            throw CommandFailure(
                status: .usage,
                message: "\(option) \(SafeText.line(name)) has no password, and nobody gave one at the terminal. "
                    + "It takes USER:PASSWORD, or USER: for an empty one.")
        }
        return "\(name):\(password)"
    }
}
