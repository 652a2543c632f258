package import Base

/// The digest of a body, over its decoded bytes (HSH-1).
public struct BodyHash: Sendable, Hashable, Codable {
    public var algorithm: HashAlgorithm
    /// The digest itself, as many bytes as the algorithm makes.
    public var bytes: [UInt8]

    /// A digest that was computed elsewhere; the count of the bytes isn't checked.
    package init(algorithm: HashAlgorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Lower-case hexadecimal digits, as `sha256sum` prints them.
    public var hexadecimal: String { bytes.hexadecimal }
}

extension BodyHash: CustomStringConvertible {
    /// `sha256:9f86d0…`
    public var description: String { "\(algorithm.rawValue):\(hexadecimal)" }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        var text = ""
        text.reserveCapacity(underestimatedCount * 2)
        for byte in self {
            for digit in [byte >> 4, byte & 15] {
                text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10))
            }
        }
        return text
    }
}

extension BodyHash {
    /// Hashes a file in pieces of 1 MiB; blocks until it is read.
    package init(file path: String, algorithm: HashAlgorithm) throws(NetworkError) {
        let reader = try FileBodyReader(path: path)
        defer { reader.close() }
        var digest = BodyDigest(algorithm)
        while case .bytes(let data) = try reader.read(atMost: 1 << 20, wake: {}) { digest.update(data) }
        self = digest.hash
    }
}

extension AsyncSequence where Element == Data {
    /// Hashes everything that comes, for example from ``RequestOperation/body``.
    package func hash(_ algorithm: HashAlgorithm) async throws(Failure) -> BodyHash {
        var digest = BodyDigest(algorithm)
        var iterator = makeAsyncIterator()
        while let data = try await iterator.next(isolation: nil) { digest.update(data) }
        return digest.hash
    }
}

/// Hashes bytes while they pass.
package struct BodyDigest: Sendable {
    /// What it hashes with.
    package let algorithm: HashAlgorithm
    private var hashing: DigestFunction.Hashing

    /// Before the first byte.
    package init(_ algorithm: HashAlgorithm) {
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
    package mutating func update(_ data: Data) { hashing.update(data) }

    /// The digest of all bytes so far.
    package var hash: BodyHash { BodyHash(algorithm: algorithm, bytes: hashing.digest) }
}

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
}
