import Base
import NetworkLayer
import RequestCollections
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
