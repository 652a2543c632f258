import Base
import NetworkLayer
package import RequestCollections

/// Whose token it is: the same for every request that may use it.
package struct TokenKey: Hashable, Sendable, Codable {
    package var tokenURL: String
    package var clientID: String
    package var grant: String
    package var scope: String?
    package var audience: String?
    /// Who signs in, where the file says so.
    package var user: String?
    /// Stands for the credentials, the client's secret included: other or wrong credentials get another token. It is a digest, so
    /// that the file in which tokens are kept doesn't have them.
    package var proof: String?
    /// Where a person signs in.
    package var server: String?

    package init(_ definition: OAuth2Definition) {
        tokenURL = definition.tokenURL
        clientID = definition.clientID
        grant = definition.grant.name
        scope = definition.scope
        audience = definition.audience
        var proofs = [definition.clientSecret ?? ""]
        switch definition.grant {
        case .password(let user, let password):
            self.user = user
            proofs.append(password)
        case .refreshToken(let token): proofs.append(token)
        case .authorizationCode(let url, _), .deviceCode(let url): server = url
        case .clientCredentials: break
        }
        if proofs != [""] { proof = Self.digest(proofs) }
    }

    private static func digest(_ texts: [String]) -> String {
        // Each with its length, so that no two lists of texts are one.
        let data = texts.reduce(into: Data()) { $0 += Data("\($1.utf8.count):\($1)".utf8) }
        return DigestFunction.sha256.hash(data).prefix(16).hexadecimal
    }
}
