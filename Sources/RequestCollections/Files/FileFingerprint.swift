/// Tells whether a file still holds the bytes that were read. For this process only: the hash is seeded anew in each.
package struct FileFingerprint: Hashable, Sendable {
    private let count: Int
    private let hash: Int

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        hash = bytes.withUnsafeBytes { buffer in
            var hasher = Hasher()
            hasher.combine(bytes: buffer)
            return hasher.finalize()
        }
    }
}
