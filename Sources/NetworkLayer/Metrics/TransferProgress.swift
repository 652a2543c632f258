/// How far a body has come, in bytes on the wire.
public struct TransferProgress: Sendable, Hashable, Codable {
    /// So far.
    public var bytes: Int64
    /// The whole, where it is known.
    public var expected: Int64?

    /// - Parameter expected: `nil` where the whole length isn't known.
    public init(bytes: Int64 = 0, expected: Int64? = nil) {
        self.bytes = bytes
        self.expected = expected
    }

    /// 0 … 1, where ``expected`` is known.
    public var fraction: Double? {
        guard let expected else { return nil }
        return expected > 0 ? min(1, Double(bytes) / Double(expected)) : 1
    }
}
