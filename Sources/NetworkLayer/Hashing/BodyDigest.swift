import Crypto
public import FoundationEssentials

/// Hashes bytes while they pass.
public struct BodyDigest: Sendable {
    public let algorithm: HashAlgorithm
    private var function: Function

    private enum Function {
        case md5(Insecure.MD5)
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
        case sha512(SHA512)
        /// While a piece is taken in.
        case none
    }

    public init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
        function =
            switch algorithm {
            case .md5: .md5(.init())
            case .sha1: .sha1(.init())
            case .sha256: .sha256(.init())
            case .sha512: .sha512(.init())
            }
    }

    public mutating func update(_ data: Data) {
        // Taken out of the case, or the function's state would be copied for every piece.
        switch function {
        case .md5(var hash):
            function = .none
            hash.update(data: data)
            function = .md5(hash)
        case .sha1(var hash):
            function = .none
            hash.update(data: data)
            function = .sha1(hash)
        case .sha256(var hash):
            function = .none
            hash.update(data: data)
            function = .sha256(hash)
        case .sha512(var hash):
            function = .none
            hash.update(data: data)
            function = .sha512(hash)
        case .none: preconditionFailure("Only inside of update")
        }
    }

    /// The digest of all bytes so far.
    public var hash: BodyHash {
        let bytes: [UInt8] =
            switch function {
            case .md5(let hash): Array(hash.finalize())
            case .sha1(let hash): Array(hash.finalize())
            case .sha256(let hash): Array(hash.finalize())
            case .sha512(let hash): Array(hash.finalize())
            case .none: []
            }
        return BodyHash(algorithm: algorithm, bytes: bytes)
    }
}
