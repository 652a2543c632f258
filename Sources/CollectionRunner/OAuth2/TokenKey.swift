import Crypto
import Foundation
package import RequestCollections

/// Whose token it is: the same for every request that may use it.
package struct TokenKey: Hashable, Sendable, Codable {
    package var tokenURL: String
    package var clientID: String
    package var grant: String
    package var scope: String?
    package var audience: String?
    /// Who signs in, where the file says so; of a refresh token its digest, so that another one in the file isn't overlooked.
    package var user: String?

    package init(_ definition: OAuth2Definition) {
        tokenURL = definition.tokenURL
        clientID = definition.clientID
        grant = definition.grant.name
        scope = definition.scope
        audience = definition.audience
        switch definition.grant {
        case .password(let user, _): self.user = user
        case .refreshToken(let token):
            user = SHA256.hash(data: Data(token.utf8)).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        case .clientCredentials, .authorizationCode, .deviceCode: break
        }
    }
}
