package import Base
import NetworkLayer
package import RequestCollections
import Synchronization

/// Keeps tokens in a file that only its user may read, and in memory.
///
/// The file is replaced in one step, so that a reader sees the old tokens or the new ones; several programs at a time don't lose
/// each other's, because each reads the file again before it writes, under a lock.
package final class TokenStore: Sendable {
    /// `nil`: in memory alone.
    package let path: String?
    private let memory = Mutex<[TokenKey: OAuth2Token]>([:])

    package init(path: String?) {
        self.path = path
    }

    /// Keeps tokens in memory only if there is no home directory.
    package convenience init(environment: [String: String]) {
        self.init(path: UserDirectories(environment).tokens)
    }

    /// Also one that another program has brought.
    func token(for key: TokenKey, at date: Date) -> OAuth2Token? {
        if let token = memory.withLock({ $0[key] }), token.isFresh(at: date) { return token }
        let kept = path.flatMap { Self.read($0)[key] }
        return memory.withLock { memory in
            if let kept { memory[key] = kept }
            return memory[key]
        }
    }

    /// - Parameter token: `nil` forgets it.
    /// - Throws: when the file can't be written; in memory it is kept all the same.
    func keep(_ token: OAuth2Token?, for key: TokenKey, at date: Date) throws(NetworkError) {
        memory.withLock { $0[key] = token }
        guard let path else { return }
        if let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex {
            try PrivateFile.makeDirectory(String(path[..<slash]))
        }
        try PrivateFile.change(path) { data in
            var tokens = Self.tokens(in: data)
            tokens[key] = token
            // What has expired and can't be renewed is of no use to anybody.
            return Self.data(of: tokens.filter { $0.value.isFresh(at: date) || $0.value.refreshToken != nil })
        }
    }

    // MARK: The file

    private struct Contents: Codable {
        var version = 1
        var tokens: [Entry] = []
    }

    private struct Entry: Codable {
        var key: TokenKey
        var token: OAuth2Token
    }

    private static func read(_ path: String) -> [TokenKey: OAuth2Token] {
        tokens(in: (try? PrivateFile.read(path)) ?? nil)
    }

    /// A file that can't be read is as good as none: then everybody signs in again.
    private static func tokens(in data: Data?) -> [TokenKey: OAuth2Token] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let data, let contents = try? decoder.decode(Contents.self, from: data), contents.version == 1 else { return [:] }
        return Dictionary(contents.tokens.map { ($0.key, $0.token) }) { $1 }
    }

    private static func data(of tokens: [TokenKey: OAuth2Token]) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        let entries = tokens.map { Entry(key: $0.key, token: $0.value) }.sorted { $0.key.order < $1.key.order }
        // Texts, numbers and dates alone: it can't fail.
        return (try? encoder.encode(Contents(tokens: entries))) ?? Data()
    }
}

extension TokenKey {
    fileprivate var order: String {
        [tokenURL, clientID, grant, scope ?? "", audience ?? "", user ?? "", proof ?? "", server ?? ""].joined(separator: "\n")
    }
}

/// An access token, and what gets the next one.
package struct OAuth2Token: Hashable, Sendable, Codable {
    package var accessToken: String
    package var refreshToken: String?
    /// The scope that was granted, when the server says that it is another.
    package var scope: String?
    /// When it was issued, by the wall clock, since it is compared with times of other days.
    package var issued: Date
    /// `nil`: until a server refuses it.
    package var expires: Date?

    package init(
        accessToken: String, refreshToken: String? = nil, scope: String? = nil, issued: Date, expires: Date? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.scope = scope
        self.issued = issued
        self.expires = expires
    }

    /// Whether it will do for a request that is sent now.
    ///
    /// A token that lives an hour counts as expired half a minute early, so that it doesn't expire on the way; a short-lived one
    /// by a tenth of its life.
    func isFresh(at date: Date) -> Bool {
        guard let expires else { return true }
        return date < expires - min(Self.margin, expires.timeIntervalSince(issued) / 10)
    }

    static let margin: TimeInterval = 30
}

extension OAuth2Token: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    package var description: String { "OAuth2Token(expires: \(expires.map { "\($0)" } ?? "unknown"))" }

    package var customMirror: Mirror { Mirror(self, children: ["expires": expires as Any]) }
}

/// What is to be done for somebody who wants a token.
enum TokenStep: Hashable, Sendable {
    case use(OAuth2Token)
    case refresh(with: String)
    /// The whole grant.
    case grant

    /// - Parameters:
    ///   - token: the one that is there.
    ///   - refused: an access token that a server didn't take, whatever its time says.
    init(having token: OAuth2Token?, refused: String?, at date: Date) {
        if let token, token.isFresh(at: date), token.accessToken != refused {
            self = .use(token)
        } else if let refresh = token?.refreshToken {
            self = .refresh(with: refresh)
        } else {
            self = .grant
        }
    }
}

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
        if proofs != [""] { proof = DigestFunction.sha256.digest(of: proofs) }
    }
}

extension DigestFunction {
    /// 32 hexadecimal digits that stand for a list of texts.
    func digest(of texts: [String]) -> String {
        // Each with its length, so that no two lists of texts are one.
        let data = texts.reduce(into: Data()) { $0 += Data("\($1.utf8.count):\($1)".utf8) }
        return hash(data).prefix(16).hexadecimal
    }
}
