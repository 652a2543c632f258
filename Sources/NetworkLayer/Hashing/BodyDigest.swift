public import Base

/// Hashes bytes while they pass.
public struct BodyDigest: Sendable {
    /// What it hashes with.
    public let algorithm: HashAlgorithm
    private var hashing: DigestFunction.Hashing

    /// Before the first byte.
    public init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
        let function: DigestFunction =
            switch algorithm {
            case .md5: .md5
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        hashing = DigestFunction.Hashing(function)
    }

    /// Takes in the next bytes, in order.
    public mutating func update(_ data: Data) { hashing.update(data) }

    /// The digest of all bytes so far.
    public var hash: BodyHash { BodyHash(algorithm: algorithm, bytes: hashing.digest) }
}
