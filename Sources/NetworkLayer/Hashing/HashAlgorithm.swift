/// The algorithms that can hash the body of a response (HSH-1). MD5 and SHA-1 are here because servers publish such digests; neither of
/// them proves anything.
public enum HashAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
    /// RFC 1321, and FIPS 180-4. MD5 and SHA-1 keep nobody out: for comparison with servers that use them.
    case md5, sha1, sha256, sha512

    /// As people write it: `SHA-256`.
    public var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha512: "SHA-512"
        }
    }

    /// Bytes of a digest.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}
