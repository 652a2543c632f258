/// The digest of a body, over its decoded bytes (HSH-1).
public struct BodyHash: Sendable, Hashable, Codable {
    /// The algorithm that computed the digest.
    public var algorithm: HashAlgorithm
    /// The digest itself, as many bytes as the algorithm makes.
    public var bytes: [UInt8]

    /// A digest that was computed elsewhere; the count of the bytes isn't checked.
    public init(algorithm: HashAlgorithm, bytes: [UInt8]) {
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
